// Clashes -> the triangles of both parts that share a point, each once.
import type { Engine, Mesh } from '../../index.js';
import type { Part } from '../files/readParts.js';
import type { Clash } from '../findClashes.js';
import type { Progress } from '../progress.js';
import type { ClashTriangles } from './content.js';

/** meshes: one a part, of this engine. One entry a clash; parts that share no point have no triangles. Throws what the engine throws. */
export function findTriangles(engine: Engine, meshes: Mesh[], parts: Part[], clashes: Clash[], progress: Progress): ClashTriangles[] {
  progress.begin('Finding triangles', clashes.length);
  return clashes.map(({ a, b, trianglePairs }) => {
    if (trianglePairs === 0) {
      progress.step();
      return { a: new Uint32Array(), b: new Uint32Array() };
    }
    const hits = engine.query(meshes[a], meshes[b], { transformA: parts[a].transform, transformB: parts[b].transform, order: 'any' });
    progress.step();
    return { a: distinct(hits.a), b: distinct(hits.b) };
  });
}

function distinct(values: Uint32Array): Uint32Array {
  return values.slice().sort().filter((value, i, sorted) => i === 0 || value !== sorted[i - 1]);
}
