// A slow reader of the common part of OBJ: vertices, faces, objects and groups. It shares no code with
// pfront, so that the two can be compared.
import { asCoordinate } from './slowNumbers.js';
import { COMMENT_WITH_RETURN } from './slowOff.js';

const SKIPPED = new Map([
  ['vt', [1, 3]],
  ['vn', [3, 3]],
  ['s', [0, 1]],
]); // prettier-ignore

/**
 * Returns the coordinates of all corners; 'refused' if the file is invalid; undefined if it has a statement
 * that this reader does not know.
 */
export function slowObj(text: string): number[] | 'refused' | undefined {
  if (text.includes('\0')) return 'refused';
  if (COMMENT_WITH_RETURN.test(text)) return undefined;
  // A backslash at the end of a line continues the line, except in a comment. This reader does not tell which
  // backslashes are in comments.
  if (/\\\r?\n/.test(text) && text.includes('#')) return undefined;
  const lines = text.replace(/\\\r?\n/g, ' ').split('\n');
  const vertices: number[][] = [];
  const parts = new Map<string, number[][]>();
  let [object, group, objects] = ['', '', 0];
  for (const [number, line] of lines.entries()) {
    const words = line.split(/[ \t\r]+/).filter(word => word !== '');
    const comment = words.findIndex(word => word.startsWith('#'));
    const [keyword, ...args] = comment < 0 ? words : words.slice(0, comment);
    if (keyword === undefined) continue;
    if (number === 0 && /^[-+]?\d+$/.test(keyword)) return undefined;
    if (keyword === 'o' || keyword === 'g') {
      // pfront refuses some names; this reader knows only that simple names are accepted.
      if (!/^[a-z]\w{0,20}$/i.test(line.slice(line.indexOf(keyword) + 1).trim())) return undefined;
      if (keyword === 'o') [object, group, objects] = [args[0], '', objects + 1];
      else group = args[0];
    } else if (keyword === 'v') {
      if (args.length !== 3) return undefined;
      const vertex = args.map(asCoordinate);
      if (vertex.includes(NaN)) return 'refused';
      vertices.push(vertex);
    } else if (keyword === 'f') {
      if (args.length < 3) return 'refused';
      const corners: number[] = [];
      for (const arg of args) {
        if (!/^-?\d{1,9}(\/(-?\d+)?){0,2}$/.test(arg)) return undefined;
        const index = parseInt(arg, 10);
        const corner = index > 0 ? index - 1 : vertices.length + index;
        if (index === 0 || corner < 0) return 'refused';
        corners.push(corner);
      }
      const key = `${objects} ${object} ${group}`;
      const triangles = parts.get(key) ?? [];
      parts.set(key, triangles);
      for (let i = 2; i < corners.length; i++) triangles.push([corners[0], corners[i - 1], corners[i]]);
    } else {
      const range = SKIPPED.get(keyword);
      if (!range || args.length < range[0] || args.length > range[1]) return undefined;
    }
  }
  const corners = [...parts.values()].flat(2);
  if (corners.some(corner => corner >= vertices.length)) return 'refused';
  return corners.flatMap(corner => vertices[corner]);
}
