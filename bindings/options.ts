// What users may ask for -> types whose comments state the defaults, and checks that refuse everything else.
import { Unsupported } from './errors.js';
import type { Mesh } from './mesh.js';
import type { OverlapWeight } from './systems/frontMaker.js';
import type { Transform } from './transform.js';
import type { NodeWorker, WorkerHandle, WorkerStart } from './transport.js';

/** Most threads of an engine, and most lists of a query. */
export const MOST_THREADS = 256;

/** What createEngine may be asked for; all may be left out. */
export interface EngineOptions {
  /** Threads that compute, the caller's included. Default 'auto': all cores in Node; one less on web pages, at most 8. */
  threads?: number | 'auto';
  /** Where synchronous calls run. */
  backend?: 'auto' | 'wasm';
  /** 'single' computes without shared memory, as pages that are not cross-origin isolated must. Default 'auto'. */
  memory?: 'auto' | 'shared' | 'single';
  /** Most bytes of engine memory. Default: 4 GiB, or what the machine reserves. */
  maximumMemoryBytes?: number;
  /** Pairs each thread's output has room for at first; it grows by itself. Default 4096; for box pairs as many as their sizes suggest. */
  initialPairCapacity?: number;
  /** Whether to spend 45 ms on making the first builds, queries and box pairs as quick as the next. Default 'on'. */
  warmUp?: 'on' | 'off';
  /** Where a copy of `pfront/worker` lies, for web pages whose bundler does not put it beside the rest. Default: beside it, else inlined. */
  workerUrl?: string | URL;
  /** Starts a worker thread in a way of its own: a worker that runs `pfront/worker`, in Node with `start` as its workerData; or a handle. */
  createWorker?: (start: WorkerStart) => WorkerHandle | Worker | NodeWorker;
  /** Where a copy of `pfront/wasm/pfront.wasm` lies, to be streamed. Default: the kernels are inlined. */
  wasmUrl?: string | URL;
  /** The same, compiled. Only for shared memory: without it the inlined kernels are used. */
  wasmModule?: WebAssembly.Module;
}

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
export interface QueryManyOptions extends Pick<QueryOptions, 'want' | 'order' | 'coherence' | 'parts' | 'grain' | 'stealing' | 'weight'> {
  /** The placed pairs. */
  pairs?: readonly PlacedPair[];
  /** Mesh A of all pairs, which stays where its vertices are. */
  a?: Mesh;
  /** Mesh B of all pairs. */
  b?: Mesh;
  /** Placements of B, 16 numbers each, column-major: as many pairs as there are. */
  transforms?: Transform;
}

const ON_OFF = ['on', 'off'];

/** @throws Unsupported naming the option, its value and what it may be. */
export function checkEngineOptions(options: EngineOptions): void {
  checkObject('options', options);
  const { threads, backend, memory, maximumMemoryBytes, initialPairCapacity, warmUp } = options;
  if (threads !== 'auto') wholeNumber('threads', threads, 1, MOST_THREADS, "'auto' or ");
  oneOf('backend', backend, ['auto', 'wasm']);
  oneOf('memory', memory, ['auto', 'shared', 'single']);
  oneOf('warmUp', warmUp, ON_OFF);
  wholeNumber('maximumMemoryBytes', maximumMemoryBytes, 1, 2 ** 32);
  wholeNumber('initialPairCapacity', initialPairCapacity, 0, 2 ** 28);
}

/** @throws Unsupported naming the option, its value and what it may be. */
export function checkQueryOptions(options: QueryOptions): void {
  checkObject('options', options);
  oneOf('want', options.want, ['pairs', 'any']);
  oneOf('order', options.order, ['sorted', 'any']);
  oneOf('coherence', options.coherence, ON_OFF);
  oneOf('stealing', options.stealing, ON_OFF);
  oneOf('weight', options.weight, ['volume', 'root', 'depth']);
  wholeNumber('parts', options.parts, 1, MOST_THREADS);
  const { grain } = options;
  if (grain !== undefined && !(grain > 0 && grain <= 1e6)) refuse('grain', grain, 'a number above 0, at most 1,000,000');
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

function refuse(name: string, value: unknown, rule: string): never {
  throw new Unsupported(`${name} is ${typeof value === 'string' ? `'${value}'` : String(value)}, not ${rule}`, `leave ${name} out, or pass ${rule}`);
}
