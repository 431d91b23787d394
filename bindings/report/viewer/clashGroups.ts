// The groups of clashes on the report page: the group of each clash, the order of the groups, and which of them
// are collapsed.
import type { ReportHeader } from '../content.js';

/** The name of the last group, which contains all clashes that are in no group of the run. */
const NO_GROUP = 'In no group';

/** Listed clashes of one group, in the order of the table. */
export interface Section {
  /** Index of the group. */
  group: number;
  clashes: number[];
}

/**
 * Converts the index of a group to a negative number, which stands for the group's heading in a list whose
 * other entries are clashes. Also converts this number back to the index of the group.
 */
export const headingOf = (group: number): number => ~group;

export class ClashGroups {
  /** Whether the run has groups. If not, the table has no headings. */
  readonly isGrouped: boolean;
  /** The name of each group. If some clashes are in no group of the run, they form the last group. */
  readonly names: string[];
  /** The number of clashes, by group. */
  readonly totals: number[];
  private readonly groupOfClash: Uint32Array;
  // Index of the last group: the clashes that are in no group of the run.
  private readonly none: number;
  private readonly collapsed = new Set<number>();

  constructor({ groups, clashes }: Pick<ReportHeader, 'groups' | 'clashes'>) {
    const list = groups?.list ?? [];
    this.isGrouped = list.length > 0;
    this.none = list.length;
    this.groupOfClash = new Uint32Array(clashes.length).fill(this.none);
    list.forEach(({ clashes: members }, group) => {
      for (const clash of members) this.groupOfClash[clash] = group;
    });
    this.names = list.map(({ name }) => name);
    this.totals = list.map(({ clashes: members }) => members.length);
    const rest = clashes.length - this.totals.reduce((sum, total) => sum + total, 0);
    if (rest === 0) return;
    this.names.push(NO_GROUP);
    this.totals.push(rest);
  }

  /** Returns the group of a clash. */
  groupOf(clash: number): number {
    return this.groupOfClash[clash];
  }

  /** Returns the name of the group of a clash; undefined if the clash is in no group of the run. */
  nameOf(clash: number): string | undefined {
    return this.isInNone(this.groupOf(clash)) ? undefined : this.names[this.groupOf(clash)];
  }

  /**
   * Divides sorted clashes into groups, which are sorted by their first clash. Clashes that are in no group of
   * the run come last.
   */
  divide(sorted: number[]): Section[] {
    const sections = new Map<number, Section>();
    for (const clash of sorted) {
      const group = this.groupOf(clash);
      const section = sections.get(group);
      if (section) section.clashes.push(clash);
      else sections.set(group, { group, clashes: [clash] });
    }
    return [...sections.values()].sort(
      (x, y) => Number(this.isInNone(x.group)) - Number(this.isInNone(y.group)),
    );
  }

  /** Returns the rows of the table: clashes, and the entries of headings (see `headingOf`). */
  rowsOf(sections: Section[]): number[] {
    if (!this.isGrouped) return sections.flatMap(({ clashes }) => clashes);
    return sections.flatMap(({ group, clashes }) => [
      headingOf(group),
      ...(this.collapsed.has(group) ? [] : clashes),
    ]);
  }

  /** Returns whether the clashes of a group are hidden. */
  isCollapsed(group: number): boolean {
    return this.collapsed.has(group);
  }

  /** Hides or shows the clashes of these groups; of all groups by default. */
  setCollapsed(isCollapsed: boolean, groups: Iterable<number> = this.names.keys()): void {
    for (const group of groups)
      if (isCollapsed) this.collapsed.add(group);
      else this.collapsed.delete(group);
  }

  private isInNone(group: number): boolean {
    return group === this.none;
  }
}
