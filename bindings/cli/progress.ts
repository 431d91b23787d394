// A progress bar on standard error for long commands. Prints nothing if standard error is not a terminal.
import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  /** Starts a bar with this label and number of steps. Replaces the current bar, if any. */
  begin(what: string, steps: number): void;
  /** Advances the bar by one step. */
  step(): void;
  /** Removes the bar. */
  end(): void;
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
    begin(what, steps) {
      if (isStarted) bar.stop();
      bar.start(steps, 0, { what });
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
