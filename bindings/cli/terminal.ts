// Text -> text for a terminal: colours where they are wanted, names made harmless, columns aligned.
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Colours only for a terminal that has not turned them off (NO_COLOR, TERM=dumb). */
export function paint(style: Style, text: string): string {
  const isWanted = process.stdout.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  return isWanted ? styleText(style, text) : text;
}

/** A name out of a file: control characters would move the cursor or change colours. */
export function printable(name: string): string {
  return name.replace(/[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, '?');
}

/** Characters of a name in a table: one that is longer would make every row as long. */
const LONGEST_NAME = 120;

/** The same for a table, cut where it is too long. */
export function printableShort(name: string): string {
  return printable(name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}\u2026` : name);
}

export function grouped(value: number): string {
  return value.toLocaleString('en-US');
}

export function plural(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : noun.endsWith('sh') ? 'es' : 's'}`;
}

/**
 * Every row, however many: table libraries take seconds for ten thousand. numeric: which columns stand at the
 * right.
 */
export function textTable(head: string[], rows: string[][], numeric: boolean[]): string {
  const widths = head.map((title, column) =>
    rows.reduce((width, row) => Math.max(width, widthOf(row[column])), widthOf(title)),
  );
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => {
        const padding = ' '.repeat(widths[column] - widthOf(cell));
        return numeric[column] ? padding + cell : cell + padding;
      })
      .join('  ')
      .trimEnd();
  return [
    paint('bold', line(head)),
    paint('dim', widths.map(width => '\u2500'.repeat(width)).join('  ')),
    ...rows.map(line),
  ].join('\n');
}

// East Asian wide characters and emoji take two columns, combining marks none.
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += /\p{M}/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}
