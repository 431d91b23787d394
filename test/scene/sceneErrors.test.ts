// Tests scenes and broad phases with invalid, excessive or extreme input. Each call must either give the
// correct result, or change nothing and throw an error that names the mistake.

import * as assert from 'uvu/assert';
import {
  Capacity,
  createEngine,
  Disposed,
  type Engine,
  InvalidTransform,
  type Scene,
  Unsupported,
} from '../../dist/index.js';
import { BodyRecord } from '../../dist/records/sceneLayout.js';
import { box, translation } from '../../dist/samples/index.js';
import { createRandom } from '../../dist/samples/random.js';
import { boxPairsByAll } from '../oracle/boxesOverlap.js';
import { caught, contextOf, pairsOf, poolOf, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';

const singleThreaded = await createEngine({ threads: 1, warmUp: 'off' });
const mesh = singleThreaded.createMesh(box());
const cramped = (mebibytes: number, use: (engine: Engine) => void) =>
  withEngine({ threads: 1, warmUp: 'off', maximumMemoryBytes: mebibytes * 2 ** 20 }, use);

test('transforms whose columns are exactly or nearly parallel lose no contact', () => {
  const random = createRandom(4);
  let contacts = 0;
  for (let iteration = 0; iteration < 1500; iteration++) {
    const kind = iteration % 3;
    const first = random.direction();
    const other = random.direction();
    const lean = 2 ** random.between(0, 36);
    const [factor2, factor3] = [random.between(-5, 5), random.between(-5, 5)];
    // The columns of the matrix are multiples of one vector (kind 0), two nearly parallel vectors and a third
    // vector (kind 1), or two nearly parallel vectors and a zero vector (kind 2).
    const second =
      kind === 0 ? first.map(value => value * factor2) : first.map((value, k) => value * lean + other[k]);
    const third =
      kind === 1 ? random.direction() : kind === 0 ? first.map(value => value * factor3) : [0, 0, 0];
    const transformA = Float64Array.of(
      ...first,
      0,
      ...second,
      0,
      ...third,
      0,
      random.between(-1, 1),
      random.between(-1, 1),
      random.between(-1, 1),
      1,
    );
    const size = 2 ** -random.between(0, 8);
    const corner = [1, -1, 1].map(sign => sign * (random.below(2) === 0 ? 1 : -1));
    const at = [0, 1, 2].map(
      k =>
        transformA[k] * corner[0] +
        transformA[4 + k] * corner[1] +
        transformA[8 + k] * corner[2] +
        transformA[12 + k] +
        size * random.between(-1.5, 1.5),
    );
    const transformB = Float64Array.of(size, 0, 0, 0, 0, size, 0, 0, 0, 0, size, 0, ...at, 1);
    using scene = singleThreaded.createScene();
    scene.add(mesh, { transform: transformA });
    scene.add(mesh, { transform: transformB });
    const expected = singleThreaded.query(mesh, mesh, { transformA, transformB, want: 'any' });
    assert.is(scene.detect({ narrow: 'any' }).count, expected ? 1 : 0, `round ${iteration}`);
    if (expected) contacts++;
  }
  assert.ok(contacts > 300, `${contacts} contacts`);
});

test('if detect() runs out of memory, the scene keeps the contacts of the last frame', () =>
  cramped(8, engine => {
    const small = engine.createMesh(box());
    const heap = engine.createMesh({
      positions: Float32Array.from({ length: 9 * 1500 }, (_, i) => [0, 0, 0, 1, 0, 0, 0, 1, 0][i % 9]),
    });
    const scene = engine.createScene();
    const a = scene.add(small, { transform: translation([100, 0, 0]) });
    const b = scene.add(small, { transform: translation([101, 0, 0]) });
    scene.add(heap);
    const other = scene.add(heap, { transform: translation([1000, 0, 0]) });
    assert.is(scene.detect().count, 1);
    scene.setTransform(other, translation([0, 0, 0]));
    assert.instance(
      caught(() => scene.detect()),
      Capacity,
    );
    scene.setTransform(other, translation([1000, 0, 0]));
    const after = scene.detect();
    assert.equal([pairsOf(after), after.persisted.count, after.ended.count], [[[a, b]], 1, 0]);
    scene.remove(a);
    assert.equal(pairsOf(scene.detect().ended), [[a, b]]);
  }));

test('a scene that runs out of memory keeps its bodies and continues to work', () =>
  cramped(2, engine => {
    const small = engine.createMesh(box());
    const scene = engine.createScene();
    let added = 0;
    const error = caught(() => {
      for (; ; added++) scene.add(small, { transform: translation([1.5 * added, 0, 0]) });
    });
    assert.instance(error, Capacity);
    assert.ok(added > 100);
    assert.is(scene.slotCount, added);
    assert.is(scene.detect({ narrow: 'boxes' }).count, added - 1);
    assert.instance(
      caught(() => scene.add(small)),
      Capacity,
    );
    assert.is(engine.query(small, small, { want: 'any' }), true);
  }));

test('a broad phase that runs out of memory keeps its boxes', () =>
  cramped(2, engine => {
    const broad = engine.createBroadPhase();
    const boxes = Float32Array.from({ length: 600 }, (_, i) => Math.floor(i / 6) + (i % 6 < 3 ? 0 : 1));
    broad.set(boxes);
    assert.is(broad.pairs().count, 99);
    for (const count of [30_000, 33_000, 35_250, 36_000, 40_000]) {
      const error = caught(() => {
        broad.set(new Float32Array(6 * count));
        broad.set(new Float32Array(6 * 2 * count));
      });
      assert.instance(error, Capacity);
      if (broad.count !== 100) broad.set(boxes);
      broad.move(Uint32Array.of(0, 1), boxes.slice(0, 12));
      assert.is(broad.pairs().count, 99);
    }
  }));

test('a placement that is refused moves nothing', () => {
  const scene = singleThreaded.createScene();
  const a = scene.add(mesh);
  const b = scene.add(mesh, { transform: translation([1, 0, 0]) });
  assert.is(scene.detect().count, 1);
  const bad = translation([50, 0, 0]);
  bad[13] = NaN;
  assert.instance(
    caught(() => scene.setTransform(b, bad)),
    InvalidTransform,
  );
  scene.setTransform(a, translation([0.1, 0, 0]));
  assert.is(scene.detect().count, 1);
  assert.instance(
    caught(() => scene.setTransforms(Float64Array.of(...translation([50, 0, 0]), ...bad))),
    InvalidTransform,
  );
  assert.equal([scene.detect().count, scene.detect().stats.tested], [1, 0]);
  assert.instance(
    caught(() => scene.add(mesh, { transform: bad })),
    InvalidTransform,
  );
  assert.is(scene.slotCount, 2);
  scene.dispose();
});

test('a disposed mesh is refused, and if the mesh of a body is disposed, the error names the body', () => {
  const scene = singleThreaded.createScene();
  const gone = singleThreaded.createMesh(box());
  const later = singleThreaded.createMesh(box());
  gone.dispose();
  assert.instance(
    caught(() => scene.add(gone)),
    Disposed,
  );
  assert.is(scene.slotCount, 0);
  scene.add(mesh);
  const id = scene.add(later);
  later.dispose();
  const error = caught(() => scene.detect());
  assert.instance(error, Disposed);
  assert.match(error.message, new RegExp(`the mesh of body ${id} was disposed`));
  scene.remove(id);
  assert.is(scene.detect().count, 0);
  scene.dispose();
});

test('a worker that is lost after writing a placement, but before writing its box, leaves no outdated box', async () => {
  await withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const small = engine.createMesh(box());
    const scene = engine.createScene();
    const count = 3000;
    for (let i = 0; i < count; i++) scene.add(small, { transform: translation([5 * i, 0, 0]) });
    assert.is(scene.detect({ narrow: 'any' }).count, 0);
    const matrices = new Float64Array(16 * count);
    for (let i = 0; i < count; i++) matrices.set(translation([(i % 2 === 0 ? 5 : 4.7) * i, 0, 0]), 16 * i);
    matrices.set(translation([1, 0, 0]), 16 * 2999);
    const pool = poolOf(engine);
    const run = pool.run.bind(pool);
    const { bodies } = scene as unknown as { bodies: { recordsAt: number } };
    const { arena } = (engine as unknown as { context: { arena: { f64: Float64Array } } }).context;
    let losses = 0;
    pool.run = (kernel, jobAt, sliceCount) => {
      // The kernel runs twice, because its first run only checks the matrices. The worker is lost in the
      // second run.
      if (kernel === 'placeBodies' && sliceCount > 1 && losses++ === 1) {
        // Writes the matrix of the last body but not its box.
        arena.f64.set([1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0], (bodies.recordsAt + 2999 * BodyRecord.size) / 8);
        return false;
      }
      return run(kernel, jobAt, sliceCount);
    };
    scene.setTransforms(matrices);
    pool.run = run;
    assert.ok(losses > 1);
    const truth = scene.detect({ narrow: 'any' }).copy();
    using fresh = engine.createScene();
    for (let i = 0; i < count; i++) fresh.add(small, { transform: matrices.subarray(16 * i, 16 * i + 16) });
    assert.equal(pairsOf(truth), pairsOf(fresh.detect({ narrow: 'any' })));
    assert.ok(truth.count > 0);
  });
});

test('a box whose size float32 cannot represent keeps all its pairs when another box moves', () => {
  const count = 2048;
  const boxes = new Float32Array(6 * count);
  for (let i = 0; i < count; i++)
    for (let k = 0; k < 6; k++) boxes[6 * i + k] = (k % 3 === 0 ? 10 * i : 0) + (k > 2 ? 1 : 0);
  boxes.set([-3e38, -3e38, -3e38, 3e38, 3e38, 3e38]);
  using broad = singleThreaded.createBroadPhase();
  broad.set(boxes);
  assert.is(broad.pairs().count, count - 1);
  broad.move(Uint32Array.of(1), boxes.slice(12, 18));
  boxes.copyWithin(6, 12, 18);
  const found = broad.pairs();
  assert.match(found.stats.reason, /kept/);
  assert.equal(pairsOf(found), boxPairsByAll(boxes));
});

test('invalid input is named, and the scene continues to work', async () => {
  const scene = singleThreaded.createScene();
  const id = scene.add(mesh);
  scene.add(mesh, { transform: translation([1, 0, 0]) });
  assert.match(
    caught(() => scene.setTransforms(new Float32Array(16))).message,
    /16 numbers, not 16 numbers for each of 2 slots/,
  );
  const bad = new Float32Array(32);
  bad.set(translation([0, 0, 0]));
  bad.set(translation([0, NaN, 0]), 16);
  const error = caught(() => scene.setTransforms(bad));
  assert.instance(error, InvalidTransform);
  assert.match(error.message, /slot 1: matrix\[13\] is NaN/);
  const withoutTriangles = singleThreaded.createMesh({
    positions: new Float32Array(9),
    indices: new Uint32Array(0),
  });
  using empty = singleThreaded.createScene();
  empty.add(withoutTriangles);
  assert.instance(
    caught(() => empty.setTransforms(new Float32Array(16).fill(NaN))),
    InvalidTransform,
  );
  assert.instance(
    caught(() => scene.setTransform(id, new Float32Array(15))),
    InvalidTransform,
  );
  assert.instance(
    caught(() => scene.add(mesh, { transform: new Float32Array(16).fill(NaN) })),
    InvalidTransform,
  );
  assert.instance(
    caught(() => scene.detect({ narrow: 'all' as 'any' })),
    Unsupported,
  );
  assert.instance(
    caught(() => singleThreaded.createScene({ broadPhase: 'none' as 'sap' })),
    Unsupported,
  );
  await withEngine({ threads: 1 }, other => {
    assert.instance(
      caught(() => scene.add(other.createMesh(box()))),
      Unsupported,
    );
  });
  assert.is(scene.detect().count, 1);
  const kept = scene.detect().copy();
  const stale = scene.detect();
  scene.detect();
  assert.is(kept.count, 1);
  assert.is(caught(() => stale.copy()).code, 'Stale');
  scene.dispose();
  scene.dispose();
  assert.instance(
    caught(() => scene.detect()),
    Disposed,
  );
});

test('changes of the scene or its meshes within onProgress are refused, and the scene keeps the contacts of the last frame', () => {
  const scene = singleThreaded.createScene();
  const soft = singleThreaded.createMesh(box(), { deformable: true });
  const a = scene.add(mesh);
  const b = scene.add(soft, { transform: translation([1, 0, 0]) });
  assert.is(scene.detect().count, 1);
  const meddle: (() => void)[] = [
    () => scene.remove(a),
    () => scene.setTransform(a, translation([9, 0, 0])),
    () => scene.detect(),
    () => {
      soft.update(box().positions.map(value => 2 * value));
    },
    () => {
      throw new Unsupported('stop', 'go on');
    },
  ];
  for (const what of meddle) {
    scene.setTransform(b, translation([1.5, 0, 0]));
    assert.instance(
      caught(() => scene.detect({ narrow: 'counts', onProgress: what })),
      Unsupported,
    );
    scene.setTransform(b, translation([1, 0, 0]));
    const after = scene.detect();
    assert.equal([pairsOf(after), after.persisted.count], [[[a, b]], 1]);
  }
  const reported: number[] = [];
  scene.setTransform(b, translation([1.5, 0, 0]));
  assert.is(
    scene.detect({
      narrow: 'counts',
      onProgress: done => {
        reported.push(done);
        singleThreaded.query(mesh, mesh);
      },
    }).counts[0],
    scene.detect().triangles.a.length,
  );
  assert.equal(reported, [1]);
  assert.instance(
    caught(() => scene.detect({ onProgress: 5 as never })),
    Unsupported,
  );
  assert.instance(
    caught(() => scene.detect({ parts: 0 })),
    Unsupported,
  );
  scene.dispose();
  soft.dispose();
});

test('if a scene is disposed during detect(), the result is complete, and then the memory of the scene is freed', async () => {
  const { arena } = contextOf(singleThreaded);
  const other = singleThreaded.createMesh(box());
  const filled = (): Scene => {
    const scene = singleThreaded.createScene();
    for (let i = 0; i < 8; i++) scene.add(other, { transform: translation([1.9 * i, 0, 0]) });
    return scene;
  };
  const before = arena.usedBytes;
  const plain = filled();
  const truth = plain.detect({ narrow: 'counts' }).copy();
  const swept = plain.detect({ continuous: true }).count;
  plain.dispose();
  const minimum = arena.usedBytes;
  assert.ok(truth.count === 7 && minimum >= before, `${truth.count}`);

  const midway = filled();
  const found = midway.detect({ narrow: 'counts', onProgress: () => midway.dispose() });
  assert.equal([found.count, [...found.counts]], [7, [...truth.counts]]);
  assert.equal(
    [caught(() => midway.detect()).code, caught(() => midway.add(other)).code, arena.usedBytes],
    ['Disposed', 'Disposed', minimum],
  );
  midway.dispose();

  for (const options of [{ narrow: 'counts' }, { continuous: true }] as const) {
    let pending: Promise<{ count: number }>;
    {
      using scene = filled();
      pending = singleThreaded.async.detect(scene, options as object);
    }
    assert.is((await pending).count, 'narrow' in options ? 7 : swept, JSON.stringify(options));
    assert.is(arena.usedBytes, minimum, JSON.stringify(options));
  }
  // If detect() fails, the memory of the disposed scene is freed as well.
  const failing = filled();
  assert.match(
    caught(() =>
      failing.detect({
        narrow: 'counts',
        onProgress: () => {
          failing.dispose();
          throw new Error('stop');
        },
      }),
    ).message,
    /stop/,
  );
  assert.is(arena.usedBytes, minimum);
  other.dispose();
});

test('invalid options are refused', () => {
  const scene = singleThreaded.createScene();
  assert.instance(
    caught(() => singleThreaded.createScene(null as never)),
    Unsupported,
  );
  assert.instance(
    caught(() => scene.add(mesh, null as never)),
    Unsupported,
  );
  assert.instance(
    caught(() => scene.add(mesh, { group: 'x' as never })),
    Unsupported,
  );
  assert.instance(
    caught(() => scene.detect(null as never)),
    Unsupported,
  );
  assert.instance(
    caught(() => singleThreaded.createBroadPhase().pairs({ order: 'bogus' as 'any' })),
    Unsupported,
  );
  assert.instance(
    caught(() => singleThreaded.boxPairs(new Float32Array(6), { forEachChunk: 5 as never })),
    Unsupported,
  );
  assert.instance(
    caught(() => singleThreaded.boxPairs(new Float32Array(6), { countOnly: true, forEachChunk: () => {} })),
    Unsupported,
  );
  scene.dispose();
});

test('more pairs than fit into memory give an error that suggests another query', () =>
  cramped(4, engine => {
    const error = caught(() => engine.boxPairs(new Float32Array(6 * 4000)));
    assert.instance(error, Capacity);
    assert.match(error.fix!, /forEachChunk/);
    assert.is(engine.boxPairs(new Float32Array(6 * 4000), { countOnly: true }).count, (4000 * 3999) / 2);
  }));

test('refused placements leave the start of the motion unchanged, and after every detect the next motion starts at the current placements', () => {
  using scene = singleThreaded.createScene();
  scene.add(mesh);
  scene.add(mesh, { transform: translation([0, 0, 9]) });
  const matrices = (z: number): Float64Array =>
    Float64Array.from([...translation([0, 0, 0]), ...translation([0, 0, z])]);
  const away = matrices(9);
  const nonFinite = away.map((value, i) => (i === 3 ? NaN : value));
  assert.instance(
    caught(() => scene.setTransforms(nonFinite, { from: matrices(-9) })),
    InvalidTransform,
  );
  assert.instance(
    caught(() => scene.setTransforms(away, { from: nonFinite })),
    InvalidTransform,
  );
  for (const how of [5, 'x', true, {}, { from: [1] }])
    assert.instance(
      caught(() => scene.setTransforms(away, how as never)),
      Unsupported,
    );
  assert.is(scene.detect({ continuous: true }).count, 0);
  scene.detect();
  scene.setTransforms(away, { from: matrices(-9) });
  assert.is(scene.detect().count, 0);
  assert.is(scene.detect({ continuous: true }).count, 0);
  scene.setTransforms(away, { from: matrices(-9) });
  assert.is(scene.detect({ continuous: true }).count, 1);
});

test.after(() => singleThreaded.dispose());
test.run();
