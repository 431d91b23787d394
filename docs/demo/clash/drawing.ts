// Draws the 3D view of the clash page. Unlike the other pages, this page draws a frame only if something
// moves or has changed.
import { setText } from '../shell/elements.js';
import { detectSlowFrames } from '../shell/loop.js';
import type { Stage } from '../shell/stage.js';
import { onTheme } from '../shell/theme.js';

/**
 * Draws a frame after each change of the camera or the theme, and on request.
 *
 * @param step - Called before each frame: advances animations by `seconds`. Returns whether they continue.
 * @returns A function that requests a frame.
 */
export function drawOnChange(
  stage: Stage,
  step: (seconds: number) => boolean,
  onError: (error: unknown) => void,
): () => void {
  let isWaiting = false;
  let last: number | undefined;
  const watch = detectSlowFrames(() => {
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
      // If the camera still moves, the controls fire a change event, which requests the next frame.
      stage.render();
      setText('frame-time', (performance.now() - now).toFixed(1));
    } catch (error) {
      onError(error);
    }
    // Idle time does not count as frame time.
    if (!isWaiting) last = undefined;
  };
  stage.controls.addEventListener('change', redraw);
  stage.view.addEventListener('webglcontextrestored', redraw, { capture: true });
  onTheme(redraw);
  return redraw;
}
