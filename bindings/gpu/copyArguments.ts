// Copies the arguments of an asynchronous method when it is called, so that changes that the caller makes
// later do not affect the answer.

import { copyOptions, type OptionTable } from '../core/checkOptions.js';
import type { PlacedPair } from '../core/queryOptions.js';
import type { MatrixObject } from '../core/transform.js';

/**
 * Returns a copy of a list of numbers. For an object with `elements`, such as a Matrix4, returns a copy of its
 * elements. An array-like object that is not an array is copied only if it has 16 entries, because the only
 * arguments that can be such objects are transforms. Returns an empty typed array and any other value
 * unchanged.
 */
export function copyList<Value>(value: Value): Value {
  const isTyped = ArrayBuffer.isView(value);
  const list = (isTyped ? value : ((value as MatrixObject | null | undefined)?.elements ?? value)) as unknown;
  // A detached array has nothing to copy; the method that reads it throws.
  if (Array.isArray(list) || (ArrayBuffer.isView(list) && 'slice' in list && (list as Uint8Array).length > 0))
    return (list as unknown as Float64Array).slice() as Value;
  const isTransform = typeof list === 'object' && (list as ArrayLike<number> | null)?.length === 16;
  return isTransform ? (Array.prototype.slice.call(list) as Value) : value;
}

/** Checks options, and copies them together with their lists. @throws Unsupported */
export function copyWithLists<Options extends object>(
  table: OptionTable<Options>,
  options: Options,
): Options {
  const copy = copyOptions(table, options);
  for (const name in copy) copy[name] = copyList(copy[name]);
  return copy;
}

/** Copies a placed pair and its transforms. */
export const copyPair = (pair: PlacedPair): PlacedPair => ({
  ...pair,
  transformA: copyList(pair.transformA),
  transformB: copyList(pair.transformB),
});
