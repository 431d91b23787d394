// Lists the deliberate errors (mutations) that can be made in one instruction without changing its length.
import { nameOf, opcodeOf } from './opcodes.js';
import { hasAddress, type Instruction, OP, Reader, simd } from './wasmCode.js';

export const kinds = [
  'comparison',
  'min and max',
  'arithmetic',
  'logic',
  'rounding',
  'slack',
  'off by one',
  'axis',
  'store',
  'branch',
] as const;
export type Kind = (typeof kinds)[number];

/** bytes: the replacement of the instruction, of the same length. change: describes the mutation. */
export interface Mutation {
  kind: Kind;
  change: string;
  bytes: Uint8Array;
}

/**
 * For each operation: the kind of the error, and the operations of the same type that can replace it. A
 * comparison by order (lt, le, gt or ge) has two replacements: the comparison that differs from it only for
 * equal values, and its opposite.
 */
const REPLACEMENTS: Readonly<Record<string, readonly [Kind, ...string[]]>> = {
  eq: ['comparison', 'ne'],
  ne: ['comparison', 'eq'],
  lt: ['comparison', 'le', 'ge'],
  le: ['comparison', 'lt', 'gt'],
  gt: ['comparison', 'ge', 'le'],
  ge: ['comparison', 'gt', 'lt'],
  min: ['min and max', 'max'],
  max: ['min and max', 'min'],
  pmin: ['min and max', 'pmax'],
  pmax: ['min and max', 'pmin'],
  add: ['arithmetic', 'sub'],
  sub: ['arithmetic', 'add'],
  mul: ['arithmetic', 'add'],
  div: ['arithmetic', 'mul'],
  rem: ['arithmetic', 'div'],
  abs: ['arithmetic', 'neg'],
  neg: ['arithmetic', 'abs'],
  sqrt: ['arithmetic', 'abs'],
  and: ['logic', 'or'],
  or: ['logic', 'and'],
  xor: ['logic', 'or'],
  andnot: ['logic', 'and'],
  shl: ['logic', 'shr_u'],
  shr: ['logic', 'shl'],
  all_true: ['logic', 'any_true'],
  ceil: ['rounding', 'floor', 'trunc'],
  floor: ['rounding', 'ceil', 'trunc'],
  trunc: ['rounding', 'ceil', 'floor'],
  nearest: ['rounding', 'trunc'],
};

// Encodes an integer in LEB128, the variable-length encoding of WebAssembly.
function encode(value: number, isSigned: boolean): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; ) {
    const byte = rest & 127;
    rest >>= 7;
    const isLast = isSigned ? rest === (byte & 64 ? -1 : 0) : rest === 0;
    bytes.push(isLast ? byte : byte | 128);
    if (isLast) return bytes;
  }
}

const opcodeBytes = (op: number): number[] => (op > 255 ? [op >> 8, ...encode(op & 255, false)] : [op]);

function* exchangedOperation(name: string): Generator<{ kind: Kind; change: string; bytes: number[] }> {
  const [type, operation] = name.split('.');
  if (operation === 'eqz') yield { kind: 'comparison', change: `${name} dropped`, bytes: [] };
  const match = /^(shr|lt|le|gt|ge|min|max|div|rem)_([su])$/.exec(operation);
  const [kind, ...others] = REPLACEMENTS[match ? match[1] : operation] ?? [];
  for (const other of others) {
    const target = [`${type}.${other}`, `${type}.${other}_${match?.[2]}`, `v128.${other}`].find(
      candidate => opcodeOf(candidate) !== undefined,
    );
    if (kind && target) yield { kind, change: `${name} to ${target}`, bytes: opcodeBytes(opcodeOf(target)!) };
  }
}

/**
 * Returns one or two wrong values for a constant of the source. A small number is an error bound; its wrong
 * values are 0 and half of the bound. A number near 1 or -1 is a factor that enlarges or shrinks a value by an
 * error bound; its wrong values are the factor without the bound (1 or -1) and the factor with half of the
 * bound. The wrong value of any other number is its double.
 */
function changedConstants(value: number): number[] {
  const magnitude = Math.abs(value);
  if (magnitude < 2 ** -10) return [0, value / 2];
  const whole = Math.sign(value);
  if (magnitude !== 1 && magnitude > 0.9 && magnitude < 1.1) return [whole, (whole + value) / 2];
  return [2 * value];
}

/**
 * Returns the size of the floats in a constant, in bytes. The type of a constant of 16 bytes is not encoded, so
 * this function guesses it: 8 only if the two 64-bit lanes are equal and their 32-bit halves differ.
 */
function floatSize(bytes: Uint8Array): 4 | 8 {
  if (bytes.length < 16) return bytes.length as 4 | 8;
  const words = new Uint32Array(bytes.slice().buffer);
  return words[0] === words[2] && words[1] === words[3] && words[0] !== words[1] ? 8 : 4;
}

/**
 * Returns the limit above which the magnitude of a constant counts as a float of the source, given the sizes of
 * the constant and of its lanes. Smaller values are the bits of integers or masks, which are frequent in
 * constants of 16 bytes.
 */
const minimumOf = (bytes: number, lane: 4 | 8): number =>
  lane === 4 ? 2 ** -126 : bytes === 8 ? 2 ** -1000 : 2 ** -600;

/** Returns the errors in a constant of floats; none if the constant contains no floats of the source. */
function changedFloats(bytes: Uint8Array): { change: string; bytes: Uint8Array }[] {
  const size = floatSize(bytes);
  const Floats = size === 4 ? Float32Array : Float64Array;
  const lanes = new Floats(bytes.slice().buffer);
  const minimum = minimumOf(bytes.length, size);
  if (!lanes.every(lane => Math.abs(lane) > minimum && Math.abs(lane) < 1 / minimum)) return [];
  const type = lanes.length === 1 ? `f${8 * size}` : `f${8 * size}x${lanes.length}`;
  return changedConstants(lanes[0]).flatMap((_, choice) => {
    const changed = new Floats(Array.from(lanes, lane => changedConstants(lane)[choice] ?? lane));
    if (changed.every((value, i) => value === lanes[i])) return [];
    return [
      { change: `${type} constant ${lanes[0]} to ${changed[0]}`, bytes: new Uint8Array(changed.buffer) },
    ];
  });
}

/** Integer constants up to this value are counts, indices and flags; larger ones are masks. */
const MAX_COUNT = 4096;

function* changedCount(value: number): Generator<{ kind: Kind; change: string; bytes: number[] }> {
  if (Math.abs(value) > MAX_COUNT) return;
  for (const other of [value + 1, value - 1])
    yield {
      kind: 'off by one',
      change: `i32 constant ${value} to ${other}`,
      bytes: [OP.i32Const, ...encode(other, true)],
    };
}

/** Returns the width of the float or vector that an instruction loads or stores, in bytes; otherwise 0. */
function floatWidth(op: number): number {
  if (op === 0x2a || op === 0x38) return 4;
  if (op === 0x2b || op === 0x39) return 8;
  if (op === simd(0) || op === simd(11)) return 16;
  if (op === simd(9) || op === simd(92)) return 4;
  if (op === simd(10) || op === simd(93)) return 8;
  return 0;
}

const isStore = (op: number): boolean =>
  (op >= 0x36 && op <= 0x3e) || op === simd(11) || (op >= simd(88) && op <= simd(91));

/** The number of lanes of each instruction that reads or replaces one lane, in the order of opcodes. */
const LANE_COUNTS = [16, 16, 16, 8, 8, 8, 4, 4, 2, 2, 4, 4, 2, 2];

function* otherAxis(code: Uint8Array, { op, at, immediatesAt, end }: Instruction) {
  const kind: Kind = 'axis';
  const head = [...code.subarray(at, immediatesAt)];
  const width = hasAddress(op) ? floatWidth(op) : 0;
  if (width > 0) {
    const reader = new Reader(code, immediatesAt);
    const alignment = reader.unsigned();
    const offset = reader.unsigned();
    for (const other of [offset + width, offset - width])
      if (other >= 0)
        yield {
          kind,
          change: `offset ${offset} of a ${width}-byte access to ${other}`,
          bytes: [...head, alignment, ...encode(other, false)],
        };
  }
  if (op >= simd(21) && op <= simd(34)) {
    const lane = code[immediatesAt];
    const other = (lane + 1) % LANE_COUNTS[op - simd(21)];
    yield { kind, change: `lane ${lane} to ${other}`, bytes: [...head, other] };
  }
  if (op === OP.shuffle) {
    const lanes = [...code.subarray(immediatesAt, end)];
    const first = lanes.slice(0, 4);
    for (let from = 4; from < 16; from += 4) {
      const other = lanes.slice(from, from + 4);
      if (other.every((lane, i) => lane === first[i])) continue;
      const swapped = [...other, ...lanes.slice(4, from), ...first, ...lanes.slice(from + 4)];
      yield { kind, change: `lanes 0 and ${from / 4} of a shuffle swapped`, bytes: [...head, ...swapped] };
      return;
    }
  }
}

function* drafts(code: Uint8Array, instruction: Instruction) {
  const { op, immediatesAt, end } = instruction;
  const name = nameOf(op);
  if (name) yield* exchangedOperation(name);
  yield* otherAxis(code, instruction);
  const payload = code.subarray(immediatesAt, end);
  if (op === OP.i32Const) yield* changedCount(new Reader(code, immediatesAt).signed());
  if (op === OP.f32Const || op === OP.f64Const || op === OP.v128Const)
    for (const { change, bytes } of changedFloats(payload))
      yield { kind: 'slack' as const, change, bytes: [...opcodeBytes(op), ...bytes] };
  if (isStore(op)) yield { kind: 'store' as const, change: 'store dropped', bytes: [OP.drop, OP.drop] };
  if (op === OP.memoryCopy || op === OP.memoryFill)
    yield {
      kind: 'store' as const,
      change: op === OP.memoryCopy ? 'memory.copy dropped' : 'memory.fill dropped',
      bytes: [OP.drop, OP.drop, OP.drop],
    };
  if (op === OP.brIf) yield { kind: 'branch' as const, change: 'branch never taken', bytes: [OP.drop] };
}

/** Returns the mutations of an instruction. code: the module that contains it. */
export function mutationsOf(code: Uint8Array, instruction: Instruction): Mutation[] {
  const length = instruction.end - instruction.at;
  return [...drafts(code, instruction)].flatMap(({ kind, change, bytes }) => {
    if (bytes.length > length) return [];
    const padded = new Uint8Array(length).fill(OP.nop);
    padded.set(bytes);
    return [{ kind, change, bytes: padded }];
  });
}
