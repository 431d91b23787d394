// Reads recorded rows: the CSV files of bench/results.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../results/', import.meta.url));

// Fields may be quoted and contain commas; quotes in them are doubled.
const fieldsOf = line =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'),
  );

/** Returns the rows of a CSV text as objects; fields that a row lacks are undefined. */
export function parseRows(text) {
  const [head, ...lines] = text.trim().split('\n');
  const keys = fieldsOf(head);
  return lines.map(line => Object.fromEntries(fieldsOf(line).map((value, i) => [keys[i], value])));
}

/** Returns the rows of results/<name>.csv. */
export const readRows = name => parseRows(readFileSync(`${folder}${name}.csv`, 'utf8'));

/** Returns the names of the machines on which `npm run papers` has recorded rows. */
export const paperMachines = () =>
  readdirSync(folder)
    .map(file => /^papers-(.+)\.csv$/.exec(file)?.[1])
    .filter(name => name !== undefined)
    .sort();

/** Returns the rows of all `paperMachines`. Each row has the name of its machine as `machine`. */
export const readPaperRows = () =>
  paperMachines().flatMap(machine => readRows(`papers-${machine}`).map(row => ({ ...row, machine })));

/** Groups rows by the value of `keyOf`. @returns a Map, in the order in which the values first occur */
export function groupBy(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) {
    const key = keyOf(row);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return groups;
}
