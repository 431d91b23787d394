// Tests the character controller of the demo in small levels: it walks, slides, climbs, falls and jumps, and never
// enters or passes through a triangle.

import { createEngine, type Engine, type Mesh } from 'pfront';
import { createRandom, type Vector } from 'pfront/samples';
import * as assert from 'uvu/assert';
import { CharacterController } from '../../docs/demo/character/controller.js';
import { makeLevel, meshOf } from '../../docs/demo/character/level.js';
import { defaultSettings } from '../../docs/demo/character/settings.js';
import { Triangles } from '../../docs/demo/character/triangles.js';
import { test } from '../support/test.js';

const { radius, height, stepHeight, skin, jumpSpeed, gravity } = defaultSettings;
const FRAME = 1 / 60;
/** If a character stands on flat ground, the height of its feet is between this number and `skin`. */
const LOWEST = skin / 2;

let engine: Engine;
test.before(async () => {
  engine = await createEngine({ threads: 1, warmUp: 'off' });
});
test.after(() => engine.dispose());

/** Returns a level that consists of flat ground at y = 0 and of the triangles that `build` adds. */
function levelWith(build: (to: Triangles) => void): Mesh {
  const to = new Triangles();
  to.box([-60, -1, -60], [60, 0, 60]);
  build(to);
  return engine.createMesh({ positions: Float32Array.from(to.numbers) });
}

/** Adds a flat slope, 4 m wide, that starts at x = 2 and rises along the x axis. */
const addSlope = (to: Triangles, degrees: number): void => {
  const rise = 6 * Math.tan((degrees * Math.PI) / 180);
  to.quad([2, 0, 2], [8, rise, 2], [8, rise, -2], [2, 0, -2]);
};

function overlaps(level: Mesh, [x, y, z]: Vector): boolean {
  const capsule = { start: [x, y + radius, z], end: [x, y + height - radius, z], radius: radius - 1e-9 };
  return engine.overlapCapsule(level, capsule, { want: 'any' });
}

/** Moves a character for a number of frames, and checks after each that it is not inside the level. */
function walk(
  level: Mesh,
  character: CharacterController,
  velocity: readonly [number, number],
  frames: number,
  check: () => void = () => {},
): Vector {
  for (let frame = 0; frame < frames; frame++) {
    character.move(FRAME, velocity);
    assert.not(overlaps(level, character.position), `inside the level at ${character.position}`);
    check();
  }
  return character.position;
}

/** Returns a character that stands on the ground of a level. */
function standAt(level: Mesh, [x, y, z]: Vector): CharacterController {
  const character = new CharacterController(engine, level, [x, y + 0.05, z]);
  walk(level, character, [0, 0], 10);
  assert.ok(character.ground);
  return character;
}

const isNear = (value: number, expected: number, error = 1e-6): void =>
  assert.ok(Math.abs(value - expected) <= error, `${value} instead of ${expected}`);

test('a character falls to flat ground and walks on it with two casts per frame', () => {
  const level = levelWith(() => {});
  const character = new CharacterController(engine, level, [0, 2, 0]);
  character.move(FRAME, [0, 0]);
  assert.is(character.ground, undefined);
  walk(level, character, [0, 0], 60);
  const before = character.casts;
  const [x, y, z] = walk(level, character, [3, 4], 60, () => assert.ok(character.ground));
  isNear(x, 3);
  isNear(z, 4);
  assert.ok(y >= LOWEST && y <= skin + 1e-9, `height ${y}`);
  assert.is(character.casts - before, 120);
});

test('a character slides along a wall and stops in a corner', () => {
  const level = levelWith(to => {
    to.wall([4, -20], [4, 5], 0, 3);
    to.wall([4.5, 4.5], [0, 8], 0, 3);
  });
  const character = standAt(level, [0, 0, -10]);
  const [x, , z] = walk(level, character, [4, 4], 90);
  isNear(x, 4 - 0.15 - radius - skin, 1e-4);
  isNear(z, -4, 1e-4);
  const corner = walk(level, character, [4, 4], 180);
  const [stillX, , stillZ] = walk(level, character, [4, 4], 30);
  isNear(stillX, corner[0], skin);
  isNear(stillZ, corner[2], skin);
  assert.ok(stillZ < 5);
});

test('a character climbs stairs whose steps are at most its step height, and stays on the ground on the way up and down', () => {
  for (const rise of [0.1, 0.2, stepHeight]) {
    const level = levelWith(to => {
      for (let i = 0; i < 8; i++) to.box([2 + 0.35 * i, 0, -2], [2 + 0.35 * (i + 1), (i + 1) * rise, 2]);
      to.box([4.8, 0, -2], [9, 8 * rise, 2]);
    });
    const character = standAt(level, [0, 0, 0]);
    const isGrounded = (): void => {
      assert.ok(character.ground, `in the air at ${character.position}`);
    };
    const before = character.casts;
    const [, top] = walk(level, character, [3, 0], 120, isGrounded);
    isNear(top, 8 * rise, skin + 1e-6);
    assert.ok(character.casts - before < 120 * 6, `${character.casts - before} casts`);
    const [x, bottom] = walk(level, character, [-3, 0], 120, isGrounded);
    isNear(bottom, 0, skin + 1e-6);
    isNear(x, 0, 0.2);
  }
});

test('a character does not climb a step that is higher than its step height', () => {
  for (const rise of [stepHeight + 0.02, 0.5, 1]) {
    const level = levelWith(to => to.box([2, 0, -2], [6, rise, 2]));
    const [x, y] = walk(level, standAt(level, [0, 0, 0]), [3, 0], 90);
    isNear(x, 2 - radius - skin, 1e-4);
    isNear(y, 0, skin + 1e-6);
  }
});

test('a character does not step up below a low ceiling', () => {
  const level = levelWith(to => {
    to.box([2, 0, -2], [6, 0.3, 2]);
    to.box([1, height + 0.2, -2], [6, height + 1, 2]);
  });
  const [x, y] = walk(level, standAt(level, [0, 0, 0]), [3, 0], 90);
  assert.ok(x < 2 && y < 0.1, `${x} ${y}`);
});

test('a character walks up a slope that is less steep than the limit, but not a slope that is steeper', () => {
  for (const degrees of [20, 48]) {
    const level = levelWith(to => addSlope(to, degrees));
    const character = standAt(level, [0, 0, 0]);
    const [x, y] = walk(level, character, [3, 0], 90, () => assert.ok(character.ground));
    isNear(x, 4.5, 0.1);
    isNear(y, 2.5 * Math.tan((degrees * Math.PI) / 180), 0.3);
    const [, bottom] = walk(level, character, [-3, 0], 80, () => assert.ok(character.ground));
    isNear(bottom, 0, skin + 1e-6);
  }
  for (const degrees of [52, 70, 85]) {
    const level = levelWith(to => addSlope(to, degrees));
    const [x, y] = walk(level, standAt(level, [0, 0, 0]), [3, 0], 90);
    assert.ok(x < 2 && y < 2 * skin, `${degrees} degrees: ${x} ${y}`);
    // A character that lands on such a slope slides down, even if it walks uphill.
    const above = new CharacterController(engine, level, [3, 6 * Math.tan((degrees * Math.PI) / 180), 0]);
    const [slidX, slidY] = walk(level, above, [3, 0], 300);
    assert.ok(slidX < 2 && slidY < 2 * skin, `${degrees} degrees, from above: ${slidX} ${slidY}`);
  }
});

test('a character jumps as high as its speed allows, or up to a ceiling', () => {
  for (const ceiling of [undefined, height + 0.5]) {
    const level = levelWith(to => {
      if (ceiling) to.box([-3, ceiling, -3], [3, ceiling + 1, 3]);
    });
    const character = standAt(level, [0, 0, 0]);
    let highest = 0;
    character.move(FRAME, [0, 0], true);
    assert.is(character.ground, undefined);
    walk(level, character, [0, 0], 90, () => {
      highest = Math.max(highest, character.position[1]);
    });
    assert.ok(character.ground);
    if (ceiling) isNear(highest, 0.5 - skin, 1e-6);
    else isNear(highest, jumpSpeed ** 2 / (2 * gravity), 0.1);
  }
});

test('a character never tunnels through a sheet, however fast it is', () => {
  const level = levelWith(to => {
    to.quad([10, 0, -50], [10, 0, 50], [10, 9, 50], [10, 9, -50]);
    to.quad([-50, 9, -50], [50, 9, -50], [50, 9, 50], [-50, 9, 50]);
  });
  const random = createRandom(5);
  for (let i = 0; i < 200; i++) {
    const from: Vector = [random.between(-9, 9), random.between(0.1, 6), random.between(-40, 40)];
    const character = new CharacterController(engine, level, from);
    character.verticalVelocity = random.between(-1000, 1000);
    const [x, y] = walk(level, character, [1000, random.between(-100, 100)], 2);
    assert.ok(x < 10 && y >= 0 && y < 9, `${x} ${y}`);
  }
});

test('a character that overlaps a wall at the start gets out of it', () => {
  const level = levelWith(to => to.box([2, 0, -5], [3, 3, 5]));
  const character = new CharacterController(engine, level, [1.9, 0.1, 0]);
  assert.ok(overlaps(level, character.position));
  for (let frame = 0; frame < 60; frame++) character.move(FRAME, [-2, 0]);
  assert.not(overlaps(level, character.position));
  assert.ok(character.position[0] < 0.5 && character.ground);
});

test('in a heap of random triangles, a character never overlaps a triangle and is never below the ground', () => {
  const random = createRandom(11);
  const level = levelWith(to => {
    for (let i = 0; i < 500; i++) {
      const center = [random.between(-8, 8), random.between(0, 6), random.between(-8, 8)];
      for (let number = 0; number < 9; number++)
        to.numbers.push(center[number % 3] + random.between(-1.2, 1.2));
    }
  });
  const character = new CharacterController(engine, level, [12, 3, 12]);
  let velocity: [number, number] = [0, 0];
  for (let frame = 0; frame < 2000; frame++) {
    if (frame % 30 === 0) {
      const speed = random.below(8) === 0 ? random.between(10, 1000) : random.between(0, 8);
      // Toward the heap.
      const [x, , z] = character.position;
      const angle = Math.atan2(-z, -x) + random.between(-1.5, 1.5);
      velocity = [speed * Math.cos(angle), speed * Math.sin(angle)];
    }
    character.move(FRAME, velocity, random.below(40) === 0);
    const [x, y, z] = character.position;
    assert.not(overlaps(level, character.position), `frame ${frame}: inside the level at ${x}, ${y}, ${z}`);
    if (Math.max(Math.abs(x), Math.abs(z)) < 59) assert.ok(y > 0, `frame ${frame}: below the ground`);
    else {
      character.position = [12, 9, 12];
      character.ground = undefined;
      character.verticalVelocity = 0;
    }
  }
});

test('in the level of the demo, characters never overlap a triangle, and need at most three casts per frame on average', () => {
  const level = engine.createMesh(meshOf(makeLevel()));
  assert.ok(level.triangleCount >= 300_000);
  const random = createRandom(2);
  const characters = Array.from({ length: 5 }, () => {
    const place: Vector = [random.between(-40, 40), 12, random.between(-40, 40)];
    return { character: new CharacterController(engine, level, place), heading: random.between(0, 6) };
  });
  for (let frame = 0; frame < 2000; frame++) {
    for (const one of characters) {
      const { character, heading } = one;
      const [x, , z] = character.position;
      character.move(FRAME, [4 * Math.cos(heading), 4 * Math.sin(heading)], random.below(600) === 0);
      assert.not(overlaps(level, character.position), `frame ${frame}: inside at ${character.position}`);
      const moved = Math.hypot(character.position[0] - x, character.position[2] - z);
      if (moved < 1 * FRAME || random.below(200) === 0) one.heading = random.between(0, 2 * Math.PI);
    }
  }
  const casts = characters.reduce((sum, { character }) => sum + character.casts, 0);
  assert.ok(casts <= 3 * 2000 * characters.length, `${casts} casts`);
  for (const { character } of characters) assert.ok(character.position[1] > -10, `${character.position}`);
});

test.run();
