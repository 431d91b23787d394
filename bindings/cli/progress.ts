// Steps of a long command -> a bar on the terminal; silent where standard error is none.
import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  /** Says what is being done now, of how many steps. */
  begin(what: string, steps: number): void;
  step(): void;
  /** Takes the bar away. */
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
