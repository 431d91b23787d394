// The keyboard shortcuts of the report page.
export interface KeyCommands {
  step(rows: number): void;
  page(pages: number): void;
  clear(): void;
  save(): void;
}

/**
 * Runs a command when its key is pressed anywhere on the page. While the filter has the focus, only the up
 * and down arrow keys run their commands, and they move the focus to the table. All other keys go to the
 * filter.
 */
export function handleKeys(
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
