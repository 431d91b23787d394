// Formats the table of nodes that `status`, `up` and `join` show.
import { formatCount, plural, printableShort } from '../terminal.js';
import { bytesText, tableOf } from './liveTable.js';
import type { NodeRow } from './nodeWatch.js';

const HEAD = [
  'node',
  'threads',
  'GPU',
  'load',
  'held',
  'tasks',
  'tests',
  'CPU',
  'memory',
  'messages',
  'bytes',
];

export function nodeTable(rows: readonly NodeRow[]): string {
  if (rows.length === 0) return 'No node has answered.';
  const table = tableOf(
    HEAD,
    rows.map(row => [
      printableShort(row.name),
      row.threads,
      row.gpu === '' ? '-' : printableShort(row.gpu),
      `${(100 * row.load).toFixed(0)} %`,
      row.held,
      formatCount(row.tasks),
      formatCount(row.tests),
      `${row.cpuSeconds.toFixed(1)} s`,
      bytesText(row.memoryBytes),
      formatCount(row.sentMessages + row.receivedMessages),
      bytesText(row.sentBytes + row.receivedBytes),
    ]),
  );
  return `${table}\n${totalsLine(rows)}`;
}

/** Returns the totals of all nodes in one line. */
export function totalsLine(rows: readonly NodeRow[]): string {
  const sum = (of: (row: NodeRow) => number): number => rows.reduce((total, row) => total + of(row), 0);
  return `${plural(rows.length, 'node')}, load ${(100 * sum(({ load }) => load)).toFixed(0)} %; ${plural(
    sum(({ tasks }) => tasks),
    'task',
  )} done${sum(({ failures }) => failures) > 0 ? `, ${formatCount(sum(({ failures }) => failures))} failed` : ''}; CPU ${sum(({ cpuSeconds }) => cpuSeconds).toFixed(1)} s, memory ${bytesText(sum(({ memoryBytes }) => memoryBytes))}`;
}
