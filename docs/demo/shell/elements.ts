// Finds typed elements of the page by id, and formats numbers.

type Kind<T extends HTMLElement> = abstract new (...args: never[]) => T;

/**
 * Returns the element with this id.
 *
 * @throws Error if the page has no element of this kind with the id.
 */
export function element<T extends HTMLElement = HTMLElement>(
  id: string,
  kind: Kind<T> = HTMLElement as unknown as Kind<T>,
): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return found;
}

export const input = (id: string): HTMLInputElement => element(id, HTMLInputElement);
export const select = (id: string): HTMLSelectElement => element(id, HTMLSelectElement);
export const button = (id: string): HTMLButtonElement => element(id, HTMLButtonElement);

/** Sets the text of an element, unless the element already has this text. */
export function setText(id: string, text: string): void {
  const target = element(id);
  if (target.textContent !== text) target.textContent = text;
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export const formatCount = (value: number): string => whole.format(value);
export const formatMilliseconds = (value: number): string =>
  value < 9.995 ? value.toFixed(2) : value.toFixed(1);
