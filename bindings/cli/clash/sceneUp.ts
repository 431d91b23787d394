// Parts of files whose formats have y or z up -> parts of one scene, turned where the scene's is another.
// Coordinates only change places and signs.
import type { Part, Tell, Up } from '../../formats/part.js';

/**
 * up: of the scene; files whose format does not say theirs have it already. tell: hears where two differ and
 * none is asked for.
 */
export function withUp<Kind extends Part & { file: string }>(
  parts: Kind[],
  up: Up | undefined,
  tell: Tell,
): Kind[] {
  if (up !== undefined)
    return parts.map(part =>
      part.up === undefined || part.up === up ? part : { ...part, transform: turned(part.transform, up) },
    );
  const [y, z] = (['y', 'z'] as const).map(axis => parts.find(part => part.up === axis));
  if (y && z)
    tell(
      `${y.file} has y up, ${z.file} z; both are taken as they are`,
      'Write --up z, or --up y, to turn the others.',
    );
  return parts;
}

// About the x axis, by a quarter: what pointed along the old one points along the new one.
function turned(transform: Float64Array, up: Up): Float64Array {
  const [positive, negative] = up === 'z' ? [2, 1] : [1, 2];
  const found = transform.slice();
  for (let column = 0; column < 16; column += 4) {
    found[column + positive] = transform[column + negative];
    found[column + negative] = 0 - transform[column + positive];
  }
  return found;
}
