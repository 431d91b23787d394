// Ids of the page -> elements of the right kind; numbers -> text.

type Kind<T extends HTMLElement> = abstract new (...args: never[]) => T;

/** The element of this id. @throws Error where the page has none of that kind. */
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

/** Sets text only where it differs. */
export function show(id: string, text: string): void {
  const target = element(id);
  if (target.textContent !== text) target.textContent = text;
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export const count = (value: number): string => whole.format(value);
export const milliseconds = (value: number): string => (value < 9.995 ? value.toFixed(2) : value.toFixed(1));
