// A slow reader of STL. It shares no code with pfront, so that the two can be compared.
import { latin } from '../mutators/text.js';
import { asCoordinate } from './slowNumbers.js';

// pfront refuses a solid if its name looks as if a line break was lost. This reader does not decide which names
// pfront refuses: it returns undefined for all names that match this pattern.
const SUSPECT_NAME = /[\x01-\x08\x0b-\x1f]|facet|solid/i;
const FACET =
  /^facet(?: normal (\S+) (\S+) (\S+))? outer loop vertex (\S+) (\S+) (\S+) vertex (\S+) (\S+) (\S+) vertex (\S+) (\S+) (\S+) endloop endfacet ?/i;

/**
 * Returns the coordinates of all corners; 'refused' if the file is invalid; undefined if this reader cannot
 * tell.
 */
export function slowStl(bytes: Uint8Array): number[] | 'refused' | undefined {
  const count = bytes.length < 84 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(80, true);
  if (bytes.length >= 84 && bytes.length === 84 + 50 * count) return binaryCorners(bytes, count);
  const text = latin(bytes);
  if (!/^[ \t\r\n]{0,100}solid[ \t\r\n]/i.test(text)) return /^\s*solid/i.test(text) ? undefined : 'refused';
  return text.includes('\0') ? 'refused' : textCorners(text);
}

function binaryCorners(bytes: Uint8Array, count: number): number[] | 'refused' {
  const corners: number[] = [];
  for (let triangle = 0; triangle < count; triangle++)
    corners.push(...new Float32Array(bytes.slice(96 + 50 * triangle, 132 + 50 * triangle).buffer));
  return corners.every(Number.isFinite) ? corners : 'refused';
}

function textCorners(text: string): number[] | 'refused' | undefined {
  const corners: number[] = [];
  // The rest of a line after `solid` or `endsolid` is a name.
  let rest = text;
  while ((rest = rest.replace(/^[ \t\r\n]+/, '')) !== '') {
    const solid = /^solid(?=[ \t\r\n]|$)[^\n]*/i.exec(rest);
    if (!solid) return 'refused';
    const end = /(?<=[ \t\r\n])endsolid(?=[ \t\r\n]|$)[^\n]*/i.exec(rest.slice(solid[0].length));
    if (!end) return 'refused';
    const names = [solid[0].slice('solid'.length), end[0].slice('endsolid'.length)];
    if (names.some(name => SUSPECT_NAME.test(name.trimEnd()))) return undefined;
    let body = rest
      .slice(solid[0].length, solid[0].length + end.index)
      .replace(/[ \t\r\n]+/g, ' ')
      .trim();
    // pfront requires each vertex and each normal to be on one line. This reader ignores line breaks.
    while (body !== '') {
      const facet = FACET.exec(body);
      if (!facet) return undefined;
      // A normal may have numbers that are not finite, in spellings that this reader does not know.
      if (facet.slice(1, 4).some(word => word !== undefined && Number.isNaN(asCoordinate(word))))
        return undefined;
      const numbers = facet.slice(4).map(asCoordinate);
      if (numbers.includes(NaN)) return 'refused';
      corners.push(...numbers);
      body = body.slice(facet[0].length);
    }
    rest = rest.slice(solid[0].length + end.index + end[0].length);
  }
  return corners;
}

/** Returns whether every statement of a text, such as a vertex or a normal, is on a line of its own. */
export const hasPlainLines = (bytes: Uint8Array): boolean =>
  latin(bytes)
    .split('\n')
    .every(line =>
      /^[ \t\r]*(|(end)?solid(\s.*)?|facet normal \S+ \S+ \S+|outer loop|vertex \S+ \S+ \S+|endloop|endfacet)[ \t\r]*$/i.test(
        line,
      ),
    );
