// Checks and copies the placed mesh pairs of a job. Each mesh and placement is copied once, even if several
// pairs refer to the same object. A placement object is copied again if its numbers have changed since it was
// last copied.

import {
  anyValue,
  checkAttached,
  checkOptions,
  isFloatArray,
  type OptionTable,
} from '../../core/checkOptions.js';
import { describe, InvalidMesh, Unsupported } from '../../core/errors.js';
import { MAX_FLOAT } from '../../core/floatRange.js';
import { PLACED } from '../../core/queryOptions.js';
import { readTransform, type Transform, type Transforms } from '../../core/transform.js';
import type { MeshData } from '../../mesh/meshData.js';
import { type MeshFacts, writeMesh } from './meshContent.js';

/** The meshes of a job. Each mesh object is stored once. */
export class MeshSet {
  readonly facts: MeshFacts[] = [];
  private readonly numbers = new Map<MeshData, number>();

  /** Adds a mesh. @returns its number. @throws InvalidMesh */
  add(data: MeshData): number {
    let number = this.numbers.get(data);
    if (number === undefined) {
      number = this.facts.push(writeMesh(data)) - 1;
      this.numbers.set(data, number);
    }
    return number;
  }
}

/**
 * The placements of a job, as 12 numbers each. If a matrix object is added again, it is stored again only if
 * its numbers have changed, for example by a getter that always returns the same object, but with new numbers.
 * Placement number 0 means no placement.
 */
export class PlacementSet {
  private rows = new Float64Array(12 * 16);
  private count = 0;
  private readonly numbers = new Map<Transform, number>();

  /** Adds a placement. @returns its number. @throws InvalidTransform */
  add(name: string, transform: Transform | undefined): number {
    if (transform === undefined) return 0;
    const known = this.numbers.get(transform);
    const number = this.addRow(name, transform);
    if (known !== undefined && this.areEqual(known, number)) {
      this.count--;
      return known;
    }
    this.numbers.set(transform, number);
    return number;
  }

  /** Adds a placement without looking for duplicates. @returns its number. @throws InvalidTransform */
  addRow(name: string, transform: Transform): number {
    if (12 * this.count === this.rows.length) {
      const larger = new Float64Array(2 * this.rows.length);
      larger.set(this.rows);
      this.rows = larger;
    }
    readTransform(name, transform, this.rows, 12 * this.count);
    return ++this.count;
  }

  private areEqual(one: number, other: number): boolean {
    const row = this.row(one);
    return this.row(other).every((value, i) => Object.is(value, row[i]));
  }

  row(number: number): Float64Array {
    return this.rows.subarray(12 * (number - 1), 12 * number);
  }
}

/** Pair i is mesh number a[i] at placement number placeA[i], and mesh b[i] at placement placeB[i]. */
export interface PairList {
  a: Uint32Array;
  b: Uint32Array;
  placeA: Uint32Array;
  placeB: Uint32Array;
}

/** A pair of meshes, given by their indices in the job, with placements. */
export interface JobPair {
  /** Index of the mesh whose triangles are in `a` of the answer. */
  a: number;
  /** Index of the mesh whose triangles are in `b` of the answer. */
  b: number;
  /** Placement of mesh `a` in the common frame: 16 numbers, column-major. Default: the identity. */
  transformA?: Transform;
  /** Placement of mesh `b` in the common frame, in the same format. Default: the identity. */
  transformB?: Transform;
}

/** Pairs of meshes as arrays, with one entry per pair and 16 numbers per transform. */
export interface JobPairs {
  /** The index of the first mesh of each pair. */
  a: Uint32Array;
  /** The index of the second mesh of each pair. */
  b: Uint32Array;
  /** Placements of the first meshes in the common frame, column-major. Default: the identity. */
  transformsA?: Transforms;
  /** Placements of the second meshes in the common frame, column-major. Default: the identity. */
  transformsB?: Transforms;
}

const PAIR: OptionTable<JobPair> = { a: anyValue, b: anyValue, ...PLACED };
const PAIRS: OptionTable<JobPairs> = {
  a: anyValue,
  b: anyValue,
  transformsA: anyValue,
  transformsB: anyValue,
};

/** Checks and copies pairs. @throws Unsupported, InvalidTransform, InvalidMesh */
export function listPairs(
  pairs: readonly JobPair[] | JobPairs,
  meshCount: number,
  places: PlacementSet,
): PairList {
  if (Array.isArray(pairs)) return fromObjects(pairs, meshCount, places);
  checkOptions(PAIRS, pairs, 'pairs');
  const { a, b, transformsA, transformsB } = pairs as JobPairs;
  if (!(a instanceof Uint32Array) || !(b instanceof Uint32Array) || a.length !== b.length) {
    throw new Unsupported(
      'the pairs are neither a list of { a, b } nor two Uint32Arrays of the same length',
      'pass pairs: [{ a: 0, b: 1, transformB }]',
    );
  }
  checkAttached('pairs.a', a);
  checkAttached('pairs.b', b);
  for (const meshes of [a, b]) meshes.forEach((mesh, i) => checkMesh(mesh, meshCount, i));
  const placesOf = (name: string, transforms: Transforms | undefined): Uint32Array => {
    const isTyped = isFloatArray(transforms);
    if (transforms !== undefined && !(isTyped && transforms.length === 16 * a.length))
      throw new Unsupported(
        `${name} ${isTyped ? `has ${transforms.length} numbers` : `is ${describe(transforms)}`}, but there are ${a.length} pairs`,
        'pass a Float32Array or Float64Array with 16 numbers per pair',
      );
    return Uint32Array.from({ length: a.length }, (_, i) =>
      transforms ? places.addRow(`${name}[${i}]`, transforms.subarray(16 * i, 16 * i + 16)) : 0,
    );
  };
  return {
    a: a.slice(),
    b: b.slice(),
    placeA: placesOf('transformsA', transformsA),
    placeB: placesOf('transformsB', transformsB),
  };
}

function fromObjects(pairs: readonly JobPair[], meshCount: number, places: PlacementSet): PairList {
  const count = pairs.length;
  const list = {
    a: new Uint32Array(count),
    b: new Uint32Array(count),
    placeA: new Uint32Array(count),
    placeB: new Uint32Array(count),
  };
  for (let i = 0; i < count; i++) {
    const pair = pairs[i];
    checkOptions(PAIR, pair, `pairs[${i}]`);
    list.a[i] = checkMesh(pair.a, meshCount, i);
    list.b[i] = checkMesh(pair.b, meshCount, i);
    list.placeA[i] = places.add('transformA', pair.transformA);
    list.placeB[i] = places.add('transformB', pair.transformB);
  }
  return list;
}

function checkMesh(mesh: number, meshCount: number, i: number): number {
  if (Number.isInteger(mesh) && mesh >= 0 && mesh < meshCount) return mesh;
  throw new InvalidMesh(
    `pair ${i} refers to mesh ${String(mesh)}, but there are ${meshCount} meshes`,
    'pass indices into the meshes of the job',
  );
}

/**
 * Writes the bounding box of a placed mesh to `into`, from index `at` on: minimum x, y, z, then maximum x, y,
 * z, rounded outward. bounds: the bounding box of the mesh. rows: the placement as three rows of four numbers,
 * if any.
 */
export function placedBox(
  bounds: Float32Array,
  rows: Float64Array | undefined,
  into: Float32Array,
  at: number,
): void {
  for (let axis = 0; axis < 3; axis++) {
    let low = bounds[axis];
    let high = bounds[axis + 3];
    let size = 0;
    if (rows) {
      low = high = rows[4 * axis + 3];
      size = Math.abs(low);
      for (let k = 0; k < 3; k++) {
        const x = rows[4 * axis + k] * bounds[k];
        const y = rows[4 * axis + k] * bounds[k + 3];
        low += Math.min(x, y);
        high += Math.max(x, y);
        size += Math.max(Math.abs(x), Math.abs(y));
      }
    }
    into[at + axis] = clamped(low - size * ERROR, -1);
    into[at + axis + 3] = clamped(high + size * ERROR, 1);
  }
}

/**
 * Bound on the rounding error of a placed coordinate (three products and a translation, summed in double
 * precision), relative to the sum of the magnitudes of these four terms. The bound covers the errors of
 * placedBox and of the code that places triangles.
 */
const ERROR = 2 ** -48;
/**
 * A value that is not a single-precision number is moved outward by the product of its magnitude and STEP, plus
 * TINY, so that rounding to single precision cannot move it inward.
 */
const STEP = 2 ** -23;
const TINY = 2 ** -149;
const clamped = (value: number, direction: 1 | -1): number =>
  Math.max(
    -MAX_FLOAT,
    Math.min(
      MAX_FLOAT,
      value === 0 || Math.fround(value) === value
        ? value
        : value + direction * (Math.abs(value) * STEP + TINY),
    ),
  );
