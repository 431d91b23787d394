// Tests that matrices of the library wgpu-matrix can be passed as transforms without conversion: they have
// the same layout and the same meaning as the engine's transforms.

import * as assert from 'uvu/assert';
import { mat4, mat4d } from 'wgpu-matrix';
import { createEngine } from '../../dist/index.js';
import { box } from '../../dist/samples/index.js';
import { test } from '../support/test.js';

test('a box placed by a matrix of wgpu-matrix touches another box with its rotated corner', async () => {
  const engine = await createEngine({ threads: 1 });
  const crate = engine.createMesh(box());
  const reach = Math.SQRT2;
  const placed = (gap: number) =>
    mat4d.rotateZ(
      mat4d.translation([1 + reach + gap, 0, 0], new Float64Array(16)),
      Math.PI / 4,
      new Float64Array(16),
    ) as Float64Array;
  assert.is(engine.query(crate, crate, { transformB: placed(-1e-9), want: 'any' }), true);
  assert.is(engine.query(crate, crate, { transformB: placed(1e-9), want: 'any' }), false);
  engine.dispose();
});

test('float32 matrices place meshes like the same values in doubles', async () => {
  const engine = await createEngine({ threads: 1 });
  const crate = engine.createMesh(box());
  const single = mat4.rotate(mat4.translation([0.7, 0.2, 0.1]), [1, 2, 3], 0.8) as Float32Array;
  const inSingle = engine.query(crate, crate, { transformB: single }).copy();
  const inDouble = engine.query(crate, crate, { transformB: Float64Array.from(single) }).copy();
  assert.ok(inSingle.count > 0);
  assert.equal(inSingle, inDouble);
  engine.dispose();
});

test.run();
