// Reads the statements of Wavefront OBJ other than vertices and faces: checks and skips the statements that
// do not change the triangles, and lists the statements that cannot be read.
import { quote } from './part.js';
import type { TextScanner } from './textScanner.js';

/**
 * Surfaces other than polygons, and statements that include other files or run programs. Skipping them would
 * lose geometry.
 */
export const UNREADABLE: ReadonlySet<string> = new Set(['surf', 'bzp', 'bsp', 'cdp', 'res', 'call', 'csh']);

/** Points, lines and curves: they have no area. */
export const WITHOUT_AREA: ReadonlySet<string> = new Set(['p', 'l', 'curv', 'curv2', 'cdc']);

const ANY = [0, Infinity] as const;
// The minimum and maximum number of arguments of each keyword. More arguments indicate a lost line break.
const ARGUMENT_COUNTS: ReadonlyMap<string, readonly [number, number]> = new Map<
  string,
  readonly [number, number]
>([
  ['vt', [1, 3]],
  ['vn', [3, 3]],
  ['vp', [1, 3]],
  ['s', [0, 1]],
  ['mg', [1, 2]],
  ['usemtl', ANY],
  ['mtllib', ANY],
  ['usemap', ANY],
  ['maplib', ANY],
  ['bevel', [1, 1]],
  ['c_interp', [1, 1]],
  ['d_interp', [1, 1]],
  ['lod', [1, 1]],
  ['shadow_obj', ANY],
  ['trace_obj', ANY],
  ['ctech', ANY],
  ['stech', ANY],
  ['cstype', [1, 2]],
  ['deg', [1, 2]],
  ['bmat', ANY],
  ['step', [1, 2]],
  ['parm', ANY],
  ['trim', ANY],
  ['hole', ANY],
  ['scrv', ANY],
  ['sp', ANY],
  ['end', [0, 0]],
  ['con', [8, 8]],
]);

// Matches a name that ends with a vertex (`v` and at least three numbers) or a face (`f` and at least three
// corners). The letter must begin a word. An `f` may also be at the end of a word if each of its corners has a
// slash or a minus sign, because such corners cannot be part of a name.
const LOST_LINE_BREAK =
  /(^|[^A-Za-z0-9])(v(\s+[+-]?[\d.]+(e[+-]?\d+)?){3,}|fo?(\s+-?\d+(\/-?\d*){0,2}){3,})$|f(\s+(-\d+|-?\d+(\/-?\d*){1,2})){3,}$/i;

/**
 * Returns the rest of a line, which may be any text.
 * @throws InvalidFile if the text has signs of a lost line break: control characters, or a vertex or a face
 * at its end
 */
export function readName(scanner: TextScanner): string {
  const name = scanner.restOfText();
  if (LOST_LINE_BREAK.test(name))
    scanner.refuse(`${quote(name)} ends with a vertex or a face: a line break may be missing`);
  return name;
}

/**
 * Skips a statement of points, lines or curves. The arguments of curves are checked only for signs of a lost
 * line break.
 * @throws InvalidFile if an argument is not a vertex number, or if readName throws
 */
export function skipVertices(keyword: string, scanner: TextScanner): void {
  if (keyword !== 'p' && keyword !== 'l') {
    readName(scanner);
    return;
  }
  while (scanner.nextWordOfStatement()) {
    if (Number.isNaN(scanner.integerBeforeSlash()))
      scanner.refuse(`${quote(scanner.word())} is not a vertex number`);
  }
}

/**
 * Skips a statement that does not change the triangles.
 * @returns false if `keyword` is not such a statement
 * @throws InvalidFile if the statement has too few or too many arguments
 */
export function skipStatement(keyword: string, scanner: TextScanner): boolean {
  const range = ARGUMENT_COUNTS.get(keyword);
  if (!range) return false;
  const [min, max] = range;
  if (max === Infinity) {
    readName(scanner);
    return true;
  }
  let count = 0;
  while (count <= max && scanner.nextWordOfStatement()) count++;
  if (count < min || count > max)
    scanner.refuse(
      `${keyword} has ${count > max ? 'more' : 'fewer'} than ${count > max ? max : min} arguments`,
    );
  return true;
}
