// Prepares the inputs of kernels and of the functions inside them, so that each can be measured alone on one
// thread.

import { mat4d } from 'wgpu-matrix';
import { prefixSums } from '../../dist/core/prefixSums.js';
import type { Engine } from '../../dist/index.js';
import { BoxNode, BoxTreeJob } from '../../dist/records/boxLayout.js';
import { DecideJob, ListRecord, limits, Node, PairRecord } from '../../dist/records/layout.js';
import { setWords } from '../../dist/records/record.js';
import { type Columns, sortByDigits } from '../../dist/runtime/digitSort.js';
import { createRandom, sphere, torus } from '../../dist/samples/index.js';
import type { Call } from './callTimes.js';
import { compileLoops } from './compileLoops.js';
import { internalsOf } from './internals.js';

const POINTS = 4096;
const SORT_BITS = 30;
const SLICES = 16;
const BUCKETS = 1024;
const LEVEL_NODES = 65_536;
const FILTER_ROUNDS = 256;
/** Each of these two is at least as large as the constant of the same name in assembly/exact/orient.ts. */
const PLANE_BYTES = 512;
const WORK_BYTES = 8192;

/** The exports of bench/native/microLoops.ts. All addresses are byte addresses. */
interface Loops {
  overlap16(pair: number, nodeA: number, nodeB: number): number;
  gatherCandidates(list: number, pair: number, table: number, leafCount: number, candidates: number): number;
  overlapSteps(pair: number, nodes: number, count: number): number;
  sphereSteps(pair: number, nodes: number, count: number): number;
  hybridSteps(pair: number, nodes: number, count: number): number;
  leafTests(list: number, pair: number, table: number, leaves: number, count: number): number;
  filterTests(
    list: number,
    pair: number,
    table: number,
    candidates: number,
    count: number,
    iterations: number,
  ): number;
  orientations(points: number, count: number, plane: number, work: number): number;
}

/**
 * Returns the calls. They use the memory of `engine`, which must have one thread. size: number of keys to
 * sort.
 */
export async function kernelCalls(engine: Engine, size: number, seed: number): Promise<Call[]> {
  const { arena } = internalsOf(engine).context;
  // An engine of one thread does not share its memory.
  const module = await compileLoops('microLoops', 'single');
  const loops = new WebAssembly.Instance(module, { env: { memory: arena.memory } })
    .exports as unknown as Loops;
  return [
    ...traversalCalls(engine, loops),
    ...sphereCalls(engine, loops),
    ...exactCalls(engine, loops, seed),
    sortCall(engine, size, seed),
    refitCall(engine, seed),
    prefixSumCall(engine, seed),
  ];
}

// Traverses a pair of meshes. Returns the tested node pairs as byte addresses (a, b, a, b ...), and the leaf
// pairs that they lead to as handles (all leaves of A, then all leaves of B). Omits pairs of a leaf and an
// inner node.
function pairsBelow(engine: Engine, loops: Loops, pair: number) {
  const { u32 } = internalsOf(engine).context.arena;
  const nodesA = u32[(pair + PairRecord.at.nodesA) / 4];
  const nodesB = u32[(pair + PairRecord.at.nodesB) / 4];
  const child = (node: number, i: number): number => u32[(node + Node.at.child) / 4 + i];
  const nodes = [nodesA, nodesB];
  const leavesA: number[] = [];
  const leavesB: number[] = [];
  for (let at = 0; at < nodes.length; at += 2) {
    const mask = loops.overlap16(pair, nodes[at], nodes[at + 1]);
    for (let bit = 0; bit < 16; bit++) {
      if ((mask & (1 << bit)) === 0) continue;
      const a = child(nodes[at], bit & 3);
      const b = child(nodes[at + 1], bit >> 2);
      const isLeafA = (a & limits.LEAF_BIT) !== 0;
      if (isLeafA !== ((b & limits.LEAF_BIT) !== 0)) continue;
      if (isLeafA) {
        leavesA.push(a);
        leavesB.push(b);
      } else nodes.push(nodesA + a * Node.size, nodesB + b * Node.size);
    }
  }
  return { nodes, leaves: [...leavesA, ...leavesB] };
}

// Queries a sphere and a torus, and writes the node pairs that pairsBelow returns to the engine's memory at
// `nodesAt`. pair: the address of a copy of the pair's record, which the next query does not overwrite.
function queryPair(engine: Engine, loops: Loops, volume: 'aabb' | 's-aabb') {
  const { context, front } = internalsOf(engine);
  const { arena } = context;
  const [a, b] = [sphere(10_000), torus(10_000)].map(data => engine.createMesh(data, { volume }));
  engine.query(a, b, { transformB: mat4d.translation([0.9, 0.1, 0.05]), order: 'any' });
  const pair = arena.allocate(PairRecord.size);
  arena.u8.copyWithin(pair, front.pairs.at, front.pairs.at + PairRecord.size);
  const { nodes, leaves } = pairsBelow(engine, loops, pair);
  const nodesAt = arena.allocate(4 * nodes.length);
  arena.u32.set(nodes, nodesAt / 4);
  return { pair, nodesAt, nodePairs: nodes.length / 2, leaves };
}

function traversalCalls(engine: Engine, loops: Loops): Call[] {
  const { context, front } = internalsOf(engine);
  const { arena, packTableAt: table } = context;
  const { pair, nodesAt, nodePairs, leaves } = queryPair(engine, loops, 'aabb');
  const list = front.lists.recordAt(0);
  const leavesAt = arena.allocate(4 * leaves.length);
  arena.u32.set(leaves, leavesAt / 4);
  const leafPairs = leaves.length / 2;
  const chunk = Math.min(limits.LEAF_CHUNK, leafPairs);
  const candidatesAt = arena.allocate(2 * limits.CANDIDATE_STRIDE);
  const gather = (): number => {
    const buffer = arena.u32[(list + ListRecord.at.leavesAt) / 4] / 4;
    const stride = arena.u32[(list + ListRecord.at.leavesStride) / 4] / 4;
    arena.u32.set(leaves.slice(0, chunk), buffer);
    arena.u32.set(leaves.slice(leafPairs, leafPairs + chunk), buffer + stride);
    return loops.gatherCandidates(list, pair, table, chunk, candidatesAt);
  };
  const candidates = gather();
  const scene = 'sphere and torus, 10K each';
  return [
    {
      scene,
      measure: 'box overlap step (16 pairs)',
      unit: 'ns',
      run: () => loops.overlapSteps(pair, nodesAt, nodePairs),
      operations: nodePairs,
      note: `${nodePairs} node pairs, ${loops.overlapSteps(pair, nodesAt, nodePairs)} of ${16 * nodePairs} box pairs overlap`,
    },
    {
      scene,
      measure: 'leaf pair',
      unit: 'ns',
      run: () => loops.leafTests(list, pair, table, leavesAt, leafPairs),
      operations: leafPairs,
      note: `${leafPairs} leaf pairs, ${loops.leafTests(list, pair, table, leavesAt, leafPairs)} triangle pairs intersect`,
    },
    {
      scene,
      measure: 'triangle pair, float filter',
      unit: 'ns',
      prepare: gather,
      run: () => loops.filterTests(list, pair, table, candidatesAt, candidates, FILTER_ROUNDS),
      operations: FILTER_ROUNDS * candidates,
      note: `${candidates} candidates of ${chunk} leaf pairs, four at a time, repeatedly`,
    },
  ];
}

// Tests pairs of nodes that have both boxes and spheres: by boxes alone, by spheres alone, and by both.
function sphereCalls(engine: Engine, loops: Loops): Call[] {
  const { pair, nodesAt, nodePairs: count } = queryPair(engine, loops, 's-aabb');
  return (
    [
      ['box step of a tree with spheres (16 pairs)', loops.overlapSteps],
      ['sphere step (16 pairs)', loops.sphereSteps],
      ['sphere and box step (16 pairs)', loops.hybridSteps],
    ] as const
  ).map(([measure, steps]) => ({
    scene: 'sphere and torus with spheres, 10K each',
    measure,
    unit: 'ns',
    run: () => steps(pair, nodesAt, count),
    operations: count,
    note: `${count} node pairs, ${steps(pair, nodesAt, count)} of ${16 * count} pairs may overlap`,
  }));
}

// Returns `sets` sets of `each` random points. If `isFlat`, the last point of each set is exactly on the
// plane of the first three, which no floating-point filter can prove. The sums below are exact, because the
// random numbers have 32 bits.
function randomPoints(sets: number, each: number, isFlat: boolean, seed: number): Float64Array {
  const random = createRandom(seed);
  const points = Float64Array.from({ length: 3 * each * sets }, () => random.between(-1, 1));
  for (let at = 0; isFlat && at < points.length; at += 3 * each)
    for (let axis = at; axis < at + 3; axis++)
      points[axis + 3 * each - 3] = points[axis] + points[axis + 3] - points[axis + 6];
  return points;
}

function exactCalls(engine: Engine, loops: Loops, seed: number): Call[] {
  const { arena, pool } = internalsOf(engine).context;
  const planeAt = arena.allocate(PLANE_BYTES);
  const workAt = arena.allocate(WORK_BYTES);
  const put = (points: Float64Array): number => {
    const at = arena.allocate(points.byteLength);
    arena.f64.set(points, at / 8);
    return at;
  };
  const orient = (measure: string, scene: string, isFlat: boolean): Call => {
    const pointsAt = put(randomPoints(POINTS, 4, isFlat, seed));
    const run = (): number => loops.orientations(pointsAt, POINTS, planeAt, workAt);
    return { scene, measure, unit: 'ns', run, operations: POINTS, note: `${run()} on the plane` };
  };
  const decide = (measure: string, scene: string, isFlat: boolean): Call => {
    const pointsAt = put(randomPoints(POINTS, 6, isFlat, seed));
    const verdictsAt = arena.allocate(4 * POINTS);
    const scratchAt = arena.allocate(limits.EXACT_SCRATCH_BYTES);
    const jobAt = arena.allocate(DecideJob.size);
    setWords(arena.u32, jobAt, DecideJob, {
      pointsAt,
      pairCount: POINTS,
      verdictsAt,
      scratchAt,
      sliceCount: 1,
    });
    const run = (): void => pool.kernels.decideTriangles(jobAt, 0, 1);
    run();
    const hits = arena.u32
      .subarray(verdictsAt / 4, verdictsAt / 4 + POINTS)
      .filter(verdict => verdict === limits.INTERSECT).length;
    return { scene, measure, unit: 'ns', run, operations: POINTS, note: `${hits} of ${POINTS} intersect` };
  };
  return [
    orient('orient3d, filter', 'random points', false),
    orient('orient3d, exact', 'coplanar points', true),
    decide('triangle pair, doubles', 'random triangles', false),
    decide('triangle pair, expansions', 'corner on the other plane', true),
  ];
}

function sortCall(engine: Engine, size: number, seed: number): Call {
  const { context } = internalsOf(engine);
  const { arena } = context;
  const random = createRandom(seed);
  const keys = Uint32Array.from({ length: size }, () => random.below(2 ** SORT_BITS));
  const [keysAt, valuesAt, spareKeysAt, spareValuesAt] = [0, 0, 0, 0].map(() => arena.allocate(4 * size));
  const from: Columns = [keysAt, valuesAt];
  const to: Columns = [spareKeysAt, spareValuesAt];
  return {
    scene: `${size} random keys of ${SORT_BITS} bits`,
    measure: 'radix sort, keys and values',
    unit: 'ms',
    prepare: () => arena.u32.set(keys, keysAt / 4),
    run: () => sortByDigits(context, from, to, size, SORT_BITS, 1),
  };
}

// Refits one level of a tree over boxes: computes its nodes from the nodes of the level below.
function refitCall(engine: Engine, seed: number): Call {
  const { arena, pool } = internalsOf(engine).context;
  const random = createRandom(seed);
  const belowCount = 4 * LEVEL_NODES;
  const nodeWords = BoxNode.size / 4;
  const nodesAt = arena.allocate((belowCount + LEVEL_NODES) * BoxNode.size);
  const growthsAt = arena.allocate(8);
  const jobAt = arena.allocate(BoxTreeJob.size);
  for (let i = 0; i < belowCount * nodeWords; i++) arena.f32[nodesAt / 4 + i] = random.between(0, 1);
  setWords(arena.u32, jobAt, BoxTreeJob, {
    nodesAt,
    growthsAt,
    touchedAt: 0,
    sliceCount: 1,
    levelFirst: belowCount,
    levelCount: LEVEL_NODES,
    belowFirst: 0,
    belowCount,
  });
  return {
    scene: `level of ${LEVEL_NODES} nodes`,
    measure: 'refit, per node of four boxes',
    unit: 'ns',
    run: () => pool.kernels.refitBoxNodes(jobAt, 0, 1),
    operations: LEVEL_NODES,
  };
}

function prefixSumCall(engine: Engine, seed: number): Call {
  const { arena } = internalsOf(engine).context;
  const random = createRandom(seed);
  const counts = Uint32Array.from({ length: SLICES * BUCKETS }, () => random.below(128));
  const countsAt = arena.allocate(4 * counts.length) / 4;
  const bucketsAt = arena.allocate(4 * BUCKETS + 4) / 4;
  return {
    scene: `${SLICES} slices of ${BUCKETS} buckets`,
    measure: 'prefix sums, per count',
    unit: 'ns',
    prepare: () => arena.u32.set(counts, countsAt),
    run: () => prefixSums(arena.u32, countsAt, SLICES, BUCKETS, BUCKETS, bucketsAt),
    operations: counts.length,
    note: 'in TypeScript',
  };
}
