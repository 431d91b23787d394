// Parts -> every pair of them that clashes, with its number of triangle pairs: meshes, part boxes, sweep, one balanced query.
import { bodyBox, meshBox } from '../bodyBox.js';
import type { Engine, Mesh, PlacedPair, QueryStats } from '../index.js';
import { Capacity, CollisionError } from '../errors.js';
import type { Part } from './files/readParts.js';
import type { Progress } from './progress.js';

/** Parts a < b by their places in the list. */
export interface Clash { a: number; b: number; trianglePairs: number }

export interface ClashResult {
  /** Sorted by a, then b. */
  clashes: Clash[];
  /** Pairs of parts whose boxes overlap: those that were asked. */
  boxPairs: number;
  trianglePairs: number;
  /** One entry a call: one, unless memory asked for smaller calls. */
  stats: QueryStats[];
}

// More pairs than this go into calls of their own, so that results of one call stay small and the bar moves.
const PAIRS_A_CALL = 1 << 16;
const MOST_FLOAT = 2 ** 128 - 2 ** 104;

/** Every part against every other. Throws what the engine throws, with the part's name where one is to blame. */
export function findClashes(engine: Engine, parts: Part[], progress: Progress): ClashResult {
  const meshes = createMeshes(engine, parts, progress);
  const { count, a, b } = engine.boxPairs(partBoxes(parts)).copy();
  const result: ClashResult = { clashes: [], boxPairs: count, trianglePairs: 0, stats: [] };
  progress.begin('Searching pairs', Math.ceil(count / PAIRS_A_CALL));
  for (let begin = 0; begin < count; begin += PAIRS_A_CALL) {
    const pairs: AskedPair[] = [];
    for (let i = begin; i < Math.min(begin + PAIRS_A_CALL, count); i++) {
      pairs.push({ partA: a[i], partB: b[i], a: meshes[a[i]], b: meshes[b[i]], transformA: parts[a[i]].transform, transformB: parts[b[i]].transform });
    }
    ask(engine, pairs, result);
    progress.step();
  }
  return result;
}

interface AskedPair extends PlacedPair { partA: number; partB: number }

// Parts that share their arrays share one mesh and its tree.
function createMeshes(engine: Engine, parts: Part[], progress: Progress): Mesh[] {
  const made = new Map<Float32Array, Map<Uint32Array, Mesh>>();
  progress.begin('Building trees', parts.length);
  return parts.map(({ name, positions, indices }) => {
    let ofPositions = made.get(positions);
    if (!ofPositions) made.set(positions, ofPositions = new Map());
    let mesh = ofPositions.get(indices);
    if (!mesh) ofPositions.set(indices, mesh = blaming(name, () => engine.createMesh({ positions, indices })));
    progress.step();
    return mesh;
  });
}

function blaming<Result>(name: string, make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    if (error instanceof CollisionError) error.message = `part "${name}": ${error.message}`;
    throw error;
  }
}

function partBoxes(parts: Part[]): Float32Array {
  const own = new Map<Uint32Array, Map<Float32Array, Float32Array>>();
  const boxes = new Float32Array(6 * parts.length);
  parts.forEach(({ positions, indices, transform }, number) => {
    let ofIndices = own.get(indices);
    if (!ofIndices) own.set(indices, ofIndices = new Map());
    let box = ofIndices.get(positions);
    if (!box) ofIndices.set(positions, box = meshBox(positions, indices));
    if (indices.length === 0) boxes.set(box, 6 * number);
    else bodyBox(box, transform, boxes, 6 * number);
  });
  // Boxes that reach beyond float32 end at its end: those that meet out there still do.
  return boxes.map((value) => Math.max(-MOST_FLOAT, Math.min(MOST_FLOAT, value)));
}

// Results that memory cannot hold at once are asked for in halves: only their numbers are kept.
function ask(engine: Engine, pairs: AskedPair[], result: ClashResult): void {
  try {
    const answer = engine.queryMany({ pairs, want: 'pairs', order: 'any' });
    const { pairsAt, stats } = answer;
    result.stats.push(stats);
    pairs.forEach(({ partA, partB }, i) => {
      const trianglePairs = pairsAt[i + 1] - pairsAt[i];
      if (trianglePairs === 0) return;
      result.clashes.push({ a: partA, b: partB, trianglePairs });
      result.trianglePairs += trianglePairs;
    });
  } catch (error) {
    if (!(error instanceof Capacity) || pairs.length < 2) throw error;
    const half = pairs.length >> 1;
    ask(engine, pairs.slice(0, half), result);
    ask(engine, pairs.slice(half), result);
  }
}
