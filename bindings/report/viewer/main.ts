// The entry point of the report page's script. Reads the data, fills the table, draws the parts in the 3D
// view, and keeps the table and the view in sync.
import { Vector3 } from 'three';
import { describeFinding } from '../clashClasses.js';
import type { ReportContent } from '../content.js';
import { ClashOrder, type ColumnKey, type Sorting } from './clashOrder.js';
import { ClashTable } from './clashTable.js';
import { ClassFilter } from './classFilter.js';
import { showDetails } from './details.js';
import { byId } from './elements.js';
import { plural } from './format.js';
import { sharedBox } from './highlight.js';
import { handleKeys } from './keys.js';
import { Model, type Palette } from './model.js';
import { cornersOfBox, type Placement, placeParts } from './placement.js';
import { readContent } from './readContent.js';
import { saveScreenshot } from './screenshot.js';
import { Stage } from './stage.js';
import { emptyTableText, showReportTexts } from './texts.js';
import { watchTheme } from './theme.js';

class Report {
  selected: number | undefined;
  readonly model: Model;
  stage: Stage | undefined;
  private readonly grid: ClashTable;
  private readonly order: ClashOrder;
  private readonly classes: ClassFilter;
  private readonly placement: Placement;
  private readonly filter = byId<HTMLInputElement>('filter');
  private readonly details = byId('details');
  private sorting: Sorting = { key: 'what', isDescending: false };
  // Clashes of the classes whose buttons are pressed.
  private chosen: number[] = [];
  // The chosen clashes that match the text filter, in the order of the table.
  private listed: number[] = [];
  private palette: Palette | undefined;

  constructor(readonly content: ReportContent) {
    this.placement = placeParts(content);
    this.model = new Model(content, this.placement);
    this.order = new ClashOrder(content.header);
    this.grid = new ClashTable(
      byId('grid'),
      content.header,
      key => this.sortBy(key),
      clash => this.select(clash),
    );
    this.classes = new ClassFilter(byId('classes'), content.header, () => this.updateClasses());
    this.stage = this.makeStage();
    this.filter.addEventListener('input', () => this.updateList());
    watchTheme(palette => this.paint(palette));
    handleKeys(byId('grid'), this.filter, {
      step: rows => this.step(rows),
      page: pages => this.step(pages * this.grid.pageRows),
      clear: () => this.clear(),
      save: () => this.save(),
    });
    this.makeButton('fit', () => this.clear());
    this.makeButton('screenshot', () => this.save());
    this.updateClasses();
  }

  select(clash: number): void {
    this.selected = clash;
    const { a, b } = this.content.header.clashes[clash];
    const { boxes } = this.placement;
    this.model.showClash(clash);
    this.grid.select(clash);
    this.showDetails(clash);
    const margin = 0.3 * Math.min(...[a, b].map(part => boxes[part].getSize(new Vector3()).length()));
    this.stage?.flyToBox(
      sharedBox(this.content, this.placement.toStage, clash),
      boxes[a].clone().union(boxes[b]).getCenter(new Vector3()),
      margin,
    );
  }

  clear(): void {
    this.selected = undefined;
    this.details.hidden = true;
    this.model.showAll(this.chosen);
    this.grid.select(undefined);
    this.stage?.flyHome();
  }

  private step(rows: number): void {
    const clash = this.grid.neighbor(rows);
    if (clash !== undefined) this.select(clash);
  }

  private sortBy(key: ColumnKey): void {
    this.sorting = {
      key,
      isDescending: this.sorting.key === key ? !this.sorting.isDescending : key === 'size',
    };
    this.updateList();
  }

  private updateClasses(): void {
    this.chosen = this.content.header.clashes.flatMap((clash, i) =>
      this.classes.isListed(clash) ? [i] : [],
    );
    if (this.selected === undefined) this.model.showAll(this.chosen);
    this.stage?.redraw();
    this.updateList();
  }

  private updateList(): void {
    const { clashes } = this.content.header;
    this.listed = this.order.list(this.chosen, this.filter.value, this.sorting);
    this.grid.show(this.listed, this.sorting);
    byId('count').textContent =
      this.listed.length === clashes.length
        ? plural(clashes.length, 'clash')
        : `${this.listed.length} of ${plural(clashes.length, 'clash')}`;
    const empty = byId('empty');
    empty.hidden = this.listed.length > 0;
    empty.textContent = emptyTableText(this.content.header, this.chosen.length, this.filter.value);
    this.filter.disabled = clashes.length === 0;
    if (this.selected !== undefined) this.showDetails(this.selected);
  }

  private showDetails(clash: number): void {
    showDetails(
      this.details,
      this.content,
      clash,
      this.grid.rowIndexOf(clash),
      this.listed.length,
      sharedBox(this.content, this.placement.toFile, clash),
      { previous: () => this.step(-1), next: () => this.step(1), close: () => this.clear() },
    );
  }

  private makeStage(): Stage | undefined {
    const notice = byId('notice');
    try {
      const stage = new Stage(
        byId<HTMLCanvasElement>('canvas'),
        this.model.root,
        this.placement.boxes.flatMap(cornersOfBox),
        this.content.header.up,
      );
      notice.hidden = true;
      return stage;
    } catch {
      notice.textContent =
        'This browser does not support WebGL, so there is no 3D view. The table is complete.';
      return undefined;
    }
  }

  private paint(palette: Palette): void {
    this.palette = palette;
    this.model.paint(palette);
    this.stage?.setBackground(palette.background);
  }

  private makeButton(id: string, press: () => void): void {
    const button = byId<HTMLButtonElement>(id);
    button.disabled = !this.stage;
    button.addEventListener('click', press);
  }

  private save(): void {
    if (!this.stage || !this.palette) return;
    const { clashes, parts, files, unit } = this.content.header;
    const title = files.join(', ');
    const { color } = getComputedStyle(document.body);
    if (this.selected === undefined) {
      void saveScreenshot(
        this.stage.capturePicture(),
        `${title}: ${plural(this.chosen.length, 'clash')}`,
        title,
        color,
        this.palette.background,
      );
      return;
    }
    const clash = clashes[this.selected];
    const names = `${parts[clash.a].name} and ${parts[clash.b].name}`;
    void saveScreenshot(
      this.stage.capturePicture(),
      `${names}: ${clash.class}, ${describeFinding(clash, unit)}`,
      names,
      color,
      this.palette.background,
    );
  }
}

async function start(): Promise<Report> {
  const notice = byId('notice');
  const content = await readContent(done => {
    notice.textContent = `Loading the report: ${Math.floor(100 * done)} %`;
  });
  showReportTexts(content.header);
  return new Report(content);
}

const ready = start();
ready.catch((error: unknown) => {
  byId('notice').textContent =
    typeof DecompressionStream === 'undefined'
      ? 'This browser cannot decompress the report. Browsers from 2023 or later can.'
      : `The report cannot be read: ${(error as Error).message}. Create it again with pfront clash --report.`;
});

// Tests read the state of the page from globalThis.pfrontReport.
Object.assign(globalThis, {
  pfrontReport: {
    ready: ready.then(() => true),
    state: async () => {
      const { content, model, stage, selected } = await ready;
      return {
        selected,
        highlightedCount: model.highlightedCount,
        isMoving: stage?.isMoving,
        hasPicture: stage !== undefined,
        lit:
          selected === undefined
            ? undefined
            : { a: [...content.triangles[selected].a], b: [...content.triangles[selected].b] },
        roles: content.header.parts.map((_, part) => model.roleOf(part)),
      };
    },
  },
});
