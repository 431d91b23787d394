// Makes the cases of the GPU benches: queries of meshes on a GPU, and the same queries on the CPU.

import { existsSync } from 'node:fs';
import type { EngineHost } from '../../dist/core/module.js';
import { acquireGpu } from '../../dist/gpu/device/acquireGpus.js';
import type { Gpu } from '../../dist/gpu/device/gpu.js';
import { GpuQueries, type GpuQueryAnswer } from '../../dist/gpu/gpuQueries.js';
import type { GpuAppendList } from '../../dist/gpu/narrowphase/gpuAppendList.js';
import type { GpuFront, GpuFrontResult } from '../../dist/gpu/narrowphase/gpuFront.js';
import type { Engine, PairsCopy } from '../../dist/index.js';
import type { PlacedMeshes } from '../../dist/mesh/pairWriter.js';
import { gpuLimits } from '../../dist/records/gpuLayout.js';
import { foldingCloth, penetrationPath, randomPlacements, torus } from '../../dist/samples/index.js';
import { dataPath } from '../../test/support/data.js';
import { readFrames } from '../../test/support/frames.js';
import { countText, loadMesh } from './meshes.js';
import { isQuick } from './report.js';
import { sum } from './statistics.js';

/** Cases that run in order. Each case continues from the previous case, like the frames of a motion. */
export interface GpuCases {
  name: string;
  caseCount: number;
  /** Updates the mesh to its shape in a case. Does nothing if meshes do not deform. */
  prepare(at: number): void;
  onGpu(queries: GpuQueries, at: number): Promise<GpuQueryAnswer>;
  onCpu(at: number): PairsCopy;
  dispose(): void;
}

export const SEED = 1;

/**
 * Opens a GPU. Accepts a software adapter, too: its counters equal those of a real GPU, but its times do not.
 * @returns undefined, after printing the reason, if there is no adapter
 */
export async function openGpu(): Promise<Gpu | undefined> {
  const gpu = await acquireGpu(undefined, 'may be software').catch((error: Error) => {
    console.log(`  skipped: ${error.message}`);
  });
  if (!gpu) return undefined;
  console.log(`  adapter: ${adapterName(gpu)}; workgroups of ${gpu.workgroupSize}`);
  return gpu;
}

/**
 * Returns the name of the adapter, for use as the variant of rows. Some drivers report their own version as
 * `description`, and the name of the GPU as `device`.
 */
export function adapterName({ device: { adapterInfo } }: Gpu): string {
  const { vendor, architecture, device, description, isFallbackAdapter } = adapterInfo;
  const name = /[a-z]/i.test(device) ? device : description;
  return `${name || [vendor, architecture].filter(Boolean).join(' ') || 'GPU'}${isFallbackAdapter ? ' (software)' : ''}`;
}

/**
 * Queries an engine's meshes on a GPU. Records the time and the list lengths of the last traversal (a run of
 * `GpuFront`).
 */
export class GpuQueryRunner {
  readonly queries: GpuQueries;
  /** Milliseconds of the last traversal, from submission to the end of the read-back. */
  runMilliseconds = 0;
  /** For each pass of the last traversal: the number of pairs of boxes that the pass wrote to its list. */
  pairsPerPass: number[] = [];
  private readonly front: GpuFront;

  constructor(engine: Engine, gpu: Gpu) {
    const host = (engine as unknown as { host(modules: Map<string, unknown>): EngineHost }).host(new Map());
    this.queries = new GpuQueries(host, gpu);
    this.front = (this.queries as unknown as { front: GpuFront }).front;
    const inside = this.front as unknown as FrontInternals;
    const run = inside.run.bind(inside);
    const answer = inside.answer.bind(inside);
    inside.run = async query => {
      const startedAt = performance.now();
      try {
        return await run(query);
      } finally {
        this.runMilliseconds = performance.now() - startedAt;
      }
    };
    inside.answer = (found, firstRun, top, ...rest) => {
      const levels = Array.from(found.counts.subarray(top + 1, gpuLimits.LEVELS));
      this.pairsPerPass = levels.slice(0, levels.findLastIndex(count => count > 0) + 1);
      return answer(found, firstRun, top, ...rest);
    };
  }

  /** Capacity of lists in bytes, by content. */
  get listBytes(): Record<'pairs of boxes' | 'pairs of leaves' | 'pairs of triangles', number> {
    const { lists, leafPairs, certain, uncertain } = this.front as unknown as FrontInternals;
    const bytes = (...some: readonly GpuAppendList[]): number =>
      sum(some.map(list => list.bytesOf(list.capacity)));
    return {
      'pairs of boxes': bytes(...lists),
      'pairs of leaves': bytes(leafPairs),
      'pairs of triangles': bytes(certain, uncertain),
    };
  }

  dispose(): void {
    this.queries.dispose();
  }
}

interface FrontInternals {
  run: GpuFront['run'];
  answer(
    found: { counts: Uint32Array },
    firstRun: Uint32Array | undefined,
    top: number,
    ...rest: unknown[]
  ): GpuFrontResult;
  lists: readonly GpuAppendList[];
  leafPairs: GpuAppendList;
  certain: GpuAppendList;
  uncertain: GpuAppendList;
}

/**
 * Makes the cases: two bunnies, one of them placed at random; two tori that pass through each other; a cloth
 * that folds up; and a cloth on a ball. The cloth on a ball is omitted in quick runs, and if its data set is
 * missing.
 */
export async function makeGpuCases(engine: Engine): Promise<GpuCases[]> {
  const bunny = (await loadMesh('bunny'))!;
  const ring = torus(isQuick ? 2000 : 100_000);
  const path = penetrationPath(ring, ring, 400);
  const count = isQuick ? 2 : 8;
  const frames = Array.from({ length: count }, (_, t) => path.frame(200 + t));
  const cloth = foldingCloth(isQuick ? 2000 : 50_000, 20);
  const ball = isQuick ? undefined : clothOnBall();
  return [
    makePlacedCases(
      engine,
      bunny.name,
      bunny.data,
      randomPlacements(bunny.data, count, SEED).map(transformB => ({ transformB })),
    ),
    makePlacedCases(
      engine,
      `two tori ${countText(ring.indices!.length / 3)}`,
      ring,
      frames.map(both => ({ transformA: both.slice(0, 16), transformB: both.slice(16, 32) })),
    ),
    makeSelfCases(
      engine,
      `folding cloth ${countText(cloth.mesh.indices!.length / 3)}`,
      cloth.mesh.indices!,
      Array.from({ length: count }, (_, t) => cloth.frame(20 - count + t)),
    ),
    ...(ball ? [makeSelfCases(engine, 'cloth-ball 92K', ball.indices, ball.frames)] : []),
  ];
}

type Data = Parameters<Engine['createMesh']>[0];

function makePlacedCases(
  engine: Engine,
  name: string,
  data: Data,
  placements: readonly Pick<PlacedMeshes, 'transformA' | 'transformB'>[],
): GpuCases {
  const mesh = engine.createMesh(data);
  return {
    name,
    caseCount: placements.length,
    prepare() {},
    onGpu: (queries, at) => queries.query([{ a: mesh, b: mesh, ...placements[at] }]),
    onCpu: at => engine.query(mesh, mesh, placements[at]),
    dispose: () => mesh.dispose(),
  };
}

/** Makes cases of a mesh paired with itself; each frame has its own positions. */
export function makeSelfCases(
  engine: Engine,
  name: string,
  indices: ArrayLike<number>,
  frames: readonly Float32Array[],
): GpuCases {
  const mesh = engine.createMesh(
    { positions: frames[0], indices: Uint32Array.from(indices) },
    { deformable: true },
  );
  return {
    name,
    caseCount: frames.length,
    prepare: at => {
      mesh.update(frames[at], { tree: 'refit' });
    },
    onGpu: queries => queries.query([{ a: mesh, b: mesh }], { neighbors: 'index' }),
    onCpu: () => engine.selfQuery(mesh),
    dispose: () => mesh.dispose(),
  };
}

// Reads the two published frames of the cloth of Zhang and Kim 2014, Fig. 8. Returns undefined if they are
// missing.
function clothOnBall(): { indices: Uint32Array; frames: Float32Array[] } | undefined {
  const files = ['cloth_ball92', 'cloth_ball93'].map(frame => `sccd/cloth-ball/frames/${frame}.ply.gz`) as [
    string,
    string,
  ];
  if (!files.every(file => existsSync(dataPath(file)))) {
    console.log('  cloth-ball: skipped, the data set is missing');
    return undefined;
  }
  const { faces, from, to } = readFrames(...files);
  return { indices: faces, frames: [from, to].map(positions => Float32Array.from(positions)) };
}
