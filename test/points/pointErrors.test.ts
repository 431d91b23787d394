// Tests that closestPoints and containsPoints reject invalid arguments with typed errors that name the
// value, the rule and the fix.

import * as assert from 'uvu/assert';
import { createEngine, type Engine, type Mesh } from '../../dist/index.js';
import { box, sphere } from '../../dist/samples/index.js';
import { caught } from '../support/engines.js';
import { test } from '../support/test.js';

let engine: Engine;
let ball: Mesh;

test.before(async () => {
  engine = await createEngine({ threads: 1 });
  ball = engine.createMesh(sphere(100));
});

test.after(() => engine.dispose());

/** A method that may be called with arguments that its type does not allow. */
type Call = (...all: unknown[]) => unknown;

const calls: [name: string, call: (mesh: Mesh, points: never, ...more: never[]) => unknown][] = [
  ['closestPoints', (mesh, points, ...more) => (engine.closestPoints as Call)(mesh, points, ...more)],
  ['containsPoints', (mesh, points, ...more) => (engine.containsPoints as Call)(mesh, points, ...more)],
];

function check(run: () => unknown, message: RegExp, fix: RegExp): void {
  const error = caught(run);
  assert.is(error.code, 'Unsupported');
  assert.match(error.message, message);
  assert.match(error.fix!, fix);
}

test('points must be a typed array of floats with three finite numbers per point', () => {
  const detached = new Float64Array(3);
  structuredClone(detached, { transfer: [detached.buffer] });
  for (const [, call] of calls) {
    const wrong = (points: unknown, message: RegExp, fix: RegExp): void =>
      check(() => call(ball, points as never), message, fix);
    wrong([0, 0, 0], /points is .*, not a Float32Array or Float64Array/, /one typed array/);
    wrong(undefined, /points is undefined, not a Float32Array/, /one typed array/);
    wrong(new Int32Array(3), /not a Float32Array or Float64Array/, /one typed array/);
    wrong(new Float64Array(4), /points has length 4, not a multiple of 3/, /x, y and z/);
    wrong(detached, /points is detached/, /not detached/);
    wrong(Float64Array.of(0, 0, 0, 0, NaN, 0), /points\[4\] is NaN, not a finite number/, /fix point 1/);
    wrong(Float32Array.of(Infinity, 0, 0), /points\[0\] is Infinity, not a finite/, /fix point 0/);
    wrong(Float64Array.of(0, 0, -1e39), /points\[2\] is -1e\+39, but the magnitude/, /scale/);
    wrong(Float64Array.of(0, 1.1e-40, 0), /points\[1\] is 1.1e-40, but .* 2\^-96/, /Math.fround/);
  }
});

test('coordinates of points may have any magnitude that is allowed for meshes', () => {
  const { distance } = engine.closestPoints(
    ball,
    Float64Array.of(3.4e38, -3.4e38, 0, 2 ** -149, 0, 2 ** -96),
  );
  assert.ok(distance[0] > 4e38 && distance[1] < 1);
  assert.equal([...engine.containsPoints(ball, Float64Array.of(3.4e38, 0, 0, 2 ** -149, 0, 0))], [0, 1]);
});

test('the mesh must belong to the engine, and must not have been disposed of', async () => {
  using other = await createEngine({ threads: 1 });
  const foreign = other.createMesh(box(1, 1, 1));
  const gone = engine.createMesh(box(1, 1, 1));
  gone.dispose();
  for (const [, call] of calls) {
    check(() => call(foreign, new Float64Array(3) as never), /belongs to another engine/, /createMesh/);
    check(() => call(undefined as never, new Float64Array(3) as never), /the mesh is missing/, /createMesh/);
    assert.is(caught(() => call(gone, new Float64Array(3) as never)).code, 'Disposed');
  }
});

test('containsPoints and signed distances need a closed mesh', () => {
  const { positions, indices } = box(1, 1, 1);
  using open = engine.createMesh({ positions, indices: indices.slice(3) });
  const points = new Float64Array(3);
  assert.is(engine.closestPoints(open, points).triangle.length, 1);
  for (const run of [
    () => engine.containsPoints(open, points),
    () => engine.closestPoints(open, points, { signed: true }),
  ])
    check(run, /mesh \d+ is not closed: 3 of its edges/, /close the mesh/);
});

test('unknown options, invalid options and extra arguments are refused', () => {
  const points = new Float64Array(3);
  const closest = (options: unknown): unknown => engine.closestPoints(ball, points, options as never);
  check(() => closest({ maximum: 1 }), /unknown key 'maximum'/, /max, signed/);
  check(() => closest({ max: NaN }), /max is NaN, not a finite number >= 0/, /omit max/);
  check(() => closest({ max: -1 }), /max is -1/, /omit max/);
  check(() => closest({ signed: 1 }), /signed is 1, not true or false/, /omit signed/);
  check(() => calls[0]![1](ball, points as never, {} as never, {} as never), /extra argument/, /one object/);
  check(() => calls[1]![1](ball, points as never, {} as never), /extra argument/, /one object/);
});

test('after dispose, calls throw Disposed', async () => {
  const short = await createEngine({ threads: 1 });
  const mesh = short.createMesh(box(1, 1, 1));
  short.dispose();
  for (const run of [
    () => short.closestPoints(mesh, new Float64Array(3)),
    () => short.containsPoints(mesh, new Float64Array(3)),
  ])
    assert.is(caught(run).code, 'Disposed');
});

test.run();
