// Contacts of several runs -> one list of them in memory of its own, before the next run takes their place.
import type { ContactMemory } from '../sweptContacts.js';
import { Contact } from '../sweptLayout.js';

const WORDS = Contact.size / 4;

export class KeptContacts implements ContactMemory {
  u32 = new Uint32Array(64 * WORDS);
  f64 = new Float64Array(this.u32.buffer);
  #count = 0;

  /** Byte addresses of all, in the order in which they came. */
  get addresses(): Uint32Array<ArrayBuffer> { return Uint32Array.from({ length: this.#count }, (_, i) => i * Contact.size); }

  /** pair: of which pair of bodies they are; as they say where it is left out. */
  take({ u32 }: ContactMemory, at: Uint32Array, pair?: number): void {
    const words = (this.#count + at.length) * WORDS;
    if (words > this.u32.length) {
      const grown = new Uint32Array(2 * words);
      grown.set(this.u32);
      this.u32 = grown;
      this.f64 = new Float64Array(grown.buffer);
    }
    for (const address of at) {
      const to = WORDS * this.#count++;
      this.u32.set(u32.subarray(address / 4, address / 4 + WORDS), to);
      if (pair !== undefined) this.u32[to + Contact.at.pair / 4] = pair;
    }
  }
}
