// Decodes the code of a WebAssembly module into functions and instructions, with their byte positions, so that
// single instructions can be changed in place.

/**
 * An instruction. op: its opcode; for opcodes with a prefix byte, 256 times the prefix plus the rest. It fills
 * the bytes from `at` to `end`, and its immediate values begin at `immediatesAt`.
 */
export interface Instruction {
  op: number;
  at: number;
  immediatesAt: number;
  end: number;
}

/** A function. index: its number in the module. calls: numbers of the functions that it calls. */
export interface WasmFunction {
  index: number;
  instructions: readonly Instruction[];
  calls: readonly number[];
}

/** exported: the numbers of the exported functions, by name. */
export interface WasmCode {
  functions: readonly WasmFunction[];
  exported: ReadonlyMap<string, number>;
}

const CUSTOM_PREFIXES = { bulk: 0xfc, simd: 0xfd, atomic: 0xfe };
/** Returns the opcode of an instruction that begins with a prefix byte. rest: the number after this byte. */
export const simd = (rest: number): number => (CUSTOM_PREFIXES.simd << 8) | rest;
export const bulk = (rest: number): number => (CUSTOM_PREFIXES.bulk << 8) | rest;
const atomic = (rest: number): number => (CUSTOM_PREFIXES.atomic << 8) | rest;

export const OP = {
  unreachable: 0x00,
  nop: 0x01,
  loop: 0x03,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  call: 0x10,
  drop: 0x1a,
  i32Const: 0x41,
  f32Const: 0x43,
  f64Const: 0x44,
  v128Const: simd(12),
  shuffle: simd(13),
  memoryCopy: bulk(10),
  memoryFill: bulk(11),
  /** Not an instruction, but the type of a block without a result. */
  emptyBlock: 0x40,
} as const;

const SECTION = { imports: 2, exports: 7, code: 10 };
const FUNCTION = 0;

/** Reads values of a module one after the other. */
export class Reader {
  constructor(
    readonly bytes: Uint8Array,
    public at: number,
  ) {}

  byte(): number {
    return this.bytes[this.at++];
  }

  /** Reads an unsigned integer in LEB128, the variable-length encoding of WebAssembly. */
  unsigned(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  /** Reads a signed 32-bit integer in LEB128. */
  signed(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 127) << shift;
      if (byte >= 128) continue;
      return shift + 7 < 32 && byte & 64 ? value | (-1 << (shift + 7)) : value;
    }
  }

  name(): string {
    const length = this.unsigned();
    this.at += length;
    return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at));
  }
}

function opcode(reader: Reader): number {
  const first = reader.byte();
  return Object.values(CUSTOM_PREFIXES).includes(first) ? (first << 8) | reader.unsigned() : first;
}

const isBetween = (op: number, first: number, last: number): boolean => first <= op && op <= last;

/** Returns whether the immediate values of an instruction are the alignment and the offset of an address. */
export const hasAddress = (op: number): boolean =>
  isBetween(op, 0x28, 0x3e) ||
  isBetween(op, simd(0), simd(11)) ||
  isBetween(op, simd(84), simd(93)) ||
  (isBetween(op, atomic(0), atomic(0x4e)) && op !== atomic(3));

function skipImmediates(op: number, reader: Reader): void {
  if (hasAddress(op)) {
    reader.unsigned();
    reader.unsigned();
    if (isBetween(op, simd(84), simd(91))) reader.at += 1;
  } else if (isBetween(op, simd(21), simd(34)) || op === OP.memoryFill || op === atomic(3)) reader.at += 1;
  else if (op === OP.v128Const || op === OP.shuffle) reader.at += 16;
  else if (op === OP.memoryCopy) reader.at += 2;
  else if (op >= 0xfc00 && (op < 0xfd00 ? op > bulk(7) : op > simd(255)))
    throw new Error(`unknown instruction ${op.toString(16)} at ${reader.at}`);
  // Block types, labels, functions, variables and integers: one number, whose sign does not matter here.
  else if (
    isBetween(op, 0x02, 0x04) ||
    isBetween(op, 0x0c, 0x0d) ||
    op === OP.call ||
    isBetween(op, 0x20, 0x24) ||
    isBetween(op, 0x3f, 0x42)
  )
    reader.unsigned();
  else if (op === 0x0e) for (let labels = reader.unsigned(); labels >= 0; labels--) reader.unsigned();
  else if (op === 0x1c) for (let types = reader.unsigned(); types > 0; types--) reader.unsigned();
  else if (op === OP.f32Const) reader.at += 4;
  else if (op === OP.f64Const) reader.at += 8;
  else if (op === 0x11 || isBetween(op, 0xc5, 0xfb))
    throw new Error(`unknown instruction ${op.toString(16)} at ${reader.at}`);
}

function readFunction(reader: Reader, index: number): WasmFunction {
  const size = reader.unsigned();
  const end = reader.at + size;
  for (let locals = reader.unsigned(); locals > 0; locals--) {
    reader.unsigned();
    reader.byte();
  }
  const instructions: Instruction[] = [];
  const calls = new Set<number>();
  while (reader.at < end) {
    const { at } = reader;
    const op = opcode(reader);
    const immediatesAt = reader.at;
    skipImmediates(op, reader);
    instructions.push({ op, at, immediatesAt, end: reader.at });
    if (op === OP.call) calls.add(new Reader(reader.bytes, immediatesAt).unsigned());
  }
  if (reader.at !== end) throw new Error(`function ${index} ends at ${reader.at}, not at ${end}`);
  return { index, instructions, calls: [...calls] };
}

/** Decodes a module that imports nothing but its memory. */
export function readCode(bytes: Uint8Array): WasmCode {
  const functions: WasmFunction[] = [];
  const exported = new Map<string, number>();
  const reader = new Reader(bytes, 8);
  while (reader.at < bytes.length) {
    const section = reader.byte();
    const size = reader.unsigned();
    const end = reader.at + size;
    if (section === SECTION.exports) {
      for (let count = reader.unsigned(); count > 0; count--) {
        const name = reader.name();
        const kind = reader.byte();
        const index = reader.unsigned();
        if (kind === FUNCTION) exported.set(name, index);
      }
    } else if (section === SECTION.code) {
      const count = reader.unsigned();
      for (let index = 0; index < count; index++) functions.push(readFunction(reader, index));
    }
    reader.at = end;
  }
  return { functions, exported };
}

/** Returns the names of the exported functions that call each function, directly or indirectly. */
export function callersOf({ functions, exported }: WasmCode): string[][] {
  const callers = functions.map((): string[] => []);
  for (const [name, start] of exported) {
    const reached = new Set([start]);
    for (const index of reached) functions[index].calls.forEach(callee => reached.add(callee));
    for (const index of reached) callers[index].push(name);
  }
  return callers;
}
