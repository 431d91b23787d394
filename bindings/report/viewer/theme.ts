// The dark or light theme of the report page. It follows the theme of the system until the user presses the
// theme button. This file also reads the page's colors for the 3D view.
import { byId } from './elements.js';
import type { Palette } from './model.js';

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

/**
 * Calls `onChange` with the colors once at the start, and again whenever the theme changes.
 *
 * @param kinds - The classes. The palette contains the color of the markers of each class.
 */
export function watchTheme(kinds: readonly string[], onChange: (palette: Palette) => void): void {
  const button = byId<HTMLButtonElement>('theme');
  button.disabled = false;
  let isDark = systemIsDark.matches;
  let isChosen = false;
  const apply = (): void => {
    if (isChosen) document.documentElement.style.colorScheme = isDark ? 'dark' : 'light';
    button.textContent = isDark ? 'Light' : 'Dark';
    onChange(readPalette(kinds));
  };
  button.addEventListener('click', () => {
    isDark = !isDark;
    isChosen = true;
    apply();
  });
  systemIsDark.addEventListener('change', () => {
    if (isChosen) return;
    isDark = systemIsDark.matches;
    apply();
  });
  apply();
}

function readPalette(kinds: readonly string[]): Palette {
  const probe = document.body.appendChild(document.createElement('i'));
  const colorOf = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const palette = {
    plain: ['plain-1', 'plain-2', 'plain-3', 'plain-4'].map(colorOf),
    a: colorOf('part-a'),
    b: colorOf('part-b'),
    ghost: colorOf('ghost'),
    lit: colorOf('lit'),
    picked: colorOf('accent'),
    kinds: kinds.map(kind => colorOf(`kind-${kind}`)),
    tool: colorOf('tool'),
    background: colorOf('stage'),
  };
  probe.remove();
  return palette;
}
