// The button in the bar -> light or dark, kept for the next visit; what is drawn in code asks for its colours
// here.
import { element } from './elements.js';

const listeners: (() => void)[] = [];

/** A colour of the style sheet, as '#rrggbb'. name: without the leading dashes. */
export const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Calls the listener now and whenever the theme changes. */
export function onTheme(listener: () => void): void {
  listeners.push(listener);
  listener();
}

function use(theme: string): void {
  document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

/** The button works from now on; until it is used, the theme is the system's. */
export function startThemeButton(): void {
  let isChosen = false;
  try {
    isChosen = localStorage.getItem('theme') !== null;
  } catch {
    /* Nothing was kept. */
  }
  element('theme').addEventListener('click', () => {
    isChosen = true;
    const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem('theme', theme);
    } catch {
      /* Storage may be forbidden: it holds for this page. */
    }
    use(theme);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
    if (!isChosen) use(matches ? 'dark' : 'light');
  });
}
