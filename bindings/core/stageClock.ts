// Measures the milliseconds of each stage of a run.
import type { BoxPairsStage, BoxPairsStats } from './stats.js';

/** Measures one run at a time; `start` begins a run. A stage begins when the previous stage ends. */
export class StageClock<Stage extends string = BoxPairsStage> {
  /** Milliseconds by stage since `start`. The object is new for each run, so it may be returned to users. */
  stages: Partial<Record<Stage, number>> = {};
  /** Time at which the current stage began: the last call of `start`, `skip` or `end`. */
  last = 0;

  start(): void {
    this.stages = {};
    this.skip();
  }

  /** Excludes the time since the end of the previous stage from all stages. */
  skip(): void {
    this.last = performance.now();
  }

  end(stage: Stage): void {
    const now = performance.now();
    this.stages[stage] = (this.stages[stage] ?? 0) + now - this.last;
    this.last = now;
  }
}

/** Adds the time of a stage to the statistics of a run. Used for stages that the run's clock does not cover. */
export function addStage(stats: BoxPairsStats, stage: BoxPairsStage, milliseconds: number): void {
  stats.stages[stage] = (stats.stages[stage] ?? 0) + milliseconds;
  stats.milliseconds += milliseconds;
}
