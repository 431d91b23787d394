// The choice of CPU or GPU -> an engine that computes there; the last one computes until the next has
// started. Where there is no GPU it is said why.
import { createEngine, type Engine, type EngineInfo } from 'pfront';
import { select, show } from '../shell/elements.js';
import { fail, showInfo } from '../shell/start.js';

/** Of each engine: a page has another one for a moment. */
const MEMORY_BYTES = 2 ** 30;

/**
 * first: an engine on the CPU that may look for a GPU. use: takes up the work on an engine; the one before is
 * disposed when it returns.
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

  async function look(): Promise<void> {
    await first.async.ready();
    show('backend-hint', first.info.gpu ? `A GPU was found: ${nameOf(first.info)}.` : whyNone(first.info));
    list.disabled = !first.info.gpu;
  }

  list.addEventListener('change', () => {
    change().catch(fail);
  });
  use(first);
  look().catch(fail);
}

/** Why the CPU computes, where a GPU was to. */
export function whyNone({ notes }: EngineInfo): string {
  const { message: told = '' } = notes.findLast(({ code }) => code.includes('gpu')) ?? {};
  // Who computes instead stands above it.
  const message = told.replace(/; answers are .*$/, '');
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

const nameOf = ({ gpu }: EngineInfo): string =>
  gpu?.description ||
  [gpu?.vendor, gpu?.architecture].filter(Boolean).join(' ') ||
  'it does not tell its name';
