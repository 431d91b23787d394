// The main loop of a demo page: computes each frame, shows the frame time and the queries per second, and
// detects slow frames.
import { formatCount, setText } from './elements.js';

const SHOW_EVERY = 400;
/**
 * A frame is slow if it takes more than SLOW_MILLISECONDS. After SLOW_FRAMES slow frames in a row, the page
 * reduces its work.
 */
const SLOW_MILLISECONDS = 45;
const SLOW_FRAMES = 12;

export interface Step {
  /**
   * Computes one frame.
   *
   * @param seconds - Time since the last frame, at most 0.1.
   * @returns Number of queries in this frame.
   */
  frame(seconds: number): number;
  /** Only for pages that can be paused: `isOn` is true while the page plays. */
  play?: { readonly isOn: boolean };
  /**
   * Called after SLOW_FRAMES slow frames in a row. Not called while the page is paused, because the call may
   * replace the scene that the user is looking at.
   */
  onSlow?(): void;
}

/**
 * Returns a function that must be called with the duration of each frame in milliseconds. The function calls
 * `onSlow` after SLOW_FRAMES slow frames in a row.
 */
export function detectSlowFrames(onSlow: () => void): (elapsed: number) => void {
  let slow = 0;
  return elapsed => {
    slow = elapsed > SLOW_MILLISECONDS ? slow + 1 : 0;
    if (slow < SLOW_FRAMES) return;
    slow = 0;
    onSlow();
  };
}

/**
 * Calls `frame` in every frame until the page is closed. An error ends the loop and is passed to `onError`.
 */
export function startLoop({ frame, play, onSlow }: Step, onError: (error: unknown) => void): void {
  let last = performance.now();
  let shownAt = last;
  let frames = 0;
  let queries = 0;
  const showRates = (now: number): void => {
    if (now - shownAt < SHOW_EVERY) return;
    setText('frame-time', ((now - shownAt) / frames).toFixed(1));
    setText('query-rate', formatCount((1000 * queries) / (now - shownAt)));
    [shownAt, frames, queries] = [now, 0, 0];
  };
  const watch = detectSlowFrames(() => {
    if (play?.isOn ?? true) onSlow?.();
  });
  const run = (now: number): void => {
    const elapsed = now - last;
    last = now;
    try {
      queries += frame(Math.min(0.1, Math.max(0, elapsed / 1000)));
    } catch (error) {
      onError(error);
      return;
    }
    frames++;
    watch(elapsed);
    showRates(now);
    requestAnimationFrame(run);
  };
  requestAnimationFrame(now => {
    last = shownAt = now;
    requestAnimationFrame(run);
  });
  // While the page is in the background, the time that passes does not count as frame time.
  document.addEventListener('visibilitychange', () => {
    last = shownAt = performance.now();
    frames = queries = 0;
  });
}
