// Tests that if a kernel traps while a scene's bodies are placed, paired, pruned or queried, the call throws a
// typed error, and the next frame is correct.
import * as assert from 'uvu/assert';
import type { Engine, Mesh, Scene } from '../../dist/index.js';
import { box, translation } from '../../dist/samples/index.js';
import { caught, poolOf, withEngine } from '../support/engines.js';
import { hashBytes } from '../support/hash.js';
import { test } from '../support/test.js';

const BODIES = 150;
const at = (body: number, frame: number): Float64Array =>
  translation([
    0.9 * (body % 10) + 0.013 * frame * (body % 3),
    0.95 * ((body / 10) | 0),
    0.01 * frame * (body % 7),
  ]);

function fill(engine: Engine, frame: number, count = BODIES): { scene: Scene; mesh: Mesh; ids: number[] } {
  const scene = engine.createScene();
  const mesh = engine.createMesh(box());
  return {
    scene,
    mesh,
    ids: Array.from({ length: count }, (_, body) => scene.add(mesh, { transform: at(body, frame) })),
  };
}

// Formats contacts as text. Replaces the ids of bodies by their slots, because an id also depends on how
// often its slot was filled, which may differ between the compared scenes.
const listed = ({ count, a, b, counts, triangles }: ReturnType<Scene['detect']>): string => {
  const slots = [a, b].map(ids => Uint32Array.from(ids, id => Math.floor(id / 4096)));
  return `${count} ${hashBytes(...slots, counts, triangles.a, triangles.b)}`;
};

// Replaces a kernel with one that traps on every call, calls `run`, and checks the error that `run` throws.
function trapping(engine: Engine, kernel: string, run: () => unknown): void {
  const pool = poolOf(engine);
  const { kernels } = pool;
  Object.assign(pool, {
    kernels: {
      ...kernels,
      [kernel]: () => {
        throw new WebAssembly.RuntimeError('unreachable');
      },
    },
  });
  try {
    const error = caught(() => assert.ok(run() === undefined, `${kernel} was not run`));
    assert.is(error.code, 'Internal', `${kernel}: ${error.stack}`);
    assert.match(error.message, /a kernel trapped: unreachable/);
  } finally {
    Object.assign(pool, { kernels });
  }
}

test('a kernel that traps within detect gives an error with a fix, and the next frame is correct', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const [expected] = [2].map(frame => {
      using scene = fill(engine, frame).scene;
      return listed(scene.detect());
    });
    // framesBefore: the number of frames in which `detect` succeeds before the kernel traps. For example, it is
    // 0 for kernels that fill the tables of meshes, because these tables are filled only in the first frame.
    for (const [kernel, framesBefore] of [
      ['pruneBodyPairs', 1],
      ['fillSupportTable', 0],
      ['fillLeafBoxes', 0],
      ['placeBodyPairs', 1],
      ['computeBoxStatistics', 0],
      ['traverse', 1],
    ] as const) {
      const { scene, mesh } = fill(engine, 1);
      const touching = engine.query(mesh, mesh, { transformB: at(11, 0) }).count;
      if (framesBefore) scene.detect();
      scene.setTransforms(Float64Array.from({ length: 16 * BODIES }, (_, i) => at(i >> 4, 2)[i & 15]));
      trapping(engine, kernel, () => scene.detect());
      // A query of two meshes must not use a table that was only partially filled before the trap.
      assert.is(engine.query(mesh, mesh, { transformB: at(11, 0) }).count, touching, kernel);
      assert.is(listed(scene.detect()), expected, kernel);
      assert.equal(scene.detect().ended.count, 0);
      scene.dispose();
    }
  }));

test('if a kernel traps while bodies are added, moved or removed, the call throws an error, and later contacts are correct', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const changes: [name: string, change: (scene: Scene, ids: number[]) => void, isDone: boolean][] = [
      [
        'add',
        scene => {
          scene.add(engine.createMesh(box()), { transform: at(3, 1) });
        },
        false,
      ],
      [
        'remove',
        (scene, ids) => {
          scene.remove(ids[11]);
        },
        true,
      ],
      [
        'setTransform',
        (scene, ids) => {
          scene.setTransform(ids[11], at(90, 1));
        },
        true,
      ],
      [
        'setTransforms of some',
        (scene, ids) => {
          scene.setTransforms(at(90, 1), [ids[11]]);
        },
        true,
      ],
      [
        'setTransforms',
        scene => {
          scene.setTransforms(Float64Array.from({ length: 16 * 40 }, (_, i) => at((i >> 4) + 7, 1)[i & 15]));
        },
        false,
      ],
    ];
    for (const [name, change, isDone] of changes) {
      const reported = fill(engine, 1, 40);
      const truth = fill(engine, 1, 40);
      reported.scene.detect();
      truth.scene.detect();
      trapping(engine, 'placeBodies', () => change(reported.scene, reported.ids));
      if (isDone) change(truth.scene, truth.ids);
      assert.is(listed(reported.scene.detect()), listed(truth.scene.detect()), name);
      // Makes the change in both scenes, again if it is already done. A removal cannot be made again, so it is
      // skipped. The scene of `reported` must then behave as if no kernel had trapped.
      if (!isDone || name.startsWith('set'))
        for (const { scene, ids } of [reported, truth]) change(scene, ids);
      assert.is(listed(reported.scene.detect()), listed(truth.scene.detect()), name);
      reported.scene.dispose();
      truth.scene.dispose();
    }
  }));

test('if a kernel traps while the records of a query are written, the query throws an error, and the next one is correct', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const a = engine.createMesh(box());
    const b = engine.createMesh(box());
    const options = { transformB: at(11, 1) };
    const { count } = engine.query(a, b, options);
    trapping(engine, 'placePairs', () => engine.query(a, b, options));
    assert.is(engine.query(a, b, options).count, count);
  }));

test.run();
