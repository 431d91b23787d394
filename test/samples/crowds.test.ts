// Tests the sample crowds, robots, falling bodies and cloth. A seed always gives the same bytes, bodies stay
// within their bounds, and falling bodies are farther apart in the air than at rest.

import * as assert from 'uvu/assert';
import {
  boxCrowd,
  falling,
  foldingCloth,
  type Movement,
  nanorobots,
  robotArm,
  skittle,
  sphereBoxes,
  triangleCount,
  tumbling,
} from '../../dist/samples/index.js';
import { boxPairsByAll } from '../oracle/boxesOverlap.js';
import { hashBytes } from '../support/hash.js';
import { test } from '../support/test.js';

test('the same seed gives the same bytes, and another seed gives different ones', () => {
  const makers: [string, (seed: number) => string][] = [
    ...(['uniform', 'clustered', 'mixed'] as const).map((kind): [string, (seed: number) => string] => [
      kind,
      seed => hashBytes(boxCrowd(kind, 500, seed)),
    ]),
    ['spheres', seed => hashBytes(sphereBoxes(500, { radius: 0.5, side: 50 }, seed))],
    ['tumbling', seed => hashBytes(tumbling(100, 0.05, seed)(7))],
    ...(['random', 'skewed', 'corner'] as const).map((movement): [string, (seed: number) => string] => [
      movement,
      seed => hashBytes(nanorobots(100, movement, seed).step()),
    ]),
    ['folding cloth', seed => hashBytes(foldingCloth(200, 20, seed).frame(3))],
    [
      'robot arm',
      seed => {
        const arm = robotArm(100);
        return hashBytes(
          arm.fixedTransforms,
          arm.place(arm.randomAngles(9, seed)),
          arm.place(arm.pathAngles(9, seed, 4)),
          ...arm.meshes.map(({ positions }) => positions),
        );
      },
    ],
    ['falling', seed => hashBytes(falling(100, 1.2, 8, seed).frame(3))],
  ];
  for (const [name, make] of makers) {
    assert.is(make(1), make(1), name);
    assert.is.not(make(1), make(2), name);
  }
});

test('boxes of spheres are cubes as wide as the diameter, within the large cube', () => {
  const boxes = sphereBoxes(5000, { radius: 0.5, side: 1000 }, 4);
  for (let at = 0; at < boxes.length; at += 6) {
    for (let axis = 0; axis < 3; axis++) {
      const low = boxes[at + axis];
      const high = boxes[at + axis + 3];
      assert.ok(low >= 0 && high <= 1000 && Math.abs(high - low - 1) < 1e-4, `${low} to ${high}`);
    }
  }
  const mean = boxes.reduce((sum, value) => sum + value, 0) / boxes.length;
  assert.ok(Math.abs(mean - 500) < 10, `${mean}`);
});

const boxesOf = (matrices: Float32Array): Float32Array => {
  const boxes = new Float32Array((6 * matrices.length) / 16);
  for (let body = 0; 16 * body < matrices.length; body++) {
    for (let axis = 0; axis < 3; axis++) {
      const middle = matrices[16 * body + 12 + axis];
      boxes.set([middle - 0.6], 6 * body + axis);
      boxes.set([middle + 0.6], 6 * body + axis + 3);
    }
  }
  return boxes;
};

test('falling bodies never rise, and in the last frame they are at rest and closer together than at first', () => {
  const frames = 8;
  const { frame, side, height } = falling(700, 1.2, frames, 2);
  let last = frame(0);
  for (let t = 1; t <= frames + 2; t++) {
    const now = frame(t);
    let sunk = 0;
    for (let at = 0; at < now.length; at += 16) {
      assert.equal([now[at + 12], now[at + 13]], [last[at + 12], last[at + 13]]);
      assert.ok(now[at + 14] <= last[at + 14]);
      if (now[at + 14] < last[at + 14]) sunk++;
      assert.ok(
        now.subarray(at, at + 12).some((value, k) => value !== last[at + k]),
        'a body does not rotate',
      );
    }
    assert.ok(t <= frames ? sunk > 0 : sunk === 0, `${sunk} sink in frame ${t}`);
    last = now;
  }
  for (let at = 0; at < last.length; at += 16) {
    for (const [axis, maximum] of [side, side, height].entries())
      assert.ok(last[at + 12 + axis] > 0 && last[at + 12 + axis] < maximum);
  }
  const [first, final] = [boxPairsByAll(boxesOf(frame(0))).length, boxPairsByAll(boxesOf(last)).length];
  assert.ok(final > 1.5 * first, `${first} pairs in the air, ${final} at rest`);
});

test('a skittle is narrower at its neck than above and below', () => {
  const mesh = skittle(20_000);
  assert.is(triangleCount(mesh), 20_000);
  const widthAt = (height: number): number => {
    let maximum = 0;
    for (let at = 0; at < mesh.positions.length; at += 3) {
      if (Math.abs(mesh.positions[at + 2] - height) < 0.03)
        maximum = Math.max(maximum, Math.hypot(mesh.positions[at], mesh.positions[at + 1]));
    }
    return maximum;
  };
  assert.ok(
    widthAt(0.4) < 0.6 * widthAt(0.8) && widthAt(0.4) < 0.5 * widthAt(-0.2),
    `${widthAt(0.8)}, ${widthAt(0.4)}, ${widthAt(-0.2)}`,
  );
});

const distance = (a: number[], b: number[]): number => Math.hypot(...a.map((value, axis) => value - b[axis]));

test('a folding cloth begins flat, folds up, and keeps its edge lengths except for wrinkles', () => {
  const { mesh, frame } = foldingCloth(5000, 20);
  const side = Math.sqrt(mesh.positions.length / 3);
  assert.is(triangleCount(mesh), 5000);
  assert.ok(mesh.positions.every((value, at) => at % 3 !== 2 || value === 0));
  const widthOf = (positions: Float32Array): number => positions[3 * (side - 1)] - positions[0];
  const folded = frame(20);
  assert.ok(widthOf(mesh.positions) > 0.999 && widthOf(folded) < 0.2, String(widthOf(folded)));
  for (let vertex = 0; vertex + 1 < side; vertex++) {
    const [a, b] = [
      folded.subarray(3 * vertex, 3 * vertex + 3),
      folded.subarray(3 * vertex + 3, 3 * vertex + 6),
    ];
    const length = distance([...a], [...b]) * (side - 1);
    assert.ok(length > 0.5 && length < 1.5, `${vertex}: ${length}`);
  }
});

const middlesOf = (matrices: Float32Array): number[][] =>
  Array.from({ length: matrices.length / 16 }, (_, robot) => [
    ...matrices.subarray(16 * robot + 12, 16 * robot + 15),
  ]);
test('robots take steps of 0.1, stay in the cube, and are disjoint at first, except with skewed movement', () => {
  for (const movement of ['random', 'skewed', 'corner'] as const) {
    const world = nanorobots(300, movement, 3);
    assert.is(triangleCount(world.mesh), 700);
    assert.is(world.mesh.positions.length / 3, 352);
    let last = middlesOf(world.placements());
    if (movement !== 'skewed') assert.is(boxPairsByAll(boxesOf(world.placements())).length, 0);
    for (let step = 0; step < 60; step++) {
      const now = middlesOf(world.step());
      now.forEach((middle, robot) => {
        assert.ok(middle.every(value => value >= 0 && value <= Math.fround(world.side)));
        assert.ok(distance(middle, last[robot]) < 0.1001);
      });
      last = now;
    }
  }
});

test('robots fill their cube to the given density, and stay in it', () => {
  for (const [density, side] of [
    [undefined, Math.cbrt(10_000)],
    [1, 10],
    [0.125, 20],
  ] as const) {
    const world = nanorobots(1000, 'random', 1, density);
    assert.ok(Math.abs(world.side - side) < 1e-9, `${density}: ${world.side}`);
    for (let step = 0; step < 60; step++) world.step();
    const middles = middlesOf(world.placements());
    for (let axis = 0; axis < 3; axis++) {
      const places = middles.map(middle => middle[axis]);
      assert.ok(
        Math.min(...places) >= 0 &&
          Math.min(...places) < side / 8 &&
          Math.max(...places) <= Math.fround(side) &&
          Math.max(...places) > (side * 7) / 8,
        `${density}, axis ${axis}`,
      );
    }
  }
});

test('with skewed movement, robots crowd in the corners of the cube; with random movement, they do not', () => {
  const nearCorners = (movement: Movement): number => {
    const world = nanorobots(2000, movement);
    for (let step = 0; step < 100; step++) world.step();
    return (
      middlesOf(world.placements()).filter(middle =>
        middle.every(value => Math.min(value, world.side - value) < world.side / 4),
      ).length / 2000
    );
  };
  assert.ok(
    nearCorners('skewed') > 0.3 && nearCorners('random') < 0.2,
    `${nearCorners('skewed')}, ${nearCorners('random')}`,
  );
});

test('robots in one corner fill it, move to the opposite corner, and return', () => {
  const world = nanorobots(64, 'corner', 2);
  assert.ok(Math.abs(world.side - 2 * Math.cbrt(640)) < 1e-9, `${world.side}`);
  // Returns how many robots are in the octant at the origin, and how many in the opposite octant.
  const countBySide = (matrices: Float32Array): number[] => {
    const middles = middlesOf(matrices);
    return [-1, 1].map(
      sign => middles.filter(middle => middle.every(value => sign * (value - world.side / 2) > 0)).length,
    );
  };
  assert.equal(countBySide(world.placements()), [64, 0]);
  let [maxThere, maxBack] = [0, 0];
  for (let step = 1; step <= 700; step++) {
    const [here, there] = countBySide(world.step());
    maxThere = Math.max(maxThere, there);
    if (step > 350) maxBack = Math.max(maxBack, here);
  }
  assert.ok(maxThere > 48 && maxBack > 40, `${maxThere}, ${maxBack}`);
});

test('of two touching robots, each one turns back if it approaches the other one, and otherwise continues', () => {
  const world = nanorobots(2, 'random', 5);
  const [before, after] = [middlesOf(world.placements()), middlesOf(world.step())];
  const isClosing = (robot: number): boolean =>
    distance(after[robot], before[1 - robot]) < distance(before[robot], before[1 - robot]);
  const closing = [0, 1].map(isClosing);
  world.turnBack([0], [1]);
  const later = middlesOf(world.step());
  for (const robot of [0, 1]) {
    const [first, second] = [after, later].map((to, i) =>
      to[robot].map((value, axis) => value - [before, after][i][robot][axis]),
    );
    const along = first!.reduce((sum, value, axis) => sum + value * second![axis], 0);
    assert.ok(closing[robot] ? along < 0 : along > 0, `robot ${robot}`);
  }
});

test('the links of a robot arm are rigid, have the given triangle counts, and have origins less than 0.56 apart; joint angles stay within their limits', () => {
  const arm = robotArm(300);
  const { movingCount: moving, meshes, names, fixedTransforms: still, limits } = arm;
  const angles = arm.randomAngles(40, 3);
  const placed = arm.place(angles);
  assert.equal(
    [moving, meshes.length, names.length, still.length, placed.length],
    [7, 15, 15, 16 * 8, 16 * 7 * 40],
  );
  for (let link = 0; link < moving; link++) assert.is(triangleCount(meshes[link]), 300, names[link]);
  for (const list of [angles, arm.pathAngles(50, 4, 7)])
    list.forEach((angle, i) => assert.ok(angle >= limits[i % 6][0] && angle <= limits[i % 6][1]));
  // On a path from one random pose to the next, each joint moves by the same angle in every step.
  const way = arm.pathAngles(21, 5, 20);
  const step = way.slice(6, 12).map((angle, joint) => angle - way[joint]);
  for (let i = 12; i < way.length; i++) assert.ok(Math.abs(way[i] - way[i - 6] - step[i % 6]) < 1e-12);
  for (let at = 0; at < placed.length; at += 16) {
    const column = (k: number): Float32Array => placed.subarray(at + 4 * k, at + 4 * k + 3);
    const dot = (a: Float32Array, b: Float32Array): number =>
      a.reduce((sum, value, i) => sum + value * b[i], 0);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j <= i; j++) assert.ok(Math.abs(dot(column(i), column(j)) - (i === j ? 1 : 0)) < 1e-5);
    if (at % (16 * moving) !== 0)
      assert.ok(Math.hypot(...column(3).map((value, i) => value - placed[at - 16 + 12 + i])) < 0.56);
  }
});

test.run();
