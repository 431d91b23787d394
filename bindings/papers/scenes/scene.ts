// What a scene of `pfront bench` is: its papers' figures, how it is run, and the rows that come out.

import type { Progress } from '../../cli/progress.js';
import { createEngine, type Engine } from '../../index.js';

/** Figures of one table of a paper by number of threads, processors or cores. */
export interface PaperSeries {
  /** The measure of ours that it stands beside. */
  measure: string;
  milliseconds?: Readonly<Record<number, number>>;
  /** Where the paper gives no times. */
  speedUps?: Readonly<Record<number, number>>;
}

export interface Paper {
  cite: string;
  machine: string;
  series: readonly PaperSeries[];
}

/** What one contender took, by measure. */
export interface Measured {
  threads: number;
  milliseconds: ReadonlyMap<string, number>;
}

export interface Outcome {
  measured: Measured[];
  /** Cases that were run in turn (frames, or sets of boxes), and how often each was run. */
  cases: number;
  rounds: number;
  /** Sentences below the table: sizes, assumptions, counters. */
  remarks: string[];
}

export interface Setup {
  threads: readonly number[];
  seed: number;
  /** 'quick': so small that it ends in seconds; its times say nothing. */
  size: 'full' | 'quick';
  /** 'webgpu': on a GPU, too. */
  backend: 'wasm' | 'webgpu';
  progress: Progress;
}

export interface BenchScene {
  name: string;
  /** One line for the list. */
  line: string;
  paper?: Paper;
  /** What `--threads` is where it is left out; else 1 and all cores. */
  threads?: readonly number[];
  /** Whether a GPU can be asked. */
  runsOnGpu?: boolean;
  run(setup: Setup): Promise<Outcome>;
}

/** An engine and the threads that it was asked for; it may have lost some. */
export interface Team {
  threads: number;
  engine: Engine;
}

/**
 * Runs with an engine for each number of threads, and ends them all. What an engine notes, a lost thread too,
 * is the first remark.
 */
export async function withEngines(
  { threads, size }: Setup,
  use: (teams: Team[]) => Promise<Outcome>,
): Promise<Outcome> {
  const teams: Team[] = [];
  try {
    for (const count of threads)
      teams.push({
        threads: count,
        engine: await createEngine({ threads: count, warmUp: size === 'quick' ? 'off' : 'on' }),
      });
    const outcome = await use(teams);
    const notes = teams.flatMap(({ threads: count, engine }) =>
      engine.info.notes.map(({ message }) => `Engine of ${count} threads: ${message}.`),
    );
    return { ...outcome, remarks: [...notes, ...outcome.remarks] };
  } finally {
    for (const { engine } of teams) engine.dispose();
  }
}
