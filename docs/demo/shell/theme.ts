// The button in the bar -> light or dark, kept for the next visit; what is drawn in code asks for its colours here.
import { element } from './elements.js';

const listeners: (() => void)[] = [];

/** A colour of the style sheet, as '#rrggbb'. name: without the leading dashes. */
export const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Calls the listener now and whenever the theme changes. */
export function onTheme(listener: () => void): void {
  listeners.push(listener);
  listener();
}

function change(): void {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
  try { localStorage.setItem('theme', root.dataset.theme); } catch { /* Storage may be forbidden: it holds for this page. */ }
  for (const listener of listeners) listener();
}

/** The button works from now on. */
export function startThemeButton(): void {
  element('theme').addEventListener('click', change);
}
