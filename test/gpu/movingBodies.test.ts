// Tests engine.async.detect with continuous: true. The GPU drops pairs of bodies that certainly stay
// disjoint during the motion, and the CPU finds the contacts of the other pairs. The contacts must have the
// same bytes as those of scene.detect on the CPU. Covers crowds with many contacts, nested spheres, bodies
// far from the origin, bodies that are added, removed and deformed, large bodies, lists of box pairs that are
// too short, a device with low limits, and a device that is lost.

import * as assert from 'uvu/assert';
import { BodySweep } from '../../dist/ccd/bodySweep.js';
import { BodySweepRun } from '../../dist/ccd/bodySweepRun.js';
import { MeshTables } from '../../dist/ccd/meshTables.js';
import { readSweepOptions } from '../../dist/ccd/sweepOptions.js';
import { GpuMeshes } from '../../dist/gpu/bvh/gpuMeshes.js';
import { GpuBodyPairFilter } from '../../dist/gpu/ccd/gpuBodyPairFilter.js';
import { GpuBodyTraversal } from '../../dist/gpu/ccd/gpuBodyTraversal.js';
import { Gpu } from '../../dist/gpu/device/gpu.js';
import { GpuLost, GpuUnfit } from '../../dist/gpu/device/gpuErrors.js';
import {
  type AsyncSweptBodies,
  type ContinuousOptions,
  createEngine,
  type Engine,
  type Scene,
  type SweptBodies,
} from '../../dist/index.js';
import { RetryingScratch } from '../../dist/runtime/retry.js';
import { createRandom, sphere, torus, translation } from '../../dist/samples/index.js';
import { Bodies } from '../../dist/scene/bodies.js';
import { caughtLater } from '../support/engines.js';
import { gpuTest, plainGpu } from '../support/gpu.js';
import { crowd, rowsOf } from '../support/movingCrowd.js';
import { test } from '../support/test.js';
import { sharedGpuEngine } from './sharedGpuEngine.js';

const known = await createEngine({ threads: 2 });
const learned = sharedGpuEngine();
const onGpu = async (use: (engine: Engine) => Promise<void>): Promise<void> => use(await learned.engine());
test.after(async () => {
  known.dispose();
  await learned.release();
});

type Vector = [number, number, number];

const continuous = { continuous: true } as const;
const contactRows = (swept: SweptBodies): string[] =>
  rowsOf(swept).map((row, i) => `${swept.a[i]} ${swept.b[i]} ${row}`);

/** Returns the GPU's result after comparing it with the CPU's. */
async function checked(
  engine: Engine,
  scene: Scene,
  twin: Scene,
  options: Omit<ContinuousOptions, 'continuous'>,
  what: string,
): Promise<AsyncSweptBodies> {
  const found = await engine.async.detect(scene, { ...continuous, ...options });
  const truth = twin.detect({ ...continuous, ...options });
  assert.is(contactRows(found).join('\n'), contactRows(truth).join('\n'), what);
  return found;
}

const apartOf = ({ stats }: AsyncSweptBodies): number =>
  (stats.gpu as { apart: number } | undefined)?.apart ?? 0;

gpuTest.proof(
  'crowds of bodies with many contacts have the same contacts as on the CPU, with all options',
  () =>
    onGpu(async engine => {
      let contacts = 0;
      let apart = 0;
      for (const [seed, options] of (
        [
          {},
          { want: 'all' },
          { minSeparation: 0.05 },
          { want: 'all', minSeparation: 0.2 },
          { exact: true },
          { tolerance: 0 },
        ] as const
      ).entries()) {
        const [own, other] = [engine, known].map(each => crowd(each, seed + 1, 14));
        for (const each of [own, other]) each.scene.setTransforms(each.all, { from: each.start });
        const found = await checked(engine, own.scene, other.scene, options, JSON.stringify(options));
        assert.is(found.stats.backend, 'gpu', found.stats.reason);
        contacts += found.count;
        apart += apartOf(found);
        // The next motion begins where the previous motion ended, whether the GPU or the CPU computed the
        // previous result.
        for (const each of [own, other]) each.scene.setTransform(each.bodies[0].id, each.froms[1]);
        contacts += (
          await checked(engine, own.scene, other.scene, options, `${JSON.stringify(options)}, one body`)
        ).count;
        for (const each of [own, other]) each.scene.dispose();
      }
      assert.ok(contacts > 100 && apart > 10, `${contacts} contacts, ${apart} apart`);
      assert.equal(
        engine.info.notes.filter(({ code }) => /gpu/.test(code)),
        [],
      );
    }),
);

gpuTest.slow(
  'nested spheres of any size that are disjoint or touch in one place, near the origin and far away, have the same contacts as on the CPU',
  () =>
    onGpu(async engine => {
      let apart = 0;
      let touching = 0;
      for (const [far, size] of [
        [0, 1],
        [1e3, 1],
        [0, 1e-12],
        [0, 1e9],
      ] as const) {
        const scenes = [engine, known].map(each => {
          const scene = each.createScene();
          const outer = each.createMesh(sphere(320));
          const inner = each.createMesh(sphere(240));
          const at = (radius: number, x: number): Float64Array =>
            Float64Array.of(
              radius * size,
              0,
              0,
              0,
              0,
              radius * size,
              0,
              0,
              0,
              0,
              radius * size,
              0,
              far + x * size,
              0,
              0,
              1,
            );
          for (const [radius, mesh] of [
            [1, outer],
            [0.6, inner],
          ] as const)
            scene.add(mesh, { transform: at(radius, 0) });
          return { scene, move: (x: number): void => scene.setTransform(4096, at(0.6, x)) };
        }) as [{ scene: Scene; move(x: number): void }, { scene: Scene; move(x: number): void }];
        for (const [x, options] of [
          [0.05, {}],
          [0.1, {}],
          [0.42, {}],
          [0, { minSeparation: 0.01 * size }],
        ] as const) {
          for (const { move } of scenes) move(x);
          const found = await checked(
            engine,
            scenes[0].scene,
            scenes[1].scene,
            options,
            `${far} ${size} ${x}`,
          );
          apart += apartOf(found);
          touching += found.count;
        }
        for (const { scene } of scenes) scene.dispose();
      }
      assert.ok(apart >= 6 && touching >= 8, `${apart} apart, ${touching} touch`);
    }),
);

gpuTest(
  'a vertex that touches the interior of a face, and edges that cross, are found whichever body was added first',
  () =>
    onGpu(async engine => {
      // The spike moves down onto the plate. The blade moves down, and its lower edge crosses the upper edge
      // of `other`.
      const spike = {
        positions: Float32Array.of(0, 0, 0, 0.1, 0, 0.5, -0.1, 0.1, 0.5, -0.1, -0.1, 0.5),
        indices: Uint32Array.of(0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3),
      };
      const plate = {
        positions: Float32Array.of(-5, -5, 0, 5, -5, 0, 0, 5, 0),
        indices: Uint32Array.of(0, 1, 2),
      };
      const blade = {
        positions: Float32Array.of(-1, 0, 0, 1, 0, 0, 0, 0, 1),
        indices: Uint32Array.of(0, 1, 2),
      };
      const other = {
        positions: Float32Array.of(0, -1, 0, 0, 1, 0, 0, 0, -1),
        indices: Uint32Array.of(0, 1, 2),
      };
      for (const [moving, still] of [
        [spike, plate],
        [blade, other],
      ] as const) {
        for (const isFirst of [true, false]) {
          const counts: number[] = [];
          // Two more cases with a contact. In the first, the bodies stay disjoint but come nearer than the
          // minimum separation. In the second, they intersect from the start to the end of the motion,
          // although no vertex touches a face and no two edges touch at any time.
          const more = [
            [0.4, 0.2, { minSeparation: 0.3 }],
            [-0.2, -0.3, {}],
          ] as const;
          for (const [start, end, options] of [
            [0.4, -0.01, {}],
            [0.4, 0.2, {}],
            ...(isFirst && moving === spike ? more : []),
          ] as const) {
            const scenes = [engine, known].map(each => {
              const scene = each.createScene();
              const ids = (isFirst ? [moving, still] : [still, moving]).map(data =>
                scene.add(each.createMesh(data)),
              );
              scene.setTransforms(
                Float64Array.from(
                  [0, 1].flatMap(i => [...translation([0, 0, i === (isFirst ? 0 : 1) ? end : 0])]),
                ),
                {
                  from: Float64Array.from(
                    [0, 1].flatMap(i => [...translation([0, 0, i === (isFirst ? 0 : 1) ? start : 0])]),
                  ),
                },
              );
              assert.is(ids.length, 2);
              return scene;
            }) as [Scene, Scene];
            const found = await checked(
              engine,
              scenes[0],
              scenes[1],
              options,
              `${moving === spike} ${isFirst} ${end} ${JSON.stringify(options)}`,
            );
            counts.push(found.count, apartOf(found));
            for (const scene of scenes) scene.dispose();
          }
          assert.is(counts[0], 1);
          assert.is(counts[2], 0);
          if (counts.length > 4) assert.ok(counts[4] > 0 && counts[6] > 0);
        }
      }
    }),
);

gpuTest.slow('bodies may be added, removed and deformed, and rotating bodies run on the CPU', () =>
  onGpu(async engine => {
    const random = createRandom(3);
    const scenes = [engine, known].map(each => ({
      scene: each.createScene(),
      meshes: [sphere(60), torus(90)].map(data => each.createMesh(data, { deformable: true })),
    }));
    const both = (change: (scene: Scene, i: number) => void): void =>
      scenes.forEach(({ scene }, i) => change(scene, i));
    const somewhere = (): Float64Array =>
      translation([random.between(0, 4), random.between(0, 3), random.between(0, 2)]);
    const ids: number[] = [];
    for (let i = 0; i < 12; i++) {
      const transform = somewhere();
      both((scene, k) => {
        ids[i] = scene.add(scenes[k].meshes[i % 2], { transform });
      });
    }
    // Each scene also gets a body whose mesh has no triangles.
    scenes.forEach(({ scene, meshes }, i) => {
      scene.add(
        (meshes[2] = [engine, known][i].createMesh({
          positions: new Float32Array(0),
          indices: new Uint32Array(0),
        })),
      );
    });
    for (let frame = 0; frame < 4; frame++) {
      for (const id of ids.slice(frame, frame + 6)) {
        const transform = somewhere();
        both(scene => scene.setTransform(id, transform));
      }
      if (frame === 1) both(scene => scene.remove(ids[11]));
      if (frame === 2)
        both((_, i) => scenes[i].meshes[0].update(sphere(60).positions.map(value => 0.7 * value)));
      const motion = frame === 3 ? 'rigid' : 'linear';
      const found = await checked(engine, scenes[0].scene, scenes[1].scene, { motion }, `frame ${frame}`);
      assert.is(found.stats.backend, motion === 'rigid' ? 'wasm' : 'gpu', found.stats.reason);
    }
    both(scene => scene.dispose());
  }),
);

gpuTest.slow(
  'a small number of workgroups changes no contact; coordinates out of range, small bindings and a lost device give errors',
  async () => {
    const { context } = known;
    const tables = new MeshTables(context);
    const scratch = new RetryingScratch(() => ({ system: new BodySweep(context, tables) }));
    const bodies = new Bodies(context);
    const mesh = known.createMesh(sphere(300));
    const from = new Float64Array(12 * 6);
    const contactRows = {
      filterPairs: (near: never) => near,
      makeResult: ({ slotA, slotB }: { slotA: Uint32Array; slotB: Uint32Array }) =>
        [...slotA].map((slot, i) => `${slot} ${slotB[i]}`).join(),
    };
    for (let i = 0; i < 6; i++) {
      bodies.add(mesh, 1, 1, Float64Array.of(1, 0, 0, 1.7 * i, 0, 1, 0, i === 3 ? 1.2 : 0, 0, 0, 1, 0));
      from.set([1, 0, 0, 1.7 * i, 0, 1, 0, i === 3 ? 1.25 : 0, 0, 0, 1, 0], 12 * i);
    }
    const makeQuery = (motion = from) => {
      const made = new BodySweepRun(
        scratch,
        { bodies, from: motion, settings: readSweepOptions({}, 0), motion: 'linear' },
        contactRows,
      );
      made.findPairs();
      return made;
    };
    const truth = makeQuery().findContacts();
    assert.ok(truth.length > 0);
    // All filters share one device, so that its kernels are compiled only once.
    const { device } = await plainGpu();
    const sweep = new GpuBodyPairFilter(new Gpu(device, { workgroups: 2, invocations: 64 }), context, tables);
    const motion = makeQuery();
    const { remaining, stats } = await sweep.filter(motion);
    assert.equal(
      [remaining.length + stats.apart, motion.findContacts(remaining)],
      [motion.pairs.count, truth],
    );
    assert.ok(stats.apart > 0);
    const wide = from.map((value, i) => (i % 12 === 3 ? 1e30 : value));
    assert.instance(await caughtLater(() => sweep.filter(makeQuery(wide))), GpuUnfit);
    assert.equal((await sweep.filter(makeQuery())).remaining, remaining);
    const narrow = new GpuBodyPairFilter(
      new Gpu(device, { workgroups: 2, invocations: 64, bindingBytes: 4096 }),
      context,
      tables,
    );
    assert.instance(await caughtLater(() => narrow.filter(makeQuery())), GpuUnfit);
    device.destroy();
    assert.instance(await caughtLater(() => sweep.filter(makeQuery())), GpuLost);
    for (const part of [scratch, bodies, tables, mesh]) part.dispose();
  },
);

gpuTest.slow(
  'bodies of more than 4,096 triangles are filtered; a list that is too short is lengthened, or its pairs are left to the CPU',
  async () => {
    const { context } = known;
    const tables = new MeshTables(context);
    const scratch = new RetryingScratch(() => ({ system: new BodySweep(context, tables) }));
    const { device } = await plainGpu();
    const makeGpu = (limits = {}) => new Gpu(device, { workgroups: 2, invocations: 64, ...limits }, true);
    /** Begins the motion of two bodies with the same mesh, from these origins. */
    const begin = (triangles: number, origins: [Vector, Vector], step: Vector) => {
      const mesh = known.createMesh(sphere(triangles));
      const bodies = new Bodies(context);
      const from = new Float64Array(24);
      origins.forEach((origin, i) => {
        const rows = (at: Vector) => at.flatMap((one, row) => [0, 1, 2].map(k => +(k === row)).concat(one));
        bodies.add(
          mesh,
          1,
          1,
          Float64Array.from(rows(origin.map((one, axis) => one + step[axis]) as Vector)),
        );
        from.set(rows(origin), 12 * i);
      });
      const run = new BodySweepRun(
        scratch,
        { bodies, from, settings: readSweepOptions({}, 0), motion: 'linear' },
        { filterPairs: near => near, makeResult: ({ contacts }) => contacts.count },
      );
      run.findPairs();
      assert.is(run.pairs.count, 1);
      return { run, release: () => [bodies, mesh].forEach(part => part.dispose()) };
    };
    // The boxes of the bodies overlap in a corner.
    const large = sphere(5000).indices.length / 3;
    assert.ok(large > 4096);
    for (const [away, isApart] of [
      [1.5, true],
      [1.4, false],
    ] as const) {
      const { run, release } = begin(
        5000,
        [
          [0, 0, 0],
          [away, away, 0],
        ],
        [0.01, 0, 0.02],
      );
      const filter = new GpuBodyPairFilter(makeGpu(), context, tables);
      const { remaining, stats } = await filter.filter(run);
      assert.equal([remaining.length, stats], [+!isApart, { pairs: 1, apart: +isApart }]);
      assert.is(run.findContacts() > 0, !isApart);
      filter.dispose();
      release();
    }
    // Two bodies stay apart, but are so fast that the boxes of all leaves overlap.
    const { run, release } = begin(
      100,
      [
        [0, 0, 0],
        [2.5, 0, 0],
      ],
      [9, 7, 8],
    );
    assert.is(run.findContacts(), 0);
    for (const [limits, remains] of [
      [{}, []],
      // The buffer of a list holds 256 pairs of boxes.
      [{ bindingBytes: 4096 }, [0]],
    ] as const) {
      const gpu = makeGpu(limits);
      await gpu.prepare(GpuBodyTraversal.kernels);
      const trees = new GpuMeshes(context.arena, makeGpu());
      const filter = new GpuBodyPairFilter(gpu, context, tables, trees, 8);
      assert.equal([...(await filter.filter(run)).remaining], remains);
      assert.ok(gpu.counters.submits > 2, `${gpu.counters.submits} submits`);
      // The lists keep their lengths.
      gpu.counters.submits = 0;
      assert.equal([...(await filter.filter(run)).remaining], remains);
      assert.is(gpu.counters.submits, 1);
      filter.dispose();
    }
    for (const part of [{ dispose: release }, scratch, tables]) part.dispose();
    device.destroy();
  },
);

test.run();
