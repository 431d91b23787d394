// Keeps the crossovers of a GPU in the caller's storage, so that later engines do not have to measure them
// again. A crossover is the query size from which the GPU is faster than the CPU.

import type { KeyValueStorage } from '../core/keyValueStorage.js';
import type { GpuInfo } from '../core/note.js';
import { VERSION } from '../core/version.js';
import type { QueryKind } from './gpuSystems.js';

export type Crossovers = Partial<Record<QueryKind, number>>;

/** A crossover in the storage. JSON has no infinity, so 'never' stands for it. */
interface KeptCrossover {
  size: number | 'never';
  /** When it was measured, in milliseconds since 1970. */
  measuredAt: number;
}

/** Version of the stored text. */
const FORMAT = 2;
const DAY = 86_400_000;
/** Max age of a kept crossover. An older one is not used, because drivers and browsers change. */
const MAX_AGE = 30 * DAY;
/**
 * Max age of the kept crossover 'never'. It is smaller, because the GPU may have been slow only during the
 * measurement, for example because other programs used it at the same time.
 */
const MAX_AGE_OF_NEVER = 7 * DAY;

/** The crossovers of one GPU in a storage. */
export class KeptCrossovers {
  readonly #storage: KeyValueStorage;
  /** Contains the version of the package, the name of the GPU, and the number of the engine's threads. */
  readonly #key: string;
  readonly #now: () => number;
  #known: Partial<Record<QueryKind, KeptCrossover>> = {};
  /** Settles when the last write has ended. */
  #written: Promise<unknown> = Promise.resolve();

  /** now: returns the time in milliseconds since 1970. */
  constructor(
    storage: KeyValueStorage,
    { vendor, architecture, description }: GpuInfo,
    threads: number,
    now: () => number = Date.now,
  ) {
    this.#storage = storage;
    this.#key = ['pfront crossovers', FORMAT, VERSION, vendor, architecture, description, threads].join('|');
    this.#now = now;
  }

  /** Returns the kept crossover of a kind of query, unless it is too old. Call `read` first. */
  of(kind: QueryKind): number | undefined {
    const kept = this.#known[kind];
    if (!kept || !this.#isFresh(kept)) return undefined;
    return kept.size === 'never' ? Infinity : kept.size;
  }

  /** Reads the storage. Ignores stored text that cannot be parsed. @throws any error of the storage */
  async read(): Promise<void> {
    this.#known = parse(await this.#storage.getItem(this.#key));
  }

  /**
   * Adds a crossover to the storage. Each write waits for the previous write, so that the latest text stays.
   * @throws any error of the storage
   */
  add(kind: QueryKind, crossover: number): Promise<unknown> {
    this.#known[kind] = {
      size: crossover === Infinity ? 'never' : crossover,
      measuredAt: this.#now(),
    };
    this.#written = this.#written.then(() => this.#storage.setItem(this.#key, JSON.stringify(this.#known)));
    return this.#written;
  }

  // A time in the future shows that a clock was changed, so the age is unknown.
  #isFresh({ size, measuredAt }: KeptCrossover): boolean {
    const age = this.#now() - measuredAt;
    return age >= 0 && age < (size === 'never' ? MAX_AGE_OF_NEVER : MAX_AGE);
  }
}

function parse(text: string | null | undefined): Partial<Record<QueryKind, KeptCrossover>> {
  try {
    const entries = Object.entries(JSON.parse(text ?? '{}') as Record<string, KeptCrossover | null>);
    return Object.fromEntries(entries.filter(([, kept]) => isKeptCrossover(kept))) as ReturnType<
      typeof parse
    >;
  } catch {
    return {};
  }
}

const isKeptCrossover = (kept: KeptCrossover | null): boolean =>
  typeof kept?.measuredAt === 'number' &&
  (kept.size === 'never' || (typeof kept.size === 'number' && kept.size >= 0));
