// Keeps the crossovers of a GPU in the caller's storage, so that later engines need not measure them again.

import type { KeyValueStorage } from '../core/keyValueStorage.js';
import type { GpuInfo } from '../core/note.js';
import type { QueryKind } from './gpuSystems.js';

export type Crossovers = Partial<Record<QueryKind, number>>;

/** Increased when a release makes stored crossovers invalid, for example by a faster kernel. */
const FORMAT = 1;

/** The crossovers of one GPU in a storage. */
export class KeptCrossovers {
  readonly #storage: KeyValueStorage;
  /** The name of the GPU and the number of threads of the CPU with which it was compared. */
  readonly #key: string;
  #known: Crossovers = {};

  constructor(storage: KeyValueStorage, { vendor, architecture, description }: GpuInfo, threads: number) {
    this.#storage = storage;
    this.#key = ['pfront crossovers', FORMAT, vendor, architecture, description, threads].join('|');
  }

  /** Returns the kept crossover of a kind of query. Call `read` first. */
  of(kind: QueryKind): number | undefined {
    return this.#known[kind];
  }

  /** Reads the storage. Ignores stored text that cannot be parsed. @throws any error of the storage */
  async read(): Promise<void> {
    this.#known = parse(await this.#storage.getItem(this.#key));
  }

  /** Adds a crossover to the storage. @throws any error of the storage */
  async add(kind: QueryKind, crossover: number): Promise<void> {
    this.#known[kind] = crossover;
    // JSON has no infinity.
    const entries = Object.entries(this.#known).map(([name, size]) => [
      name,
      size === Infinity ? 'never' : size,
    ]);
    await this.#storage.setItem(this.#key, JSON.stringify(Object.fromEntries(entries)));
  }
}

function parse(text: string | null | undefined): Crossovers {
  try {
    const entries = Object.entries(JSON.parse(text ?? '{}') as object).map(
      ([kind, size]) => [kind, size === 'never' ? Infinity : size] as const,
    );
    return Object.fromEntries(entries.filter(([, size]) => typeof size === 'number' && size >= 0));
  } catch {
    return {};
  }
}
