// Generates a small two-story building of named parts in which some pipes and ducts clash with its
// structure.

import { cos, sin } from './portableMath.js';
import { gridSolid, roundBends, sweepProfile } from './solids.js';
import { concatTransforms, translation, type Vector } from './transforms.js';
import type { MeshData, Scene } from './types.js';

/**
 * An opening: its minimum and maximum along one axis, then its minimum and maximum along a second axis. In a
 * slab, the axes are x and y. In a wall, they are the axis along which the wall runs (x or y) and z.
 */
type Opening = readonly [number, number, number, number];
type Axis = 0 | 1;

const LENGTH = 14.4;
const WIDTH = 9.6;
const STORY = 3.4;
const SLAB = 0.3;
const WALL = 0.2;
const INNER_WALL = 0.14;
const COLUMN = 0.3;
const BEAM = 0.4;
/** The gap between adjoining parts. Because of it, only clashing parts share points. */
const JOINT = 0.005;
const PIPE_SIDES = 20;
/** The grid lines on which columns stand. Lines are named by letters along x, and by numbers along y. */
const columnsX = [0.4, 4.8, 9.6, 14];
const columnsY = [0.4, 5, 9.2];
/**
 * Heights above a story's floor. CEILING: the bottom of the slab above. UNDER_BEAM: the bottom of the beams.
 */
const CEILING = STORY - SLAB;
const UNDER_BEAM = CEILING - BEAM - JOINT;

const lineName = (x: number, y: number): string => `${'ABCD'[x]}${y + 1}`;
const centeredBox = (x: number, y: number, z: number): MeshData =>
  gridSolid([
    [-x / 2, x / 2],
    [-y / 2, y / 2],
    [-z / 2, z / 2],
  ]);

class Parts {
  readonly parts: Scene['parts'] = [];
  readonly meshes: MeshData[] = [];
  readonly transforms: Float64Array[] = [];

  /** Adds a part, translated to `at`. If the mesh object was added before, both parts share the mesh. */
  add(name: string, mesh: MeshData, at: Vector = [0, 0, 0]): void {
    let index = this.meshes.indexOf(mesh);
    if (index < 0) index = this.meshes.push(mesh) - 1;
    this.parts.push({ name, mesh: index });
    this.transforms.push(translation(at));
  }
}

/**
 * Returns a box with openings. An opening is a rectangle in the plane of the axes u and v; it passes through
 * the whole box along the third axis.
 */
function plate(
  from: Vector,
  to: Vector,
  [u, v]: readonly [number, number],
  openings: readonly Opening[],
): MeshData {
  const planesOf = (axis: number): number[] => {
    const ranges = openings.flatMap(([u0, u1, v0, v1]) =>
      axis === u ? [u0, u1] : axis === v ? [v0, v1] : [],
    );
    return [...new Set([from[axis], ...ranges, to[axis]])].sort((a, b) => a - b);
  };
  const planes: [number[], number[], number[]] = [planesOf(0), planesOf(1), planesOf(2)];
  return gridSolid(planes, (...cell) => {
    const middle = (axis: number): number => (planes[axis][cell[axis]] + planes[axis][cell[axis] + 1]) / 2;
    return openings.every(
      ([u0, u1, v0, v1]) => middle(u) < u0 || middle(u) > u1 || middle(v) < v0 || middle(v) > v1,
    );
  });
}

function addSlabs(parts: Parts): void {
  const slab = (openings: readonly Opening[]): MeshData =>
    plate([0, 0, -SLAB], [LENGTH, WIDTH, 0], [0, 1], openings);
  const stairwell: Opening = [9.9, 13.72, 0.95, 2.25];
  const shaft: Opening = [0.7, 1.5, 7.9, 8.8];
  const sleeve: Opening = [13.3, 13.6, 5.3, 5.6];
  parts.add('ground slab', slab([]));
  parts.add('floor slab', slab([stairwell, shaft, sleeve]), [0, 0, STORY]);
  parts.add('roof slab', slab([shaft]), [0, 0, 2 * STORY]);
  const steps = 16;
  const [going, rise] = [0.23, STORY / (steps + 1)];
  const planes = (count: number, step: number) => Array.from({ length: count + 1 }, (_, i) => i * step);
  const stairs = gridSolid(
    [planes(steps, going), [0, 1.1], planes(steps, rise)],
    (x, _, z) => z <= x && z >= x - 1,
  );
  parts.add('stairs', stairs, [10, 1.05, JOINT]);
}

function addFrame(parts: Parts, story: string, floor: number): void {
  const column = centeredBox(COLUMN, COLUMN, CEILING - 2 * JOINT);
  for (const [i, x] of columnsX.entries())
    for (const [j, y] of columnsY.entries())
      parts.add(`${story} column ${lineName(i, j)}`, column, [x, y, floor + CEILING / 2]);
  const height = floor + CEILING - JOINT - BEAM / 2;
  const clear = (a: number, b: number): number => b - a - COLUMN - 2 * JOINT;
  for (const [j, y] of columnsY.entries())
    for (let i = 0; i < 3; i++) {
      const [a, b] = [columnsX[i], columnsX[i + 1]];
      const beam = centeredBox(clear(a, b), COLUMN, BEAM);
      parts.add(`${story} beam ${lineName(i, j)}-${lineName(i + 1, j)}`, beam, [(a + b) / 2, y, height]);
    }
  for (const i of [1, 2])
    for (let j = 0; j < 2; j++) {
      const [a, b] = [columnsY[j], columnsY[j + 1]];
      const beam = centeredBox(COLUMN, clear(a, b), BEAM);
      parts.add(`${story} beam ${lineName(i, j)}-${lineName(i, j + 1)}`, beam, [
        columnsX[i],
        (a + b) / 2,
        height,
      ]);
    }
}

/**
 * Adds a wall that runs along `axis` from `from` to `to`. On the other horizontal axis, it is centered at
 * `at`.
 */
function addWall(
  parts: Parts,
  name: string,
  floor: number,
  axis: Axis,
  [from, to, at]: Vector,
  [thickness, top]: readonly [number, number],
  openings: readonly Opening[] = [],
): void {
  const other = axis === 0 ? 1 : 0;
  const [low, high]: [number[], number[]] = [
    [0, 0, JOINT],
    [0, 0, top - JOINT],
  ];
  low[axis] = from;
  high[axis] = to;
  low[other] = at - thickness / 2;
  high[other] = at + thickness / 2;
  const mesh = plate(low as never as Vector, high as never as Vector, [axis, 2], openings);
  parts.add(name, mesh, [0, 0, floor]);
}

function addWalls(parts: Parts, story: string, floor: number): void {
  const isGround = floor === 0;
  const window = (middle: number, width = 1.8): Opening => [middle - width / 2, middle + width / 2, 0.9, 2.3];
  const door = (middle: number, width = 1): Opening => [middle - width / 2, middle + width / 2, JOINT, 2.1];
  const outer: [number, number] = [WALL, CEILING];
  const inner: [number, number] = [INNER_WALL, UNDER_BEAM];
  const windows = [2.6, 7.2, 11.8].map(middle => window(middle, 2.6));
  const front = isGround ? [windows[0], door(7.2, 1.6), windows[2]] : windows;
  addWall(parts, `${story} wall south`, floor, 0, [0, LENGTH, WALL / 2], outer, front);
  addWall(parts, `${story} wall north`, floor, 0, [0, LENGTH, WIDTH - WALL / 2], outer, windows);
  const sides: [number, number] = [WALL + JOINT, WIDTH - WALL - JOINT];
  addWall(parts, `${story} wall west`, floor, 1, [...sides, WALL / 2], outer, [window(2.7), window(6.9)]);
  addWall(parts, `${story} wall east`, floor, 1, [...sides, LENGTH - WALL / 2], outer, [
    window(2.7),
    window(6.9),
  ]);
  // The corridor wall stands between the columns of line 2. On the ground floor it has an opening for a duct.
  for (let i = 0; i < 3; i++) {
    const [from, to] = [columnsX[i] + COLUMN / 2 + JOINT, columnsX[i + 1] - COLUMN / 2 - JOINT];
    const hole: Opening[] = isGround && i === 0 ? [[2.75, 3.25, 2.25, 2.6]] : [];
    addWall(parts, `${story} wall ${lineName(i, 1)}-${lineName(i + 1, 1)}`, floor, 0, [from, to, 5], inner, [
      door((from + to) / 2 + 0.9),
      ...hole,
    ]);
  }
  // Walls between the rooms north of the corridor wall. They have openings for the water pipes, and on the
  // ground floor also for the supply duct.
  for (const i of [1, 2]) {
    const [from, to] = [columnsY[1] + COLUMN / 2 + JOINT, columnsY[2] - COLUMN / 2 - JOINT];
    const holes: Opening[] = isGround
      ? [
          [6.75, 7.45, 2.25, 2.65],
          [5.36, 5.54, 2, 2.28],
        ]
      : [[5.36, 5.54, 2, 2.28]];
    addWall(
      parts,
      `${story} wall ${lineName(i, 1)}-${lineName(i, 2)}`,
      floor,
      1,
      [from, to, columnsX[i]],
      inner,
      holes,
    );
  }
}

const circle = (radius: number): [number, number][] =>
  Array.from({ length: PIPE_SIDES }, (_, i) => {
    const angle = (2 * Math.PI * i) / PIPE_SIDES;
    return [radius * cos(angle), radius * sin(angle)];
  });
const rectangle = (width: number, height: number): [number, number][] => [
  [-width / 2, -height / 2],
  [width / 2, -height / 2],
  [width / 2, height / 2],
  [-width / 2, height / 2],
];
const isVertical = (path: readonly Vector[]): boolean =>
  path[0][0] === path[1][0] && path[0][1] === path[1][1];
/** Returns a horizontal unit vector perpendicular to the first segment of a path that follows the axes. */
const across = (path: readonly Vector[]): Vector =>
  isVertical(path) || path[0][0] === path[1][0] ? [1, 0, 0] : [0, 1, 0];

function addServices(parts: Parts): void {
  const duct = (name: string, [width, height]: readonly [number, number], ...path: Vector[]): void =>
    parts.add(name, sweepProfile(rectangle(width, height), path, across(path)));
  const pipe = (name: string, radius: number, ...path: Vector[]): void =>
    parts.add(name, sweepProfile(circle(radius), roundBends(path, 4 * radius), across(path)));
  const up = STORY;
  const [main, branch] = [
    [0.5, 0.3],
    [0.3, 0.22],
  ] as const;
  // The ducts of the ground floor run below the beams and through openings. The supply duct of the upper
  // floor runs too high, so it clashes with beams and walls.
  duct('supply duct ground', main, [1.75, 7.1, 2.45], [13.6, 7.1, 2.45]);
  duct('supply branch ground 1', branch, [3, 6.8, 2.42], [3, 2.9, 2.42]);
  duct('supply branch ground 2', branch, [6.6, 6.8, 2.42], [6.6, 2.9, 2.42]);
  duct('return duct ground', main, [0.9, 2.6, 2.45], [13.4, 2.6, 2.45]);
  duct('supply duct upper', main, [1.75, 7.1, up + 2.8], [13.6, 7.1, up + 2.8]);
  duct('supply branch upper 1', branch, [3, 6.8, up + 2.42], [3, 5.4, up + 2.42]);
  duct('supply branch upper 2', branch, [11.6, 6.8, up + 2.42], [11.6, 5.5, up + 2.42]);
  duct('return duct upper', main, [0.9, 2.6, up + 2.45], [13.4, 2.6, up + 2.45]);
  duct('air shaft', [0.6, 0.6], [1.1, 8.35, 0.1], [1.1, 8.35, 2 * up + 0.9]);
  // Pipes: two along the corridor wall, risers, heating, drains and sprinklers.
  for (const [story, floor] of [
    ['ground', 0],
    ['upper', up],
  ] as const) {
    pipe(`cold water ${story}`, 0.04, [0.8, 5.45, floor + 2.2], [13.36, 5.45, floor + 2.2]);
    pipe(`hot water ${story}`, 0.04, [0.8, 5.45, floor + 2.08], [13.1, 5.45, floor + 2.08]);
    pipe(
      `heating ${story}`,
      0.05,
      [1.2, 0.75, floor + 0.4],
      [1.2, 0.75, floor + 2.6],
      [4.2, 0.75, floor + 2.6],
      [4.2, floor === 0 ? 2.2 : 4.4, floor + 2.6],
    );
  }
  pipe('water riser', 0.05, [13.45, 5.45, 0.1], [13.45, 5.45, up + 2.3]);
  pipe('soil stack', 0.08, [5.4, 8.7, 0.1], [5.4, 8.7, 2 * up + 0.7]);
  pipe('rain pipe', 0.08, [14.52, 8.4, 2 * up - 0.1], [14.52, 8.4, -0.2]);
  pipe('sprinkler main upper', 0.06, [12.6, 0.9, up + 2.84], [12.6, 8.7, up + 2.84]);
  pipe('sprinkler branch upper', 0.04, [12.4, 4.2, up + 2.55], [5.2, 4.2, up + 2.55]);
  pipe('sprinkler main ground', 0.06, [7.6, 0.9, 2.78], [7.6, 8.7, 2.78]);
  pipe('drain ground', 0.07, [9.42, 1.2, 0.4], [9.42, 4.9, 0.4]);
}

/**
 * Generates a two-story building (14.4 m by 9.6 m, z up, in meters) of slabs, columns, beams, walls with
 * openings, stairs, ducts and pipes. Some ducts and pipes clash with beams, walls, slabs or each other; no
 * other parts share a point. The building does not move.
 */
export function building(): Scene {
  const parts = new Parts();
  addSlabs(parts);
  for (const [story, floor] of [
    ['ground', 0],
    ['upper', STORY],
  ] as const) {
    addFrame(parts, story, floor);
    addWalls(parts, story, floor);
  }
  addServices(parts);
  const transforms = concatTransforms(parts.transforms);
  return { parts: parts.parts, meshes: parts.meshes, frame: () => transforms.slice() };
}
