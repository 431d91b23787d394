// What users may ask for -> types whose comments state the defaults, and checks that refuse everything else.
import { missing, Unsupported } from './errors.js';
import type { Mesh } from './mesh.js';
import type { OverlapWeight } from './systems/frontMaker.js';
import type { Transform } from './transform.js';

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
  /** Predict work by the last query of the same two meshes ('on', for motion) or by overlap volumes ('off'). Default 'on'. */
  coherence?: 'on' | 'off';
  /** Lists that the work is dealt to: default one a thread that pays off. */
  parts?: number;
  /** g of eq. 1. Default follows parts. */
  grain?: number;
  /** Whether threads that are done take over from others: default 'on'. 'off' shows the static partition. */
  stealing?: 'on' | 'off';
  /** How box overlap stands for cost where no last run is known: volume (eq. 3, default), its root, or depth. */
  weight?: OverlapWeight;
}

/** How the work is shared out, to study the partition. */
export type PartitionOptions = Pick<QueryOptions, 'parts' | 'grain' | 'stealing' | 'coherence' | 'weight'>;

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
  transforms?: Transform;
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

export const ON_OFF = ['on', 'off'];

/** @throws Unsupported naming the option, its value and what it may be. */
export function checkQueryOptions(options: QueryOptions): void {
  checkObject('options', options);
  const { clearance } = options as { clearance?: unknown };
  if (clearance !== undefined) throw missing('clearance', 'questions');
  oneOf('want', options.want, ['pairs', 'any']);
  oneOf('order', options.order, ['sorted', 'any']);
  oneOf('coherence', options.coherence, ON_OFF);
  oneOf('stealing', options.stealing, ON_OFF);
  oneOf('weight', options.weight, ['volume', 'root', 'depth']);
  wholeNumber('parts', options.parts, 1, MOST_THREADS);
  const { grain } = options;
  if (grain !== undefined && !(grain > 0 && grain <= 1e6)) refuse('grain', grain, 'a number above 0, at most 1,000,000');
}

/** The placed pairs that queryMany is asked about. @throws Unsupported */
export function placedPairs({ pairs, a, b, transforms }: QueryManyOptions): readonly PlacedPair[] {
  if (Array.isArray(pairs)) return pairs;
  if (pairs) refuse('pairs', pairs, 'an array of { a, b }');
  const isTyped = transforms instanceof Float32Array || transforms instanceof Float64Array;
  if (!a || !b || !isTyped || transforms.length % 16 !== 0) {
    throw new Unsupported('queryMany needs `pairs`, or `a`, `b` and `transforms` of 16 numbers a placement', 'pass { pairs: [{ a, b, transformB }] }');
  }
  return Array.from({ length: transforms.length / 16 }, (_, i) => ({ a, b, transformB: transforms.subarray(16 * i, 16 * i + 16) }));
}

export function checkObject(name: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) refuse(name, value, 'an object');
}

export function oneOf(name: string, value: string | undefined, allowed: readonly string[]): void {
  if (value === undefined || allowed.includes(value)) return;
  refuse(name, value, allowed.map((word) => `'${word}'`).join(' or '));
}

export function wholeNumber(name: string, value: number | undefined, least: number, most: number, or = ''): void {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return;
  refuse(name, value, `${or}a whole number from ${least} to ${most}`);
}

/** @throws Unsupported: `name` is `value`, not what the rule says. */
export function refuse(name: string, value: unknown, rule: string): never {
  throw new Unsupported(`${name} is ${typeof value === 'string' ? `'${value}'` : String(value)}, not ${rule}`, `leave ${name} out, or pass ${rule}`);
}
