// A slow reader of OFF text. Vertices may have normals, colors or texture coordinates. It shares no code with
// pfront, so that the two can be compared.
import { asCoordinate } from './slowNumbers.js';

/**
 * Matches a comment that contains a carriage return. pfront refuses some files with such a comment: for some
 * programs the carriage return ends the line, so a statement may follow. The slow readers do not decide which
 * of these files are refused: they return undefined for all of them.
 */
export const COMMENT_WITH_RETURN = /#[^\n]*\r[^\n]/;

const NUMBERS: Record<string, number[]> = { OFF: [3], NOFF: [6], COFF: [6, 7], CNOFF: [9, 10], STOFF: [5] };

/**
 * Returns the coordinates of all corners; 'refused' if the file is invalid; undefined if it has something that
 * this reader does not know.
 */
export function slowOff(text: string): number[] | 'refused' | undefined {
  if (text.includes('\0')) return 'refused';
  if (COMMENT_WITH_RETURN.test(text)) return undefined;
  const rows = text
    .split('\n')
    .map(line => line.split(/[ \t\r]+/).filter(word => word !== ''))
    .map(words => {
      const comment = words.findIndex(word => word.startsWith('#'));
      return comment < 0 ? words : words.slice(0, comment);
    })
    .filter(words => words.length > 0);
  const [keyword, ...sameLine] = rows.shift() ?? [];
  const lengths = NUMBERS[keyword ?? ''];
  if (!lengths) return /^[A-Z0-9n]*OFF$/.test(keyword ?? '') ? undefined : 'refused';
  const counts = sameLine.length > 0 ? sameLine : (rows.shift() ?? []);
  if (counts.length < 2 || counts.length > 3) return 'refused';
  if (!counts.every(count => /^\d{1,9}$/.test(count))) return undefined;
  const [vertexCount, faceCount] = counts.map(Number);
  if (rows.length !== vertexCount + faceCount) return 'refused';
  const vertices = rows.slice(0, vertexCount);
  const faces = rows.slice(vertexCount);
  if (vertices.some(row => !lengths.includes(row.length))) return 'refused';
  if (vertices.some(row => row.slice(3).some(word => !/^[-+]?(\d+\.?\d*|\.\d+)$/.test(word))))
    return undefined;
  const points = vertices.map(row => row.slice(0, 3).map(asCoordinate));
  if (points.flat().includes(NaN)) return 'refused';
  const corners: number[] = [];
  for (const row of faces) {
    if (!row.every(word => /^\d{1,9}$/.test(word))) return undefined;
    const [count, ...numbers] = row.map(Number);
    if (count < 1 || ![0, 1, 3, 4].includes(numbers.length - count)) return 'refused';
    const face = numbers.slice(0, count);
    if (face.some(vertex => vertex >= vertexCount)) return 'refused';
    for (let i = 2; i < count; i++) corners.push(face[0], face[i - 1], face[i]);
  }
  return corners.flatMap(corner => points[corner]);
}
