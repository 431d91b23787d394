// Names the numeric and logical instructions of WebAssembly that mutants exchange with each other.
import { simd } from './wasmCode.js';

const COMPARISONS = 'eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u';
const INTEGER = 'clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr';
const FLOAT_COMPARISONS = 'eq ne lt gt le ge';
const FLOAT = 'abs neg ceil floor trunc nearest sqrt add sub mul div min max copysign';
const LANES = 'add sub mul div min max pmin pmax';

/** Ranges of consecutive opcodes: the type, the first opcode, and the names of all opcodes in order. */
const RUNS: readonly [type: string, first: number, names: string][] = [
  ['i32', 0x45, `eqz ${COMPARISONS}`],
  ['i64', 0x50, `eqz ${COMPARISONS}`],
  ['f32', 0x5b, FLOAT_COMPARISONS],
  ['f64', 0x61, FLOAT_COMPARISONS],
  ['i32', 0x67, INTEGER],
  ['i64', 0x79, INTEGER],
  ['f32', 0x8b, FLOAT],
  ['f64', 0x99, FLOAT],
  ['i8x16', simd(35), COMPARISONS],
  ['i16x8', simd(45), COMPARISONS],
  ['i32x4', simd(55), COMPARISONS],
  ['f32x4', simd(65), FLOAT_COMPARISONS],
  ['f64x2', simd(71), FLOAT_COMPARISONS],
  ['v128', simd(77), 'not and andnot or xor'],
  ['v128', simd(83), 'any_true'],
  ['f32x4', simd(103), 'ceil floor trunc nearest'],
  ['f64x2', simd(116), 'ceil floor'],
  ['f64x2', simd(122), 'trunc'],
  ['i32x4', simd(163), 'all_true'],
  ['i32x4', simd(171), 'shl shr_s shr_u add'],
  ['i32x4', simd(177), 'sub'],
  ['i32x4', simd(181), 'mul min_s min_u max_s max_u'],
  ['f32x4', simd(224), 'abs neg'],
  ['f32x4', simd(227), `sqrt ${LANES}`],
  ['f64x2', simd(236), 'abs neg'],
  ['f64x2', simd(239), `sqrt ${LANES}`],
];

const byName = new Map(
  RUNS.flatMap(([type, first, names]) =>
    names.split(' ').map((name, i): [string, number] => [`${type}.${name}`, first + i]),
  ),
);
const byOpcode = new Map([...byName].map(([name, op]) => [op, name]));

/** Returns the name of an instruction, such as 'f32x4.lt'; undefined if no mutant exchanges it. */
export const nameOf = (op: number): string | undefined => byOpcode.get(op);

/** Returns the opcode with a name; undefined if there is none. */
export const opcodeOf = (name: string): number | undefined => byName.get(name);
