// The page of a clash report: fills the table, draws the parts in the 3D view, and keeps the table and the view
// in sync.
import { STATUSES } from '../bcf/topic.js';
import { CLASSES, compareFindings, describeFinding } from '../clashClasses.js';
import type { ReportContent } from '../content.js';
import { BcfDialog } from './bcfExport.js';
import { ChangeFilter } from './changeFilter.js';
import { ClashGroups } from './clashGroups.js';
import { ClashOrder, type ColumnKey, type Sorting } from './clashOrder.js';
import { ClashTable } from './clashTable.js';
import { ClassFilter } from './classFilter.js';
import { contactBox } from './contactShape.js';
import { showDetails } from './details.js';
import { byId } from './elements.js';
import { countText, plural } from './format.js';
import { GroupFilter } from './groupFilter.js';
import { handleKeys, type KeyCommands } from './keys.js';
import { makeButton, makeHelp, openHelp } from './pageButtons.js';
import { type Placement, placeParts } from './placement.js';
import { ReviewPanel } from './reviewPanel.js';
import { Reviews } from './reviews.js';
import { type PageTemplate, savePage } from './savePage.js';
import { emptyTableText, showReportTexts } from './texts.js';
import { watchTheme } from './theme.js';
import { Toolbar } from './toolbar.js';
import { View } from './view.js';
import { viewCommands } from './viewCommands.js';

export class ClashReport {
  selected: number | undefined;
  readonly view: View;
  readonly reviews: Reviews;
  private readonly grid: ClashTable;
  private readonly order: ClashOrder;
  private readonly classes: ClassFilter;
  private readonly changes: ChangeFilter;
  private readonly groups: ClashGroups;
  private readonly groupFilter: GroupFilter;
  private readonly placement: Placement;
  private readonly toolbar: Toolbar;
  private readonly review: ReviewPanel;
  private readonly filter = byId<HTMLInputElement>('filter');
  private readonly details = byId('details');
  private sorting: Sorting = { key: 'what', isDescending: false };
  // Clashes that are in the chosen group, if any, and whose buttons are pressed.
  private chosen: number[] = [];
  // The chosen clashes that match the text filter, in the order of the table.
  private listed: number[] = [];

  /** @param template - The HTML of the page before its script changed it. */
  constructor(
    readonly content: ReportContent,
    private readonly template: PageTemplate,
  ) {
    const { header } = content;
    showReportTexts(header);
    this.placement = placeParts(content);
    this.reviews = new Reviews(header.guid, header.reviews, () => this.updateReviews());
    this.review = new ReviewPanel(this.reviews);
    this.order = new ClashOrder(header, this.reviews);
    this.groups = new ClashGroups(header);
    this.grid = new ClashTable(
      byId('grid'),
      header,
      this.reviews,
      this.groups,
      key => this.sortBy(key),
      clash => this.select(clash),
    );
    this.classes = new ClassFilter(byId('classes'), header, () => this.updateChoice());
    this.changes = new ChangeFilter(byId('changes'), header, () => this.updateChoice());
    this.groupFilter = new GroupFilter(
      header,
      this.groups,
      () => this.updateChoice(),
      () => this.grid.updateGroups(),
    );
    this.view = new View(
      content,
      this.placement,
      {
        kindOf: clash => CLASSES.indexOf(header.clashes[clash].class),
        compare: (x, y) => compareFindings(header.clashes[x], header.clashes[y]),
      },
      clash => this.select(clash),
      () => this.updateRoles(),
    );
    this.toolbar = new Toolbar(this.view, header, part => this.listClashesOf(part));
    this.filter.addEventListener('input', () => this.updateList());
    watchTheme(CLASSES, palette => this.view.paint(palette));
    const bcf = new BcfDialog(content, this.placement, this.reviews, this.groups, () => this.listed);
    makeButton('fit', () => this.clear(), !this.view.stage);
    makeButton('screenshot', () => this.save(), !this.view.stage);
    makeButton('bcf', () => bcf.open(), header.clashes.length === 0);
    makeButton('save-page', () => void this.savePage(), header.clashes.length === 0);
    makeHelp();
    handleKeys(byId('grid'), this.filter, this.commands(bcf));
    this.updateChoice();
  }

  select(clash: number): void {
    this.selected = clash;
    this.grid.select(clash);
    this.review.show(this.content.header.clashes[clash].guid);
    this.details.hidden = false;
    this.view.makeRoom(this.details);
    // Also fills the panel of details, because the roles of the parts change.
    this.view.showClash(clash);
  }

  clear(): void {
    this.selected = undefined;
    this.details.hidden = true;
    this.view.makeRoom(this.details);
    this.view.showAll();
    this.grid.select(undefined);
  }

  private commands(bcf: BcfDialog): KeyCommands {
    const { view, grid } = this;
    const status = (index: number) => () => {
      if (this.selected !== undefined)
        this.reviews.setStatus(this.content.header.clashes[this.selected].guid, STATUSES[index]);
    };
    return {
      ArrowDown: () => grid.step(1),
      ArrowUp: () => grid.step(-1),
      PageDown: () => grid.step(grid.pageRows),
      PageUp: () => grid.step(-grid.pageRows),
      Home: () => grid.step(-Infinity),
      End: () => grid.step(Infinity),
      ...(this.groups.isGrouped
        ? {
            ArrowLeft: () => grid.collapse(),
            ArrowRight: () => grid.expand(),
            Enter: () => grid.toggleCurrent(),
            ' ': () => grid.toggleCurrent(),
          }
        : {}),
      ...viewCommands(
        view,
        this.toolbar,
        () => this.clear(),
        () => this.save(),
      ),
      c: () => this.review.focus(),
      b: () => bcf.open(),
      p: () => void this.savePage(),
      '/': () => this.filter.focus(),
      '?': openHelp,
      ...Object.fromEntries(STATUSES.map((_, i) => [`${i + 1}`, status(i)])),
    };
  }

  // Selects the clash that is `places` rows below the selected clash in the list.
  private step(places: number): void {
    const clash = this.listed[this.listed.indexOf(this.selected!) + places];
    if (clash !== undefined) this.select(clash);
  }

  private listClashesOf(part: number): void {
    this.filter.value = this.content.header.parts[part].name;
    this.updateList();
  }

  private sortBy(key: ColumnKey): void {
    this.sorting = {
      key,
      isDescending: this.sorting.key === key ? !this.sorting.isDescending : key === 'size',
    };
    this.updateList();
  }

  private updateChoice(): void {
    this.chosen = this.content.header.clashes.flatMap((clash, i) =>
      this.classes.isListed(clash) && this.changes.isListed(clash) && this.groupFilter.isListed(i) ? [i] : [],
    );
    this.updateList();
  }

  private updateList(): void {
    const { clashes } = this.content.header;
    const sections = this.groups.divide(this.order.list(this.chosen, this.filter.value, this.sorting));
    this.listed = sections.flatMap(section => section.clashes);
    this.grid.show(sections, this.sorting);
    this.view.setListed(this.listed);
    byId('count').textContent = countText(this.listed.length, clashes.length);
    const empty = byId('empty');
    empty.hidden = this.listed.length > 0;
    empty.textContent = emptyTableText(
      this.content.header,
      this.chosen.length,
      this.groupFilter.isChosen,
      this.changes.isChosen,
      this.filter.value,
    );
    this.filter.disabled = clashes.length === 0;
    if (this.selected !== undefined) this.showDetails(this.selected);
  }

  private updateReviews(): void {
    this.grid.refresh();
    this.review.update();
  }

  private updateRoles(): void {
    this.toolbar.update();
    if (this.selected !== undefined && !this.details.hidden) this.showDetails(this.selected);
  }

  private showDetails(clash: number): void {
    const { view } = this;
    showDetails(
      this.details,
      this.content,
      clash,
      this.listed.indexOf(clash),
      this.listed.length,
      this.groups.nameOf(clash),
      contactBox(this.content, this.placement, clash),
      this.placement.modelSize,
      this.review.element,
      {
        previous: () => this.step(-1),
        next: () => this.step(1),
        close: () => this.clear(),
        isHidden: part => view.roles.isHidden(part),
        toggleHidden: part => view.toggleHidden(part),
      },
    );
  }

  private async savePage(): Promise<void> {
    const button = byId<HTMLButtonElement>('save-page');
    if (button.disabled) return;
    button.disabled = true;
    try {
      await savePage(this.template, this.content, this.reviews.all());
    } finally {
      button.disabled = false;
    }
  }

  private save(): void {
    const { clashes, parts, files, unit } = this.content.header;
    let name = files.join(', ');
    let caption = `${name}: ${plural(this.listed.length, 'clash')}`;
    if (this.selected !== undefined) {
      const clash = clashes[this.selected];
      name = `${parts[clash.a].name} and ${parts[clash.b].name}`;
      caption = `${name}: ${clash.class}, ${describeFinding(clash, unit)}`;
    }
    this.view.save(name, caption);
  }

  /** The state of the page, for tests. */
  state(): object {
    return { selected: this.selected, ...this.view.state() };
  }
}
