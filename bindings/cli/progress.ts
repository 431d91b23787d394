// Shows a progress bar on standard error during long commands, but only if standard error is a terminal.
import { Presets, SingleBar } from 'cli-progress';

/** The number of steps of a bar that shows which share of a stage is done. */
const STEPS = 100;

export interface Progress {
  /**
   * Starts a bar with this number of steps. Replaces the current bar, if any.
   * @param stage The name of the stage. The time of the stage is listed under this name.
   * @param label The label of the bar; default: the stage.
   */
  begin(stage: string, steps: number, label?: string): void;
  /** Advances the bar by one step. */
  step(): void;
  /** Removes the bar. */
  end(): void;
}

/**
 * Starts a bar that shows which share of a stage is done (see `Progress.begin`).
 * @returns A function that advances the bar to the share done / total.
 */
export function beginShare(
  progress: Progress,
  stage: string,
  label?: string,
): (done: number, total?: number) => void {
  progress.begin(stage, STEPS, label);
  let shown = 0;
  return (done, total = 1) => {
    for (; shown < Math.floor((STEPS * done) / total); shown++) progress.step();
  };
}

export function createProgress(): Progress {
  if (!process.stderr.isTTY) return { begin() {}, step() {}, end() {} };
  const bar = new SingleBar(
    {
      format: '{what} {bar} {value}/{total}',
      stream: process.stderr,
      clearOnComplete: true,
      hideCursor: true,
      barsize: 30,
    },
    Presets.shades_classic,
  );
  let isStarted = false;
  return {
    begin(stage, steps, label = stage) {
      if (isStarted) bar.stop();
      bar.start(steps, 0, { what: label });
      isStarted = true;
    },
    step() {
      bar.increment();
    },
    end() {
      if (isStarted) bar.stop();
    },
  };
}
