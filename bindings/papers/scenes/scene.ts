// The interface of the scenes of `pfront bench`: a scene's setup, its measured times, and the times that its
// paper gives. Also creates the engines of a scene.

import type { Progress } from '../../cli/progress.js';
import { createEngine, type Engine } from '../../index.js';

/** Times or speed-ups from one table of a paper, by number of threads, processors or cores. */
export interface PaperSeries {
  /** Key in `Measured.milliseconds`: the times of pfront that are shown beside these numbers. */
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

/** Times of one contender, by measure. A contender is an engine or method that a scene measures. */
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
  /** Description of the scene, one line, for the list of scenes. */
  line: string;
  paper?: Paper;
  /** Default of the option `--threads`. If undefined, the scene runs on 1 thread and on all cores. */
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
 * Creates one engine for each number of threads, calls `use` with the engines, and then disposes all of them.
 * Puts the notes of the engines, for example about lost threads, before the remarks of the outcome.
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
