// Chooses an order of two placed meshes that depends only on their content, and exchanges A and B in answers
// that were computed for the exchanged meshes.

import { compareLexicographically } from './regions.js';
import type { Vector } from './separator.js';
import type { Surface } from './surface.js';

/**
 * Returns whether B comes before A. Meshes are ordered by their transforms, then by their vertices, and then by
 * their triangles. If rounded answers are computed in this order, they do not depend on which of the meshes the
 * caller names first.
 */
export function isOutOfOrder(a: Surface, b: Surface): boolean {
  const wordsOfB = wordsOf(b);
  for (const [i, words] of wordsOf(a).entries()) {
    const order = words.length - wordsOfB[i].length || compareLexicographically(words, wordsOfB[i]);
    if (order !== 0) return order > 0;
  }
  return false;
}

// Returns the bits of all numbers that define a placed mesh. Bits are compared because they tell 0 from -0,
// which a comparison of numbers does not.
const wordsOf = ({ rows, positions, indices }: Surface): Uint32Array[] =>
  [rows, positions, indices].map(
    ({ buffer, byteOffset, byteLength }) => new Uint32Array(buffer, byteOffset, byteLength / 4),
  );

/** The parts of answers that change if A and B are exchanged. */
interface ClassSides {
  which?: 'a' | 'b';
  direction?: Vector;
  pointA?: Vector;
  pointB?: Vector;
}
interface RegionSides {
  which?: 'a' | 'b';
  direction: Vector;
  pointA: Vector;
  pointB: Vector;
  trianglesA: number;
  trianglesB: number;
}

const otherSide = (side: 'a' | 'b'): 'a' | 'b' => (side === 'a' ? 'b' : 'a');
const opposite = ([x, y, z]: Vector): Vector => [0 - x, 0 - y, 0 - z];

/** Converts the classification of two meshes to that of the exchanged meshes. */
export const exchangedClass = <Answer extends ClassSides>(answer: Answer): Answer => ({
  ...answer,
  ...(answer.which && { which: otherSide(answer.which) }),
  ...(answer.direction && { direction: opposite(answer.direction) }),
  ...(answer.pointB && { pointA: answer.pointB }),
  ...(answer.pointA && { pointB: answer.pointA }),
});

/** Converts a contact region of two meshes to that of the exchanged meshes. */
export const exchangedRegion = <Region extends RegionSides>(region: Region): Region => ({
  ...region,
  ...(region.which && { which: otherSide(region.which) }),
  direction: opposite(region.direction),
  pointA: region.pointB,
  pointB: region.pointA,
  trianglesA: region.trianglesB,
  trianglesB: region.trianglesA,
});
