// Declares the options of queries with their defaults, and the tables against which options are checked.

import type { Mesh } from '../mesh/mesh.js';
import {
  anyValue,
  checkAttached,
  copyIfEngineMemory,
  copyOptions,
  integer,
  isFloatArray,
  nonNegative,
  type OptionTable,
  oneOf,
  trueOrFalse,
} from './checkOptions.js';
import { missingModule, Unsupported } from './errors.js';
import { numbersOf, type Transform, type Transforms } from './transform.js';

/** Maximum number of threads of an engine, and of work lists of a query. */
export const MAX_THREADS = 256;
/** The largest `depthBudget`. */
const MAX_DEPTH_BUDGET = 1_000_000;

/** Options of query. All are optional. */
export interface QueryOptions {
  /** Placement of mesh A in the common frame: 16 numbers, column-major. Default: the identity. */
  transformA?: Transform;
  /** Placement of mesh B in the common frame, in the same format. Default: the identity. */
  transformB?: Transform;
  /** 'pairs': return all pairs of triangles. 'any': only return whether there is a pair. Default 'pairs'. */
  want?: 'pairs' | 'any';
  /**
   * Order of the pairs. 'sorted' (default): by a, then by b. 'any': unspecified, which saves the time for
   * sorting.
   */
  order?: 'sorted' | 'any';
  /**
   * How costs are predicted when the work is distributed to threads. 'on': from the costs that were measured
   * in the last query of the same two meshes, if there was one; this suits meshes that move little between
   * queries. 'off': from the overlaps of bounding boxes. Default 'on'.
   */
  coherence?: 'on' | 'off';
  /**
   * Number of work lists into which the work of the query is divided. It is also the maximum number of
   * threads. With 1, the query runs on the calling thread only. Default: the number of threads of the engine,
   * or fewer if pfront predicts that more threads would not make the query faster.
   */
  parts?: number;
  /**
   * Whether idle threads steal work from others. 'off' is for experiments: each thread then does only the
   * work that the initial partition gave it. Default 'on'.
   */
  stealing?: 'on' | 'off';
}

/** How the work is distributed to threads. */
export type PartitionOptions = Pick<QueryOptions, 'parts' | 'stealing' | 'coherence'>;

/** Two placed meshes. */
export interface PlacedPair {
  /** Mesh A; its triangles are in `a` of the result. */
  a: Mesh;
  /** Mesh B; its triangles are in `b` of the result. */
  b: Mesh;
  /** Placement of A in the common frame: 16 numbers, column-major. Default: the identity. */
  transformA?: Transform;
  /** Placement of B in the common frame, in the same format. Default: the identity. */
  transformB?: Transform;
}

/** Options of queryMany: either `pairs`, or `a`, `b` and `transforms`. */
export interface QueryManyOptions extends PartitionOptions, Pick<QueryOptions, 'want' | 'order'> {
  /** The placed pairs. */
  pairs?: readonly PlacedPair[];
  /** Mesh A of all pairs. Its placement is the identity, so its frame is the common frame. */
  a?: Mesh;
  /** Mesh B of all pairs. */
  b?: Mesh;
  /**
   * Placements of B in the frame of A: 16 numbers each, column-major. Each placement gives one placed pair.
   */
  transforms?: Transforms;
}

/**
 * Which figures of the overlap and of the contact of two meshes are computed; see `OverlapFigures`. All are
 * optional.
 */
export interface OverlapOptions {
  /** Whether to compute `overlapDepth`. This may take much longer than the rest of the call. Default false. */
  overlapDepth?: boolean;
  /**
   * Max number of pieces of the surfaces that the search for `overlapDepth` examines. If the search ends at
   * this limit, the bounds of `overlapDepth` are farther apart, but still valid; the rest of the result does
   * not change. A whole number from 1 to 1,000,000. Requires `overlapDepth: true`. Default 50,000.
   */
  depthBudget?: number;
  /** Whether to compute `volume`. Default false. */
  volume?: boolean;
  /** Whether to compute `contactLength` and `contactArea`. Default false. */
  contactSize?: boolean;
}

/**
 * Options of query if `want` is known only at run time. The options of OverlapOptions require
 * `want: 'segments'`.
 */
export interface AnyQueryOptions extends Omit<QueryOptions, 'want'>, OverlapOptions {
  /** What is returned. Default 'pairs'. */
  want?: 'pairs' | 'any' | 'segments';
  /**
   * Maximum distance between the two triangles of a pair, in units of the common frame: a finite number, 0 or
   * more. If omitted, only pairs that intersect are found.
   */
  clearance?: number;
  /** Whether the result has a certificate: a proof that the pairs are complete. Default false. */
  certificate?: boolean;
  /** Whether to compute the contact normal of each pair. Requires `want: 'segments'`. Default false. */
  normals?: boolean;
}

/** Options of queryMany if `want` is known only at run time. */
export interface AnyQueryManyOptions extends Omit<QueryManyOptions, 'want'> {
  /** What is returned. Default 'pairs'. */
  want?: 'pairs' | 'any' | 'bitset' | 'segments';
  /**
   * Maximum distance between the two triangles of a pair, in units of the common frame: a finite number, 0 or
   * more. If omitted, only pairs that intersect are found.
   */
  clearance?: number;
  /**
   * Whether to compute the contact normal of each triangle pair. Requires `want: 'segments'`. Default false.
   */
  normals?: boolean;
}

export const ON_OFF = /* @__PURE__ */ oneOf('on', 'off');
export const ORDER = /* @__PURE__ */ oneOf('sorted', 'any');

export const PARTITION: OptionTable<PartitionOptions> = {
  parts: /* @__PURE__ */ integer(1, MAX_THREADS),
  stealing: ON_OFF,
  coherence: ON_OFF,
};
/** Options for the placements of two meshes. */
export const PLACED: OptionTable<Pick<QueryOptions, 'transformA' | 'transformB'>> = {
  transformA: anyValue,
  transformB: anyValue,
};
/** Options for the figures of an overlap. */
export const OVERLAP: OptionTable<OverlapOptions> = {
  overlapDepth: trueOrFalse,
  depthBudget: /* @__PURE__ */ integer(1, MAX_DEPTH_BUDGET),
  volume: trueOrFalse,
  contactSize: trueOrFalse,
};
const PAIR: OptionTable<PlacedPair> = { a: anyValue, b: anyValue, ...PLACED };
/** Options of query, including those of the module 'proximity'. */
export const QUERY: OptionTable<AnyQueryOptions> = {
  ...PLACED,
  want: /* @__PURE__ */ oneOf('pairs', 'any', 'segments'),
  order: ORDER,
  ...PARTITION,
  clearance: nonNegative,
  certificate: trueOrFalse,
  normals: trueOrFalse,
  ...OVERLAP,
};
/** Options of queryMany, including those of the module 'proximity'. */
export const QUERY_MANY: OptionTable<AnyQueryManyOptions> = {
  pairs: value => !Array.isArray(value) && 'an array of { a, b }',
  a: anyValue,
  b: anyValue,
  transforms: anyValue,
  want: /* @__PURE__ */ oneOf('pairs', 'any', 'bitset', 'segments'),
  order: ORDER,
  ...PARTITION,
  clearance: nonNegative,
  normals: trueOrFalse,
};

/** Throws an error if there is an option that only the module 'proximity' supports. @throws Unsupported */
export function rejectExtendedOptions(
  options: { want?: string; clearance?: number; certificate?: boolean; normals?: boolean } & OverlapOptions,
): void {
  const { want, clearance, certificate } = options;
  const isExtended = want === 'segments' || want === 'bitset';
  const option =
    clearance !== undefined
      ? 'clearance'
      : certificate
        ? 'certificate'
        : (overlapOptionOf(options) ?? (options.normals ? 'normals' : isExtended && `want: '${want}'`));
  if (option) throw missingModule(option, 'proximity');
}

/**
 * Returns the name of an option of OverlapOptions that is given; undefined if none is. An option that is false
 * counts as not given.
 */
export const overlapOptionOf = (options: OverlapOptions): keyof OverlapOptions | undefined =>
  (Object.keys(OVERLAP) as (keyof OverlapOptions)[]).find(name => options[name]);

/** Copies a placed pair, so that later reads do not run the caller's getters. @throws InvalidTransform */
export const readPair = ({ a, b, transformA, transformB }: PlacedPair, what = ''): PlacedPair => ({
  a,
  b,
  transformA: readOne(what, 'transformA', transformA),
  transformB: readOne(what, 'transformB', transformB),
});

// A typed array is not checked here: its length and its numbers are checked when the query reads them.
const readOne = (what: string, name: string, transform: Transform | undefined): Transform | undefined =>
  transform === undefined
    ? transform
    : ArrayBuffer.isView(transform)
      ? copyIfEngineMemory(transform as Float32Array | Float64Array)
      : numbersOf(what + name, transform);

/** Reads the placed pairs of queryMany. @throws Unsupported, InvalidTransform */
export function readPairs({
  pairs,
  a,
  b,
  transforms,
}: Pick<QueryManyOptions, 'pairs' | 'a' | 'b' | 'transforms'>): readonly PlacedPair[] {
  if (pairs) {
    if (a || b || transforms)
      throw new Unsupported(
        'pairs cannot be combined with a, b or transforms',
        'pass { pairs } or { a, b, transforms }',
      );
    return Array.from(pairs, (pair, i) => readPair(copyOptions(PAIR, pair, `pairs[${i}]`), `pairs[${i}].`));
  }
  if (!a || !b || !isFloatArray(transforms) || transforms.length % 16 !== 0) {
    throw new Unsupported(
      'queryMany needs pairs, or a, b and transforms of 16 numbers each',
      'pass { pairs } or { a, b, transforms }',
    );
  }
  checkAttached('transforms', transforms);
  const matrices = copyIfEngineMemory(transforms);
  return Array.from({ length: matrices.length / 16 }, (_, i) => ({
    a,
    b,
    transformB: matrices.subarray(16 * i, 16 * i + 16),
  }));
}
