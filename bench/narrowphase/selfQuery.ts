// Measures the refit and the self-intersection query of deforming cloths in each frame. In the same run,
// measures three-mesh-bvh's refit and its bvhcast of a tree with itself.

import type { ExtendedTriangle } from 'three-mesh-bvh';
import { mat4d } from 'wgpu-matrix';
import type { Engine, Mesh } from '../../dist/index.js';
import { Leaf, limits, Node } from '../../dist/records/layout.js';
import { type Cloth, clothBall, crumplingCloth } from '../support/cloths.js';
import { createEngines, disposeEngines, type NamedEngine } from '../support/engines.js';
import { coreCount } from '../support/machine.js';
import { isQuick, Report } from '../support/report.js';
import { buildRival, RIVAL, type RivalMesh, rivalMatrix } from '../support/rival.js';
import { median, sum } from '../support/statistics.js';
import { interleave } from '../support/timing.js';

const SEED = 401;

/**
 * Counts the self-intersecting pairs that the rival finds. The rival reports each pair twice, and also
 * reports neighbors (triangles that share a vertex). As in pfront, each pair is counted once, and neighbors
 * are not counted.
 */
class RivalSelfPairs {
  count = 0;
  private readonly indices: ArrayLike<number>;
  private readonly unmoved = rivalMatrix(mat4d.identity());
  private readonly callbacks = {
    intersectsTriangles: (
      first: ExtendedTriangle,
      second: ExtendedTriangle,
      a: number,
      b: number,
    ): boolean => {
      if (a < b && !this.areNeighbors(a, b) && first.intersectsTriangle(second)) this.count++;
      return false;
    },
  };

  constructor({ index }: RivalMesh) {
    this.indices = index!.array;
  }

  find(mesh: RivalMesh): number {
    this.count = 0;
    mesh.boundsTree.bvhcast(mesh.boundsTree, this.unmoved, this.callbacks);
    return this.count;
  }

  private areNeighbors(a: number, b: number): boolean {
    const { indices } = this;
    for (let i = 3 * a; i < 3 * a + 3; i++)
      for (let j = 3 * b; j < 3 * b + 3; j++) if (indices[i] === indices[j]) return true;
    return false;
  }
}

/** Measures the bytes per millisecond of a copy from memory to memory; reads and writes both count. */
function copyBandwidth(): number {
  const from = new Uint8Array(2 ** 26).fill(1);
  const to = new Uint8Array(2 ** 26);
  const times = Array.from({ length: 9 }, () => {
    const startedAt = performance.now();
    to.set(from);
    return performance.now() - startedAt;
  });
  return (2 * from.length) / median(times);
}

/**
 * Returns the min number of bytes that a refit reads and writes. It reads the new positions, writes them to
 * the mesh's own buffer, and reads this buffer. It also reads corner offsets, writes leaves, and reads and
 * writes nodes.
 */
const refitBytes = ({ vertexCount, leafCount, nodeCount }: Mesh): number =>
  3 * 12 * vertexCount + leafCount * (limits.CORNERS_BYTES + Leaf.size) + 2 * nodeCount * Node.size;

async function measure(
  report: Report,
  { name, indices, frames }: Cloth,
  engines: readonly NamedEngine[],
): Promise<void> {
  const data = { positions: frames[0], indices };
  const rival = buildRival(data);
  const rivalPairs = new RivalSelfPairs(rival);
  const meshes = new Map(
    engines.map(({ engine }) => [engine, engine.createMesh(data, { deformable: true })]),
  );
  const update = (engine: Engine, positions: Float32Array, tree: 'auto' | 'refit'): Mesh => {
    const mesh = meshes.get(engine)!;
    mesh.update(positions, { tree });
    return mesh;
  };
  const refit = (positions: Float32Array): void => {
    rival.getAttribute('position').array.set(positions);
    rival.boundsTree.refit();
  };
  const contenders = [
    ...engines.flatMap(({ name: variant, engine }) =>
      (['auto', 'refit'] as const).map(tree => ({
        name: `${variant}, ${tree}`,
        run: (positions: Float32Array) => engine.selfQuery(update(engine, positions, tree)).count,
      })),
    ),
    {
      name: RIVAL,
      run: (positions: Float32Array) => {
        refit(positions);
        return rivalPairs.find(rival);
      },
    },
  ];
  const found = contenders.map(({ run }) => sum(frames.map(run)));
  const timings = interleave(frames, contenders, isQuick ? 1 : 3);
  const last = timings.at(-1)!;
  timings.forEach(({ name: variant, ...times }, i) =>
    report.add({
      scene: name,
      measure: 'refit and self pairs',
      variant,
      unit: 'ms',
      ...times,
      note: `${found[i]} pairs in ${frames.length} frames`,
      ...(variant === RIVAL ? {} : { rival: RIVAL, ratio: last.mean / times.mean, limit: '>= 100 x' }),
    }),
  );
  const steps = interleave(
    frames,
    engines.flatMap(({ name: variant, engine }) => [
      { name: `${variant}, refit`, run: (positions: Float32Array) => update(engine, positions, 'refit') },
      {
        name: `${variant}, self pairs, any order`,
        run: () => engine.selfQuery(meshes.get(engine)!, { order: 'any' }).count,
      },
      { name: `${variant}, any`, run: () => engine.selfQuery(meshes.get(engine)!, { want: 'any' }) },
    ]),
    isQuick ? 3 : 7,
  );
  for (const { name: variant, ...times } of steps)
    report.add({ scene: name, measure: 'steps', variant, unit: 'ms', ...times });
  const bytes = refitBytes(meshes.get(engines[0].engine)!);
  const streaming = bytes / copyBandwidth();
  report.add({
    scene: name,
    measure: 'time of a refit / time of streaming its bytes',
    variant: engines[0].name,
    unit: 'x',
    n: frames.length,
    mean: steps[0].mean / streaming,
    limit: '<= 4 x',
    note: `${(bytes / 2 ** 20).toFixed(1)} MiB, ${streaming.toFixed(2)} ms`,
  });
  for (const mesh of meshes.values()) mesh.dispose();
}

async function main(): Promise<void> {
  const report = new Report('selfQuery', SEED);
  const engines = await createEngines(1, coreCount);
  const cloths = [crumplingCloth(isQuick ? 60 : 215, isQuick ? 4 : 20, SEED), await clothBall()];
  for (const cloth of cloths) if (cloth) await measure(report, cloth, engines);
  disposeEngines(engines);
  report.save();
}

await main();
