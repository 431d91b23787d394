// Runs test files on a mutant until a test fails. The test files of the changed code run first.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { cacheFolder, pathOf } from '../../bindings/build/paths.mjs';
import { digest, filesBelow } from '../../bindings/build/stamps.mjs';
import { FairClock } from '../runner/clock.mjs';
import { nameOf, runFile } from '../runner/runFile.mjs';
import { selectFiles } from '../runner/select.mjs';
import { type Mutant, type Outcome, QUERY_FOLDERS } from './mutant.js';

/** The suites that test kernels in Node. They also run all kernels that other suites run. */
const SUITES = [...QUERY_FOLDERS, 'engine', 'soak'];

/** What a test file does with correct kernels. */
interface TestFile {
  /** A hash of the file and of the kernels. */
  hash: string;
  kernels: string[];
  /** Time of the whole file, and of its longest test, in seconds. */
  seconds: number;
  longest: number;
}

interface Selected {
  file: string;
  suite: string;
  selection: object;
}

/**
 * Max time of a test, in seconds: TIME_FACTOR times the time of the longest test of its file with correct
 * kernels, plus EXTRA_SECONDS.
 */
const TIME_FACTOR = 6;
const EXTRA_SECONDS = 10;

const folder = path.join(cacheFolder, 'mutation');

const environment = (replaced: Record<string, string>): Record<string, string> => ({
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${new URL('./replaceFiles.mjs', import.meta.url)}`,
  PFRONT_REPLACED: JSON.stringify(
    Object.fromEntries(
      Object.entries(replaced).map(([file, other]) => [pathToFileURL(pathOf(`dist/${file}`)), other]),
    ),
  ),
});

/** Writes a changed file of dist to the cache folder. @returns its path */
function writeCopy(file: string, text: string): string {
  const copy = path.join(folder, `${process.pid}-${path.basename(file)}`);
  writeFileSync(copy, text);
  return copy;
}

/** Adds code that appends the name of each kernel to a file when the kernel runs for the first time. */
const recording = (text: string, listFile: string): string => `import { appendFileSync } from 'node:fs';
${text.replace(/export\s*\{\s*(\w+) as instantiateKernels\s*\};?/, 'const instantiate = $1;')}
const seen = new Set();
const recorded = (name, run) => (...job) => {
  if (!seen.has(name)) appendFileSync(${JSON.stringify(listFile)}, name + '\\n');
  seen.add(name);
  run(...job);
};
export const instantiateKernels = (modules, memory) =>
  Object.fromEntries(Object.entries(instantiate(modules, memory)).map(([name, run]) => [name, recorded(name, run)]));
`;

export class TestRunner {
  readonly #clock = new FairClock();
  readonly #files: readonly Selected[] = selectFiles({ names: SUITES, tier: 'quick', grep: undefined });
  readonly #known: Record<string, TestFile>;

  /** known: what earlier runs found out about each test file. */
  private constructor(known: Record<string, TestFile>) {
    this.#known = known;
  }

  /**
   * Runs test files with correct kernels, to find out how long they take and which kernels they run. Skips the
   * files for which an earlier call has found this out, if neither the file nor a kernel has changed.
   * @throws if a test fails
   */
  static async start(log: (text: string) => void): Promise<TestRunner> {
    mkdirSync(folder, { recursive: true });
    const stateFile = path.join(folder, 'tests.json');
    const known = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : {};
    const runner = new TestRunner(known);
    const kernels = filesBelow([pathOf('dist/wasm')]).filter((file: string) => file.endsWith('.wasm'));
    for (const selected of runner.#files) {
      const name = nameOf(selected.file);
      const hash = digest([...kernels, selected.file]);
      if (known[name]?.hash === hash) continue;
      known[name] = { hash, ...(await runner.#measure(selected)) };
      log(`${name}: ${known[name].kernels.length} kernels, ${known[name].seconds.toFixed(1)} s`);
      writeFileSync(stateFile, JSON.stringify(known));
    }
    return runner;
  }

  close(): void {
    this.#clock.stop();
  }

  async #measure({ file, selection }: Selected): Promise<Omit<TestFile, 'hash'>> {
    const listFile = path.join(folder, `${process.pid}-kernels`);
    writeFileSync(listFile, '');
    const instantiate = 'runtime/instantiate.js';
    const text = readFileSync(pathOf(`dist/${instantiate}`), 'utf8');
    const copy = writeCopy(instantiate, recording(text, listFile));
    const before = performance.now();
    const { failures, tests } = await runFile(file, selection, {
      clock: this.#clock,
      limit: 180,
      env: environment({ [instantiate]: copy }),
    });
    const seconds = (performance.now() - before) / 1000;
    if (failures.length > 0) throw new Error(`${nameOf(file)}: ${failures[0].name}: ${failures[0].text}`);
    const kernels = [...new Set(readFileSync(listFile, 'utf8').split('\n'))].filter(Boolean).sort();
    for (const temporary of [listFile, copy]) rmSync(temporary);
    return {
      kernels,
      seconds,
      longest: Math.max(0, ...tests.map((test: { seconds: number }) => test.seconds)),
    };
  }

  /** Returns the test files that possibly run the changed code; first, those of the suites of this code. */
  #filesFor(mutant: Mutant): Selected[] {
    const rank = ({ file, suite }: Selected): number =>
      this.#known[nameOf(file)].seconds + (mutant.suites.includes(suite) ? 0 : 1e6);
    return this.#files
      .filter(({ file }) => mutant.isRunBy(this.#known[nameOf(file)].kernels))
      .sort((a, b) => rank(a) - rank(b));
  }

  /**
   * Runs test files until a test fails, or until the next file would raise their total time with correct code
   * above `maxSeconds`. The first file may take longer than that. skipped: how many files an earlier call ran;
   * these files do not run again, but their times count. @returns the outcome; files: the number of files that
   * possibly run the changed code; filesRun: how many of these were run, by this call or an earlier one
   */
  async run(
    mutant: Mutant,
    maxSeconds: number,
    skipped = 0,
  ): Promise<Outcome & { filesRun: number; files: number }> {
    const selected = this.#filesFor(mutant);
    const files = selected.length;
    const changed = mutant.changedFiles();
    const copies = Object.fromEntries(
      Object.entries(changed.files).map(([file, text]) => [file, writeCopy(file, text)]),
    );
    const env = { ...environment(copies), ...changed.env };
    let seconds = 0;
    let filesRun = 0;
    try {
      for (const { file, selection } of selected) {
        const known = this.#known[nameOf(file)];
        seconds += known.seconds;
        if (seconds > maxSeconds && filesRun > 0) break;
        filesRun++;
        if (filesRun <= skipped) continue;
        const { failures } = await runFile(file, selection, {
          clock: this.#clock,
          limit: EXTRA_SECONDS + TIME_FACTOR * known.longest,
          stopsAtFailure: true,
          env,
        });
        if (failures.length === 0) continue;
        const [{ name, text }] = failures;
        const isLate = /did not end within/.test(text);
        const status = isLate ? 'timeout' : /trapped/.test(text) ? 'trap' : 'wrong result';
        const by = `${nameOf(file)}: ${name}: ${text.split('\n')[0]}`.slice(0, 200);
        return { status, by, filesRun, files };
      }
      return { status: 'survived', by: '', filesRun, files };
    } finally {
      for (const copy of Object.values(copies)) rmSync(copy);
    }
  }
}
