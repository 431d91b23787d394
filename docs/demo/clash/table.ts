// Fills the table of clashes on the clash page. A click on a row selects its clash.
import type { Classification } from 'pfront';
import { element, formatCount, setText } from '../shell/elements.js';
import type { Clash } from './clashFinder.js';
import type { Part } from './parts.js';

const MAX_ROWS = 200;

/**
 * Fills the table with the first MAX_ROWS clashes. When the user clicks a row, `choose` is called with the
 * clash of the row.
 */
export function showTable(
  clashes: readonly Clash[],
  parts: readonly Part[],
  choose: (clash: Clash) => void,
): void {
  const body = element('table');
  body.replaceChildren(
    ...clashes.slice(0, MAX_ROWS).map(clash => {
      const row = document.createElement('tr');
      const names = row.insertCell().appendChild(document.createElement('button'));
      names.type = 'button';
      for (const part of [clash.a, clash.b])
        names.appendChild(document.createElement('span')).textContent = parts[part]!.name;
      names.title = `${parts[clash.a]!.name} and ${parts[clash.b]!.name}`;
      row.insertCell().textContent = '–';
      row.insertCell().textContent = '–';
      row.insertCell().textContent = formatCount(clash.trianglePairs);
      row.setAttribute('aria-selected', 'false');
      row.addEventListener('click', () => {
        deselect();
        row.setAttribute('aria-selected', 'true');
        choose(clash);
      });
      return row;
    }),
  );
  setText('table-hint', hintFor(clashes.length, parts.length));
}

/** Writes the class and the depth of a clash into its row. Returns false if the clash has no row. */
export function showClass(row: number, { class: kind, depth }: Classification): boolean {
  const cells = element('table').children[row]?.children;
  if (!cells) return false;
  cells[1]!.textContent = kind;
  cells[2]!.textContent = depth > 0 ? Number(depth.toPrecision(3)).toString() : '–';
  return true;
}

/** Clears the selection. */
export function deselect(): void {
  for (const row of element('table').children) row.setAttribute('aria-selected', 'false');
}

function hintFor(clashes: number, parts: number): string {
  if (parts === 0) return 'Clashes are listed here. Select one to show it.';
  if (clashes === 0) return 'No clashes.';
  if (clashes > MAX_ROWS)
    return `The ${MAX_ROWS} clashes with the most triangle pairs are listed; ${formatCount(clashes - MAX_ROWS)} more are not.`;
  return 'Select a clash to show it. Depths are in the unit of the model.';
}
