// Reads everything that the benches of papers have recorded in bench/results: rows, and the curves of some
// figures.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readPaperRows, readRows } from './csv.mjs';
import { paperBenches } from './paperBenches.mjs';

/** The names of all recorded tables: the files of bench/results, without their ending .csv. */
export const tableNames = readdirSync(fileURLToPath(new URL('../results/', import.meta.url)))
  .filter(file => file.endsWith('.csv'))
  .map(file => file.slice(0, -'.csv'.length))
  .sort();

/** The figures of the benches whose rows do not name a figure. */
const FIGURES = {
  cost: () => 'Zhang and Kim, s2.2',
  threads: () => 'Zhang and Kim, s5.2.1',
  octree: ({ measure }) =>
    measure === 'from scratch'
      ? 'Lucchesi, section 5.2, one machine'
      : measure.startsWith('sort octants')
        ? 'Lucchesi, 6.2 (3), merging'
        : 'Lucchesi, 6.2 (4), coherence',
};

/** The curves that benches save in files of their own: the start of the file's name, and the figure. */
const CURVES = {
  'figure4-worm-gear': 'Zhang and Kim, Fig. 4',
  'figure10-dragon-810k': 'Zhang and Kim, Fig. 10',
  'figure13-balls': 'Avril, Gouranton and Arnaldi, Fig. 13',
  'figure-swarm-balance': 'Du, Liu and Suzumura, sections 4.2 and 5.2, an asymmetric crowd',
};

const isCurve = name => name.startsWith('figure');
const keyOf = ({ machine, bench }) => `${machine} ${bench}`;

/**
 * Returns the recorded rows of the benches of papers, each with the name of its machine as `machine` and, if
 * known, its figure. The rows are read from papers-<machine>.csv. If this file has no rows of a bench, the rows
 * of the bench are taken from <machine>.csv, to which `npm run bench` writes without --papers.
 */
export function readAllPaperRows() {
  const own = readPaperRows();
  const known = new Set(own.map(keyOf));
  const others = tableNames
    .filter(name => !isCurve(name) && !name.startsWith('papers-'))
    .flatMap(machine => readRows(machine).map(row => ({ ...row, machine })))
    .filter(row => paperBenches.includes(row.bench) && !known.has(keyOf(row)));
  return [...own, ...others].map(row => ({
    ...row,
    figure: row.figure || FIGURES[row.bench]?.(row) || '',
  }));
}

/**
 * Returns the recorded curves: { name, figure, machine, titles, rows }. `name` is the name of the table, and
 * `titles` has the titles of the columns. The elements of `rows` are objects that have the values of a row by
 * title.
 * @throws Error if a table of curves belongs to no known figure, because no page would show it
 */
export const readPaperCurves = () =>
  tableNames.filter(isCurve).map(name => {
    const start = Object.keys(CURVES).find(known => name.startsWith(`${known}-`));
    if (!start) throw new Error(`no figure is known for ${name}.csv: add it to paperRows.mjs`);
    const rows = readRows(name);
    return {
      name,
      figure: CURVES[start],
      machine: name.slice(start.length + 1),
      titles: Object.keys(rows[0]),
      rows,
    };
  });
