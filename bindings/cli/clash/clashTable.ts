// Formats the listed clashes, or groups of them, as a table that fits the width of the terminal.
import { lengthText, type Unit, volumeText } from '../../formats/units.js';
import { compareFindings, describeFinding, type Finding } from '../../report/clashClasses.js';
import { formatCount, outputWidth, printable, printableShort, textTable, widthOf } from '../terminal.js';
import { groupFindings } from './groupFindings.js';
import type { Search } from './search.js';
import { classCounts } from './splitFindings.js';
import { statusOf } from './statusOf.js';

/** Maximum number of rows of the table. */
const MAX_ROWS = 20;
const MIN_NAME_WIDTH = 12;
/**
 * Optional columns are left out until name columns are this wide, because shorter names are hard to tell
 * apart.
 */
const GOOD_NAME_WIDTH = 20;
const GAP = 2;

interface Column {
  title: string;
  isNumeric?: boolean;
  /** Names are cut in the middle if the table is too wide. */
  isName?: boolean;
  /** Left out if the table would otherwise leave too little width for names. */
  isOptional?: boolean;
}

const PARTS: Column[] = [
  { title: 'part', isName: true },
  { title: 'clashes with', isName: true },
];
const VOLUME: Column = { title: 'volume', isNumeric: true, isOptional: true };
const MEASURES: Column[] = [
  { title: 'class' },
  { title: 'detail' },
  VOLUME,
  { title: 'size', isNumeric: true, isOptional: true },
  { title: 'triangle pairs', isNumeric: true, isOptional: true },
];

/** Returns the table of the worst clashes or groups, and a line with the number of those that are left out. */
export function clashTable(search: Search, width = outputWidth()): string {
  return search.grouping === undefined ? tableOfClashes(search, width) : tableOfGroups(search, width);
}

function tableOfClashes(
  { parts, unit, listed, rules, comparison, reportData }: Search,
  width: number,
): string {
  const hasRules = (rules?.length ?? 0) > 1;
  const shown = listed.toSorted(compareFindings).slice(0, MAX_ROWS);
  const hasVolumes = shown.some(({ volume }) => volume);
  const rows = shown.map(finding => [
    ...(comparison ? [statusOf(comparison, finding)!] : []),
    parts[finding.a].name,
    parts[finding.b].name,
    finding.class,
    describeFinding(finding, unit),
    ...(hasVolumes ? [volumeCell(finding, unit)] : []),
    finding.size > 0 ? lengthText(finding.size, unit) : '',
    formatCount(finding.trianglePairs),
    ...(hasRules ? [finding.rule!] : []),
  ]);
  const columns = [
    ...(comparison ? [{ title: 'status' }] : []),
    ...PARTS,
    ...MEASURES.filter(column => hasVolumes || column !== VOLUME),
    ...(hasRules ? [{ title: 'rule', isName: true }] : []),
  ];
  return (
    fitted(columns, rows, width) +
    moreText(listed.length - rows.length, '', reportData ? 'the report' : '--report FILE.html or --json')
  );
}

function tableOfGroups({ parts, unit, listed, grouping, comparison }: Search, width: number): string {
  const groups = groupFindings(listed, parts, grouping!);
  const shown = groups.slice(0, MAX_ROWS);
  const hasVolumes = shown.some(({ findings: [worst] }) => worst.volume);
  const rows = shown.map(({ name, findings }) => {
    const [worst] = findings;
    return [
      name,
      formatCount(findings.length),
      ...(comparison
        ? [formatCount(findings.filter(finding => statusOf(comparison, finding) === 'new').length)]
        : []),
      classCounts(findings),
      describeFinding(worst, unit),
      ...(hasVolumes ? [volumeCell(worst, unit)] : []),
      parts[worst.a].name,
      parts[worst.b].name,
    ];
  });
  const columns: Column[] = [
    { title: grouping!, isName: true },
    { title: 'clashes', isNumeric: true },
    ...(comparison ? [{ title: 'new', isNumeric: true }] : []),
    { title: 'classes' },
    { title: 'worst' },
    ...(hasVolumes ? [VOLUME] : []),
    { title: 'between', isName: true },
    { title: 'and', isName: true },
  ];
  return fitted(columns, rows, width) + moreText(groups.length - rows.length, ' groups', '--json');
}

const volumeCell = ({ volume }: Finding, unit: Unit | undefined): string =>
  volume ? volumeText(volume.upper, unit) : '';

function moreText(count: number, noun: string, place: string): string {
  if (count <= 0) return '';
  return `\n${formatCount(count)} more${noun} in ${place}`;
}

// Leaves out optional columns, the last ones first, until names of GOOD_NAME_WIDTH fit. Cuts names so that
// the table fits the width. The name columns share the remaining width equally, except that a column that
// needs less than its share leaves the rest to the others. No column gets narrower than MIN_NAME_WIDTH.
function fitted(columns: Column[], rows: string[][], width: number): string {
  const cells = rows.map(row =>
    row.map((cell, i) => (columns[i].isName ? printableShort(cell) : printable(cell))),
  );
  const needed = columns.map(({ title }, i) =>
    cells.reduce((max, row) => Math.max(max, widthOf(row[i])), widthOf(title)),
  );
  const nameWidth = (i: number): number => Math.min(needed[i], GOOD_NAME_WIDTH);
  const total = columns.reduce((sum, { isName }, i) => sum + GAP + (isName ? nameWidth(i) : needed[i]), -GAP);
  const optional = columns.findLastIndex(({ isOptional }) => isOptional);
  if (total > width && optional >= 0)
    return fitted(
      columns.toSpliced(optional, 1),
      rows.map(row => row.toSpliced(optional, 1)),
      width,
    );
  let left = width - GAP * (columns.length - 1);
  columns.forEach(({ isName }, i) => {
    if (!isName) left -= needed[i];
  });
  const names = columns.flatMap(({ isName }, i) => (isName ? [i] : [])).sort((x, y) => needed[x] - needed[y]);
  const widths = [...needed];
  names.forEach((column, done) => {
    const share = Math.max(MIN_NAME_WIDTH, Math.floor(left / (names.length - done)));
    widths[column] = Math.min(needed[column], share);
    left -= widths[column];
  });
  return textTable(
    columns.map(({ title }) => title),
    cells.map(row => row.map((cell, i) => (columns[i].isName ? printableShort(cell, widths[i]) : cell))),
    columns.map(({ isNumeric }) => isNumeric === true),
  );
}
