// Counted clashes and near parts -> what each two parts are to each other.
import type { Engine, Mesh } from '../../index.js';
import type { Part } from '../files/part.js';
import type { Clash } from '../findClashes.js';
import type { Progress } from '../progress.js';
import type { Finding } from './classes.js';
import { findNearParts } from './nearParts.js';

export interface Measures {
  /** Parts at most this far apart are found, too. */
  clearance: number;
  /** What is at most this deep is no hard clash. */
  tolerance: number;
}

/** clashes: all pairs that share a point. Lengths in the unit of the parts. Sorted by a, then b. Throws what the engine throws. */
export function classifyParts(engine: Engine, parts: Part[], meshes: Mesh[], clashes: Clash[], measures: Measures, progress: Progress): Finding[] {
  const pairs = pairsToAsk(engine, parts, clashes, measures.clearance);
  progress.begin('Measuring clashes', pairs.length);
  return pairs.flatMap(({ a, b, trianglePairs }) => {
    const { class: kind, which, depth, direction, distance, size, duplicate } = engine.classify(meshes[a], meshes[b], { transformA: parts[a].transform, transformB: parts[b].transform, ...measures });
    progress.step();
    return kind === 'apart' ? [] : [{ a, b, class: kind, trianglePairs, depth, direction: [...direction], distance, size, inner: which, isDuplicate: duplicate }];
  });
}

// Parts that share no point may lie in one another, if their boxes do, or come near; all others need not be asked about.
function pairsToAsk(engine: Engine, parts: Part[], clashes: Clash[], clearance: number): Clash[] {
  const key = (a: number, b: number) => a * parts.length + b;
  const counted = new Set(clashes.map(({ a, b }) => key(a, b)));
  const apart = findNearParts(engine, parts, clearance)
    .filter(({ a, b, isNested }) => !counted.has(key(a, b)) && (isNested || clearance > 0))
    .map(({ a, b }) => ({ a, b, trianglePairs: 0 }));
  return [...clashes, ...apart].sort((x, y) => x.a - y.a || x.b - y.b);
}
