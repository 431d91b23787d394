// Defines and checks the storage in which an engine keeps what it has measured about the speeds of CPU and
// GPU, so that later engines need not measure it again.
import { Unsupported } from './errors.js';

/** A storage of strings: `localStorage`, or an object with the same two methods. */
export interface KeyValueStorage {
  /** Returns the text that was stored under a key, or a promise of it; null or undefined if there is none. */
  getItem(key: string): string | null | undefined | Promise<string | null | undefined>;
  /** Stores a text under a key. May return a promise. */
  setItem(key: string, text: string): unknown;
}

/** Checks that a storage has both methods. @throws Unsupported if it lacks one */
export function checkStorage(storage: unknown): asserts storage is KeyValueStorage {
  for (const method of ['getItem', 'setItem'])
    if (typeof (storage as Record<string, unknown>)[method] !== 'function')
      throw new Unsupported(
        `storage has no method ${method}`,
        'pass localStorage, or an object with the methods getItem(key) and setItem(key, text)',
      );
}
