// The main loop of the fuzzer: makes mutants (changed copies) of inputs, gives them to a reader, and keeps
// the mutants that reach new code.
import { createRandom, type Random } from '../../dist/samples/index.js';
import type { Target } from './target.js';

/**
 * Tells whether an input reaches something new: it runs code of the reader that no earlier input ran, or the
 * number of times that it runs some code is in a new range (see coverage.ts).
 */
export interface Coverage {
  /** Sets all counters to 0. */
  reset(): void;
  /** Returns whether the last input reached something new, and sets all counters to 0. */
  takeNew(): boolean;
  /** The number of statements and branch paths reached so far, and the number of all statements and paths. */
  counts(): { reached: number; all: number };
}

/** An input for which a reader does something wrong. */
export interface Finding {
  target: string;
  /** 'wrong': the reader threw an unexpected error, its result breaks a rule, or it changed its input. */
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
/** The maximum number of reads to minimize one input. */
const MINIMIZE_READS = 2000;

/**
 * Returns what is wrong when the target reads an input, or undefined if nothing is. Calls `onAccepted` if the
 * reader accepts the input.
 */
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

/**
 * Returns a key that is equal for errors from the same line of code whose messages differ only in numbers and
 * quoted texts. Such errors are reported as one finding.
 */
const signatureOf = (error: string): string =>
  (error.match(/^\s*at .*$/m)?.[0] ?? '') +
  error
    .split('\n')[0]
    .replace(/"[^"]*"|[\d.]+(e[-+]?\d+)?/g, '#')
    .slice(0, 80);

/**
 * Shortens an input: tries ranges from large to small, and removes a range if the input is still wrong
 * without it. Calls `isStillWrong` at most `reads` times.
 */
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

/** The inputs from which mutants are made. */
class Pool {
  private readonly all: Uint8Array[] = [];
  private readonly accepted: Uint8Array[] = [];

  constructor(private readonly random: Random) {}

  add(bytes: Uint8Array, isAccepted: boolean): void {
    this.all.push(bytes);
    if (isAccepted) this.accepted.push(bytes);
  }

  /**
   * Chooses an input. Prefers accepted inputs, because their mutants reach more code of the reader. Also
   * prefers the newest inputs, because the fewest of their mutants have been tried.
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
 * Gives the seeds, the corpus and mutants of both to the reader. The same options give the same result. If
 * the reader never returns or exhausts the memory, this function cannot stop it: the code that started this
 * thread must end the thread (see supervise.ts).
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
