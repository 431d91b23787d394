// Generates the level of the character page: hills around a square with stairs, ramps, walls, pillars, and a
// bridge over a ravine.
import { createRandom, type MeshData, type Vector } from 'pfront/samples';
import { Triangles } from './triangles.js';

/** The ground is a square with edges of this length in meters, around the origin. The y axis points up. */
export const SIZE = 196;
/** The ground has this many squares along each edge. Each square consists of two triangles. */
const CELLS = 392;
/** Half the edge of the flat square in the middle, and the distance over which hills rise around it. */
const FLAT = 36;
const RISE = 16;
/**
 * The ravine is parallel to the z axis. `x` is its middle; `bottom` and `top` are half its width at the bottom
 * and at the top. Its depth decreases from `depth` to 0 between |z| = `from` and |z| = `to`.
 */
const RAVINE = { x: 26, bottom: 2, top: 5, depth: 4, from: 14, to: 34 };
const WAVE_COUNT = 24;

interface Wave {
  x: number;
  z: number;
  phase: number;
  height: number;
}

/** The parts of the level, as triangles without shared vertices. */
export interface Level {
  /** Square pieces of the ground. */
  ground: Float32Array[];
  buildings: Float32Array;
}

const smooth = (from: number, to: number, value: number): number => {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
};

function makeWaves(): Wave[] {
  const random = createRandom(7);
  return Array.from({ length: WAVE_COUNT }, (_, i) => {
    const length = 60 / (1 + i / 3);
    const angle = random.between(0, 2 * Math.PI);
    return {
      x: (2 * Math.PI * Math.cos(angle)) / length,
      z: (2 * Math.PI * Math.sin(angle)) / length,
      phase: random.between(0, 2 * Math.PI),
      height: 0.032 * length,
    };
  });
}

const waves = makeWaves();

/** Returns the height of the ground. */
export function heightAt(x: number, z: number): number {
  const hills = waves.reduce(
    (sum, wave) => sum + wave.height * Math.sin(wave.x * x + wave.z * z + wave.phase),
    0,
  );
  const share = smooth(FLAT, FLAT + RISE, Math.max(Math.abs(x), Math.abs(z)));
  const { bottom, top, depth, from, to } = RAVINE;
  const side = 1 - Math.min(1, Math.max(0, (Math.abs(x - RAVINE.x) - bottom) / (top - bottom)));
  return share * hills - depth * side * (1 - smooth(from, to, Math.abs(z)));
}

/** Adds stairs that rise along the x axis, and a platform at their top. */
function addStairs(to: Triangles, x: number, z: number, steps: number, rise: number, tread: number): void {
  for (let i = 0; i < steps; i++)
    to.box([x + i * tread, -0.5, z - 2], [x + (i + 1) * tread, (i + 1) * rise, z + 2]);
  const end = x + steps * tread;
  to.box([end, -0.5, z - 2], [end + 4, steps * rise, z + 2]);
}

/** Adds a ramp that rises along the x axis, with a platform at its top. */
function addRamp(to: Triangles, x: number, z: number, degrees: number, height: number): void {
  const end = x + height / Math.tan((degrees * Math.PI) / 180);
  to.prism(
    [
      [x, 0],
      [x, -0.5],
      [end + 4, -0.5],
      [end + 4, height],
      [end, height],
    ],
    z - 2,
    z + 2,
  );
}

function addBridge(to: Triangles): void {
  const segments = 24;
  const half = RAVINE.top + 3;
  const at = (i: number): [x: number, y: number] => {
    const t = (2 * i) / segments - 1;
    return [RAVINE.x + half * t, 1.2 * (1 - t * t)];
  };
  for (let i = 0; i < segments; i++) {
    const [[ax, ay], [bx, by]] = [at(i), at(i + 1)];
    const slab = (bottom: number, top: number): [number, number][] => [
      [ax, ay + bottom],
      [bx, by + bottom],
      [bx, by + top],
      [ax, ay + top],
    ];
    to.prism(slab(-0.4, 0), -1.5, 1.5);
    for (const z of [-1.5, 1.3]) to.prism(slab(0, 1), z, z + 0.2);
  }
}

function makeBuildings(): Float32Array {
  const to = new Triangles();
  addStairs(to, -24, -24, 20, 0.18, 0.32);
  addRamp(to, -24, -16, 25, 3.6);
  addRamp(to, -24, -10, 40, 3.6);
  addRamp(to, -24, -4, 60, 3.6);
  // With the default `stepHeight`, a character cannot climb these steps.
  addStairs(to, -24, 2, 8, 0.45, 0.6);
  for (let i = 0; i < 5; i++) for (let k = 0; k < 4; k++) to.pillar(-4 + 4 * i, -28 + 4 * k, 0.6, 4);
  // Walls with right, acute and obtuse corners.
  const walls = [
    [
      [-8, 10],
      [8, 10],
      [8, 26],
      [-2, 26],
      [-2, 18],
      [2, 18],
    ],
    [
      [-8, 10],
      [-20, 22],
      [-8, 22],
      [-16, 31],
    ],
    [
      [12, -8],
      [14, 0],
      [12, 8],
    ],
  ] as const;
  for (const corners of walls)
    for (let i = 0; i + 1 < corners.length; i++) to.wall(corners[i]!, corners[i + 1]!, -0.5, 2.5);
  addBridge(to);
  // Walls along the edges of the ground.
  const half = SIZE / 2 - 0.5;
  const corners = [
    [-half, -half],
    [-half, half],
    [half, half],
    [half, -half],
  ] as const;
  corners.forEach((corner, i) => {
    to.wall(corner, corners[(i + 1) % 4]!, -20, 20);
  });
  return Float32Array.from(to.numbers);
}

function makeGround(pieces: number): Float32Array[] {
  const side = SIZE / CELLS;
  const point = (i: number, k: number): Vector => {
    const [x, z] = [i * side - SIZE / 2, k * side - SIZE / 2];
    return [x, heightAt(x, z), z];
  };
  const cells = CELLS / pieces;
  return Array.from({ length: pieces ** 2 }, (_, piece) => {
    const to = new Triangles();
    const [left, back] = [cells * (piece % pieces), cells * Math.floor(piece / pieces)];
    for (let i = left; i < left + cells; i++)
      for (let k = back; k < back + cells; k++)
        to.quad(point(i, k), point(i, k + 1), point(i + 1, k + 1), point(i + 1, k));
    return Float32Array.from(to.numbers);
  });
}

export const makeLevel = (): Level => ({ ground: makeGround(14), buildings: makeBuildings() });

/** Returns all triangles of the level as one mesh. */
export function meshOf({ ground, buildings }: Level): MeshData {
  const parts = [...ground, buildings];
  const positions = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    positions.set(part, at);
    at += part.length;
  }
  return { positions, indices: Uint32Array.from({ length: positions.length / 3 }, (_, i) => i) };
}
