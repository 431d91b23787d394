// Fits a table to the width of the terminal: shortens texts, leaves out columns, and finally cuts cells.
import { cutEnd, printable, printableShort, textTable, widthOf } from '../terminal.js';

export interface Column {
  title: string;
  isNumeric?: boolean;
  /** Names are cut in the middle if the table is too wide. Other texts are cut at the end. */
  isName?: boolean;
  /**
   * When the column is left out of a table that is too wide. 'first': before any text is shortened. 'second':
   * after texts are shortened once, and before names are cut to less than GOOD_NAME_WIDTH. 'last': after all
   * other changes, and before cells that are not names are cut. Columns without this field are always in the
   * table.
   */
  leaveOut?: 'first' | 'second' | 'last';
}

/** A cell: a text, or a list of texts with the same meaning, the longest first. */
export type Cell = string | readonly string[];

const GAP = 2;
/** Names that are shorter than this are hard to tell apart. */
const GOOD_NAME_WIDTH = 20;
const MIN_NAME_WIDTH = 12;
/** Names are cut to this width before other texts are cut. */
const SHORTEST_NAME_WIDTH = 3;

/** A table that may be too wide. */
interface Layout {
  columns: Column[];
  rows: Cell[][];
  /** The index of the text that a cell with several texts shows. */
  wording: number;
  /** The width to which names may be cut. */
  nameWidth: number;
}

/** Formats a table so that no line is wider than `width`, if `width` is at least 40. */
export function fitTable(columns: Column[], rows: Cell[][], width: number): string {
  let layout: Layout = { columns, rows, wording: 0, nameWidth: GOOD_NAME_WIDTH };
  for (const change of CHANGES) {
    while (neededWidth(layout) > width) {
      const changed = change(layout);
      if (!changed) break;
      layout = changed;
    }
  }
  return drawn(layout, width);
}

// The changes that make a table narrower, in the order in which they are made. Each is repeated until the
// table is narrow enough, or until the change returns undefined because it cannot be made.
const CHANGES: ((layout: Layout) => Layout | undefined)[] = [
  layout => withoutColumn(layout, 'first'),
  layout => withWording(layout, 1),
  layout => withoutColumn(layout, 'second'),
  layout => withNames(layout, MIN_NAME_WIDTH),
  layout => withWording(layout, 2),
  layout => withoutColumn(layout, 'last'),
];

function withoutColumn(layout: Layout, when: Column['leaveOut']): Layout | undefined {
  const { columns, rows } = layout;
  const at = columns.findLastIndex(({ leaveOut }) => leaveOut === when);
  if (at < 0) return undefined;
  return {
    ...layout,
    columns: columns.toSpliced(at, 1),
    rows: rows.map(row => row.toSpliced(at, 1)),
  };
}

const withWording = (layout: Layout, wording: number): Layout | undefined =>
  layout.wording < wording ? { ...layout, wording } : undefined;

const withNames = (layout: Layout, nameWidth: number): Layout | undefined =>
  layout.nameWidth > nameWidth ? { ...layout, nameWidth } : undefined;

// Returns the texts of the cells, in full.
const textsOf = ({ columns, rows, wording }: Layout): string[][] =>
  rows.map(row =>
    row.map((cell, i) => {
      const text = typeof cell === 'string' ? cell : cell[Math.min(wording, cell.length - 1)];
      return columns[i].isName ? printableShort(text) : printable(text);
    }),
  );

const fullWidths = (columns: Column[], texts: string[][]): number[] =>
  columns.map(({ title }, i) => texts.reduce((max, row) => Math.max(max, widthOf(row[i])), widthOf(title)));

// Returns the width of the table if names are cut to the name width of the layout.
function neededWidth(layout: Layout): number {
  const { columns, nameWidth } = layout;
  return fullWidths(columns, textsOf(layout)).reduce(
    (sum, full, i) => sum + GAP + (columns[i].isName ? Math.min(full, nameWidth) : full),
    -GAP,
  );
}

// Cuts the cells and formats the table. Names are cut before other texts. Numbers are never cut.
function drawn(layout: Layout, width: number): string {
  const { columns } = layout;
  const texts = textsOf(layout);
  const widths = fullWidths(columns, texts);
  const total = width - GAP * (columns.length - 1);
  const indices = (isWanted: (column: Column) => boolean | undefined): number[] =>
    columns.flatMap((column, i) => (isWanted(column) ? [i] : []));
  const names = indices(({ isName }) => isName);
  shareWidth(widths, names, total, SHORTEST_NAME_WIDTH);
  shareWidth(
    widths,
    indices(({ isNumeric }) => !isNumeric),
    total,
    1,
  );
  return textTable(
    columns.map(({ title }, i) => cutEnd(title, widths[i])),
    texts.map(row =>
      row.map((text, i) => (columns[i].isName ? printableShort(text, widths[i]) : cutEnd(text, widths[i]))),
    ),
    columns.map(({ isNumeric }) => isNumeric === true),
  );
}

// Reduces the widths of some columns so that all widths together are at most `total`. These columns share
// equally the width that the other columns leave. A column that needs less than its share leaves the rest of
// its share to the others. No column gets narrower than `min`, unless it needs less.
function shareWidth(widths: number[], some: number[], total: number, min: number): void {
  const set = new Set(some);
  let left = widths.reduce((rest, width, i) => (set.has(i) ? rest : rest - width), total);
  for (const [done, column] of some.toSorted((x, y) => widths[x] - widths[y]).entries()) {
    const share = Math.max(min, Math.floor(left / (some.length - done)));
    widths[column] = Math.min(widths[column], share);
    left -= widths[column];
  }
}
