// Finds every pair of intersecting triangles of two placed meshes. If the boxes of two triangles overlap, the
// integer oracle decides whether these triangles intersect.

import { type DoubleOracleMesh, type OracleMesh, placeTriangles } from './place.js';
import { trianglesMeet } from './trianglesIntersect.js';

export type Pair = [a: number, b: number];

// Returns the box of each triangle: 6 doubles, minX minY minZ maxX maxY maxZ. Boxes are exact, because
// computing a min or max does not round.
export function triangleBoxes(corners: Float64Array): Float64Array {
  const triangleCount = corners.length / 9;
  const boxes = new Float64Array(triangleCount * 6);
  for (let triangle = 0; triangle < triangleCount; triangle++) {
    for (let axis = 0; axis < 3; axis++) {
      const at = triangle * 9 + axis;
      boxes[triangle * 6 + axis] = Math.min(corners[at], corners[at + 3], corners[at + 6]);
      boxes[triangle * 6 + axis + 3] = Math.max(corners[at], corners[at + 3], corners[at + 6]);
    }
  }
  return boxes;
}

function doOverlap(boxesA: Float64Array, a: number, boxesB: Float64Array, b: number): boolean {
  return (
    boxesA[a] <= boxesB[b + 3] &&
    boxesB[b] <= boxesA[a + 3] &&
    boxesA[a + 1] <= boxesB[b + 4] &&
    boxesB[b + 1] <= boxesA[a + 4] &&
    boxesA[a + 2] <= boxesB[b + 5] &&
    boxesB[b + 2] <= boxesA[a + 5]
  );
}

// Returns the offsets in `boxes` of the boxes that overlap the box around all `others`.
function reaching(boxes: Float64Array, others: Float64Array): number[] {
  const around = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  others.forEach((value, at) => {
    around[at % 6] = at % 6 < 3 ? Math.min(around[at % 6], value) : Math.max(around[at % 6], value);
  });
  const found: number[] = [];
  for (let at = 0; at < boxes.length; at += 6) if (doOverlap(boxes, at, around, 0)) found.push(at);
  return found;
}

// Returns the pairs of boxes that overlap or touch, sorted by a, then b.
export function boxPairs(boxesA: Float64Array, boxesB: Float64Array): Pair[] {
  const candidatesB = reaching(boxesB, boxesA);
  const pairs: Pair[] = [];
  for (const a of reaching(boxesA, boxesB)) {
    for (const b of candidatesB) if (doOverlap(boxesA, a, boxesB, b)) pairs.push([a / 6, b / 6]);
  }
  return pairs;
}

// Returns the intersecting pairs of triangles, sorted by a, then b. Compares all triangles of A with all
// triangles of B, so this function is only for small meshes.
export function trianglePairs(
  meshA: OracleMesh | DoubleOracleMesh,
  transformA: ArrayLike<number> | undefined,
  meshB: OracleMesh | DoubleOracleMesh,
  transformB: ArrayLike<number> | undefined,
): Pair[] {
  const cornersA = placeTriangles(meshA, transformA);
  const cornersB = placeTriangles(meshB, transformB);
  const corners = new Float64Array(18);
  return boxPairs(triangleBoxes(cornersA), triangleBoxes(cornersB)).filter(([a, b]) => {
    corners.set(cornersA.subarray(a * 9, a * 9 + 9), 0);
    corners.set(cornersB.subarray(b * 9, b * 9 + 9), 9);
    return trianglesMeet(corners);
  });
}
