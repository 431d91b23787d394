// The list in which the user chooses whether the CPU or a GPU computes. After a choice, starts a new engine.
// When the new engine is ready, it replaces the current engine. If no GPU can be used, the page shows why.
import { createEngine, type Engine, type EngineInfo } from 'pfront';
import { select, setText } from '../shell/elements.js';
import { showError, showInfo } from '../shell/start.js';

/**
 * Memory limit of each new engine. It is low because the page has two engines while a new engine replaces the
 * current engine.
 */
const MEMORY_BYTES = 2 ** 30;

/**
 * Connects the list, so that the user's choice selects the engine of the page.
 *
 * @param first - An engine on the CPU, which also looks for a GPU.
 * @param use - Called with `first`, and then with each new engine. After `use` returns, the previous engine
 *   is disposed.
 */
export function chooseBackend(first: Engine, use: (engine: Engine) => void): void {
  const list = select('backend');
  const { threads } = first.info;
  let engine = first;

  async function change(): Promise<void> {
    list.disabled = true;
    const next = await createEngine({
      threads,
      backend: list.value === 'gpu' ? 'webgpu' : 'wasm',
      maximumMemoryBytes: MEMORY_BYTES,
    });
    const last = engine;
    engine = next;
    use(next);
    last.dispose();
    showInfo(next.info);
    list.disabled = false;
  }

  async function lookForGpu(): Promise<void> {
    await first.async.ready();
    setText(
      'backend-hint',
      first.info.gpu ? `A GPU was found: ${nameOf(first.info)}.` : whyNoGpu(first.info),
    );
    list.disabled = !first.info.gpu;
  }

  list.addEventListener('change', () => {
    change().catch(showError);
  });
  use(first);
  lookForGpu().catch(showError);
}

/** Returns a sentence that explains why the CPU computes instead of a GPU. */
export function whyNoGpu({ notes }: EngineInfo): string {
  const { message: note = '' } = notes.findLast(({ code }) => code.includes('gpu')) ?? {};
  // Removes the clause about the CPU, which is not needed below the list of CPU and GPU.
  const message = note.replace(/; calls run on the CPU$/, '');
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

const nameOf = ({ gpu }: EngineInfo): string =>
  gpu?.description || [gpu?.vendor, gpu?.architecture].filter(Boolean).join(' ') || 'unnamed';
