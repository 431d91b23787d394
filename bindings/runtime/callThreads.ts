// Decides for each call whether it uses all threads or only the calling thread, based on the times of recent
// calls of the same kind. If other programs keep the other cores busy, waiting for the other threads may take
// longer than the work on one thread.

import type { Pool } from './pool.js';

/**
 * Number of calls of a kind before a trial, in which the next calls use the other choice: only the calling
 * thread instead of all threads, or all threads instead of one. The trial shows which choice is faster.
 * FIRST_WAIT: before the first trial. MIN_WAIT: after a trial that was faster. After any other trial, the
 * number is doubled, up to MAX_WAIT.
 */
const FIRST_WAIT = 8;
const MIN_WAIT = 16;
const MAX_WAIT = 128;
/** Number of calls of a trial. */
const TRIALS = 2;
/** If the calls of a trial take less than this share of the usual time, later calls run as in the trial. */
const FASTER = 0.97;
/** If a call takes more than this many times the usual time, the next trial begins earlier. */
const SLOW = 1.3;
/**
 * Weight of the last call in the usual time. A call counts for at most MAX_FACTOR times the usual time, so that
 * a single slow call has little effect.
 */
const WEIGHT = 0.25;
const MAX_FACTOR = 2;

/** What is known about calls of a kind. */
interface Kind {
  /** Whether calls use only the calling thread. */
  usesOneThread: boolean;
  /** The usual time of recent calls: a moving average. */
  usual: number;
  /**
   * `calls`: the number of calls since the last trial; a slow call counts as wait / 2 calls. The next trial
   * begins when this number reaches `wait`.
   */
  calls: number;
  wait: number;
  /** The number of calls that are left in the present trial, and the total time of its finished calls. */
  trialsLeft: number;
  trialTime: number;
}

export class CallThreads {
  readonly #kinds = new Map<string, Kind>();
  #present: Kind | undefined;
  #beganAt = 0;

  /** now: returns the time in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Makes this object decide, for each call of a pool, whether the call uses all threads. */
  attach(pool: Pool): void {
    pool.chooseThreads = (kind, size) => {
      pool.usesOneThread = this.begin(kind, size);
    };
    pool.endCall = () => {
      this.end();
      pool.usesOneThread = false;
    };
  }

  /**
   * Returns whether the call that begins uses only the calling thread. Calls are compared if they have the same
   * `kind` and their sizes are in the same range; the ranges grow by a factor of about 1.4. Without a kind, the
   * call uses all threads.
   */
  begin(kind: string | undefined, size = 0): boolean {
    this.#present =
      kind === undefined ? undefined : this.#kindOf(`${kind} ${Math.floor(2 * Math.log2(size + 1))}`);
    if (!this.#present) return false;
    this.#beganAt = this.now();
    const { usesOneThread, trialsLeft } = this.#present;
    return trialsLeft > 0 ? !usesOneThread : usesOneThread;
  }

  /** Records the time of the call that began last. If a call fails, its end is not recorded. */
  end(): void {
    if (this.#present) record(this.#present, this.now() - this.#beganAt);
    this.#present = undefined;
  }

  #kindOf(name: string): Kind {
    let kind = this.#kinds.get(name);
    if (!kind) {
      kind = { usesOneThread: false, usual: NaN, calls: 0, wait: FIRST_WAIT, trialsLeft: 0, trialTime: 0 };
      this.#kinds.set(name, kind);
    }
    return kind;
  }
}

function record(kind: Kind, milliseconds: number): void {
  if (kind.trialsLeft > 0) {
    kind.trialTime += milliseconds;
    if (--kind.trialsLeft === 0) endTrial(kind);
    return;
  }
  kind.calls += milliseconds > SLOW * kind.usual ? kind.wait / 2 : 1;
  kind.usual = Number.isNaN(kind.usual)
    ? milliseconds
    : kind.usual + WEIGHT * (Math.min(milliseconds, MAX_FACTOR * kind.usual) - kind.usual);
  if (kind.calls >= kind.wait) [kind.trialsLeft, kind.trialTime] = [TRIALS, 0];
}

function endTrial(kind: Kind): void {
  const time = kind.trialTime / TRIALS;
  kind.calls = 0;
  if (time < FASTER * kind.usual) {
    kind.usesOneThread = !kind.usesOneThread;
    kind.usual = time;
    kind.wait = MIN_WAIT;
  } else kind.wait = Math.min(2 * kind.wait, MAX_WAIT);
}
