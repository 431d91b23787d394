// The loop of the fuzzer: changes inputs of the corpus, reads them, and keeps those that reach new code.
import { createRandom, type Random } from '../../dist/samples/index.js';
import type { Target } from './target.js';

/** Tells which counters of the reader's code have reached a number of runs that is new. */
export interface Coverage {
  /** Sets all counters to 0. */
  reset(): void;
  /** Returns whether the last input reached something new, and sets all counters to 0. */
  takeNew(): boolean;
  /** The number of statements and branches reached so far, and of all. */
  counts(): { reached: number; all: number };
}

/** An input for which a reader does something wrong. */
export interface Finding {
  target: string;
  /** 'wrong': the reader threw an unexpected error, or a result breaks a rule. */
  kind: 'wrong' | 'hang' | 'memory' | 'crash';
  error: string;
  bytes: Uint8Array;
}

export interface FuzzOptions {
  seed: number;
  mutants: number;
  /** Inputs to start from, in addition to the target's seeds. */
  corpus: Uint8Array[];
  coverage: Coverage;
  /** Called before each input is read. */
  onInput(bytes: Uint8Array): void;
}

export interface FuzzResult {
  mutants: number;
  accepted: number;
  /** The inputs that reached new code. */
  corpus: Uint8Array[];
  findings: Finding[];
}

const MAX_FINDINGS = 16;
/** Reads of one minimization. */
const MINIMIZE_READS = 2000;

/** Returns the error of an input, or undefined; counts accepted inputs. */
async function errorOf(
  target: Target,
  bytes: Uint8Array,
  onAccepted = () => {},
): Promise<string | undefined> {
  try {
    const before = bytes.slice();
    const outcome = target.check(bytes);
    if (typeof outcome === 'boolean' ? outcome : await outcome) onAccepted();
    if (Buffer.compare(before, bytes) !== 0) return 'the reader changed its input';
    return undefined;
  } catch (error) {
    return String((error as Error)?.stack ?? error);
  }
}

/** Errors at the same place with other numbers are one finding. */
const signatureOf = (error: string): string =>
  (error.match(/^\s*at .*$/m)?.[0] ?? '') +
  error
    .split('\n')[0]
    .replace(/"[^"]*"|[\d.]+(e[-+]?\d+)?/g, '#')
    .slice(0, 80);

/** Removes pieces of an input as long as `isStillWrong` holds. */
export async function minimize(
  bytes: Uint8Array,
  isStillWrong: (bytes: Uint8Array) => Promise<boolean>,
  reads: number,
): Promise<Uint8Array> {
  let best = bytes;
  for (let size = Math.ceil(bytes.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.length; ) {
      if (reads-- <= 0) return best;
      const shorter = new Uint8Array(Buffer.concat([best.subarray(0, at), best.subarray(at + size)]));
      if (await isStillWrong(shorter)) best = shorter;
      else at += size;
    }
  }
  return best;
}

/** The inputs to change. */
class Pool {
  private readonly all: Uint8Array[] = [];
  private readonly accepted: Uint8Array[] = [];

  constructor(private readonly random: Random) {}

  add(bytes: Uint8Array, isAccepted: boolean): void {
    this.all.push(bytes);
    if (isAccepted) this.accepted.push(bytes);
  }

  /**
   * Chooses an input. Accepted ones are preferred, because their mutants reach more of a reader, and the
   * newest ones, because their neighbors have been tried least.
   */
  choose(): Uint8Array {
    const { random } = this;
    const from = this.accepted.length > 0 && random.below(2) === 0 ? this.accepted : this.all;
    const count = random.below(2) === 0 ? Math.min(from.length, 24) : from.length;
    return from[from.length - 1 - random.below(count)];
  }
}

function mutantOf(pool: Pool, target: Target, random: Random): Uint8Array {
  const { mutators, dictionary, maxBytes } = target;
  let bytes = pool.choose();
  for (let changes = random.below(2) === 0 ? 1 : 1 << random.below(4); changes > 0; changes--) {
    const other = pool.choose();
    const mutator = mutators[random.below(mutators.length)];
    bytes = mutator(bytes, { random, other, dictionary });
    if (bytes.length > maxBytes) bytes = bytes.slice(0, maxBytes);
  }
  return bytes;
}

/**
 * Reads mutants of the seeds and the corpus. The same options give the same result. An input that the reader
 * never leaves, or for which it exhausts the memory, is up to the caller of this thread.
 */
export async function fuzz(
  target: Target,
  { seed, mutants, corpus: given, coverage, onInput }: FuzzOptions,
): Promise<FuzzResult> {
  const random = createRandom(seed);
  const result: FuzzResult = { mutants, accepted: 0, corpus: [], findings: [] };
  const signatures = new Set<string>();
  const pool = new Pool(random);
  coverage.reset();
  const read = async (bytes: Uint8Array, isMutant: boolean): Promise<void> => {
    onInput(bytes);
    let isAccepted = false;
    const error = await errorOf(target, bytes, () => {
      isAccepted = true;
    });
    if (isMutant && isAccepted) result.accepted++;
    const isNew = coverage.takeNew();
    if (isNew || !isMutant) pool.add(bytes, isAccepted);
    if (isNew) result.corpus.push(bytes);
    if (error === undefined) return;
    const signature = signatureOf(error);
    if (signatures.has(signature) || signatures.size >= MAX_FINDINGS) return;
    signatures.add(signature);
    const small = await minimize(
      bytes,
      async shorter => {
        onInput(shorter);
        const other = await errorOf(target, shorter);
        return other !== undefined && signatureOf(other) === signature;
      },
      MINIMIZE_READS,
    );
    result.findings.push({ target: target.name, kind: 'wrong', error, bytes: small });
    coverage.reset();
  };
  const start = [...(await target.seeds()), ...given].filter(({ length }) => length <= target.maxBytes);
  for (const bytes of start) await read(bytes, false);
  for (let i = 0; i < mutants; i++) await read(mutantOf(pool, target, random), true);
  return result;
}
