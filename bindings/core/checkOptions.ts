// Checks the options of every public call against a table of valid values for each option.
import { describe, Unsupported } from './errors.js';

/**
 * A function that checks a value. It returns false or undefined if the value is valid; otherwise it returns
 * the rule for valid values in words, or throws a more specific error.
 */
export type Check = (value: unknown) => string | false | undefined;

/** The check of every option of a call, by the option's name. */
export type OptionTable<Options> = { readonly [Name in keyof Required<Options>]: Check };

/**
 * Accepts any value. Used for values that are checked later, when they are read, such as meshes and
 * transforms.
 */
export const anyValue: Check = () => undefined;
export const object: Check = value => (typeof value !== 'object' || !value) && 'an object';
export const text: Check = value => typeof value !== 'string' && 'a string';
export const list: Check = value => !Array.isArray(value) && 'an array';
export const callback: Check = value => typeof value !== 'function' && 'a function';
export const trueOrFalse: Check = value => typeof value !== 'boolean' && 'true or false';
export const nonNegative: Check = value =>
  !(typeof value === 'number' && value >= 0 && value < Infinity) && 'a finite number >= 0';
export const share: Check = value =>
  !(typeof value === 'number' && value >= 0 && value <= 1) && 'a number from 0 to 1';
export const oneOf =
  (...words: readonly unknown[]): Check =>
  value =>
    !words.includes(value) && words.map(describe).join(' or ');
export const integer =
  (min: number, max: number, or = ''): Check =>
  value =>
    !(Number.isInteger(value) && (value as number) >= min && (value as number) <= max) &&
    `${or}a whole number from ${min} to ${max}`;

/** Options of asynchronous calls that may take a long time. */
export interface ProgressOptions {
  /** Called between steps with the fraction that is done, 0 to 1. */
  onProgress?: (done: number) => void;
  /** Aborts the call between two steps; the promise is then rejected with the signal's reason. */
  signal?: AbortSignal;
}

export const PROGRESS: OptionTable<ProgressOptions> = {
  onProgress: callback,
  signal: value => typeof (value as AbortSignal | null)?.throwIfAborted !== 'function' && 'an AbortSignal',
};

/** Rejects a value that breaks a rule. undefined is always allowed. @throws Unsupported */
export function checkValue(name: string, value: unknown, check: Check): void {
  const rule = value !== undefined && check(value);
  if (rule) reject(name, value, rule);
}

/**
 * Rejects options if they are not an object, if a name is unknown or if a value is invalid. Allocates nothing
 * if everything is valid. what: the name of the options object in messages, if this object is nested in the
 * options of the call.
 * @throws Unsupported, naming an invalid value and its rule, or an unknown name and all valid names
 */
export function checkOptions<Options>(
  table: OptionTable<Options>,
  options: unknown,
  what?: string,
): asserts options is Options {
  readOptions(table, options, what);
}

/**
 * Copies options into a plain object and checks them. Reads each option once, because a getter of the caller
 * may return another value the next time.
 * @throws as checkOptions
 */
export function copyOptions<Options extends object>(
  table: OptionTable<Options>,
  options: Options,
  what?: string,
): Options {
  const copy = {} as Options;
  readOptions(table, options, what, copy as Record<string, unknown>);
  return copy;
}

// Reads each option once, checks it, and stores it in `copy` unless it is undefined.
function readOptions(table: object, options: unknown, what?: string, copy?: Record<string, unknown>): void {
  if (typeof options !== 'object' || options === null) rejectOptions(table, options, what);
  const values = options as Record<string, unknown>;
  const isPlain = Object.getPrototypeOf(values) === Object.prototype;
  // Reject an array, a Map, a promise or a buffer, because its contents would not be read.
  if (!isPlain && ('length' in values || Object.prototype.toString.call(values) !== '[object Object]'))
    rejectOptions(table, options, what);
  for (const name in values) {
    if (!Object.hasOwn(table, name)) rejectName(table, values, name, what);
    if (isPlain) readOption(table, values, name, what, copy);
  }
  // If the object is not plain, read the options in the table, because getters of a class are not enumerated.
  if (!isPlain) for (const name in table) readOption(table, values, name, what, copy);
}

function readOption(
  table: object,
  values: Record<string, unknown>,
  name: string,
  what: string | undefined,
  copy: Record<string, unknown> | undefined,
): void {
  const value = values[name];
  if (value === undefined) return;
  const rule = (table as Record<string, Check>)[name](value);
  if (rule) reject(what ? `${what}.${name}` : name, value, rule);
  if (copy) copy[name] = value;
}

/**
 * Rejects an argument that a call does not take, such as a second object of options. surplus: the first
 * argument beyond the parameters of the call; undefined if there is none. takes: the signature of the call, for
 * example 'query(a, b, options)'.
 * @throws Unsupported
 */
export function rejectExtraArgument(surplus: unknown, takes: string): void {
  if (surplus !== undefined)
    throw new Unsupported(
      `${takes} was given an extra argument, ${describe(surplus)}`,
      'pass all options in one object',
    );
}

/**
 * Rejects an array whose buffer is detached, or was shrunk so that the array no longer fits. Without this
 * check, the array would be read as empty.
 * @throws an error of the class `Kind`
 */
export function checkAttached(
  name: string,
  array: unknown,
  Kind: new (message: string, fix: string) => Error = Unsupported,
): void {
  if (!ArrayBuffer.isView(array) || array.byteLength > 0) return;
  try {
    (array as Uint8Array).at(0);
  } catch {
    throw new Kind(
      `${name} is detached: its buffer was transferred or resized`,
      'pass an array whose buffer is not detached',
    );
  }
}

/**
 * Returns a copy of an array that may be a view of engine memory, such as `scene.transformView()`, because such
 * a view becomes invalid if the engine's memory grows during a call. Returns other arrays as they are. An array
 * may be such a view if the size of its buffer is a multiple of 64 KiB, as the size of a WebAssembly memory is.
 */
export function copyIfEngineMemory<T extends Float32Array | Float64Array | Uint32Array>(values: T): T {
  return values.length > 0 && values.buffer.byteLength % 65_536 === 0 ? (values.slice() as T) : values;
}

/** Throws an error that names the value and the rule for valid values. @throws Unsupported */
export function reject(name: string, value: unknown, rule: string): never {
  throw new Unsupported(`${name} is ${describe(value)}, not ${rule}`, `omit ${name}, or pass ${rule}`);
}

function rejectOptions(table: object, value: unknown, what = 'options'): never {
  reject(what, value, `{ ${Object.keys(table).join(', ')} }`);
}

function rejectName(table: object, values: object, name: string, what = 'options'): never {
  // A three.js matrix is often passed instead of options.
  if (name === 'elements') rejectOptions(table, values, what);
  const names = Object.keys(table);
  const [near] = names
    .map(other => [differing(name.toLowerCase(), other.toLowerCase()), other] as const)
    .sort(([one], [other]) => one - other);
  throw new Unsupported(
    `${what} has an unknown key '${name}'${near![0] < Math.min(3, name.length) ? `: did you mean '${near![1]}'?` : ''}`,
    `use ${names.join(', ')}`,
  );
}

/** Removes the common prefix and suffix of two words, and returns the length of the longer remainder. */
function differing(one: string, other: string): number {
  const longest = Math.max(one.length, other.length);
  const shortest = Math.min(one.length, other.length);
  let begin = 0;
  let end = 0;
  while (begin < shortest && one[begin] === other[begin]) begin++;
  while (end < shortest - begin && one.at(-1 - end) === other.at(-1 - end)) end++;
  return longest - begin - end;
}

/** Coordinates of points or vertices: x, y and z of each. */
export type Coordinates = Float32Array | Float64Array;

/** Returns whether a value is a typed array of floats or doubles. */
export const isFloatArray = (value: unknown): value is Float32Array | Float64Array =>
  value instanceof Float32Array || value instanceof Float64Array;

/** Checks that `value` is a Float32Array or Float64Array of three numbers per item, and is not detached. */
export function checkTriples(name: string, value: unknown, item: string): asserts value is Coordinates {
  if (!isFloatArray(value))
    throw new Unsupported(
      `${name} is ${describe(value)}, not a Float32Array or Float64Array`,
      `pass x, y and z of each ${item} in one typed array`,
    );
  checkAttached(name, value);
  if (value.length % 3 !== 0)
    throw new Unsupported(
      `${name} has length ${value.length}, not a multiple of 3`,
      `pass x, y and z of each ${item}`,
    );
}
