// The slider for the number of threads: starts an engine with that many threads. When the new engine is
// ready, it replaces the current engine.
import { createEngine, type Engine } from 'pfront';
import { createSlider } from './controls.js';
import { input } from './elements.js';
import { showError, showInfo } from './start.js';

/** Limit for each engine, because the page has two of them while one replaces the other. */
const MEMORY_BYTES = 2 ** 30;

/**
 * Connects the slider.
 *
 * @param first - The engine on all threads, which is used first.
 * @param use - Called with each new engine. The previous engine is disposed when `use` returns.
 */
export function chooseThreads(first: Engine, use: (engine: Engine) => void): void {
  const slider = input('threads');
  const all = first.info.threads;
  let engine = first;
  let isStarting = false;

  async function change(): Promise<void> {
    if (isStarting) return;
    isStarting = true;
    try {
      // The slider may move again while an engine starts.
      for (let threads = 0; threads !== slider.valueAsNumber; ) {
        threads = slider.valueAsNumber;
        if (threads !== engine.info.threads) await replace(threads);
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
    change().catch(showError);
  });
  createSlider('threads', value => (all === 1 ? '1 (all)' : `${value} of ${all}`));
  use(first);
}
