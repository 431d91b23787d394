// The keyboard shortcuts of the report page.

/** The commands that keys run, by the value of KeyboardEvent.key; letters are in lower case. */
export type KeyCommands = Record<string, () => void>;

/**
 * Runs a command when its key is pressed without Ctrl, Alt or Meta, anywhere on the page but not in a dialog.
 * In the filter, only the up and down arrow keys run their commands; they also move the focus to the table. In
 * other text fields, in sliders and in lists, no key runs a command, but Escape moves the focus to the table.
 * All other keys keep their usual meaning there. Enter and Space run their commands only in the table, because
 * elsewhere they press buttons.
 */
export function handleKeys(
  grid: HTMLElement,
  filter: HTMLInputElement | undefined,
  commands: KeyCommands,
): void {
  document.addEventListener('keydown', event => {
    const { key: pressed, ctrlKey, metaKey, altKey } = event;
    const target = event.target as HTMLElement;
    const key = pressed.length === 1 ? pressed.toLowerCase() : pressed;
    if (ctrlKey || metaKey || altKey || !Object.hasOwn(commands, key)) return;
    if (target.closest('dialog')) return;
    if ((key === 'Enter' || key === ' ') && target !== grid) return;
    if (target === filter) {
      if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
      grid.focus();
    } else if (target.closest('input, textarea, select')) {
      if (key === 'Escape') grid.focus();
      return;
    }
    event.preventDefault();
    commands[key]();
  });
}
