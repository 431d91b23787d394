// Runs a single shader, testLeafPairs, on pairs of tree leaves of placed meshes. The triangle pairs that the
// shader leaves uncertain are decided in exact arithmetic.

import { Commands, uniformOf } from '../../dist/gpu/device/commands.js';
import type { Gpu } from '../../dist/gpu/device/gpu.js';
import { fillGpuPair } from '../../dist/gpu/narrowphase/fillGpuPair.js';
import type { Engine, Mesh } from '../../dist/index.js';
import type { PairWriter, PlacedMeshes } from '../../dist/mesh/pairWriter.js';
import { writePlacedPoints } from '../../dist/mesh/placedPoints.js';
import { trianglesIntersectExact } from '../../dist/mesh/trianglesIntersectExact.js';
import { decideUncertain } from '../../dist/narrowphase/decideUncertain.js';
import type { FrontSystem } from '../../dist/narrowphase/front.js';
import { GpuPair, LeafPairParams } from '../../dist/records/gpuLayout.js';
import { Leaf, limits, MeshRecord, PairRecord } from '../../dist/records/layout.js';
import type { EngineContext } from '../../dist/runtime/engineContext.js';

interface Internals {
  context: EngineContext;
  front: FrontSystem;
  writer: PairWriter;
}
const internalsOf = (engine: Engine): Internals => engine as unknown as Internals;

/** isSelf: whether to find the pairs within one mesh, which is then both a and b. */
export interface LeafQuery extends PlacedMeshes {
  isSelf?: boolean;
}
export interface Capacities {
  leafPairs?: number;
  certain?: number;
  uncertain?: number;
}

export interface Verdicts {
  /**
   * Triples (number of the mesh pair, triangle of a, triangle of b), in any order. Triples beyond the
   * capacity are missing.
   */
  certain: Uint32Array;
  uncertain: Uint32Array;
  /** How many triples were found, including triples beyond the capacity. */
  certainCount: number;
  uncertainCount: number;
  /**
   * One byte per pair of meshes. swapped: 1 if the pair's meshes have been exchanged. refused: 1 if a GPU
   * cannot process the pair.
   */
  swapped: Uint8Array;
  refused: Uint8Array;
}

/**
 * Chooses leaf pairs for the pair of meshes with the number `pair`. leavesA, leavesB: the leaf counts of both
 * trees. pairAt: the address of the PairRecord. @returns leaf numbers: for each pair, the leaf of a, then the
 * leaf of b
 */
export type ChooseLeaves = (
  pair: number,
  leavesA: number,
  leavesB: number,
  pairAt: number,
) => ArrayLike<number>;

/**
 * Chooses all pairs of leaves. Within one mesh, each pair is chosen once, sometimes with the later leaf
 * first.
 */
export const allLeaves =
  (pairs: readonly LeafQuery[]): ChooseLeaves =>
  (pair, leavesA, leavesB) => {
    const all: number[] = [];
    for (let a = 0; a < leavesA; a++) {
      for (let b = pairs[pair].isSelf ? a : 0; b < leavesB; b++)
        all.push(...((a + b) % 3 === 0 && pairs[pair].isSelf ? [b, a] : [a, b]));
    }
    return all;
  };

/**
 * Chooses the pairs of leaves whose boxes overlap or nearly overlap. This is for meshes with so many leaves
 * that testing all pairs would take too long.
 */
export const overlappingLeaves =
  (engine: Engine): ChooseLeaves =>
  (_, leavesA, leavesB, pairAt) => {
    const {
      context: { arena },
    } = internalsOf(engine);
    const { u32 } = arena;
    const rows = Array.from(
      arena.f64.subarray((pairAt + PairRecord.at.toAExact) / 8, (pairAt + PairRecord.at.toAExact) / 8 + 12),
    );
    const a = leafBoxes(arena.f32, u32[(pairAt + PairRecord.at.leavesA) / 4], leavesA);
    const b = leafBoxes(arena.f32, u32[(pairAt + PairRecord.at.leavesB) / 4], leavesB, rows);
    const found = engine.boxPairs(a, { against: b });
    return Array.from({ length: 2 * found.a.length }, (_, i) => (i % 2 === 0 ? found.a : found.b)[i >> 1]);
  };

function leafBoxes(
  f32: Float32Array,
  leavesAt: number,
  count: number,
  rows = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0],
): Float32Array {
  const boxes = new Float32Array(6 * count);
  const word = Leaf.size / 4;
  const origin = Leaf.at.originX / 4;
  for (let leaf = 0; leaf < count; leaf++) {
    const at = leavesAt / 4 + leaf * word;
    for (let axis = 0; axis < 3; axis++) {
      const [x, y, z, shift] = rows.slice(4 * axis, 4 * axis + 4);
      let low = Infinity;
      let high = -Infinity;
      for (let corner = 0; corner < 12; corner++) {
        const from = at + 12 * Math.floor(corner / 4) + (corner % 4);
        const [px, py, pz] = [0, 1, 2].map(k => f32[from + 4 * k] + f32[at + origin + k]);
        const value = x * px + y * py + z * pz + shift;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
      boxes[6 * leaf + axis] = low - 1e-4;
      boxes[6 * leaf + 3 + axis] = high + 1e-4;
    }
  }
  return boxes;
}

/** Each output list is followed by space for this many triples, in which the shader must write nothing. */
const BEYOND = 64;

class Leaves {
  words = new Uint32Array(0);
  vertices: number[] = [];
  private readonly firstOf = new Map<number, number>();
  private readonly verticesOf = new Map<number, number>();

  /**
   * Adds the leaves of a mesh's tree, unless they were added before. @returns the number of the tree's first
   * leaf
   */
  add({ context: { arena } }: Internals, record: number): number {
    const known = this.firstOf.get(record);
    const at = (record + MeshRecord.at.leavesAt) / 4;
    const first = (this.words.length * 4) / Leaf.size;
    if (known !== undefined) return known;
    const from = arena.u32[at] / 4;
    const own = arena.u32.slice(from, from + (arena.u32[at + 1] * Leaf.size) / 4);
    const words = new Uint32Array(this.words.length + own.length);
    words.set(this.words);
    words.set(own, this.words.length);
    this.words = words;
    this.firstOf.set(record, first);
    return first;
  }

  addVertices({ context: { arena } }: Internals, record: number): number {
    const known = this.verticesOf.get(record);
    const at = record / 4;
    const first = this.vertices.length;
    if (known !== undefined) return known;
    const from = arena.u32[at + MeshRecord.at.indicesAt / 4] / 4;
    for (let i = 0; i < 3 * arena.u32[at + MeshRecord.at.triangleCount / 4]; i++)
      this.vertices.push(arena.u32[from + i]);
    this.verticesOf.set(record, first);
    return first;
  }
}

const countOfLeaves = ({ context: { arena } }: Internals, record: number): number =>
  arena.u32[(record + MeshRecord.at.leafCount) / 4];

export async function touchLeavesOf(
  gpu: Gpu,
  engine: Engine,
  pairs: readonly LeafQuery[],
  choose: ChooseLeaves = allLeaves(pairs),
  capacities: Capacities = {},
): Promise<Verdicts> {
  const own = internalsOf(engine);
  const { front, writer, context } = own;
  writer.write(front, pairs);
  const all = new Leaves();
  const records = new ArrayBuffer(Math.max(1, pairs.length) * GpuPair.size);
  const words = {
    u32: new Uint32Array(records),
    i32: new Int32Array(records),
    f32: new Float32Array(records),
  };
  const refused = new Uint8Array(pairs.length);
  const swapped = writer.swapped.slice(0, pairs.length);
  const leafPairs: number[] = [];
  pairs.forEach(({ isSelf }, i) => {
    const at = front.pairs.at + i * PairRecord.size;
    const { u32 } = context.arena;
    const a = u32[(at + PairRecord.at.meshA) / 4];
    const b = u32[(at + PairRecord.at.meshB) / 4];
    const places = {
      firstNodeA: 0,
      firstLeafA: all.add(own, a),
      firstNodeB: 0,
      firstLeafB: all.add(own, b),
      firstVertices: isSelf ? all.addVertices(own, a) : limits.NOTHING,
    };
    if (!fillGpuPair(context.arena, at, words, i, places)) {
      refused[i] = 1;
      return;
    }
    const chosen = choose(i, countOfLeaves(own, a), countOfLeaves(own, b), at);
    for (let k = 0; k < chosen.length; k += 2) leafPairs.push(i, chosen[k], chosen[k + 1]);
  });
  writer.release();
  return { ...(await run(gpu, all, words.u32, Uint32Array.from(leafPairs), capacities)), swapped, refused };
}

async function run(
  gpu: Gpu,
  { words, vertices }: Leaves,
  pairWords: Uint32Array,
  triples: Uint32Array,
  capacities: Capacities,
): Promise<Pick<Verdicts, 'certain' | 'uncertain' | 'certainCount' | 'uncertainCount'>> {
  await gpu.prepare(['testLeafPairs']);
  const count = triples.length / 3;
  const {
    leafPairs: capacity = count,
    certain: certainCapacity = 16 * count,
    uncertain: uncertainCapacity = 16 * count,
  } = capacities;
  const commands = new Commands(gpu);
  const upload = (label: string, data: Uint32Array): GPUBuffer => {
    const buffer = gpu.createBuffer(label, Math.max(data.byteLength, GpuPair.size));
    if (data.length > 0) commands.upload(buffer, 0, data);
    return buffer;
  };
  const buffers = {
    passes: upload('passes', Uint32Array.of(7, 7, count)),
    leafPairs: upload('leaf pairs', triples),
    pairs: upload('pairs', pairWords),
    leaves: upload('leaves', words),
    vertices: upload('vertices', Uint32Array.from(vertices)),
    counts: gpu.createBuffer('counts', 16),
    certain: gpu.createBuffer('certain', 12 * (certainCapacity + BEYOND)),
    uncertain: gpu.createBuffer('uncertain', 12 * (uncertainCapacity + BEYOND)),
  };
  const values = {
    slot: 2,
    capacity,
    certainSlot: 3,
    certainCapacity,
    uncertainSlot: 1,
    uncertainCapacity,
    isAny: 0,
  };
  commands.clear(buffers.counts);
  commands.run('testLeafPairs', uniformOf(LeafPairParams, values), buffers, 4 * count);
  const readbacks = (['counts', 'certain', 'uncertain'] as const).map(name =>
    commands.read(buffers[name], 0, buffers[name].size),
  );
  const [found, certain, uncertain] = readbacks.map(
    (
      answers => (index: number) =>
        answers[index]
    )(await commands.submit()),
  );
  for (const buffer of Object.values(buffers)) buffer.destroy();
  if (
    [certain.subarray(3 * certainCapacity), uncertain.subarray(3 * uncertainCapacity)].some(beyond =>
      beyond.some(word => word !== 0),
    )
  )
    throw new Error('a list was written beyond its capacity');
  return {
    certain: certain.subarray(0, 3 * Math.min(found[3], certainCapacity)),
    uncertain: uncertain.subarray(0, 3 * Math.min(found[1], uncertainCapacity)),
    certainCount: found[3],
    uncertainCount: found[1],
  };
}

/** The verdicts on pairs of triangles, one byte per pair in each array, 0 or 1. */
export interface TriangleVerdicts {
  /** Whether a GPU cannot process the pair. */
  refused: Uint8Array;
  /** Whether the GPU found that the triangles intersect. */
  certain: Uint8Array;
  /** Whether the GPU could not decide the pair. */
  uncertain: Uint8Array;
  /** Whether the triangles intersect, after uncertain pairs were decided exactly. */
  meeting: Uint8Array;
}

/** Tests pairs of triangles on the GPU. corners: 18 coordinates per pair. */
export async function testTriangles(
  gpu: Gpu,
  engine: Engine,
  corners: Float64Array,
): Promise<TriangleVerdicts> {
  const count = corners.length / 18;
  const meshOf = (at: number): Mesh =>
    engine.createMesh({ positions: Float32Array.from(corners.subarray(at, at + 9)) });
  const pairs = Array.from(
    { length: count },
    (_, i): LeafQuery => ({ a: meshOf(18 * i), b: meshOf(18 * i + 9) }),
  );
  const verdicts = await touchLeavesOf(gpu, engine, pairs);
  const flags = (triples: readonly string[]): Uint8Array => {
    const listed = new Set(triples);
    return Uint8Array.from({ length: count }, (_, i) => Number(listed.has(`${i} 0 0`)));
  };
  const judged = {
    refused: verdicts.refused,
    certain: flags(triplesOf(verdicts.certain, verdicts.swapped)),
    uncertain: flags(triplesOf(verdicts.uncertain, verdicts.swapped)),
    meeting: flags(intersectingPairsOf(engine, verdicts)),
  };
  for (const { a, b } of pairs) {
    a.dispose();
    b.dispose();
  }
  return judged;
}

/**
 * Returns the intersecting triangle pairs as sorted texts `pair a b`: the certain pairs, and the uncertain
 * pairs that intersect in exact arithmetic. Mesh a is the first mesh of the caller's pair, even if the engine
 * exchanged the meshes.
 */
export function intersectingPairsOf(engine: Engine, { certain, uncertain, swapped }: Verdicts): string[] {
  const own = internalsOf(engine);
  const kept = decideUncertain(own.context, own.front.pairs.at, uncertain, {
    writePlacedPoints,
    trianglesIntersectExact,
  });
  return [
    ...triplesOf(certain, swapped),
    ...triplesOf(uncertain, swapped).filter((_, i) => kept[i] === 1),
  ].sort();
}

export const triplesOf = (list: Uint32Array, swapped: Uint8Array): string[] =>
  Array.from({ length: list.length / 3 }, (_, i) => {
    const [pair, a, b] = list.subarray(3 * i, 3 * i + 3);
    return swapped[pair] ? `${pair} ${b} ${a}` : `${pair} ${a} ${b}`;
  });
