// Types of the scenes of `pfront bench`: the figures of their papers, how a scene is run, and what it
// returns.

import type { Progress } from '../../cli/progress.js';
import { createEngine, type Engine } from '../../index.js';

/** Figures of one table of a paper, by number of threads, processors or cores. */
export interface PaperSeries {
  /** The measure of pfront beside which these figures are shown. */
  measure: string;
  milliseconds?: Readonly<Record<number, number>>;
  /** Used if the paper gives no times. */
  speedUps?: Readonly<Record<number, number>>;
}

export interface Paper {
  cite: string;
  machine: string;
  series: readonly PaperSeries[];
}

/** Times of one contender, by measure. */
export interface Measured {
  threads: number;
  milliseconds: ReadonlyMap<string, number>;
}

export interface Outcome {
  measured: Measured[];
  /** Number of cases (frames, or sets of boxes), and how often each was run. */
  cases: number;
  rounds: number;
  /** Sentences printed below the table: sizes, assumptions, counters. */
  remarks: string[];
}

export interface Setup {
  threads: readonly number[];
  seed: number;
  /** 'quick': small enough to finish in seconds; the times are not meaningful. */
  size: 'full' | 'quick';
  /** 'webgpu': scenes with `runsOnGpu` run on a GPU, too. */
  backend: 'wasm' | 'webgpu';
  progress: Progress;
}

export interface BenchScene {
  name: string;
  /** One line for the list. */
  line: string;
  paper?: Paper;
  /** Default of `--threads`; if absent, 1 and all cores. */
  threads?: readonly number[];
  /** Whether the scene can run on a GPU. */
  runsOnGpu?: boolean;
  run(setup: Setup): Promise<Outcome>;
}

/** An engine and the requested number of threads; the engine may have lost some of them. */
export interface ThreadedEngine {
  threads: number;
  engine: Engine;
}

/**
 * Calls `use` with one engine per number of threads, and disposes of all engines afterwards. Notes of the
 * engines, for example about lost threads, come first in the remarks.
 */
export async function withEngines(
  { threads, size }: Setup,
  use: (threadedEngines: ThreadedEngine[]) => Promise<Outcome>,
): Promise<Outcome> {
  const threadedEngines: ThreadedEngine[] = [];
  try {
    for (const count of threads)
      threadedEngines.push({
        threads: count,
        engine: await createEngine({ threads: count, warmUp: size === 'quick' ? 'off' : 'on' }),
      });
    const outcome = await use(threadedEngines);
    const notes = threadedEngines.flatMap(({ threads: count, engine }) =>
      engine.info.notes.map(({ message }) => `Engine with ${count} threads: ${message}.`),
    );
    return { ...outcome, remarks: [...notes, ...outcome.remarks] };
  } finally {
    for (const { engine } of threadedEngines) engine.dispose();
  }
}
