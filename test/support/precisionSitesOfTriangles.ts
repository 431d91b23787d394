// Checks the error bounds of the shaders that test boxes and triangles of two placed meshes.

import { fillGpuPair } from '../../dist/gpu/narrowphase/fillGpuPair.js';
import { GpuPair } from '../../dist/records/gpuLayout.js';
import { MeshRecord, PairRecord } from '../../dist/records/layout.js';
import type { Arena } from '../../dist/runtime/memory.js';
import { trianglesMeet } from '../oracle/trianglesIntersect.js';
import { exactOf, minus, toDouble, ZERO } from './exactFloats.js';
import { type Float, input, node } from './hostileFloats.js';
import type { Checks } from './precisionChecks.js';
import {
  inexact,
  numberOf,
  PAIR_KINDS,
  sharpNumber,
  type Triangle,
  triangle,
  trianglePair,
  vector,
} from './precisionInputs.js';
import type { Random, Site } from './precisionSites.js';
import { readWgsl, type WgslModule } from './wgslFunctions.js';

const VERDICTS = { APART: 0, INTERSECT: 1 };
const NOTHING = 0xffffffff;
const FILES = ['bounds', 'placedTriangles', 'filterTriTri', 'separatesInPlane'];
/** fillGpuPair never gives a triangle a smaller error bound. */
const MIN_POINT_ERROR = 2 ** -98;

/** A magnitude of coordinates. Triangles relative to a leaf are at most about 2^17. */
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
        [0, 1, 2].map(() => pick(random, size)),
        error,
      );
    const [a, b] = [make(sizeA, errorA), make(sizeB, errorB)];
    const bounds = [maxAbs(a), input(errorA), maxAbs(b), input(errorB)];
    for (const one of crossOf(a, b)) checks.within('crossError', one, crossError(...bounds));
    checks.within('dotError', dotOf(a, b), dotError(...bounds));
  },
};

interface Pair {
  a: Triangle;
  b: Triangle;
  errorA: number;
  errorB: number;
}

function pairOf(random: Random): Pair {
  const size = sizeOf(random);
  const corners = trianglePair(random, PAIR_KINDS[random.below(PAIR_KINDS.length)], size);
  const [errorA, errorB] = [errorOf(random, size), errorOf(random, size)].map(Math.fround);
  return {
    a: triangle(random, corners.slice(0, 9), errorA),
    b: triangle(random, corners.slice(9), errorB),
    errorA,
    errorB,
  };
}

// The exact corners of a pair are doubles.
const cornersOf = ({ a, b }: Pair): Float64Array =>
  Float64Array.from(
    [a, b].flatMap(one => [one.a, one.b, one.c].flat()),
    ({ exact }) => toDouble(exact),
  );

function checkVerdict(checks: Checks, pair: Pair, verdict: number): void {
  if (verdict !== VERDICTS.APART && verdict !== VERDICTS.INTERSECT) return;
  const doMeet = trianglesMeet(cornersOf(pair));
  checks.atMost('verdict', exactOf(Number(doMeet !== (verdict === VERDICTS.INTERSECT))), ZERO);
}

const filterTriTri: Site = {
  name: 'filterTriTri: signs of plane sides and volumes, and the verdict',
  files: FILES,
  constants: { ...VERDICTS, NOTHING },
  run(module, random, checks) {
    const pair = pairOf(random);
    module.start(checks.device, {
      call(name, [value, bound]) {
        if (name === 'signOf') checks.within('signOf', value, bound);
      },
    });
    const { filterTriTri } = module.functions;
    checkVerdict(checks, pair, filterTriTri(pair.a, input(pair.errorA), pair.b, input(pair.errorB)));
  },
};

const separatesInPlane: Site = {
  name: 'separatesInPlane: distances from a plane through an edge, and the verdict',
  files: FILES,
  constants: { ...VERDICTS, NOTHING },
  run(module, random, checks) {
    const pair = pairOf(random);
    module.start(checks.device, {
      compare(name, _, left, right) {
        if (name === 'isOutside') checks.within('isOutside', left, node('neg', right));
      },
    });
    const { areSeparate } = module.functions;
    if (areSeparate(pair.a, input(pair.errorA), pair.b, input(pair.errorB)))
      checkVerdict(checks, pair, VERDICTS.APART);
  },
};

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
  const rows = [0, 1, 2].map(row =>
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
  const firstVertices = isSelf ? 0 : NOTHING;
  const places = { firstNodeA: 0, firstLeafA: 0, firstNodeB: 0, firstLeafB: 0, firstVertices };
  if (!fillGpuPair(arena as unknown as Arena, 0, views, 0, places))
    throw new Error('the pair does not fit a GPU');
  return { fields: fieldsOf(views, rows), rows };
}

// Reads a GpuPair. Rows of a transform get the exact entries, error bounds get the exact value 0, and tails get
// the exact rest of their entries.
function fieldsOf(
  { u32, i32, f32 }: Record<'u32' | 'i32' | 'f32', any>,
  rows: number[][],
): Record<string, any> {
  const at = GpuPair.at as Record<string, number>;
  const row = (name: string, exact: readonly number[]): Float[] =>
    exact.map((value, i) => input(f32[at[name] / 4 + i], exactOf(value)));
  const fields: Record<string, any> = {};
  rows.forEach((entries, i) => {
    fields[`toA${i}`] = row(`toA${i}`, entries);
    fields[`absToA${i}`] = row(`absToA${i}`, [...entries.slice(0, 3).map(Math.abs), 0]);
    fields[`toB${i}`] = row(`toB${i}`, [0, 0, 0, 0]);
    fields[`absToB${i}`] = row(`absToB${i}`, [0, 0, 0, 0]);
    const head = Array.from(i32.subarray(at[`head${i}`] / 4, at[`head${i}`] / 4 + 4) as Int32Array);
    const unit = f32[at['unit'] / 4];
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
    unit: input(f32[at['unit'] / 4]),
    shift: u32[at['shift'] / 4],
    firstVertices: u32[at['firstVertices'] / 4],
    zero: u32[at['zero'] / 4],
  };
}

/** Makes a leaf with stored coordinates of at most 1. Corners are relative to the origin, rounded to nearest. */
function leafOf(random: Random): Record<string, any> {
  const size = 2 ** -[0, 1, random.below(8), random.below(24)][random.below(4)];
  const origin = [0, 1, 2].map(() => numberOf(random, 1 - size));
  const leaf: Record<string, any> = { id: [7, 7, 7, 7] };
  ['originX', 'originY', 'originZ'].forEach((name, i) => {
    leaf[name] = input(origin[i]);
  });
  let max = 0;
  for (const corner of 'abc')
    for (const axis of 'xyz')
      leaf[corner + axis] = [0, 1, 2, 3].map(() => {
        const value = random.below(2) === 0 ? numberOf(random, size) : sharpNumber(random, size);
        max = Math.max(max, Math.abs(value));
        return inexact(random, value, Math.abs(value) * 2 ** -24);
      });
  leaf['size'] = input(max, ZERO);
  leaf['max'] = max;
  return leaf;
}

// Half of the pairs of leaves are near each other.
function placedInput(module: WgslModule, random: Random): void {
  const leaves = [leafOf(random), leafOf(random)];
  const [a, b] = leaves.map(leaf =>
    ['originX', 'originY', 'originZ'].map(name => leaf[name].value as number),
  );
  const isNear = random.below(2) === 0;
  const isSelf = random.below(4) === 0;
  if (isSelf && isNear)
    ['originX', 'originY', 'originZ'].forEach((name, axis) => {
      leaves[1][name] = input(a[axis] + leaves[0]['max'] * random.between(-1, 1));
    });
  const near = (row: number[], axis: number): number =>
    a[axis] - row[0] * b[0] - row[1] * b[1] - row[2] * b[2] + leaves[0]['max'] * random.between(-1, 1);
  module.globals['pairs'] = [placedPair(random, isSelf, isNear ? near : undefined).fields];
  module.globals['leaves'] = leaves;
}

// The bound of A's corners is computed within testQueued, which does much else.
const ERROR_A = `fn errorOfA(pair: u32, a: Triangle) -> f32 { return ${/let errorA = ([^;]+);/.exec(readWgsl('testLeafPairs'))![1]}; }`;

const placedTriangles: Site = {
  name: 'placedTriangles: error bounds of corners',
  files: ['placedTriangles'],
  constants: { NOTHING },
  more: ERROR_A,
  run(module, random, checks) {
    const { placedLane, laneOf, errorOfA } = module.functions;
    placedInput(module, random);
    module.start(checks.device, {});
    const lane = random.below(4);
    const a = laneOf(0, lane);
    const { corners, error } = placedLane(0, 0, 1, lane);
    for (const corner of 'abc')
      for (const axis of [0, 1, 2]) {
        checks.within('corner of B', corners[corner][axis], error);
        checks.within('corner of A', a[corner][axis], errorOfA(0, a));
      }
  },
};

const leafPairs: Site = {
  name: 'filterTriTri and separatesInPlane with placed triangles',
  files: FILES,
  constants: { ...VERDICTS, NOTHING },
  more: `${ERROR_A} fn differenceError(errorA: f32, errorB: f32, sizeB: f32) -> f32 { return ${/let offB = ([^;]+);/.exec(readWgsl('filterTriTri'))![1]}; }`,
  run(module, random, checks) {
    const { placedLane, laneOf, errorOfA, filterTriTri, areSeparate, differenceError, maxAbs } =
      module.functions;
    placedInput(module, random);
    module.start(checks.device, {
      call(name, [value, bound]) {
        if (name === 'signOf') checks.within('signOf', value, bound);
      },
      compare(name, _, left, right) {
        if (name === 'isOutside') checks.within('isOutside', left, node('neg', right));
      },
    });
    const lane = random.below(4);
    const a = laneOf(0, lane);
    const errorA = errorOfA(0, a);
    const { corners, error } = placedLane(0, 0, 1, lane);
    const offsets = [corners.a, corners.b, corners.c].map(corner =>
      corner.map((one: Float, axis: number) => node('-', one, a.a[axis])),
    );
    const bound = differenceError(
      errorA,
      error,
      offsets.map(maxAbs).reduce((max, one) => node('max', max, one)),
    );
    for (const one of offsets.flat()) checks.within('difference of corners', one, bound);
    filterTriTri(a, errorA, corners, error);
    areSeparate(a, errorA, corners, error);
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
  constants: { NOTHING },
  run(module, random, checks) {
    placedInput(module, random);
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
      const half = [0, 1, 2].map(() => Math.abs(numberOf(random, 2 ** -random.below(10))));
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
        // The bound of the test in B's frame is infinite here.
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
