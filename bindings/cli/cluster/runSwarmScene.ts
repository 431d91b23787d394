// Implements the command `pfront cluster run nanorobots`: moves a swarm of bodies on the nodes of a cluster,
// and shows the progress of each step and the load of each node.

import type { Link } from '../../cluster/link.js';
import { pick } from '../../cluster/pick.js';
import { sleep } from '../../cluster/promises.js';
import type { SwarmRow } from '../../cluster/swarm/rows.js';
import { runSwarm } from '../../cluster/swarm/runSwarm.js';
import { findWorld, robotWorldName } from '../../cluster/worlds.js';
import { formatCount, paint, plural, printableShort } from '../terminal.js';
import { UsageError } from '../usageError.js';
import { bytesText, createLiveTable, createRowFormatter, tableOf } from './liveTable.js';
import { watchNodes } from './nodeWatch.js';
import { type ClusterAddress, completeAddress, connect, waitForEndSignal } from './options.js';
import { readSwarmOptions, type SwarmSceneOptions } from './swarmOptions.js';

/** The names of the swarms. */
export const SWARMS: readonly string[] = ['nanorobots'];
/** Milliseconds to wait for announcements, which every node sends once a second. */
const LISTEN = 1500;
/** Maximum time in milliseconds to wait for the first announcement, which may be late on a busy machine. */
const MAX_LISTEN = 15_000;
/** The number of most recent steps shown below the table of nodes. */
const SHOWN_STEPS = 8;

const COLUMNS = [
  { title: 'step', width: 6 },
  { title: 'contacts', width: 8 },
  { title: 'migrated', width: 8 },
  { title: 'border', width: 8 },
  { title: 'imbalance', width: 9 },
  { title: 'moved', width: 6 },
  { title: 'messages', width: 8 },
  { title: 'bytes', width: 9 },
  { title: 'CPU ms', width: 8 },
  { title: 'ms', width: 7 },
];

/** Runs the swarm of this name. Returns the exit code. Throws UsageError and CollisionError 'Cluster'. */
export async function runSwarmScene(
  name: string,
  args: string[],
  givenAddress: ClusterAddress,
  patience: number | undefined,
): Promise<number> {
  const options = readSwarmOptions(args);
  const clusterAddress = completeAddress(givenAddress, 'caller');
  const link = await connect(clusterAddress, 'pfront cluster run');
  const ended = new AbortController();
  const table = createLiveTable(process.stdout, !options.json);
  void waitForEndSignal().then(() =>
    ended.abort(
      new UsageError('the swarm was ended before its last step', 'Let it run to the end, or reduce --steps.'),
    ),
  );
  try {
    const nodes = options.nodes ?? (await countNodes(link, clusterAddress.cluster, ended.signal));
    const { bodies, movement, seed, steps, columns, balance } = options;
    if (!options.json)
      table.printLine(
        `${paint('bold', name)}: ${formatCount(bodies)} bodies, ${movement}, ${plural(steps, 'step')}, seed ${seed}; ${plural(nodes, 'node')}, ${balance === false ? 'no balancing' : `balancing if loads differ by more than ${100 * balance} %`}`,
      );
    const show = options.json ? showJson : showTable(table, options);
    const { rows } = await runSwarm(link, {
      world: robotWorldName(bodies, movement, seed),
      find: findWorld,
      cluster: clusterAddress.cluster,
      steps,
      nodes,
      maxNodes: Math.max(nodes, options.nodes ?? 64),
      columns,
      balance,
      ...(patience === undefined ? {} : { patience }),
      signal: ended.signal,
      onStep: show,
    });
    table.end();
    console.log(options.json ? JSON.stringify(summary(rows)) : summaryText(rows));
    return 0;
  } finally {
    await link.close();
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

async function countNodes(link: Link, cluster: string, signal: AbortSignal): Promise<number> {
  const watch = watchNodes(link, cluster);
  const ending = aborted(signal);
  ending.catch(() => {});
  let length = 0;
  try {
    for (let waited = 0; waited < MAX_LISTEN && watch.rows().length === 0; waited += LISTEN)
      await Promise.race([sleep(LISTEN), ending]);
    ({ length } = watch.rows());
  } finally {
    watch.close();
  }
  if (length === 0)
    throw new UsageError(
      `no node of cluster "${cluster}" answered within ${MAX_LISTEN / 1000} s`,
      'Start some with `pfront cluster up --workers 4`, or pass the number of nodes to wait for with --nodes.',
    );
  return length;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const sumOf = ({ nodes }: SwarmRow, of: (node: SwarmRow['nodes'][number]) => number): number =>
  sum(nodes.map(of));
const cpuMilliseconds = (node: SwarmRow['nodes'][number]): number => sum(node.milliseconds);

/**
 * Returns the totals of a step over all nodes. border: number of bodies that nodes know in addition to the
 * bodies that they own. maxCpu: CPU milliseconds of the busiest node. cpu: CPU milliseconds of all nodes
 * together.
 */
function totals(row: SwarmRow) {
  return {
    step: row.step,
    nodes: row.nodes.length,
    restarts: row.restarts,
    contacts: row.contacts,
    migrated: sumOf(row, ({ arrived }) => arrived),
    border: sumOf(row, ({ localBodies, ownedBodies }) => localBodies - ownedBodies),
    imbalance: row.imbalance,
    columnsMoved: row.moves.length,
    messages: sumOf(row, ({ sentMessages }) => sentMessages),
    bytes: sumOf(row, ({ sentBytes }) => sentBytes),
    coordinatorBytes: row.coordinatorBytes,
    boxTests: sumOf(row, ({ boxTests }) => boxTests),
    maxCpu: Math.max(...row.nodes.map(cpuMilliseconds)),
    cpu: sumOf(row, cpuMilliseconds),
    milliseconds: row.milliseconds,
    contactDigest: row.contactDigest,
    stateDigest: row.stateDigest,
  };
}

function showJson(row: SwarmRow): void {
  console.log(
    JSON.stringify({
      ...totals(row),
      loads: row.nodes.map(node => pick(node, ['name', 'load', 'columns', 'ownedBodies', 'localBodies'])),
    }),
  );
}

function showTable(
  table: ReturnType<typeof createLiveTable>,
  { steps }: SwarmSceneOptions,
): (row: SwarmRow) => void {
  const { head, row: line } = createRowFormatter(COLUMNS);
  const last: string[] = [];
  if (!table.isLive) table.printLine(head);
  return row => {
    const {
      step,
      contacts,
      migrated,
      border,
      imbalance,
      columnsMoved,
      messages,
      bytes,
      maxCpu,
      milliseconds,
    } = totals(row);
    const text = line([
      step,
      formatCount(contacts),
      formatCount(migrated),
      formatCount(border),
      imbalance.toFixed(3),
      columnsMoved === 0 ? '' : String(columnsMoved),
      formatCount(messages),
      bytesText(bytes),
      maxCpu.toFixed(1),
      milliseconds.toFixed(0),
    ]);
    if (!table.isLive) return table.printLine(text);
    last.push(text);
    table.draw(
      [
        `step ${step} of ${steps}${row.restarts > 0 ? `, restarted ${plural(row.restarts, 'time')}` : ''}`,
        '',
        nodeLines(row),
        '',
        paint('bold', head),
        ...last.slice(-SHOWN_STEPS),
      ].join('\n'),
    );
  };
}

function nodeLines({ nodes }: SwarmRow): string {
  const maxLoad = Math.max(1e-9, ...nodes.map(({ load }) => load));
  return tableOf(
    ['node', 'load', '', 'columns', 'bodies', 'known', 'CPU ms', 'bytes'],
    nodes.map(node => [
      printableShort(node.name),
      node.load.toFixed(1),
      '█'.repeat(Math.round((16 * node.load) / maxLoad)).padEnd(16),
      node.columns,
      formatCount(node.ownedBodies),
      formatCount(node.localBodies),
      cpuMilliseconds(node).toFixed(1),
      bytesText(node.sentBytes),
    ]),
  );
}

function summary(rows: readonly SwarmRow[]) {
  const all = rows.map(totals);
  const of = (
    key: 'contacts' | 'migrated' | 'border' | 'columnsMoved' | 'messages' | 'bytes' | 'cpu' | 'milliseconds',
  ): number => sum(all.map(row => row[key]));
  const last = all.at(-1)!;
  return {
    steps: all.length,
    contacts: of('contacts'),
    migrated: of('migrated'),
    columnsMoved: of('columnsMoved'),
    messagesPerStep: of('messages') / all.length,
    bytesPerStep: of('bytes') / all.length,
    cpuSeconds: of('cpu') / 1000,
    seconds: of('milliseconds') / 1000,
    restarts: last.restarts,
    imbalance: last.imbalance,
    stateDigest: last.stateDigest,
  };
}

function summaryText(rows: readonly SwarmRow[]): string {
  const all = summary(rows);
  const restarts = all.restarts > 0 ? `; restarted ${plural(all.restarts, 'time')}` : '';
  return [
    `${plural(all.steps, 'step')} in ${all.seconds.toFixed(1)} s, ${all.cpuSeconds.toFixed(1)} s of CPU: ${plural(all.contacts, 'contact')}, ${plural(all.migrated, 'migration')}, ${plural(all.columnsMoved, 'column')} moved${restarts}`,
    `per step: ${plural(Math.round(all.messagesPerStep), 'message')}, ${bytesText(Math.round(all.bytesPerStep))} in total; state digest ${all.stateDigest}`,
  ].join('\n');
}
