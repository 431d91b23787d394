// Tests what the caller of engine.async may change while a call is pending, and how calls to a disposed engine
// and invalid calls fail.

import * as assert from 'uvu/assert';
import type { Engine, Mesh, Transform } from '../../dist/index.js';
import { sphere, translation } from '../../dist/samples/index.js';
import { caughtLater, withEngine } from '../support/engines.js';
import { gpuTest, source } from '../support/gpu.js';
import { test } from '../support/test.js';

const CPU = { threads: 1, warmUp: 'off' } as const;

test('a transform of any kind may be changed after the call', () =>
  withEngine({ ...CPU, gpu: { requestAdapter: async () => null } }, async engine => {
    const [a, b] = [0, 1].map(() => engine.createMesh(sphere(1000)));
    const fromB = translation([5, 0, 0]);
    const { toi } = engine.sweep(a, b, { fromB, toB: translation([1, 0, 0]) })!;
    assert.ok(toi > 0 && toi < 1);
    const numbers = (): number[] => [...translation([1, 0, 0])];
    const arrayLike = (): ArrayLike<number> => ({ ...numbers(), length: 16 });
    const elementsOf = (matrix: Transform): ArrayLike<number> =>
      'elements' in matrix ? matrix.elements : matrix;
    const transforms: Transform[] = [
      numbers(),
      Float32Array.from(numbers()),
      arrayLike(),
      { elements: numbers() },
      { elements: arrayLike() },
    ];
    const answers = transforms.map(toB => {
      const answer = engine.async.sweep(a, b, { fromB, toB });
      // The sweep is pending, because the engine looks for a GPU first.
      (elementsOf(toB) as number[])[12] = 5;
      return answer;
    });
    assert.equal(
      (await Promise.all(answers)).map(contact => contact?.toi),
      transforms.map(() => toi),
    );
    // If a typed array has a property `elements`, it is ignored, as in synchronous calls.
    const toB = Object.assign(Float64Array.from(numbers()), { elements: [5] });
    assert.is((await engine.async.sweep(a, b, { fromB, toB }))?.toi, toi);
  }));

/** What onProgress does to a mesh or the engine, and the code of the error that detect then throws. */
const changes: [code: string, change: (mesh: Mesh, engine: Engine, positions: Float32Array) => void][] = [
  ['Unsupported', (mesh, _, positions) => mesh.update(positions.map(value => 0.1 * value))],
  ['Unsupported', mesh => mesh.dispose()],
  ['Disposed', (_, engine) => engine.dispose()],
];

async function expectChangesRefused(backend: 'wasm' | 'webgpu'): Promise<void> {
  await withEngine({ ...CPU, backend, gpu: source }, async engine => {
    const data = sphere(200);
    for (const [code, change] of changes) {
      const mesh = engine.createMesh(data, { deformable: true });
      const scene = engine.createScene();
      for (let i = 0; i < 3; i++) scene.add(mesh, { transform: translation([0.9 * i, 0.1, 0.2]) });
      const done: number[] = [];
      const detect = () =>
        engine.async.detect(scene, {
          narrow: 'counts',
          onProgress: share => {
            done.push(share);
            change(mesh, engine, data.positions as Float32Array);
          },
        });
      assert.is((await caughtLater(detect)).code, code);
      assert.equal(done, [1]);
    }
    assert.equal(
      engine.info.notes.filter(note => /gpu/.test(note.code)),
      [],
    );
  });
}

test('detect fails on the CPU if onProgress changes a mesh, or disposes of it or of the engine', () =>
  expectChangesRefused('wasm'));

gpuTest('detect fails in the same way on a GPU', () => expectChangesRefused('webgpu'));

test('ready fails after dispose without looking for a GPU, and takes no argument', async () => {
  let requests = 0;
  const gpu = {
    requestAdapter: async () => {
      requests++;
      return null;
    },
  };
  await withEngine({ ...CPU, gpu }, async engine => {
    const ready = engine.async.ready as (options?: object) => Promise<void>;
    assert.is((await caughtLater(() => ready.call(engine.async, {}))).code, 'Unsupported');
    engine.dispose();
    assert.is((await caughtLater(() => engine.async.ready())).code, 'Disposed');
    assert.is(requests, 0);
  });
});

test.run();
