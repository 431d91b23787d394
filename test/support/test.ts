// Registers tests with uvu. `test.slow` marks tests that a plain `npm test` leaves out, and `test.proof` marks
// tests that only `npm run proof` runs. If the runner (test/run.mjs) started this process, each outcome is
// reported to the runner.

import { readFileSync, writeSync } from 'node:fs';
import { test as uvuTest } from 'uvu';
import { compare } from 'uvu/diff';

type Run = () => unknown;
type Tier = 'quick' | 'slow' | 'proof';

/** The runner's selection for a file. Without the runner, a file runs its quick and slow tests. */
interface Selection {
  /** Only tests of this tier. 'all': quick and slow tests. 'any': tests of every tier. */
  tier?: Tier | 'all' | 'any';
  /** Only tests whose names contain this text, ignoring case. */
  grep?: string;
  /** The index of the first test to run: the file's earlier tests are skipped. */
  from?: number;
}

const { tier: wanted = 'all', grep = '', from = 0 }: Selection = JSON.parse(process.env.PFRONT_TESTS ?? '{}');
const hasRunner = process.env.PFRONT_TESTS !== undefined;
/** The pipe from which the runner reads outcomes. */
const RUNNER_PIPE = 3;

let registered = 0;
let chosen = 0;
let hasBegun = false;

function report(event: object): void {
  if (hasRunner) writeSync(RUNNER_PIPE, `${JSON.stringify(event)}\n`);
}

// Formats an error: message, difference, and the place in the tests where it was thrown.
function describe(error: any): string {
  const lines = [String(error?.message ?? error)];
  const hasDifference =
    error?.code === 'ERR_ASSERTION' &&
    !String(error.operator ?? '').includes('not') &&
    typeof error.expected !== 'boolean';
  if (hasDifference) lines.push(error.details ?? compare(error.actual, error.expected));
  const place = String(error?.stack ?? '')
    .split('\n')
    .find(line => /[/\\]test[/\\]/.test(line) && !/node_modules|test[/\\]support[/\\]test\.ts/.test(line));
  if (place) lines.push(place.trim());
  return lines.join('\n');
}

/**
 * Returns the processor time of this process and of the processes that it started and that have ended, in
 * seconds. Only Linux tells the time of other processes; elsewhere, they do not count.
 */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  let ofChildren = 0;
  try {
    // The fields that follow the name of the program in parentheses; times are in hundredths of a second.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ');
    ofChildren = (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    /* Not Linux. */
  }
  return (user + system) / 1e6 + ofChildren;
}

async function guarded(name: string, run: Run): Promise<void> {
  try {
    await run();
  } catch (error) {
    report({ kind: 'failed', name, text: describe(error) });
    throw error;
  }
}

// Returns whether this run includes the test. Counts every test, included or not, so that each test has the
// same number in every run. After a test hung and was killed, the runner resumes the file at the number of
// the next test.
function isIncluded(name: string, tier: Tier): boolean {
  const isWanted = wanted === 'any' || (wanted === 'all' ? tier !== 'proof' : tier === wanted);
  return registered++ >= from && isWanted && name.toLowerCase().includes(grep.toLowerCase());
}

function register(name: string, run: Run, tier: Tier): void {
  const index = registered;
  if (!isIncluded(name, tier)) return;
  chosen++;
  uvuTest(name, async () => {
    const startedAt = performance.now();
    const cpuBefore = cpuSeconds();
    report({ kind: 'began', index, name });
    await guarded(name, run);
    report({
      kind: 'passed',
      index,
      name,
      seconds: (performance.now() - startedAt) / 1e3,
      cpuSeconds: cpuSeconds() - cpuBefore,
    });
  });
}

function skip(name: string, why: Run | string | undefined, tier: Tier): void {
  if (!isIncluded(name, tier)) return;
  if (typeof why === 'string') console.log(`\nskipped: ${name} (${why})`);
  report({ kind: 'skipped', name });
  uvuTest.skip(name);
}

/** Registers a test, or skips it. */
export interface Register {
  (name: string, run: Run): void;
  /** Counts a test as skipped, because this machine cannot run it, and prints the reason if one is given. */
  skip(name: string, why?: Run | string): void;
}

const registerFor = (tier: Tier): Register =>
  Object.assign((name: string, run: Run) => register(name, run, tier), {
    skip: (name: string, why?: Run | string) => skip(name, why, tier),
  });

// uvu ignores hooks that are added while tests run.
function hook(add: (run: () => Promise<void>) => void, name: string): (run: Run) => void {
  return run => {
    if (hasBegun) throw new Error('a test must not add hooks: add them before test.run()');
    add(() => guarded(name, run));
  };
}

const slow = registerFor('slow');
const proof = registerFor('proof');

/**
 * Registers a test, like uvu's `test`. `test.slow` registers a test that takes long or repeats what quicker
 * tests cover. `npm run test:all` runs slow tests. `npm test` runs them only if a suite, a file or a test is
 * selected. `test.proof` registers a test that repeats others with more seeds, platforms or sizes; only
 * `npm run proof` runs it.
 */
export const test = Object.assign(registerFor('quick'), {
  slow,
  proof,
  skip: Object.assign((name: string, why?: Run | string) => skip(name, why, 'quick'), { slow: slow.skip }),
  before: Object.assign(hook(uvuTest.before, 'before the first test'), {
    each: hook(uvuTest.before.each, 'before a test'),
  }),
  after: Object.assign(hook(uvuTest.after, 'after the last test'), {
    each: hook(uvuTest.after.each, 'after a test'),
  }),
  /** Runs the chosen tests of a file; every test file ends with this call. Hooks run only if a test runs. */
  run: (): void => {
    report({ kind: 'loaded', chosen });
    hasBegun = true;
    if (chosen > 0) uvuTest.run();
  },
});

/**
 * Makes a function like `test`, with `slow` and `proof`. registerBy: registers one test in its own way; for
 * example, skips the test if a program that the test needs is missing.
 */
export function tiered<More extends unknown[]>(
  registerBy: (test: Register, name: string, ...more: More) => void,
): Tiered<More> {
  return Object.assign((name: string, ...more: More) => registerBy(test, name, ...more), {
    slow: (name: string, ...more: More) => registerBy(slow, name, ...more),
    proof: (name: string, ...more: More) => registerBy(proof, name, ...more),
  });
}

interface Tiered<More extends unknown[]> {
  (name: string, ...more: More): void;
  slow(name: string, ...more: More): void;
  proof(name: string, ...more: More): void;
}
