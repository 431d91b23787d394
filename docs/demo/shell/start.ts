// Starts a demo page with an engine that uses all threads, up to MAX_THREADS. In the view, shows errors and the
// engine's notes: messages about what the engine could not use or start.
import { CollisionError, createEngine, type Engine, type EngineInfo } from 'pfront';
import { element } from './elements.js';
import { isolate } from './isolation.js';
import { startThemeButton } from './theme.js';

const MAX_THREADS = 16;

/** Shows an error in the view. */
export function showError(error: unknown): void {
  console.error(error);
  const message = document.createElement('div');
  message.className = 'view-message';
  message.setAttribute('role', 'alert');
  const reason = error instanceof Error ? error.message : String(error);
  const fix = error instanceof CollisionError ? error.fix : 'reload the page, or try another browser';
  for (const text of [`This demo has stopped: ${reason}.`, `Fix: ${fix}.`])
    message.appendChild(document.createElement('p')).textContent = text;
  element('view').append(message);
}

/** Shows the notes of an engine in the view or, if there are none, its number of threads. */
export function showInfo({ threads, notes }: EngineInfo): void {
  const status = element('status');
  status.textContent =
    notes.length === 0
      ? `${threads} ${threads === 1 ? 'thread' : 'threads on shared memory'}`
      : notes.map(({ message }) => `Note: ${message}. The results are the same.`).join(' ');
  status.title = notes.map(({ fix }) => fix).join(' ');
  status.classList.toggle('is-note', notes.length > 0);
}

/** Starts an engine and calls `page` with it. If either fails, shows the error in the view. */
export async function start(page: (engine: Engine) => void | Promise<void>): Promise<void> {
  startThemeButton();
  try {
    await isolate();
    const engine = await createEngine({
      threads: Math.max(1, Math.min(navigator.hardwareConcurrency || 1, MAX_THREADS)),
    });
    showInfo(engine.info);
    await page(engine);
  } catch (error) {
    showError(error);
  }
}
