// The buttons at the top of a page, and the dialog with its keyboard shortcuts.
import { byId } from './elements.js';

/** Calls `press` when a button of the page is pressed. */
export function makeButton(id: string, press: () => void, isOff = false): void {
  const button = byId<HTMLButtonElement>(id);
  button.disabled = isOff;
  button.addEventListener('click', press);
}

/** Makes the buttons that open and close the dialog with the keyboard shortcuts. */
export function makeHelp(): void {
  makeButton('keys', openHelp);
  makeButton('help-close', () => byId<HTMLDialogElement>('help').close());
}

/** Opens the dialog with the keyboard shortcuts. */
export function openHelp(): void {
  byId<HTMLDialogElement>('help').showModal();
}
