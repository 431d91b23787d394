// Measures how long each stage of a command takes. A stage begins when the command starts a progress bar.
import { performance } from 'node:perf_hooks';
import type { Progress } from './progress.js';
import { wrapText } from './terminal.js';

/** The time of a stage, in milliseconds. */
export interface StageTime {
  name: string;
  milliseconds: number;
}

/**
 * Measures the stages of a progress bar, and forwards all calls to that bar. The time between two stages
 * counts for the earlier stage. The time before the first stage counts as the stage `Starting`.
 */
export class TimedProgress implements Progress {
  private readonly times = new Map<string, number>();
  private stage = 'Starting';
  private since = performance.now();

  constructor(private readonly shown: Progress) {}

  begin(stage: string, steps: number, label?: string): void {
    this.endStage();
    this.stage = stage;
    this.shown.begin(stage, steps, label);
  }

  step(): void {
    this.shown.step();
  }

  end(): void {
    this.endStage();
    this.shown.end();
  }

  /** Returns the times of all stages, in the order in which they began first. */
  stageTimes(): StageTime[] {
    return [...this.times].map(([name, milliseconds]) => ({ name, milliseconds }));
  }

  private endStage(): void {
    const now = performance.now();
    this.times.set(this.stage, (this.times.get(this.stage) ?? 0) + now - this.since);
    this.since = now;
  }
}

/** Returns the total of the times, such as `12 ms`, and a line with the time of each stage. */
export function timesText(times: StageTime[]): { total: string; line: string } {
  const { total, rounded } = roundTimes(times, 1);
  const stages = times.flatMap(({ name }, i) =>
    rounded[i] > 0 ? [`${name[0].toLowerCase()}${name.slice(1)} ${rounded[i]}`] : [],
  );
  return { total: `${total} ms`, line: wrapText(`time in ms: ${stages.join(', ')}`) };
}

/**
 * Rounds times to multiples of `unit` so that the rounded times add up to the rounded total.
 *
 * @returns The rounded times, in multiples of `unit`, and their total.
 */
export function roundTimes(times: StageTime[], unit: number): { total: number; rounded: number[] } {
  let sum = 0;
  let total = 0;
  const rounded = times.map(({ milliseconds }) => {
    sum += milliseconds;
    const before = total;
    total = Math.round(sum / unit);
    return total - before;
  });
  return { total, rounded };
}
