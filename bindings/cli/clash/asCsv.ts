// Formats the listed clashes as CSV (RFC 4180) for spreadsheet programs.
import { plainDecimal } from '../../formats/plainDecimal.js';
import type { Unit } from '../../formats/units.js';
import type { Penetration } from '../../index.js';
import { midpoint } from '../../report/bounds.js';
import { compareFindings, type Finding } from '../../report/clashClasses.js';
import type { BaselineClash } from './baseline.js';
import { groupNames } from './groupFindings.js';
import { OPTIONAL_PROPERTIES, type PartIdentity } from './partIdentity.js';
import type { Place } from './places.js';
import { cleanDirection, noiseFilter } from './roundingNoise.js';
import type { Search } from './search.js';
import { statusOf } from './statusOf.js';

/** A cell: a number, a text, or undefined for an empty cell. */
export type Cell = string | number | undefined;

/** Figures that have a lower and an upper bound. Each of these figures has two columns. */
const BOUNDED_FIGURES = ['overlapDepth', 'separation', 'volume', 'contactLength', 'contactArea'] as const;

const PART_COLUMNS = ['name', ...OPTIONAL_PROPERTIES, 'file'] as const;
const COLUMNS = [
  'status',
  'class',
  'rule',
  'group',
  ...PART_COLUMNS.map(column => `${column}A`),
  ...PART_COLUMNS.map(column => `${column}B`),
  'depth',
  'distance',
  'size',
  'unit',
  ...['x', 'y', 'z'],
  ...['minX', 'minY', 'minZ', 'maxX', 'maxY', 'maxZ'],
  ...['directionX', 'directionY', 'directionZ'],
  'inner',
  'duplicate',
  'trianglePairs',
  ...BOUNDED_FIGURES.flatMap(figure => [`${figure}Min`, `${figure}Max`]),
];
/** Further columns if the run measured regions. */
const REGION_COLUMNS = ['region', 'component'];

/** Replaces lengths that are rounding noise by zero. */
type Clean = (length: number) => number;

/**
 * Returns the CSV text: first a header, then the listed clashes from worst to least severe, then the clashes
 * of the baseline that are resolved or unchecked. If regions were measured, the row of each listed clash is
 * followed by the rows of its regions.
 */
export function asCsv(search: Search): string {
  const { listed, parts, grouping, comparison, unit, regions } = search;
  const groups = groupNames(listed, parts, grouping);
  const clean = noiseFilter(parts);
  const header = regions ? [...COLUMNS, ...REGION_COLUMNS] : COLUMNS;
  const rows = [
    header,
    ...listed.toSorted(compareFindings).flatMap(finding => {
      const group = groups.get(finding);
      return [
        rowOf(search, finding, group, clean),
        ...(regions?.get(finding) ?? []).map((region, i) =>
          regionRow(search, finding, group, clean, region, i + 1),
        ),
      ];
    }),
    ...(comparison?.resolved ?? []).map(clash => goneRow('resolved', clash, unit, clean)),
    ...(comparison?.unchecked ?? []).map(clash => goneRow('unchecked', clash, unit, clean)),
  ];
  return csvText(rows.map(cells => [...cells, ...emptyCells(header.length - cells.length)]));
}

/**
 * Returns the CSV text of rows. The text begins with a byte order mark, without which Excel does not read it
 * as UTF-8.
 */
export function csvText(rows: Cell[][]): string {
  return `\ufeff${rows.map(cells => `${cells.map(cellText).join(',')}\r\n`).join('')}`;
}

function rowOf(
  { parts, places, comparison, unit }: Search,
  finding: Finding,
  group: string | undefined,
  clean: Clean,
): Cell[] {
  const { a, b, direction, inner, isDuplicate, trianglePairs } = finding;
  return [
    ...firstCells(
      [statusOf(comparison, finding), finding.class, finding.rule, group],
      finding,
      parts[a],
      parts[b],
      unit,
      places.get(finding)!,
      clean,
    ),
    ...(finding.depth > 0 ? cleanDirection(direction) : emptyCells(3)),
    inner,
    isDuplicate ? 'true' : undefined,
    trianglePairs,
    ...boundsCells(finding),
  ];
}

// The row of a region has the columns that identify its clash, and the figures of the region. It has no
// distance and no box.
function regionRow(
  { parts, comparison, unit }: Search,
  finding: Finding,
  group: string | undefined,
  clean: Clean,
  region: Penetration,
  number: number,
): Cell[] {
  const { depth, direction, size, pointA, pointB, pairs, component } = region;
  return [
    ...[statusOf(comparison, finding), finding.class, finding.rule, group],
    ...partCells(parts[finding.a], parts[finding.b]),
    ...[clean(depth), undefined, clean(size), unit],
    ...midpoint(pointA, pointB).map(clean),
    ...emptyCells(6),
    ...(depth > 0 ? cleanDirection(direction) : emptyCells(3)),
    ...emptyCells(2),
    pairs,
    ...boundsCells(region),
    ...[number, component],
  ];
}

const partCells = (a: PartIdentity, b: PartIdentity): Cell[] =>
  [a, b].flatMap(part => PART_COLUMNS.map(column => part[column]));

const emptyCells = (count: number): undefined[] => Array.from({ length: count }, () => undefined);

// A region has no `separation`.
const boundsCells = (found: Partial<Pick<Finding, (typeof BOUNDED_FIGURES)[number]>>): Cell[] =>
  BOUNDED_FIGURES.flatMap(figure => [found[figure]?.lower, found[figure]?.upper]);

function goneRow(status: string, clash: BaselineClash, unit: Unit | undefined, clean: Clean): Cell[] {
  const { a, b, rule, class: kind } = clash;
  return firstCells([status, kind, rule, undefined], clash, a, b, unit, clash, clean);
}

function firstCells(
  first: Cell[],
  { depth, distance, size }: Pick<Finding, 'depth' | 'distance' | 'size'>,
  a: PartIdentity,
  b: PartIdentity,
  unit: Unit | undefined,
  { point, box }: Place,
  clean: Clean,
): Cell[] {
  return [
    ...first,
    ...partCells(a, b),
    ...[depth, distance, size].map(clean),
    unit,
    ...[...point, ...box.min, ...box.max].map(clean),
  ];
}

// Spreadsheet programs evaluate a text that begins with one of these characters as a formula, even in a file
// from an untrusted source. An apostrophe in front of the text prevents this. The full-width forms of =, +, -
// and @ are included because some programs convert them to the ASCII characters.
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

function cellText(cell: Cell): string {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return plainDecimal(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
