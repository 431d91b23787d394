// A page's step -> called once a frame; frame time and queries a second in the bar, and a word when frames
// are slow.
import { count, show } from './elements.js';

const SHOW_EVERY = 400;
/** Frames slower than this are too slow; so many in a row make a page do less. */
const SLOW_MILLISECONDS = 45;
const SLOW_FRAMES = 12;

export interface Step {
  /** seconds: since the last frame, at most a tenth. @returns pairs of meshes that were asked about */
  frame(seconds: number): number;
  /** Frames have been slow for a while. */
  onSlow?(): void;
}

/**
 * Calls onSlow when frames have been slow for a while. @returns what is to be told of each frame, in
 * milliseconds
 */
export function watchPace(onSlow: () => void): (elapsed: number) => void {
  let slow = 0;
  return elapsed => {
    slow = elapsed > SLOW_MILLISECONDS ? slow + 1 : 0;
    if (slow < SLOW_FRAMES) return;
    slow = 0;
    onSlow();
  };
}

/** Runs until the page is closed; a step that fails ends it and goes to onError. */
export function startLoop({ frame, onSlow }: Step, onError: (error: unknown) => void): void {
  let last = performance.now();
  let shownAt = last;
  let frames = 0;
  let queries = 0;
  const showRates = (now: number): void => {
    if (now - shownAt < SHOW_EVERY) return;
    show('frame-time', ((now - shownAt) / frames).toFixed(1));
    show('query-rate', count((1000 * queries) / (now - shownAt)));
    [shownAt, frames, queries] = [now, 0, 0];
  };
  const watch = watchPace(() => onSlow?.());
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
  // Time in the background belongs to no frame.
  document.addEventListener('visibilitychange', () => {
    last = shownAt = performance.now();
    frames = queries = 0;
  });
}
