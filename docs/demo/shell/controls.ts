// Connects the controls in the panel of a page: sliders, lists and the play button. The page reads their
// current values in each frame.
import { button, element, input, select } from './elements.js';

export interface Slider {
  readonly value: number;
  set(value: number): void;
}

/**
 * Returns the slider with this id. `textOf` formats the value of the slider for the output element next to
 * it.
 */
export function createSlider(id: string, textOf: (value: number) => string): Slider {
  const slider = input(id);
  const output = element(`${id}-value`);
  const write = (): void => {
    output.textContent = textOf(slider.valueAsNumber);
  };
  slider.addEventListener('input', write);
  write();
  return {
    get value() {
      return slider.valueAsNumber;
    },
    set: value => {
      slider.value = String(value);
      write();
    },
  };
}

/** Returns the selection list with this id. The listener is called when the selection changes. */
export function createSelect<T extends string>(id: string, listener: () => void = () => {}): { value: T } {
  const list = select(id);
  list.addEventListener('change', listener);
  return {
    get value() {
      return list.value as T;
    },
    set value(value) {
      list.value = value;
    },
  };
}

/**
 * Connects the play button. Returns its state, which changes with each click. The page starts paused if the
 * user prefers reduced motion.
 */
export function createPlayButton(): { isOn: boolean } {
  const toggle = button('play');
  const state = { isOn: !matchMedia('(prefers-reduced-motion: reduce)').matches };
  const write = (): void => {
    toggle.textContent = state.isOn ? 'Pause' : 'Play';
  };
  toggle.addEventListener('click', () => {
    state.isOn = !state.isOn;
    write();
  });
  write();
  return state;
}
