// The heading of a group in the table of clashes: its name, its number of clashes and their largest overlap.
import { describeLargest } from '../clashClasses.js';
import type { ReportHeader } from '../content.js';
import type { ClashGroups } from './clashGroups.js';
import { make, makeName } from './elements.js';
import { countText } from './format.js';

/**
 * Creates the heading.
 *
 * @param listed - The listed clashes of the group.
 */
export function makeGroupHeading(
  { clashes, unit }: ReportHeader,
  groups: ClashGroups,
  group: number,
  listed: readonly number[],
): HTMLElement {
  const heading = make('div', 'row group', undefined, {
    role: 'row',
    id: `group-${group}`,
    'data-group': `${group}`,
    'aria-level': '1',
  });
  const cell = make('div', 'cell', undefined, { role: 'gridcell', 'aria-colspan': '4' });
  const largest = describeLargest(
    listed.map(clash => clashes[clash]),
    unit,
  );
  const facts = `${countText(listed.length, groups.totals[group])}, ${largest}`;
  cell.append(makeName(groups.names[group]), make('span', 'facts', facts, { title: facts }));
  heading.append(cell);
  return heading;
}
