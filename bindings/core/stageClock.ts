// Moments between the steps of a run -> milliseconds by step.
import type { BoxPairsStage, BoxPairsStats } from './stats.js';

/** One run's clock: each stage is what has passed since the one before ended. */
export class StageClock<Stage extends string = BoxPairsStage> {
  /** Of the run since `start`; a new object every run, so that it may be given away. */
  stages: Partial<Record<Stage, number>> = {};
  /** When the last stage ended. */
  last = 0;

  start(): void {
    this.stages = {};
    this.skip();
  }

  /** What has passed since the last stage was none of the run's. */
  skip(): void {
    this.last = performance.now();
  }

  end(stage: Stage): void {
    const now = performance.now();
    this.stages[stage] = (this.stages[stage] ?? 0) + now - this.last;
    this.last = now;
  }
}

/** Adds a step that was taken outside of a run to what the run tells. */
export function addStage(stats: BoxPairsStats, stage: BoxPairsStage, milliseconds: number): void {
  stats.stages[stage] = (stats.stages[stage] ?? 0) + milliseconds;
  stats.milliseconds += milliseconds;
}
