// Copies the arguments of an asynchronous method when it is called, so that changes that the caller makes
// later do not affect the answer.

import { copyOptions, type OptionTable } from '../core/checkOptions.js';
import type { PlacedPair } from '../core/queryOptions.js';

/**
 * Returns a copy of a list of numbers; for a Matrix4, a copy of its `elements`. Returns an empty typed array
 * and any other value unchanged.
 */
export function copyList<Value>(value: Value): Value {
  const list = (value as { elements?: unknown } | null | undefined)?.elements ?? value;
  // A detached array has nothing to copy; the method that reads it throws.
  const isList =
    Array.isArray(list) || (ArrayBuffer.isView(list) && 'slice' in list && (list as Uint8Array).length > 0);
  return isList ? ((list as unknown as Float64Array).slice() as Value) : value;
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
