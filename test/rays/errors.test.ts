// Tests that castRays refuses invalid arguments, with errors that name the value, the rule and the fix.

import * as assert from 'uvu/assert';
import { createEngine, type RayNumbers } from '../../dist/index.js';
import { sphere } from '../../dist/samples/index.js';
import { caught, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';

const two = (...numbers: number[]): Float64Array => Float64Array.of(0, 0, 5, ...numbers);
const down = Float64Array.of(0, 0, -1, 0, 0, -1);

test('invalid rays and options are refused, and the error names the mistake', () =>
  withEngine({ threads: 2, warmUp: 'off' }, async engine => {
    const mesh = engine.createMesh(sphere(60));
    const scene = engine.createScene();
    const cast = (origins: unknown, directions: unknown, options?: object) => () =>
      engine.castRays(mesh, origins as RayNumbers, directions as RayNumbers, options);
    const cases: [() => unknown, RegExp][] = [
      [cast([0, 0, 0], down), /origins is a plain Array, not a Float32Array or Float64Array/],
      [cast(two(0, 0, 0), undefined), /directions is undefined/],
      [cast(new Float32Array(4), new Float32Array(4)), /origins has length 4, not a multiple of 3/],
      [cast(new Float32Array(3), down), /directions has length 6, but origins has length 3/],
      [cast(two(0, NaN, 0), down), /origins\[4\] is NaN/],
      [cast(two(0, 0, Infinity), down), /origins\[5\] is Infinity/],
      [
        cast(two(1e-300, 0, 0), down),
        /origins\[3\] is 1e-300, but each number of a ray must be 0 or have a magnitude of 2\^-200 to 2\^200/,
      ],
      [cast(two(0, 0, 0), Float64Array.of(0, 0, 1, 0, 1e300, 0)), /directions\[4\] is 1e\+300/],
      [cast(two(0, 0, 0), Float64Array.of(0, 0, 1, 0, -0, 0)), /the direction of ray 1 is 0, 0, 0/],
      [cast(two(0, 0, 0), down, { max: -1 }), /max is -1, not a number >= 0/],
      [cast(two(0, 0, 0), down, { max: NaN }), /max is NaN/],
      [cast(two(0, 0, 0), down, { max: new Float32Array(3) }), /max has length 3, but there are 2 rays/],
      [cast(two(0, 0, 0), down, { max: Float64Array.of(1, NaN) }), /max\[1\] is NaN, not a number >= 0/],
      [
        cast(two(0, 0, 0), down, { want: 'first' }),
        /want is 'first', not 'closest' or 'any' or 'all' or 'count'/,
      ],
      [cast(two(0, 0, 0), down, { side: 'double' }), /side is 'double', not 'both' or 'front' or 'back'/],
      [cast(two(0, 0, 0), down, { mask: 1 }), /group or mask was given, but castRays was given a mesh/],
      [cast(two(0, 0, 0), down, { far: 1 }), /options has an unknown key 'far'/],
      [cast(two(0, 0, 0), down, null as never), /options is null/],
      [() => engine.castRays(scene, down, down, { group: 2 ** 32 }), /group is 4294967296/],
      [
        () => engine.castRays({} as never, down, down),
        /castRays was given a plain object, not a mesh or a scene/,
      ],
      [() => engine.castRays(null as never, down, down), /castRays was given null/],
      [
        () => (engine.castRays as (...all: unknown[]) => unknown)(mesh, down, down, {}, 1),
        /was given an extra argument, 1/,
      ],
    ];
    for (const [run, message] of cases) {
      const error = caught(run);
      assert.is(error.code, 'Unsupported', error.message);
      assert.match(error.message, message);
      assert.ok(error.fix);
    }
    // After all these errors, the engine still works.
    assert.is(engine.castRays(mesh, two(0, 0, 5), down).count, 2);
    const detached = new Float32Array(3);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    assert.match(caught(() => engine.castRays(mesh, detached, detached)).message, /origins is detached/);
  }));

test('a disposed mesh, scene or engine and a mesh of another engine are refused', () =>
  withEngine({ threads: 1, warmUp: 'off' }, async engine => {
    const mesh = engine.createMesh(sphere(60));
    const scene = engine.createScene();
    scene.add(mesh);
    const other = await createEngine({ threads: 1, warmUp: 'off' });
    assert.is(caught(() => other.castRays(mesh, down, down)).code, 'Unsupported');
    assert.is(caught(() => other.castRays(scene, down, down)).code, 'Unsupported');
    other.dispose();
    assert.is(caught(() => other.castRays(mesh, down, down)).code, 'Disposed');
    mesh.dispose();
    assert.is(caught(() => engine.castRays(mesh, down, down)).code, 'Disposed');
    assert.is(caught(() => engine.castRays(scene, down, down)).code, 'Disposed');
    scene.dispose();
    assert.is(caught(() => engine.castRays(scene, down, down)).code, 'Disposed');
  }));

test('an engine without the module says which module is missing', () =>
  withEngine({ threads: 1, modules: ['scenes'], warmUp: 'off' }, engine => {
    const mesh = engine.createMesh(sphere(60));
    assert.match(
      caught(() => engine.castRays(mesh, down, down)).message,
      /engine\.castRays needs module 'rays'/,
    );
  }));

test.run();
