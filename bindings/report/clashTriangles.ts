// Finds the triangles that the report highlights for each clash.

import type { Progress } from '../cli/progress.js';
import type { Part } from '../formats/readParts.js';
import type { Engine, Mesh } from '../index.js';
import type { Finding } from './clashClasses.js';
import type { ClashTriangles } from './content.js';

/**
 * Returns the triangles to highlight for each clash. If the surfaces of the parts intersect, these are all
 * triangles of each part that intersect the other part; each triangle is listed once. If the parts are apart,
 * it is the nearest triangle of each part. If one part lies entirely inside the other, there are none.
 *
 * @param meshes - The mesh of each part, created by this engine.
 * @throws Errors of the engine.
 */
export function findTriangles(
  engine: Engine,
  meshes: Mesh[],
  parts: Part[],
  clashes: Finding[],
  progress: Progress,
): ClashTriangles[] {
  progress.begin('Finding triangles', clashes.length);
  return clashes.map(clash => {
    const found = trianglesOf(engine, meshes, parts, clash);
    progress.step();
    return found;
  });
}

function trianglesOf(
  engine: Engine,
  meshes: Mesh[],
  parts: Part[],
  { a, b, class: kind, trianglePairs }: Finding,
): ClashTriangles {
  const placements = { transformA: parts[a].transform, transformB: parts[b].transform };
  if (kind === 'clearance') {
    const { triangleA, triangleB } = engine.distance(meshes[a], meshes[b], placements)!;
    return { a: Uint32Array.of(triangleA), b: Uint32Array.of(triangleB) };
  }
  if (trianglePairs === 0) return { a: new Uint32Array(), b: new Uint32Array() };
  const hits = engine.query(meshes[a], meshes[b], { ...placements, order: 'any' });
  return { a: distinct(hits.a), b: distinct(hits.b) };
}

function distinct(values: Uint32Array): Uint32Array {
  return values
    .slice()
    .sort()
    .filter((value, i, sorted) => i === 0 || value !== sorted[i - 1]);
}
