// A page's own set-up -> run with an engine on all threads; what could not be had, and what went wrong, is
// said in the view.
import { CollisionError, createEngine, type Engine, type EngineInfo } from 'pfront';
import { element } from './elements.js';
import { isolate } from './isolation.js';
import { startThemeButton } from './theme.js';

const MOST_THREADS = 16;

/** What went wrong, in the view. */
export function fail(error: unknown): void {
  console.error(error);
  const message = document.createElement('div');
  message.className = 'view-message';
  message.setAttribute('role', 'alert');
  const what = error instanceof Error ? error.message : String(error);
  const mend = error instanceof CollisionError ? error.fix : 'reload the page, or try another browser';
  for (const text of [`This demo has stopped: ${what}.`, `What helps: ${mend}.`])
    message.appendChild(document.createElement('p')).textContent = text;
  element('view').append(message);
}

/** What an engine has and has not, in the view. */
export function showInfo({ threads, notes }: EngineInfo): void {
  const status = element('status');
  status.textContent =
    notes.length === 0
      ? `${threads} ${threads === 1 ? 'thread' : 'threads on shared memory'}`
      : notes.map(({ message }) => `Note: ${message}. The answers are the same.`).join(' ');
  status.title = notes.map(({ fix }) => fix).join(' ');
  status.classList.toggle('is-note', notes.length > 0);
}

/** Starts a page. What it throws is shown. */
export async function start(page: (engine: Engine) => void | Promise<void>): Promise<void> {
  startThemeButton();
  try {
    await isolate();
    const engine = await createEngine({
      threads: Math.max(1, Math.min(navigator.hardwareConcurrency || 1, MOST_THREADS)),
    });
    showInfo(engine.info);
    await page(engine);
  } catch (error) {
    fail(error);
  }
}
