// The slider in which the user chooses the number of threads. After a choice, starts an engine with this
// number of threads. When the new engine is ready, it replaces the current engine.
import { createEngine, type Engine } from 'pfront';
import { createSlider } from './controls.js';
import { input } from './elements.js';
import { showError, showInfo } from './start.js';

/**
 * Memory limit of each new engine. It is low because the page has two engines while a new engine replaces the
 * current engine.
 */
const MEMORY_BYTES = 2 ** 30;

/**
 * Connects the slider to the engine of the page: if the user chooses another number of threads, a
 * new engine starts.
 *
 * @param first - The first engine, which uses all threads.
 * @param use - Called with `first`, and then with each new engine. After `use` returns, the previous engine
 *   is disposed.
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
