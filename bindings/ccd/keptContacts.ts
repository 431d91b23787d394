// Contacts of several runs -> one list of them in memory of its own, before the next run takes their place.

import { Contact } from '../records/sweptLayout.js';
import type { ContactMemory } from './sweptContacts.js';

/**
 * Contacts, and where they lie: until the next run. Of a turning body a pair of features may be there once a
 * piece, in their order.
 */
export interface FoundContacts {
  memory: ContactMemory;
  at: Uint32Array<ArrayBuffer>;
}

const WORDS = Contact.size / 4;

export class KeptContacts implements ContactMemory {
  u32 = new Uint32Array(64 * WORDS);
  f64 = new Float64Array(this.u32.buffer);
  count = 0;

  /** Byte addresses of all, in the order in which they came. */
  get addresses(): Uint32Array<ArrayBuffer> {
    return Uint32Array.from({ length: this.count }, (_, i) => i * Contact.size);
  }

  /** These and the contacts at `at`, in one memory. */
  join(memory: ContactMemory, at: Uint32Array<ArrayBuffer>): FoundContacts {
    if (this.count === 0) return { memory, at };
    this.take(memory, at);
    return this.found;
  }

  get found(): FoundContacts {
    return { memory: this, at: this.addresses };
  }

  /** pair: of which pair of bodies they are; as they say where it is left out. */
  take({ u32 }: ContactMemory, at: Uint32Array, pair?: number): void {
    const words = (this.count + at.length) * WORDS;
    if (words > this.u32.length) {
      const grown = new Uint32Array(2 * words);
      grown.set(this.u32);
      this.u32 = grown;
      this.f64 = new Float64Array(grown.buffer);
    }
    // Contacts that lie one behind the other are copied at once.
    for (let i = 0, end = 0; i < at.length; i = end) {
      while (end < at.length && at[end] - at[i] === (end - i) * Contact.size) end++;
      this.u32.set(u32.subarray(at[i] / 4, at[i] / 4 + WORDS * (end - i)), WORDS * this.count);
      this.count += end - i;
    }
    if (pair !== undefined)
      for (let to = this.count - at.length; to < this.count; to++)
        this.u32[WORDS * to + Contact.at.pair / 4] = pair;
  }
}
