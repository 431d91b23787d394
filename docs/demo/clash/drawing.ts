// A view and what moves in it -> frames while something moves or has changed, and none else.
import { show } from '../shell/elements.js';
import { watchPace } from '../shell/loop.js';
import type { Stage } from '../shell/stage.js';
import { onTheme } from '../shell/theme.js';

/**
 * step: moves things on by seconds, and says whether it wants to go on. @returns what has the next frame
 * drawn
 */
export function drawOnChange(
  stage: Stage,
  step: (seconds: number) => boolean,
  onError: (error: unknown) => void,
): () => void {
  let isWaiting = false;
  let last: number | undefined;
  const watch = watchPace(() => {
    stage.lowerResolution();
  });
  const redraw = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(draw);
  };
  const draw = (now: number): void => {
    isWaiting = false;
    const elapsed = last === undefined ? 0 : now - last;
    last = now;
    watch(elapsed);
    try {
      if (step(Math.min(0.1, elapsed / 1000))) redraw();
      // A camera that moves says so.
      stage.render();
      show('frame-time', (performance.now() - now).toFixed(1));
    } catch (error) {
      onError(error);
    }
    // Time that nothing moved in belongs to no frame.
    if (!isWaiting) last = undefined;
  };
  stage.controls.addEventListener('change', redraw);
  stage.view.addEventListener('webglcontextrestored', redraw, { capture: true });
  onTheme(redraw);
  return redraw;
}
