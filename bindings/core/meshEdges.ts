// Numbers the edges of a triangle mesh, with a hash table.
import { HASH, tableFor } from './weldPositions.js';

/**
 * Returns, for each corner of each triangle, the number of the edge from this corner to the next one. Edges
 * that join the same two vertices, in either direction, have the same number: the index of the first corner at
 * which one of them begins. An edge whose ends are the same vertex has the number -1. corners: three vertex
 * numbers per triangle, after welding.
 */
export function edgesOf(corners: Uint32Array): Int32Array {
  const { slots, mask } = tableFor(corners.length);
  const edges = new Int32Array(corners.length);
  for (let i = 0; i < corners.length; i++) {
    const [a, b] = edgeEnds(corners, i);
    if (a === b) {
      edges[i] = -1;
      continue;
    }
    const [low, high] = a < b ? [a, b] : [b, a];
    let hash = Math.imul(low ^ Math.imul(high, HASH), HASH);
    for (hash ^= hash >>> 15; ; hash++) {
      const other = slots[hash & mask];
      if (other >= 0) {
        const [c, d] = edgeEnds(corners, other);
        if (!(c === a && d === b) && !(c === b && d === a)) continue;
      }
      edges[i] = other < 0 ? (slots[hash & mask] = i) : other;
      break;
    }
  }
  return edges;
}

const edgeEnds = (corners: Uint32Array, i: number): [number, number] => [
  corners[i],
  corners[i % 3 === 2 ? i - 2 : i + 1],
];
