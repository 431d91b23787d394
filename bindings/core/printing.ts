// Defines what consoles and JSON show of results, meshes and engines: a few named properties instead of
// engine memory.

import type { CollisionError } from './errors.js';

/** Number of items of a list that Node's console shows. */
const ITEMS = 8;

/**
 * Adds `toJSON` and Node's inspection hook to a prototype. Both show the properties in `keys`; by default, all
 * own properties. Undefined properties are left out. Consoles print the first items of each list. JSON contains
 * all items, as plain arrays. A property that can no longer be read is replaced by the code and message of its
 * error, so printing never throws.
 */
export function printAs<T extends object>(prototype: T, name: string, keys?: readonly (keyof T)[]): T {
  const read = (from: T, convert: (value: unknown) => unknown): object => {
    const values: Record<PropertyKey, unknown> = {};
    for (const key of keys ?? (Object.keys(from) as (keyof T)[])) {
      try {
        const value = from[key];
        if (value !== undefined) values[key] = convert(value);
      } catch (error) {
        const { code, message } = error as CollisionError;
        values[code] = message;
      }
    }
    return values;
  };
  return Object.defineProperties(prototype, {
    toJSON: {
      configurable: true,
      value(this: T) {
        return read(this, toPlain);
      },
    },
    [Symbol.for('nodejs.util.inspect.custom')]: {
      configurable: true,
      value(this: T, depth: number, options: object, inspect: (value: object, options: object) => string) {
        return `${name} ${inspect(
          read(this, value => value),
          { ...options, depth, maxArrayLength: ITEMS },
        )}`;
      },
    },
  });
}

// JSON would write a typed array as an object with a key for each index.
function toPlain(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return Array.from(value as Uint32Array);
  if (Array.isArray(value)) return value.map(toPlain);
  return value && Object.getPrototypeOf(value) === Object.prototype
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toPlain(item)]))
    : value;
}
