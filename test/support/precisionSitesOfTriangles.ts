// Checks the error bounds of the shaders that test boxes and triangles of two placed meshes.

import { fillGpuPair } from '../../dist/gpu/narrowphase/fillGpuPair.js';
import { GpuPair } from '../../dist/records/gpuLayout.js';
import { limits, MeshRecord, PairRecord } from '../../dist/records/layout.js';
import type { Arena } from '../../dist/runtime/memory.js';
import type { Random } from '../../dist/samples/random.js';
import { trianglesMeet } from '../oracle/trianglesIntersect.js';
import { exactOf, minus, toDouble, ZERO } from './exactFloats.js';
import { type Float, input, node } from './hostileFloats.js';
import type { Checks } from './precisionChecks.js';
import {
  AXES,
  inexact,
  numberOf,
  PAIR_KINDS,
  sharpNumber,
  type Triangle,
  triangle,
  trianglePair,
  vector,
} from './precisionInputs.js';
import type { Site } from './precisionSites.js';
import { type Observer, readWgsl, type WgslModule } from './wgslFunctions.js';

const FILES = ['bounds', 'placedTriangles', 'filterTriTri', 'separatesInPlane'];
/** The smallest error bound that fillGpuPair gives to the corners of a triangle. */
const MIN_POINT_ERROR = 2 ** -98;

/** Returns a random magnitude of coordinates. Coordinates relative to a leaf are at most about 2^17. */
const sizeOf = (random: Random): number =>
  2 ** [0, 0, -random.below(30), random.below(18), -30 - random.below(60)][random.below(5)];
const errorOf = (random: Random, size: number): number =>
  Math.max(MIN_POINT_ERROR, [0, size * 2 ** -23, size * 2 ** -random.below(24)][random.below(3)]);

const vectorProducts: Site = {
  name: 'bounds: crossError and dotError',
  files: ['bounds', 'placedTriangles'],
  more: `fn crossOf(a: vec3f, b: vec3f) -> vec3f { return cross(a, b); }
    fn dotOf(a: vec3f, b: vec3f) -> f32 { return dot(a, b); }`,
  names: ['crossError', 'dotError', 'maxAbs', 'crossOf', 'dotOf'],
  run({ functions: { crossError, dotError, maxAbs, crossOf, dotOf } }, random, checks) {
    const [sizeA, sizeB] = [sizeOf(random), sizeOf(random)];
    const [errorA, errorB] = [errorOf(random, sizeA), errorOf(random, sizeB)];
    const pick = random.below(2) === 0 ? numberOf : sharpNumber;
    const make = (size: number, error: number): Float[] =>
      vector(
        random,
        AXES.map(() => pick(random, size)),
        error,
      );
    const [a, b] = [make(sizeA, errorA), make(sizeB, errorB)];
    const bounds = [maxAbs(a), input(errorA), maxAbs(b), input(errorB)];
    for (const one of crossOf(a, b)) checks.within('crossError', one, crossError(...bounds));
    checks.within('dotError', dotOf(a, b), dotError(...bounds));
  },
};

/** The arguments of filterTriTri and areSeparate. */
type Pair = [a: Triangle, errorA: Float, b: Triangle, errorB: Float];

function pairOf(random: Random): Pair {
  const size = sizeOf(random);
  const corners = trianglePair(random, PAIR_KINDS[random.below(PAIR_KINDS.length)], size);
  const [errorA, errorB] = [errorOf(random, size), errorOf(random, size)].map(Math.fround);
  const a = triangle(random, corners.slice(0, 9), errorA);
  const b = triangle(random, corners.slice(9), errorB);
  return [a, input(errorA), b, input(errorB)];
}

// The exact corners of a pair are doubles.
const cornersOf = ([a, , b]: Pair): Float64Array =>
  Float64Array.from(
    [a, b].flatMap(one => [one.a, one.b, one.c].flat()),
    ({ exact }) => toDouble(exact),
  );

function checkVerdict(checks: Checks, pair: Pair, verdict: number | undefined): void {
  if (verdict !== limits.APART && verdict !== limits.INTERSECT) return;
  const expected = trianglesMeet(cornersOf(pair)) ? limits.INTERSECT : limits.APART;
  checks.atMost('verdict', exactOf(Number(verdict !== expected)), ZERO);
}

// Checks each value that filterTriTri and areSeparate compare with an error bound.
const observerOf = (checks: Checks): Observer => ({
  call(name, [value, bound]) {
    if (name === 'signOf') checks.within('signOf', value, bound);
  },
  compare(name, _, left, right) {
    if (name === 'isOutside') checks.within('isOutside', left, node('neg', right));
  },
});

/** Makes a site that tests pairs of triangles and compares the verdicts with the oracle. */
const pairSite = (
  name: string,
  verdictOf: (functions: WgslModule['functions'], pair: Pair) => number | undefined,
): Site => ({
  name,
  files: FILES,
  constants: limits,
  run(module, random, checks) {
    const pair = pairOf(random);
    module.start(checks.device, observerOf(checks));
    checkVerdict(checks, pair, verdictOf(module.functions, pair));
  },
});

const filterTriTri = pairSite(
  'filterTriTri: signs of plane sides and volumes, and the verdict',
  (functions, pair) => functions.filterTriTri(...pair),
);
const separatesInPlane = pairSite(
  'separatesInPlane: distances from a plane through an edge, and the verdict',
  (functions, pair) => (functions.areSeparate(...pair) ? limits.APART : undefined),
);

/** A placed pair of meshes: the fields of a GpuPair, and the exact transform. */
interface PlacedPair {
  fields: Record<string, any>;
  rows: number[][];
}

/**
 * Makes a PairRecord as placePairs would for stored coordinates of at most 1, and lets fillGpuPair convert it.
 * isSelf: a mesh paired with itself.
 */
function placedPair(
  random: Random,
  isSelf: boolean,
  shiftOf?: (row: number[], axis: number) => number,
): PlacedPair {
  const scale = 2 ** [0, -random.below(12), random.below(13)][random.below(3)];
  const entry = (): number => [random.between(-1, 1), sharpNumber(random, 0.99), 0][random.below(3)] * scale;
  const rows: number[][] = AXES.map(row =>
    isSelf ? [0, 1, 2, 3].map(column => Number(column === row)) : [entry(), entry(), entry(), entry()],
  );
  if (shiftOf && !isSelf)
    rows.forEach((row, axis) => {
      row[3] = shiftOf(row, axis);
    });
  const bytes = new ArrayBuffer(PairRecord.size + 2 * MeshRecord.size + 64);
  const arena = { u32: new Uint32Array(bytes), f32: new Float32Array(bytes), f64: new Float64Array(bytes) };
  const [meshA, meshB] = [PairRecord.size + 32, PairRecord.size + 32 + MeshRecord.size].map(at => at & ~7);
  const at = PairRecord.at;
  const sumR = Math.max(...rows.map(([x, y, z]) => Math.abs(x) + Math.abs(y) + Math.abs(z)));
  const shift = Math.max(...rows.map(row => Math.abs(row[3])));
  rows.forEach((row, i) => {
    arena.f64.set(row, at.toAExact / 8 + 4 * i);
    arena.f32.set(row, at.toA / 4 + 4 * i);
    arena.f32.set(
      row.slice(0, 3).map(one => Math.abs(one) * (1 + 2 ** -23)),
      at.absToA / 4 + 3 * i,
    );
  });
  arena.f32[at.slackA / 4] = 16 * 2 ** -24 * (sumR + shift + 1);
  arena.f32[at.slackB / 4] = Infinity;
  arena.u32[at.isFrameAccurate / 4] = 1;
  arena.f64[at.ownError / 8] = -1;
  arena.u32[at.meshA / 4] = meshA;
  arena.u32[at.meshB / 4] = meshB;
  for (const mesh of [meshA, meshB])
    for (const half of ['halfX', 'halfY', 'halfZ'] as const) arena.f32[(mesh + MeshRecord.at[half]) / 4] = 1;
  const words = new ArrayBuffer(GpuPair.size);
  const views = { u32: new Uint32Array(words), i32: new Int32Array(words), f32: new Float32Array(words) };
  const firstVertices = isSelf ? 0 : limits.NOTHING;
  const places = { firstNodeA: 0, firstLeafA: 0, firstNodeB: 0, firstLeafB: 0, firstVertices };
  if (!fillGpuPair(arena as unknown as Arena, 0, views, 0, places))
    throw new Error('the pair does not fit a GPU');
  return { fields: fieldsOf(views, rows), rows };
}

// Reads the fields of a GpuPair as inputs, each with its exact value. The exact value of an entry of toA is the
// entry of the matrix; of a tail, the entry of the matrix minus its head; of an error bound, 0.
function fieldsOf(
  { u32, i32, f32 }: Record<'u32' | 'i32' | 'f32', any>,
  rows: number[][],
): Record<string, any> {
  const at = GpuPair.at as Record<string, number>;
  const row = (name: string, exact: readonly number[]): Float[] =>
    exact.map((value, i) => input(f32[at[name] / 4 + i], exactOf(value)));
  const fields: Record<string, any> = {};
  const unit = f32[at['unit'] / 4];
  rows.forEach((entries, i) => {
    fields[`toA${i}`] = row(`toA${i}`, entries);
    fields[`absToA${i}`] = row(`absToA${i}`, [...entries.slice(0, 3).map(Math.abs), 0]);
    fields[`toB${i}`] = row(`toB${i}`, [0, 0, 0, 0]);
    fields[`absToB${i}`] = row(`absToB${i}`, [0, 0, 0, 0]);
    const head = Array.from(i32.subarray(at[`head${i}`] / 4, at[`head${i}`] / 4 + 4) as Int32Array);
    fields[`head${i}`] = head;
    fields[`tail${i}`] = entries.map((value, column) =>
      input(
        f32[at[`tail${i}`] / 4 + column],
        minus(exactOf(value), exactOf(head[column] * (column < 3 ? unit * 2 ** 14 : unit))),
      ),
    );
  });
  for (const name of ['pointErrorA', 'pointErrorB', 'localError', 'offsetError'])
    fields[name] = input(f32[at[name] / 4], ZERO);
  return {
    ...fields,
    unit: input(unit),
    shift: u32[at['shift'] / 4],
    firstVertices: u32[at['firstVertices'] / 4],
    zero: u32[at['zero'] / 4],
  };
}

const ORIGIN = ['originX', 'originY', 'originZ'];

/**
 * Makes a leaf with stored coordinates of at most 1. Corners are relative to the leaf's origin, and were
 * rounded to nearest.
 */
function leafOf(random: Random): Record<string, any> {
  const size = 2 ** -[0, 1, random.below(8), random.below(24)][random.below(4)];
  const leaf: Record<string, any> = { id: [7, 7, 7, 7] };
  for (const name of ORIGIN) leaf[name] = input(numberOf(random, 1 - size));
  let max = 0;
  for (const corner of 'abc')
    for (const axis of 'xyz')
      leaf[corner + axis] = [0, 1, 2, 3].map(() => {
        const value = random.below(2) === 0 ? numberOf(random, size) : sharpNumber(random, size);
        max = Math.max(max, Math.abs(value));
        return inexact(random, value, Math.abs(value) * 2 ** -24);
      });
  leaf['size'] = input(max, ZERO);
  return leaf;
}

// Sets the buffers to a random pair of meshes with one leaf each. In half of the cases, the two leaves are near
// each other.
function setLeaves(module: WgslModule, random: Random): void {
  const leaves = [leafOf(random), leafOf(random)];
  const [a, b] = leaves.map(leaf => ORIGIN.map(name => leaf[name].value as number));
  const sizeA = leaves[0]['size'].value as number;
  const isNear = random.below(2) === 0;
  const isSelf = random.below(4) === 0;
  if (isSelf && isNear)
    ORIGIN.forEach((name, axis) => {
      leaves[1][name] = input(a[axis] + sizeA * random.between(-1, 1));
    });
  const near = (row: number[], axis: number): number =>
    a[axis] - row[0] * b[0] - row[1] * b[1] - row[2] * b[2] + sizeA * random.between(-1, 1);
  module.globals['pairs'] = [placedPair(random, isSelf, isNear ? near : undefined).fields];
  module.globals['leaves'] = leaves;
}

// Returns the expression of the statement `let NAME = ...` in a WGSL file. Used for functions that cannot run
// alone.
function expressionOf(name: string, file: string): string {
  const found = new RegExp(`let ${name} = ([^;]+);`).exec(readWgsl(file));
  if (!found) throw new Error(`${file}.wgsl has no ${name}`);
  return found[1];
}
// The bound of A's corners is computed in testQueued, which also reads and writes shared memory.
const ERROR_A = `fn errorOfA(pair: u32, a: Triangle) -> f32 { return ${expressionOf('errorA', 'testLeafPairs')}; }`;

// Returns one triangle of each leaf, in the frame of A's leaf, and the error bounds of both.
function placedPairOf(module: WgslModule, random: Random): Pair {
  const { placedLane, laneOf, errorOfA } = module.functions;
  const lane = random.below(4);
  const a = laneOf(0, lane);
  const { corners, error } = placedLane(0, 0, 1, lane);
  return [a, errorOfA(0, a), corners, error];
}

const placedTriangles: Site = {
  name: 'placedTriangles: error bounds of corners',
  files: ['placedTriangles'],
  constants: limits,
  more: ERROR_A,
  run(module, random, checks) {
    setLeaves(module, random);
    module.start(checks.device, {});
    const [a, errorA, b, errorB] = placedPairOf(module, random);
    for (const corner of ['a', 'b', 'c'] as const)
      for (const axis of AXES) {
        checks.within('corner of B', b[corner][axis], errorB);
        checks.within('corner of A', a[corner][axis], errorA);
      }
  },
};

const leafPairs: Site = {
  name: 'filterTriTri and separatesInPlane with placed triangles',
  files: FILES,
  constants: limits,
  more: `${ERROR_A} fn differenceError(errorA: f32, errorB: f32, sizeB: f32) -> f32 { return ${expressionOf('offB', 'filterTriTri')}; }`,
  run(module, random, checks) {
    const { filterTriTri, areSeparate, differenceError, maxAbs } = module.functions;
    setLeaves(module, random);
    module.start(checks.device, observerOf(checks));
    const pair = placedPairOf(module, random);
    const [a, errorA, b, errorB] = pair;
    const differences = [b.a, b.b, b.c].map(corner => corner.map((one, axis) => node('-', one, a.a[axis])));
    const size = differences.map(one => maxAbs(one) as Float).reduce((max, one) => node('max', max, one));
    const bound = differenceError(errorA, errorB, size);
    for (const one of differences.flat()) checks.within('difference of corners', one, bound);
    filterTriTri(...pair);
    areSeparate(...pair);
  },
};

const overlappingLanes: Site = {
  name: 'testLeafPairs: boxes of triangles',
  files: ['placedTriangles', 'testLeafPairs'],
  names: [
    'maxAbs',
    'maxAbsOf',
    'laneOf',
    'originOf',
    'settled',
    'split',
    'offsetOf',
    'leafOffset',
    'placed',
    'placedLane',
    'minOf3',
    'maxOf3',
    'overlappingLanes',
  ],
  constants: limits,
  run(module, random, checks) {
    setLeaves(module, random);
    module.start(checks.device, {
      compare(name, operator, left, right) {
        if (name !== 'overlappingLanes') return;
        if (operator === '<=') checks.implied('min of A <= max of B', left, right);
        else checks.implied('max of A >= min of B', right, left);
      },
    });
    module.functions.overlappingLanes(0, 0, 1, random.below(4));
  },
};

const boxes: Site = {
  name: 'boxes: boxes of nodes',
  files: ['boxes'],
  names: ['image', 'near', 'mayOverlap'],
  run(module, random, checks) {
    module.globals['pairs'] = [placedPair(random, false).fields];
    const box = (): unknown => {
      const half = AXES.map(() => Math.abs(numberOf(random, 2 ** -random.below(10))));
      return {
        center: vector(
          random,
          half.map(one => numberOf(random, 1 - one)),
        ),
        half: vector(random, half),
      };
    };
    module.start(checks.device, {
      compare(name, _, left, right) {
        // `placedPair` makes the bound of the test in B's frame infinite, so this test cannot fail and is
        // skipped.
        if (name === 'near' && checks.device.compute(right) < 2 ** 60) checks.implied('near', left, right);
      },
    });
    module.functions.mayOverlap(0, box(), box());
  },
};

export const triangleSites: readonly Site[] = [
  vectorProducts,
  filterTriTri,
  separatesInPlane,
  placedTriangles,
  leafPairs,
  overlappingLanes,
  boxes,
];
