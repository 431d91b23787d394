// A table that changes: drawn over itself on a terminal, rows one below the other elsewhere.
import { textTable } from '../terminal.js';

export interface LiveTable {
  /** Whether it is drawn over itself. */
  readonly isLive: boolean;
  /** Draws these lines in place of those before. Nothing where it is not live. */
  draw(text: string): void;
  /** A line that stays. */
  say(line: string): void;
  /** What was drawn last stays. */
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
      // A line that is wrapped, or has left the screen, could not be drawn over.
      const lines = text
        .split('\n')
        .slice(0, Math.max(1, (stream.rows || 24) - 1))
        .map(line => shortened(line, (stream.columns || 80) - 1));
      stream.write(`${clear()}${lines.join('\n')}\n`);
      drawn = lines.length;
    },
    say(line) {
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
  return bare.length <= width ? line : `${bare.slice(0, width - 1)}…`;
}

/**
 * Rows of equal columns that come one by one: a head, then each by itself. widths: of each column; numbers
 * stand at the right.
 */
export function rowsOf(columns: readonly { title: string; width: number }[]): {
  head: string;
  row(cells: readonly (string | number)[]): string;
} {
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => cell.padStart(Math.max(columns[i].title.length, columns[i].width))).join('  ');
  return { head: line(columns.map(({ title }) => title)), row: cells => line(cells.map(String)) };
}

/** Whole tables, numbers at the right but for the first column. */
export const tableOf = (head: string[], rows: (string | number)[][]): string =>
  textTable(
    head,
    rows.map(row => row.map(String)),
    head.map((_, column) => column > 0),
  );

/** 1234567 -> `1.2 MB`. */
export function bytesText(bytes: number): string {
  for (const [unit, size] of [
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
  ] as const)
    if (bytes >= size) return `${(bytes / size).toFixed(1)} ${unit}`;
  return `${bytes} B`;
}
