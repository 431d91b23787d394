// Counted clashes and near parts -> what each two parts are to each other.

import type { Part } from '../../formats/part.js';
import type { Classified, Engine, Mesh } from '../../index.js';
import type { ClashClass, Finding } from '../../report/classes.js';
import type { Clash } from '../findClashes.js';
import type { Progress } from '../progress.js';
import { findNearParts } from './nearParts.js';

export interface Measures {
  /** Parts at most this far apart are found, too. */
  clearance: number;
  /** What is at most this deep is no hard clash. */
  tolerance: number;
}

/**
 * clashes: all pairs that share a point. Lengths in the unit of the parts. Sorted by a, then b. Throws what
 * the engine throws.
 */
export function classifyParts(
  engine: Engine,
  parts: Part[],
  meshes: Mesh[],
  clashes: Clash[],
  measures: Measures,
  progress: Progress,
): Finding[] {
  const pairs = pairsToAsk(engine, parts, clashes, measures.clearance);
  progress.begin('Measuring clashes', pairs.length);
  return pairs.flatMap(({ a, b, trianglePairs }) => {
    const found = engine.classify(meshes[a], meshes[b], {
      transformA: parts[a].transform,
      transformB: parts[b].transform,
      ...measures,
    });
    progress.step();
    return found.class === 'apart' ? [] : [findingOf({ a, b, trianglePairs }, found.class, found)];
  });
}

function findingOf(
  clash: Clash,
  kind: ClashClass,
  { which, depth, direction = [0, 0, 0], distance, size, duplicate }: Classified,
): Finding {
  // `which` is the part that holds the other.
  const inner = which && (which === 'a' ? 'b' : 'a');
  return {
    ...clash,
    class: kind,
    depth,
    direction,
    distance: kind === 'clearance' ? distance : 0,
    size,
    inner,
    isDuplicate: duplicate,
  };
}

// Parts that share no point may come near, or pieces of one lie in the other; where boxes are apart there is
// nothing to ask.
function pairsToAsk(engine: Engine, parts: Part[], clashes: Clash[], clearance: number): Clash[] {
  const key = (a: number, b: number) => a * parts.length + b;
  const counted = new Set(clashes.map(({ a, b }) => key(a, b)));
  const apart = findNearParts(engine, parts, clearance)
    .filter(({ a, b }) => !counted.has(key(a, b)))
    .map(({ a, b }) => ({ a, b, trianglePairs: 0 }));
  return [...clashes, ...apart].sort((x, y) => x.a - y.a || x.b - y.b);
}
