// Options of queries: types whose comments state the defaults, and the tables that they are checked against.

import type { Mesh } from '../mesh/mesh.js';
import { missing, Unsupported } from './errors.js';
import {
  anything,
  checkAttached,
  checkOptions,
  fromZero,
  type OptionTable,
  oneOf,
  wholeNumber,
} from './optionTable.js';
import { numbersOf, type Transform, type Transforms } from './transform.js';

/** Most threads of an engine, and most lists of a query. */
export const MOST_THREADS = 256;

/** What query may be asked for; all may be left out. */
export interface QueryOptions {
  /** Where mesh A is: 16 numbers, column-major. Default: the identity. */
  transformA?: Transform;
  /** Where mesh B is, likewise. */
  transformB?: Transform;
  /** All pairs of triangles, or whether there is any. Default 'pairs'. */
  want?: 'pairs' | 'any';
  /** Default 'sorted': by a, then b. 'any' saves the sort. */
  order?: 'sorted' | 'any';
  /**
   * Predict work by the last query of the same two meshes ('on', for motion) or by overlap volumes ('off').
   * Default 'on'.
   */
  coherence?: 'on' | 'off';
  /**
   * Lists that the work is dealt to, and the most threads that take part; 1 keeps it on the calling thread.
   * Default: one for each thread that pays off.
   */
  parts?: number;
  /** Whether threads that are done take over from others: default 'on'. 'off' shows the static partition. */
  stealing?: 'on' | 'off';
}

/** How the work is shared out among threads. */
export type PartitionOptions = Pick<QueryOptions, 'parts' | 'stealing' | 'coherence'>;

/** Two meshes and where they are. */
export interface PlacedPair {
  /** Whose triangles are in `a` of the result. */
  a: Mesh;
  /** Whose triangles are in `b`. */
  b: Mesh;
  /** Where A is: 16 numbers, column-major. Default: the identity. */
  transformA?: Transform;
  /** Where B is, likewise. */
  transformB?: Transform;
}

/** What queryMany is asked: `pairs`, or `a`, `b` and `transforms`. */
export interface QueryManyOptions extends PartitionOptions, Pick<QueryOptions, 'want' | 'order'> {
  /** The placed pairs. */
  pairs?: readonly PlacedPair[];
  /** Mesh A of all pairs, which stays where its vertices are. */
  a?: Mesh;
  /** Mesh B of all pairs. */
  b?: Mesh;
  /** Placements of B, 16 numbers each, column-major: as many pairs as there are. */
  transforms?: Transforms;
}

/** Options of query if `want` is known only at run time. */
export interface AnyQueryOptions extends Omit<QueryOptions, 'want'> {
  /** What is returned. Default 'pairs'. */
  want?: 'pairs' | 'any' | 'segments';
  /** Greatest distance of a pair of triangles. Default: pairs that share a point. */
  clearance?: number;
}

/** Options of queryMany if `want` is known only at run time. */
export interface AnyQueryManyOptions extends Omit<QueryManyOptions, 'want'> {
  /** What is returned. Default 'pairs'. */
  want?: 'pairs' | 'any' | 'bitset' | 'segments';
  /** Greatest distance of a pair of triangles. Default: pairs that share a point. */
  clearance?: number;
}

export const ON_OFF = /* @__PURE__ */ oneOf('on', 'off');
export const ORDER = /* @__PURE__ */ oneOf('sorted', 'any');

export const PARTITION: OptionTable<PartitionOptions> = {
  parts: /* @__PURE__ */ wholeNumber(1, MOST_THREADS),
  stealing: ON_OFF,
  coherence: ON_OFF,
};
/** Where two meshes are. */
export const PLACED: OptionTable<Pick<QueryOptions, 'transformA' | 'transformB'>> = {
  transformA: anything,
  transformB: anything,
};
const PAIR: OptionTable<PlacedPair> = { a: anything, b: anything, ...PLACED };
/** Of query, the options of the module 'questions' included. */
export const QUERY: OptionTable<AnyQueryOptions> = {
  ...PLACED,
  want: /* @__PURE__ */ oneOf('pairs', 'any', 'segments'),
  order: ORDER,
  ...PARTITION,
  clearance: fromZero,
};
/** Of queryMany, likewise. */
export const QUERY_MANY: OptionTable<AnyQueryManyOptions> = {
  pairs: value => !Array.isArray(value) && 'an array of { a, b }',
  a: anything,
  b: anything,
  transforms: anything,
  want: /* @__PURE__ */ oneOf('pairs', 'any', 'bitset', 'segments'),
  order: ORDER,
  ...PARTITION,
  clearance: fromZero,
};

/** Refuses what only the module 'questions' answers. @throws Unsupported */
export function refuseQuestions({ want, clearance }: { want?: string; clearance?: number }): void {
  if (clearance !== undefined) throw missing('clearance', 'questions');
  if (want === 'segments' || want === 'bitset') throw missing(`want: '${want}'`, 'questions');
}

/**
 * Reads a placed pair once: nothing that is read of the copy runs code of the caller's. @throws
 * InvalidTransform
 */
export const readPair = ({ a, b, transformA, transformB }: PlacedPair, what = ''): PlacedPair => ({
  a,
  b,
  transformA: readOne(what, 'transformA', transformA),
  transformB: readOne(what, 'transformB', transformB),
});

// A typed array is checked where its numbers are read.
const readOne = (what: string, name: string, transform: Transform | undefined): Transform | undefined =>
  transform === undefined || ArrayBuffer.isView(transform) ? transform : numbersOf(what + name, transform);

/** Reads the placed pairs that queryMany is asked about. @throws Unsupported, InvalidTransform */
export function readPairs({
  pairs,
  a,
  b,
  transforms,
}: Pick<QueryManyOptions, 'pairs' | 'a' | 'b' | 'transforms'>): readonly PlacedPair[] {
  if (pairs) {
    if (a || b || transforms)
      throw new Unsupported(
        'pairs are given, and a, b or transforms, too',
        'pass { pairs } or { a, b, transforms }',
      );
    return Array.from(pairs, (pair, i) => {
      checkOptions(PAIR, pair, `pairs[${i}]`);
      return readPair(pair, `pairs[${i}].`);
    });
  }
  const isTyped = transforms instanceof Float32Array || transforms instanceof Float64Array;
  if (!a || !b || !isTyped || transforms.length % 16 !== 0) {
    throw new Unsupported(
      'queryMany needs `pairs`, or `a`, `b` and `transforms` of 16 numbers a placement',
      'pass { pairs: [{ a, b, transformB }] }',
    );
  }
  checkAttached('transforms', transforms);
  return Array.from({ length: transforms.length / 16 }, (_, i) => ({
    a,
    b,
    transformB: transforms.subarray(16 * i, 16 * i + 16),
  }));
}
