// Crowds and falling bodies -> the same bytes by seed, within their bounds, sparse in the air and dense at rest.

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { boxCrowd, falling, skittle, sphereBoxes, triangleCount, tumbling } from '../../dist/scenes/index.js';
import { boxPairsByAll } from '../oracle/boxesOverlap.js';
import { hashBytes } from '../support/hash.js';

test('same seed, same bytes; another seed, others', () => {
  const makers: [string, (seed: number) => string][] = [
    ...(['uniform', 'clustered', 'mixed'] as const).map((kind): [string, (seed: number) => string] => [kind, (seed) => hashBytes(boxCrowd(kind, 500, seed))]),
    ['spheres', (seed) => hashBytes(sphereBoxes(500, { radius: 0.5, side: 50 }, seed))],
    ['tumbling', (seed) => hashBytes(tumbling(100, 0.05, seed)(7))],
    ['falling', (seed) => hashBytes(falling(100, 1.2, 8, seed).frame(3))],
  ];
  for (const [name, make] of makers) {
    assert.is(make(1), make(1), name);
    assert.is.not(make(1), make(2), name);
  }
});

test('boxes of spheres are cubes of their diameter within the cube', () => {
  const boxes = sphereBoxes(5000, { radius: 0.5, side: 1000 }, 4);
  for (let at = 0; at < boxes.length; at += 6) {
    for (let axis = 0; axis < 3; axis++) {
      const low = boxes[at + axis]!, high = boxes[at + axis + 3]!;
      assert.ok(low >= 0 && high <= 1000 && Math.abs(high - low - 1) < 1e-4, `${low} to ${high}`);
    }
  }
  const mean = boxes.reduce((sum, value) => sum + value, 0) / boxes.length;
  assert.ok(Math.abs(mean - 500) < 10, `${mean}`);
});

const boxesOf = (matrices: Float32Array): Float32Array => {
  const boxes = new Float32Array(6 * matrices.length / 16);
  for (let body = 0; 16 * body < matrices.length; body++) {
    for (let axis = 0; axis < 3; axis++) {
      const middle = matrices[16 * body + 12 + axis]!;
      boxes.set([middle - 0.6], 6 * body + axis);
      boxes.set([middle + 0.6], 6 * body + axis + 3);
    }
  }
  return boxes;
};

test('falling bodies only sink, come to rest by the last frame, and lie closer there', () => {
  const frames = 8, { frame, side, height } = falling(700, 1.2, frames, 2);
  let last = frame(0);
  for (let t = 1; t <= frames + 2; t++) {
    const now = frame(t);
    let sunk = 0;
    for (let at = 0; at < now.length; at += 16) {
      assert.equal([now[at + 12], now[at + 13]], [last[at + 12], last[at + 13]]);
      assert.ok(now[at + 14]! <= last[at + 14]!);
      if (now[at + 14]! < last[at + 14]!) sunk++;
      assert.ok(now.subarray(at, at + 12).some((value, k) => value !== last[at + k]), 'and all turn a little');
    }
    assert.ok(t <= frames ? sunk > 0 : sunk === 0, `${sunk} sink in frame ${t}`);
    last = now;
  }
  for (let at = 0; at < last.length; at += 16) {
    for (const [axis, most] of [side, side, height].entries()) assert.ok(last[at + 12 + axis]! > 0 && last[at + 12 + axis]! < most);
  }
  const [first, final] = [boxPairsByAll(boxesOf(frame(0))).length, boxPairsByAll(boxesOf(last)).length];
  assert.ok(final > 1.5 * first, `${first} pairs in the air, ${final} at rest`);
});

test('a skittle is narrower at its neck than above and below', () => {
  const mesh = skittle(20_000);
  assert.is(triangleCount(mesh), 20_000);
  const widthAt = (height: number): number => {
    let most = 0;
    for (let at = 0; at < mesh.positions.length; at += 3) {
      if (Math.abs(mesh.positions[at + 2]! - height) < 0.03) most = Math.max(most, Math.hypot(mesh.positions[at]!, mesh.positions[at + 1]!));
    }
    return most;
  };
  assert.ok(widthAt(0.4) < 0.6 * widthAt(0.8) && widthAt(0.4) < 0.5 * widthAt(-0.2), `${widthAt(0.8)}, ${widthAt(0.4)}, ${widthAt(-0.2)}`);
});

test.run();
