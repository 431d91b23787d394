// The controls of groups: the list that restricts the table to one group, and the buttons that collapse and
// expand all groups.
import type { ReportHeader } from '../content.js';
import type { ClashGroups } from './clashGroups.js';
import { byId, make } from './elements.js';
import { formatCount, plural } from './format.js';

export class GroupFilter {
  private chosen: number | undefined;

  /**
   * @param onChoice - Called when another group, or all groups, were chosen.
   * @param onCollapse - Called when groups were collapsed or expanded.
   */
  constructor(
    { groups: grouping }: ReportHeader,
    private readonly groups: ClashGroups,
    onChoice: () => void,
    onCollapse: () => void,
  ) {
    if (!groups.isGrouped) return;
    byId('groups').hidden = false;
    const choice = byId<HTMLSelectElement>('group');
    choice.append(
      make('option', '', `All ${plural(grouping!.list.length, 'group')} by ${grouping!.by}`, { value: '' }),
      ...groups.names.map((name, group) =>
        make('option', '', `${name} (${formatCount(groups.totals[group])})`, { value: `${group}` }),
      ),
    );
    choice.addEventListener('change', () => {
      this.chosen = choice.value === '' ? undefined : Number(choice.value);
      // The group is expanded, because the user wants to see its clashes.
      if (this.chosen !== undefined) groups.setCollapsed(false, [this.chosen]);
      onChoice();
    });
    for (const [id, isCollapsed] of [
      ['collapse', true],
      ['expand', false],
    ] as const)
      byId(id).addEventListener('click', () => {
        groups.setCollapsed(isCollapsed);
        onCollapse();
      });
  }

  /** Whether the table is restricted to one group. */
  get isChosen(): boolean {
    return this.chosen !== undefined;
  }

  /** Returns whether a clash is in the chosen group, or no group is chosen. */
  isListed(clash: number): boolean {
    return this.chosen === undefined || this.groups.groupOf(clash) === this.chosen;
  }
}
