// Runs a kernel function, written in AssemblyScript that is also valid TypeScript, one memory access at a
// time. The function stops before each access to a shared word, so that a test can interleave the accesses of
// several workers in any order.

/** The next access of a worker to a shared word. */
export interface Access {
  kind: 'load' | 'add' | 'store';
  word: number;
  value: number;
}

/**
 * The position of a worker in a call: before an access, or at the end of the call, with the call's result.
 */
export interface Point {
  access: Access | undefined;
  result: number;
  /** The next positions, filled on demand: after[v] is the next position if the access reads the value v. */
  readonly after: Point[];
  /** The values that all previous accesses have read. */
  readonly seen: readonly number[];
}

/** Max number of accesses; a call with more is considered endless. */
const MAX_ACCESSES = 1000;

/** Thrown at the first access whose value is not yet known. */
class Pending {
  readonly access: Access;
  constructor(access: Access) {
    this.access = access;
  }
}

/**
 * Memory of a call. `wordAt` returns the number of the shared word at an address, or undefined if the address
 * is not shared. Loads from other addresses read `view` directly.
 */
export interface Memory {
  view: DataView;
  wordAt(address: number): number | undefined;
}

/** Performs an access to one of the shared `words`. @returns the value read */
export function perform({ kind, word, value }: Access, words: Int32Array): number {
  const seen = words[word];
  if (kind === 'add') words[word] = seen + value;
  if (kind === 'store') words[word] = value;
  return seen;
}

/**
 * A call that runs step by step. The behavior of a worker depends only on the values that it has read, so for
 * each step the call runs again from its beginning, with the values read so far, up to the next access. Each
 * such point is cached. isTorn: an addition is a load followed by a separate store, so that other workers can
 * access the word in between.
 */
export class SteppedCall {
  readonly start: Point;
  private readonly memory: Memory;
  private readonly call: () => number;
  private readonly isTorn: boolean;

  constructor(memory: Memory, call: () => number, isTorn = false) {
    this.memory = memory;
    this.call = call;
    this.isTorn = isTorn;
    this.start = this.run([]);
  }

  /** Returns the worker's position after the access of `point` has read the value `seen`. */
  next(point: Point, seen: number): Point {
    return (point.after[seen] ??= this.run([...point.seen, seen]));
  }

  private run(seen: readonly number[]): Point {
    if (seen.length > MAX_ACCESSES) throw new Error(`the call does not end within ${MAX_ACCESSES} accesses`);
    let count = 0;
    const {
      memory: { view, wordAt },
    } = this;
    const reach = (kind: Access['kind'], word: number, value: number): number => {
      if (count < seen.length) return seen[count++];
      throw new Pending({ kind, word, value });
    };
    const load = (at: number, offset = 0): number => {
      const word = wordAt(at + offset);
      return word === undefined ? view.getUint32(at + offset, true) : reach('load', word, 0);
    };
    const store = (at: number, value: number, offset = 0): void => {
      reach('store', wordAt(at + offset)!, value);
    };
    const add = (at: number, value: number, offset = 0): number => {
      const word = wordAt(at + offset)!;
      if (!this.isTorn) return reach('add', word, value);
      const before = reach('load', word, 0);
      reach('store', word, before + value);
      return before;
    };
    Object.assign(globalThis, { load, store, atomic: { load, store, add } });
    try {
      return { access: undefined, result: this.call(), after: [], seen };
    } catch (pending) {
      if (!(pending instanceof Pending)) throw pending;
      return { access: pending.access, result: 0, after: [], seen };
    }
  }
}
