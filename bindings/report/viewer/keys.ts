// Keys pressed anywhere on the page -> steps through the table, and the few commands that have a key.
export interface KeyCommands {
  step(rows: number): void;
  page(pages: number): void;
  clear(): void;
  save(): void;
}

/** Arrow keys go from the filter to the table; other keys are the filter's own while it is typed in. */
export function followKeys(
  grid: HTMLElement,
  filter: HTMLInputElement,
  { step, page, clear, save }: KeyCommands,
): void {
  const commands: Record<string, () => void> = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    PageDown: () => page(1),
    PageUp: () => page(-1),
    Home: () => step(-Infinity),
    End: () => step(Infinity),
    Escape: clear,
    s: save,
    S: save,
  };
  document.addEventListener('keydown', event => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    const isTyping = target === filter;
    if (ctrlKey || metaKey || altKey || !Object.hasOwn(commands, key)) return;
    if (isTyping && key !== 'ArrowDown' && key !== 'ArrowUp') return;
    event.preventDefault();
    if (isTyping) grid.focus();
    commands[key]();
  });
}
