// Classifies all intersecting pairs of parts of an assembly or a building with the engine. Compares the
// classes of these pairs, or of a sample, with the classes that the oracle computes in fractions.

import type { Engine } from '../../dist/index.js';
import { placeTriangles } from '../oracle/place.js';
import { solidClass } from '../oracle/solids.js';
import { pairsOf } from '../support/engines.js';
import type { PartsTruth } from '../support/truth.js';

/**
 * counts: the number of pairs of each class. wrong: descriptions of wrong results. compared: the number of
 * pairs that were compared with the oracle.
 */
export interface PartClasses {
  counts: Map<string, number>;
  wrong: string[];
  compared: number;
}

/**
 * Classifies all pairs of parts with the engine, and compares some of the results with the oracle's. The
 * oracle classifies every n-th pair of parts, where n is `every`. It skips a pair of parts if more than
 * `maximum` of its triangle pairs intersect.
 */
export function classesOfParts(
  engine: Engine,
  { parts, partPairs }: PartsTruth,
  every = 1,
  maximum = Infinity,
): PartClasses {
  const meshes = parts.map(({ mesh }) => engine.createMesh(mesh));
  const counts = new Map<string, number>();
  const wrong: string[] = [];
  let compared = 0;
  for (const [i, [a, b, count]] of partPairs.entries()) {
    const { class: name, pairs, duplicate } = engine.classify(meshes[a], meshes[b]);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (pairs !== count) wrong.push(`parts ${a}, ${b}: ${pairs} triangle pairs, not ${count}`);
    if (i % every !== 0 || count > maximum) continue;
    compared++;
    const known = pairsOf(engine.query(meshes[a], meshes[b]));
    const truth = solidClass(placeTriangles(parts[a].mesh), placeTriangles(parts[b].mesh), known);
    if (truth.class !== name || truth.duplicate !== duplicate)
      wrong.push(`parts ${a}, ${b}: ${name}, duplicate ${duplicate}; not ${truth.class}, ${truth.duplicate}`);
  }
  return { counts, wrong, compared };
}
