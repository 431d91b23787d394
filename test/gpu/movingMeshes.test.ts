// Tests GpuMeshSweep, which finds the contacts of moving meshes on a GPU. The contacts must have the same
// bytes as those of engine.sweep and engine.sweepVertices on the CPU. Covers two meshes that move through
// each other, deforming meshes, minimum separations, any initial capacity, lowered device limits, and parts
// of published frames.

import * as assert from 'uvu/assert';
import { readSweepOptions } from '../../dist/ccd/sweepOptions.js';
import type { GpuMeshSweep } from '../../dist/gpu/ccd/gpuMeshSweep.js';
import type { Gpu, GpuLimits } from '../../dist/gpu/device/gpu.js';
import { GpuLost, GpuUnfit } from '../../dist/gpu/device/gpuErrors.js';
import { createEngine } from '../../dist/index.js';
import { createRandom, foldingCloth, sphere, torus } from '../../dist/samples/index.js';
import { caughtLater } from '../support/engines.js';
import { gpuDataTest, gpuTest, plainGpu, withGpu } from '../support/gpu.js';
import { checkDeforming, checkFilm, checkPlaced, films, withMeshSweep } from '../support/gpuMeshes.js';
import { placement, soup } from '../support/movingCrowd.js';
import { test } from '../support/test.js';

const engine = await createEngine({ threads: 2, warmUp: 'off' });
test.after(() => engine.dispose());
const onGpu = (
  use: (sweep: GpuMeshSweep, gpu: Gpu) => Promise<unknown>,
  limits: Partial<GpuLimits> = {},
  capacity?: number,
): Promise<void> =>
  withGpu(async gpu => {
    await withMeshSweep(gpu, engine, sweep => use(sweep, gpu), capacity);
  }, limits);
const at = (x: number, y: number, z: number): Float64Array =>
  Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1);

gpuTest.proof('5 pairs of meshes with many contacts have the same contacts as on the CPU', () =>
  onGpu(async sweep => {
    let contacts = 0;
    for (let seed = 1; seed <= 5; seed++) {
      const random = createRandom(seed);
      const [a, b] = [0, 1].map(() => engine.createMesh(soup(random, 1 + random.below(20))));
      const [fromA, toA, fromB, toB] = [0, 1, 2, 3].map(() => placement(random));
      for (const options of [{}, { minSeparation: 0.01 }, { exact: true }])
        contacts += await checkPlaced(sweep, engine, a!, b!, { fromA, toA, fromB, toB, ...options });
      a!.dispose();
      b!.dispose();
    }
    assert.ok(contacts > 50, `${contacts} contacts`);
  }),
);

gpuTest.slow('deforming meshes that intersect themselves have the same contacts as on the CPU', () =>
  onGpu(async sweep => {
    let contacts = 0;
    for (let seed = 1; seed <= 3; seed++) {
      const random = createRandom(seed);
      const data = soup(random, 2 + random.below(40));
      const mesh = engine.createMesh(data);
      const moved = (): Float64Array =>
        Float64Array.from(
          data.positions,
          value => value + (random.below(2) === 0 ? random.below(5) / 4 - 0.5 : random.between(-0.5, 0.5)),
        );
      for (const options of [{}, { minSeparation: 1e-3 }])
        contacts += await checkDeforming(sweep, engine, mesh, moved(), moved(), options);
      mesh.dispose();
    }
    assert.ok(contacts > 50, `${contacts} contacts`);
  }),
);

gpuTest.slow(
  'a torus that moves through a ball, near the origin and far away, has the same contacts as on the CPU',
  () =>
    onGpu(async sweep => {
      const a = engine.createMesh(torus(600));
      const b = engine.createMesh(sphere(400));
      for (const far of [0, 1e4]) {
        const [fromA, fromB, toB] = [at(far, far, 0), at(far + 1, far, 0.5), at(far - 0.25, far + 0.1, -0.5)];
        for (const minSeparation of [0, 1e-2])
          assert.ok((await checkPlaced(sweep, engine, a, b, { fromA, fromB, toB, minSeparation })) > 0);
      }
      for (const size of [1e-30, 1e12]) {
        const scaled = (x: number): Float64Array =>
          Float64Array.of(size, 0, 0, 0, 0, size, 0, 0, 0, 0, size, 0, x * size, 0, 0, 1);
        await checkPlaced(sweep, engine, a, b, { fromA: scaled(0), fromB: scaled(1), toB: scaled(0.5) });
      }
      // The meshes are always disjoint, so there is no pair at all.
      assert.is(await checkPlaced(sweep, engine, a, b, { fromB: at(9, 0, 0), toB: at(9, 1, 0) }), 0);
      for (const mesh of [a, b]) mesh.dispose();
    }),
);

gpuTest('a folding cloth has the same contacts as on the CPU', () =>
  onGpu(async sweep => {
    const cloth = foldingCloth(300, 20);
    const mesh = engine.createMesh(cloth.mesh);
    let contacts = 0;
    for (const [from, to] of [
      [2, 3],
      [19, 20],
      [10, 20],
    ] as const)
      contacts += await checkDeforming(sweep, engine, mesh, cloth.frame(from), cloth.frame(to));
    contacts += await checkDeforming(sweep, engine, mesh, cloth.frame(19), cloth.frame(20), {
      minSeparation: 2e-3,
    });
    assert.ok(contacts > 5, `${contacts} contacts`);
    mesh.dispose();
  }),
);

gpuTest.slow('no contact is lost if the capacity is below the number of remaining pairs', async () => {
  const cloth = foldingCloth(200, 10);
  const mesh = engine.createMesh(cloth.mesh);
  const [from, to] = [cloth.frame(8), cloth.frame(10)];
  const { stats } = engine.sweepVertices(mesh, from, to, { want: 'all' });
  const left = stats.searchedPairs;
  assert.ok(left > 2, `${left} pairs`);
  for (const capacity of [0, 1, left - 1, left, left + 1])
    await onGpu(sweep => checkDeforming(sweep, engine, mesh, from, to), {}, capacity);
  mesh.dispose();
});

gpuTest.slow('the number of bytes read back depends on the last query, not on the largest one', async () => {
  const cloth = foldingCloth(200, 10);
  const mesh = engine.createMesh(cloth.mesh);
  const few = engine.createMesh(soup(createRandom(1), 6));
  const places = (by: number): Float64Array =>
    Float64Array.from({ length: 3 * few.vertexCount }, (_, i) => i % by);
  await onGpu(async (sweep, gpu) => {
    const read: number[] = [];
    for (let run = 0; run < 4; run++) {
      if (run === 1)
        await checkDeforming(sweep, engine, mesh, cloth.frame(0), cloth.frame(10), { minSeparation: 0.3 });
      gpu.counters.readBytes = 0;
      await checkDeforming(sweep, engine, few, places(5), places(7));
      read.push(gpu.counters.readBytes);
    }
    assert.ok(read[3] <= read[0] + 4096, `bytes: ${read.join()}`);
  });
  for (const each of [mesh, few]) each.dispose();
});

gpuTest.slow('lowered limits give the same contacts as on the CPU', async () => {
  const cloth = foldingCloth(200, 10);
  const mesh = engine.createMesh(cloth.mesh);
  const [from, to] = [cloth.frame(8), cloth.frame(10)];
  for (const workgroups of [1, 2, 7, Infinity]) {
    await onGpu(sweep => checkDeforming(sweep, engine, mesh, from, to), {
      workgroups,
      invocations: 64,
      bindingBytes: 2 ** 16,
    });
  }
  await onGpu(
    async sweep => {
      assert.instance(
        await caughtLater(() => sweep.deform(mesh, from, to, readSweepOptions({}, 1))),
        GpuUnfit,
      );
      // After a query that does not fit, the device still runs queries that fit.
      const few = engine.createMesh(soup(createRandom(1), 6));
      const places = (by: number): Float64Array =>
        Float64Array.from({ length: 3 * few.vertexCount }, (_, i) => i % by);
      await checkDeforming(sweep, engine, few, places(5), places(7));
      few.dispose();
    },
    { workgroups: 2, invocations: 64, bindingBytes: 4096 },
  );
  mesh.dispose();
});

gpuTest.slow(
  'coordinates that floats cannot represent and a lost device give errors; a CPU query may run during a GPU query',
  async () => {
    const random = createRandom(5);
    const data = soup(random, 30);
    const mesh = engine.createMesh(data);
    const gpu = await plainGpu();
    const from = Float64Array.from(data.positions);
    const to = from.map(value => -value);
    await withMeshSweep(gpu, engine, async sweep => {
      const how = readSweepOptions({ want: 'all' }, 2);
      assert.instance(
        await caughtLater(() =>
          sweep.deform(
            mesh,
            from,
            to.map(value => value * 1e200),
            how,
          ),
        ),
        GpuUnfit,
      );
      const checked = checkDeforming(sweep, engine, mesh, to, from);
      engine.sweepVertices(mesh, to, to, { want: 'all' });
      await checked;
      gpu.device.destroy();
      assert.instance(await caughtLater(() => sweep.deform(mesh, from, to, how)), GpuLost);
    });
    mesh.dispose();
  },
);

// One percent of the faces, so that the test is fast enough on a software device.
gpuDataTest.slow('a part of the published frames has the same contacts as on the CPU', () =>
  onGpu(async sweep => {
    for (const film of films) await checkFilm(sweep, engine, film, 0.01);
  }),
);

test.run();
