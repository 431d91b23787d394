// Prints tables that change over time, such as the list of nodes. On a terminal, a table is redrawn in place;
// otherwise, the caller prints its rows one by one.
import { cutEnd, textTable, widthOf } from '../terminal.js';

export interface LiveTable {
  /** Whether the table is redrawn in place. */
  readonly isLive: boolean;
  /** Draws a text in place of the text that was drawn before. Does nothing if the table is not live. */
  draw(text: string): void;
  /** Prints a line that is never redrawn. If a table is on the screen, the line replaces it. */
  printLine(line: string): void;
  /** Stops redrawing. The most recently drawn lines stay on the screen. */
  end(): void;
}

const ESCAPES = /\x1b\[[0-9;]*m/g;

export function createLiveTable(stream: NodeJS.WriteStream = process.stdout, mayDraw = true): LiveTable {
  const isLive = mayDraw && stream.isTTY === true && process.env.TERM !== 'dumb';
  let drawn = 0;
  const clear = (): string => (drawn === 0 ? '' : `\x1b[${drawn}A\x1b[0J`);
  return {
    isLive,
    draw(text) {
      if (!isLive) return;
      // Lines that wrap or scroll off the screen could not be redrawn, so long lines and long texts are cut.
      const lines = text
        .split('\n')
        .slice(0, Math.max(1, (stream.rows || 24) - 1))
        .map(line => shortened(line, (stream.columns || 80) - 1));
      stream.write(`${clear()}${lines.join('\n')}\n`);
      drawn = lines.length;
    },
    printLine(line) {
      stream.write(`${clear()}${line}\n`);
      drawn = 0;
    },
    end() {
      drawn = 0;
    },
  };
}

function shortened(line: string, width: number): string {
  const bare = line.replace(ESCAPES, '');
  return widthOf(bare) <= width ? line : cutEnd(bare, width);
}

/**
 * Returns the header line of a table and a function that formats one row, so that rows can be printed one by
 * one. columns: the title and the minimum width of each column. Cells are right-aligned.
 */
export function createRowFormatter(columns: readonly { title: string; width: number }[]): {
  head: string;
  row(cells: readonly (string | number)[]): string;
} {
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => cell.padStart(Math.max(columns[i].title.length, columns[i].width))).join('  ');
  return { head: line(columns.map(({ title }) => title)), row: cells => line(cells.map(String)) };
}

/** Formats a whole table. The first column is left-aligned, the others right-aligned. */
export const tableOf = (head: string[], rows: (string | number)[][]): string =>
  textTable(
    head,
    rows.map(row => row.map(String)),
    head.map((_, column) => column > 0),
  );

/** Formats a number of bytes, for example `1.2 MB` for 1234567. */
export function bytesText(bytes: number): string {
  for (const [unit, size] of [
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
  ] as const)
    if (bytes >= size) return `${(bytes / size).toFixed(1)} ${unit}`;
  return `${bytes} B`;
}
