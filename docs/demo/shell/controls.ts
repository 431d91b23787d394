// Inputs of a panel -> values that a frame reads, with what they stand for beside them.
import { button, element, input, select } from './elements.js';

export interface Range {
  readonly value: number;
  set(value: number): void;
}

/** A slider and the output beside it. */
export function range(id: string, textOf: (value: number) => string): Range {
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

/** A list of choices; the listener is called when another is chosen. */
export function choice<T extends string>(id: string, listener: () => void = () => {}): { value: T } {
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

/** The button that stops and goes on. It begins stopped for those who want less motion. */
export function playing(): { isOn: boolean } {
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
