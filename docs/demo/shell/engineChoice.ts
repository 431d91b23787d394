// The slider of threads -> an engine on as many as it says; the last one computes until the next has started.
import { createEngine, type Engine } from 'pfront';
import { range } from './controls.js';
import { input } from './elements.js';
import { fail, showInfo } from './start.js';

/** Of each engine: a page has another one for a moment. */
const MEMORY_BYTES = 2 ** 30;

/**
 * most: the engine on all threads. use: takes up the work on an engine; the one before is disposed when it
 * returns.
 */
export function chooseThreads(most: Engine, use: (engine: Engine) => void): void {
  const slider = input('threads');
  const all = most.info.threads;
  let engine = most;
  let isStarting = false;

  async function change(): Promise<void> {
    if (isStarting) return;
    isStarting = true;
    try {
      // Moved on meanwhile, it is another number's turn.
      for (let asked = 0; asked !== slider.valueAsNumber; ) {
        asked = slider.valueAsNumber;
        if (asked !== engine.info.threads) await replace(asked);
      }
    } finally {
      isStarting = false;
    }
  }

  async function replace(threads: number): Promise<void> {
    const next = await createEngine({ threads, maximumMemoryBytes: MEMORY_BYTES });
    const last = engine;
    engine = next;
    use(next);
    last.dispose();
    showInfo(next.info);
  }

  slider.max = String(all);
  slider.value = String(all);
  slider.disabled = all === 1;
  slider.addEventListener('change', () => {
    change().catch(fail);
  });
  range('threads', value => (all === 1 ? '1, all there are' : `${value} of ${all}`));
  use(most);
}
