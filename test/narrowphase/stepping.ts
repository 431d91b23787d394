// A function of assembly that is TypeScript, too -> the same function, one access to a shared word at a time,
// so that workers can be stepped in any order.

/** What a worker is about to do to a shared word. */
export interface Access {
  kind: 'load' | 'add' | 'store';
  word: number;
  value: number;
}

/** Where a worker stands in a call: before an access, or at its end with a result. */
export interface Point {
  access: Access | undefined;
  result: number;
  /** By what the access sees: where the worker stands then. */
  readonly after: Point[];
  /** What all accesses before have seen. */
  readonly seen: readonly number[];
}

/** A call that does more has no end. */
const MOST_ACCESSES = 1000;

/** Thrown at the first access of which it is not known what it sees. */
class Pending {
  readonly access: Access;
  constructor(access: Access) {
    this.access = access;
  }
}

/** Shared words by address; an address that is none of them is read where it lies. */
export interface Memory {
  view: DataView;
  wordAt(address: number): number | undefined;
}

/** Does what an access does. @returns what it sees */
export function perform({ kind, word, value }: Access, words: Int32Array): number {
  const seen = words[word];
  if (kind === 'add') words[word] = seen + value;
  if (kind === 'store') words[word] = value;
  return seen;
}

/**
 * A call, stepped. A worker that is alone between two accesses does the same whenever it has seen the same:
 * so the call is run from its beginning with what was seen so far, up to the next access, and each such point
 * is kept. isTorn: an addition is a load and a store.
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

  /** Where the worker stands when the access of `point` has seen this. */
  next(point: Point, seen: number): Point {
    return (point.after[seen] ??= this.run([...point.seen, seen]));
  }

  private run(seen: readonly number[]): Point {
    if (seen.length > MOST_ACCESSES) throw new Error(`no end after ${MOST_ACCESSES} accesses`);
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
