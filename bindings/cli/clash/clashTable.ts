// Formats the listed clashes, or groups of them, as a table that fits the width of the terminal.
import { lengthText, type Unit, volumeText } from '../../formats/units.js';
import { compareFindings, describeFinding, type Finding, WORDINGS } from '../../report/clashClasses.js';
import { formatCount, outputWidth } from '../terminal.js';
import { type Column, fitTable } from './fitTable.js';
import { groupFindings } from './groupFindings.js';
import type { Search } from './search.js';
import { classCounts } from './splitFindings.js';
import { statusOf } from './statusOf.js';

/** Maximum number of rows of the table. */
const MAX_ROWS = 20;

const PARTS: Column[] = [
  { title: 'part', isName: true },
  { title: 'clashes with', isName: true },
];
const VOLUME: Column = { title: 'volume', isNumeric: true, leaveOut: 'second' };
const MEASURES: Column[] = [
  { title: 'class' },
  { title: 'detail' },
  VOLUME,
  { title: 'size', isNumeric: true, leaveOut: 'first' },
  { title: 'triangle pairs', isNumeric: true, leaveOut: 'first' },
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
    detailCell(finding, unit),
    ...(hasVolumes ? [volumeCell(finding, unit)] : []),
    finding.size > 0 ? lengthText(finding.size, unit) : '',
    formatCount(finding.trianglePairs),
    ...(hasRules ? [finding.rule!] : []),
  ]);
  const columns = [
    ...(comparison ? [{ title: 'status' }] : []),
    ...PARTS,
    ...MEASURES.filter(column => hasVolumes || column !== VOLUME),
    ...(hasRules ? [{ title: 'rule', isName: true, leaveOut: 'last' } as const] : []),
  ];
  return (
    fitTable(columns, rows, width) +
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
      detailCell(worst, unit),
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
    { title: 'between', isName: true, leaveOut: 'last' },
    { title: 'and', isName: true, leaveOut: 'last' },
  ];
  return fitTable(columns, rows, width) + moreText(groups.length - rows.length, ' groups', '--json');
}

const detailCell = (finding: Finding, unit: Unit | undefined): string[] =>
  WORDINGS.map(wording => describeFinding(finding, unit, wording));

const volumeCell = ({ volume }: Finding, unit: Unit | undefined): string =>
  volume ? volumeText(volume.upper, unit) : '';

function moreText(count: number, noun: string, place: string): string {
  if (count <= 0) return '';
  return `\n${formatCount(count)} more${noun} in ${place}`;
}
