// Tests what the caller of engine.async may change while a call is pending.

import * as assert from 'uvu/assert';
import type { Transform } from '../../dist/index.js';
import { sphere, translation } from '../../dist/samples/index.js';
import { withEngine } from '../support/engines.js';
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
    // The elements of a typed array are its numbers, as in synchronous calls.
    const toB = Object.assign(Float64Array.from(numbers()), { elements: [5] });
    assert.is((await engine.async.sweep(a, b, { fromB, toB }))?.toi, toi);
  }));

test.run();
