// The controls with which the user chooses a motion and a time: a slider, a button that plays the motion, and
// a list of motions.
import type { StoredMotion } from '../motionContent.js';
import { byId, make } from './elements.js';

/** Number of steps of the slider. */
const STEPS = 1000;
/** An arrow key moves by this fraction of the motion. */
const KEY_STEP = 1 / 100;
/**
 * Limits of the time that playing a motion takes, in seconds. A shorter motion is played more slowly, and a
 * longer one faster.
 */
const MIN_SECONDS = 4;
const MAX_SECONDS = 60;
/** If the user prefers reduced motion, playing shows a new pose after this many milliseconds. */
const REDUCED_MILLISECONDS = 500;
/**
 * Playing advances by at most this many milliseconds between two pictures, even after a longer pause, for
 * example while the tab was hidden.
 */
const MAX_PAUSE_MILLISECONDS = 1000;

export class Player {
  motion = 0;
  time = 0;
  /**
   * A time inside the smooth piece of the motion to which the shown poses belong. If a part jumps at `time`,
   * `inside` decides whether the pose before or after the jump is shown: see KeyedValue.
   */
  inside = 0;
  private readonly slider = byId<HTMLInputElement>('time');
  private readonly list = byId<HTMLSelectElement>('motion');
  private readonly button = byId<HTMLButtonElement>('play');
  private readonly output = byId('now');
  private lastPicture: number | undefined;
  private nextPicture = 0;

  /** @param onChange - Called when the time or the motion has changed. */
  constructor(
    private readonly motions: readonly StoredMotion[],
    private readonly onChange: () => void,
  ) {
    this.slider.max = `${STEPS}`;
    this.slider.addEventListener('input', () => {
      this.pause();
      this.setFraction(Number(this.slider.value) / STEPS);
    });
    this.list.hidden = motions.length === 1;
    this.list.append(...motions.map(({ name }, motion) => make('option', '', name, { value: `${motion}` })));
    this.list.addEventListener('change', () => {
      const motion = Number(this.list.value);
      this.show(motion, motions[motion].start);
    });
    this.button.addEventListener('click', () => this.toggle());
  }

  get isPlaying(): boolean {
    return this.lastPicture !== undefined;
  }

  /** The time as a fraction of the motion. */
  get fraction(): number {
    const { start, end } = this.motions[this.motion];
    return (this.time - start) / (end - start);
  }

  get timeText(): string {
    return `${this.time.toFixed(3)} s`;
  }

  /** Pauses, and shows a time of a motion. `inside`: see KeyedValue. */
  show(motion: number, time: number, inside = time): void {
    this.pause();
    this.set(motion, time, inside);
  }

  /** Pauses, and moves by a number of steps of the arrow keys. */
  step(steps: number): void {
    this.pause();
    this.setFraction(this.fraction + KEY_STEP * steps);
  }

  /** Pauses if the motion is playing. Otherwise plays it, from the start if its end was reached. */
  toggle(): void {
    if (this.isPlaying) {
      this.pause();
      return;
    }
    if (this.fraction >= 1) this.setFraction(0);
    this.button.textContent = 'Pause';
    this.lastPicture = performance.now();
    this.nextPicture = requestAnimationFrame(now => this.play(now));
  }

  private pause(): void {
    this.lastPicture = undefined;
    cancelAnimationFrame(this.nextPicture);
    this.button.textContent = 'Play';
  }

  private play(now: number): void {
    if (this.lastPicture === undefined) return;
    const elapsed = Math.min(Math.max(now - this.lastPicture, 0), MAX_PAUSE_MILLISECONDS);
    const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (!isReduced || elapsed >= REDUCED_MILLISECONDS) {
      const { start, end } = this.motions[this.motion];
      const seconds = Math.min(Math.max(end - start, MIN_SECONDS), MAX_SECONDS);
      this.lastPicture = now;
      this.setFraction(this.fraction + elapsed / (1000 * seconds));
    }
    if (this.fraction >= 1) this.pause();
    else this.nextPicture = requestAnimationFrame(next => this.play(next));
  }

  private setFraction(fraction: number): void {
    const { start, end } = this.motions[this.motion];
    // At the end, the time is set exactly, because the rounded sum could miss it.
    const time = fraction >= 1 ? end : start + (end - start) * Math.max(fraction, 0);
    this.set(this.motion, time, time);
  }

  private set(motion: number, time: number, inside: number): void {
    this.motion = motion;
    this.time = time;
    this.inside = inside;
    this.list.value = `${motion}`;
    this.slider.value = `${Math.round(STEPS * this.fraction)}`;
    this.slider.setAttribute('aria-valuetext', this.timeText);
    this.output.textContent = this.timeText;
    this.onChange();
  }
}
