// The button that switches between the light and the dark theme, and stores the choice for the next visit.
// Also provides the colors of the theme for drawing.
import { element } from './elements.js';

const listeners: (() => void)[] = [];

/**
 * Returns a color of the style sheet as '#rrggbb'. `name`: the CSS variable of the color, without leading
 * dashes.
 */
export const color = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Calls the listener now and whenever the theme changes. */
export function onTheme(listener: () => void): void {
  listeners.push(listener);
  listener();
}

function setTheme(theme: string): void {
  document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

/** Activates the button. Until the user has chosen a theme, the page follows the theme of the system. */
export function startThemeButton(): void {
  let isChosen = false;
  try {
    isChosen = localStorage.getItem('theme') !== null;
  } catch {
    /* Storage is not available. */
  }
  element('theme').addEventListener('click', () => {
    isChosen = true;
    const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem('theme', theme);
    } catch {
      /* Storage may be forbidden. Then the choice is lost when the user leaves the page. */
    }
    setTheme(theme);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
    if (!isChosen) setTheme(matches ? 'dark' : 'light');
  });
}
