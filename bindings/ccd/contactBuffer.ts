// Collects copies of the contacts of several sweeps in one list, because each sweep overwrites the contacts
// of the previous one.

import { Contact } from '../records/sweptLayout.js';
import type { ContactMemory } from './sweptContacts.js';

/**
 * The byte addresses of contacts, and the memory that contains the contacts; valid until the next sweep. If a
 * rotation is swept in several substeps, a pair of features may occur once for each substep, in the order of
 * the substeps.
 */
export interface ContactRefs {
  memory: ContactMemory;
  at: Uint32Array<ArrayBuffer>;
}

const WORDS = Contact.size / 4;

export class ContactBuffer implements ContactMemory {
  u32 = new Uint32Array(64 * WORDS);
  f64 = new Float64Array(this.u32.buffer);
  count = 0;

  /** Byte addresses of all contacts, in the order of insertion. */
  get addresses(): Uint32Array<ArrayBuffer> {
    return Uint32Array.from({ length: this.count }, (_, i) => i * Contact.size);
  }

  /**
   * Returns the contacts of this buffer, followed by the contacts at `at`. If this buffer is empty, nothing is
   * copied; otherwise, copies of the contacts at `at` are appended to it.
   */
  concat(memory: ContactMemory, at: Uint32Array<ArrayBuffer>): ContactRefs {
    if (this.count === 0) return { memory, at };
    this.append(memory, at);
    return this.all;
  }

  get all(): ContactRefs {
    return { memory: this, at: this.addresses };
  }

  /**
   * Appends copies of contacts.
   * @param pair index of the pair of bodies of these contacts; if omitted, each contact keeps its own index
   */
  append({ u32 }: ContactMemory, at: Uint32Array, pair?: number): void {
    const words = (this.count + at.length) * WORDS;
    if (words > this.u32.length) {
      const grown = new Uint32Array(2 * words);
      grown.set(this.u32);
      this.u32 = grown;
      this.f64 = new Float64Array(grown.buffer);
    }
    // Adjacent contacts are copied together.
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
