// Measures box pairs of spheres, found by an octree that several processes share over NATS: time, processor
// time, bytes and rounds by number of processes, beside the thesis's tables and its recursive search
// (Lucchesi 2002, 5.1 to 5.3). Also measures encodings of lists, and models the time on separate machines.

import {
  type ClusterBoxPairsOptions,
  connectNats,
  type Link,
  type OctreeStats,
  submitBoxPairs,
} from '../../dist/cluster/index.js';
import { decodeList, encodeList, listEncodings } from '../../dist/cluster/octree/listCode.js';
import { OctreeComputation } from '../../dist/cluster/octree/octreeComputation.js';
import { createEngine } from '../../dist/index.js';
import { RecursiveOctree } from '../../dist/papers/recursiveOctree.js';
import { octreeScenes } from '../../dist/papers/scenes/octreeScenes.js';
import { sphereBoxes } from '../../dist/samples/index.js';
import { type Restartable, startBroker, startNodeProcess } from '../../test/cluster/clusterProcesses.js';
import { hashPairRows } from '../../test/support/hash.js';
import { isQuick, Report } from '../support/report.js';
import { summarize } from '../support/statistics.js';

const SEED = 1;
const RADIUS = 0.5;
const SIDE = 1000;
const LEVELS = 5;
const CLUSTER = 'bench';
/** Latency of a message from one machine to another, in milliseconds. */
const HOP = 0.2;
/** Bits per second. */
const LINKS = { '1 Gbit/s': 1e9, '10 Gbit/s': 1e10 };
const MODELED_MACHINES = [1, 8, 64];
const MODEL =
  "modeled, not measured: the sum over rounds of the longest task's kernel time, the processor time for the bytes of the task that reads most (at the cost per byte measured here), the transfer time of the busiest port's bytes at the link's speed, and the latency of one message in each direction";
const report = new Report('clusterOctree', SEED, ['@nats-io/transport-node']);
const sizes = isQuick ? [10_000] : [100_000, 199_000, 1_000_000, 2_000_000];
const processes = isQuick ? [1, 2] : [1, 2, 4, 8];
const engine = await createEngine({ threads: 1 });
const broker = await startBroker();
const link: Link = await connectNats({ servers: broker.url });
const nodes: Restartable[] = [];

const textOf = (count: number): string =>
  count < 1e6 ? `spheres ${count / 1e3}K` : `spheres ${count / 1e6}M`;
const side = (count: number): number => (isQuick ? SIDE * Math.cbrt(count / 100_000) : SIDE);
const solve = (boxes: Float32Array, options: ClusterBoxPairsOptions) =>
  submitBoxPairs(link, boxes, { cluster: CLUSTER, silence: 60_000, ...options }).wait();
const cpuMilliseconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

interface Run {
  milliseconds: number;
  callerCpu: number;
  stats: OctreeStats;
}

/** Runs the query several times; the first run warms up and is not counted. */
async function runs(
  boxes: Float32Array,
  hash: string,
  rounds: number,
  options: ClusterBoxPairsOptions,
): Promise<Run[]> {
  const all: Run[] = [];
  for (let round = rounds > 1 ? -1 : 0; round < rounds; round++) {
    const before = cpuMilliseconds();
    const { a, b, stats } = await solve(boxes, options);
    const callerCpu = cpuMilliseconds() - before;
    if (hashPairRows(a, b) !== hash) throw new Error('the pairs differ from those of one engine');
    if (round >= 0) all.push({ milliseconds: stats.milliseconds, callerCpu, stats });
  }
  return all.sort((p, q) => p.milliseconds - q.milliseconds);
}

const middle = (all: readonly Run[]): Run => all[all.length >> 1];
const total = (
  { rounds }: OctreeStats,
  field: 'cpu' | 'computed' | 'fromCaller' | 'fromNodes' | 'fromSelf',
): number => rounds.reduce((sum, round) => sum + round[field], 0);
const stagesText = ({ rounds }: OctreeStats): string =>
  rounds
    .map(
      ({ name, milliseconds, maxComputed, tasks }) =>
        `${name} ${milliseconds.toFixed(0)} (kernels of the longest of ${tasks}: ${maxComputed.toFixed(1)})`,
    )
    .join(', ');

/** Returns the milliseconds of processor time outside of kernels per byte that tasks handled. */
const costOfByte = (stats: OctreeStats): number =>
  Math.max(0, total(stats, 'cpu') - total(stats, 'computed')) /
  (total(stats, 'fromCaller') + total(stats, 'fromNodes') + total(stats, 'fromSelf'));

function modeled({ rounds, toCaller }: OctreeStats, byteCost: number, bitsPerSecond: number): number {
  const wire = (bytes: number): number => (8000 * bytes) / bitsPerSecond;
  return (
    rounds.reduce(
      (sum, round) =>
        sum +
        round.maxComputed +
        round.maxBytesRead * byteCost +
        wire(Math.max(round.fromCaller, round.maxBytesRead)) +
        2 * HOP,
      0,
    ) + wire(toCaller)
  );
}

async function tables(count: number): Promise<void> {
  const scene = textOf(count);
  const boxes = sphereBoxes(count, { radius: RADIUS, side: side(count) }, SEED);
  const rounds = count < 1e6 ? 3 : 2;
  const alone = Array.from(
    { length: rounds + 1 },
    () => engine.boxPairs(boxes, { method: 'octree' }).stats,
  ).slice(1);
  const { a, b } = engine.boxPairs(boxes, { method: 'octree' }).copy();
  const hash = hashPairRows(a, b);
  report.add({
    scene,
    measure: 'whole',
    who: 'one engine, no cluster',
    unit: 'ms',
    ...summarize(alone.map(({ milliseconds }) => milliseconds)),
    note: `${a.length} pairs`,
  });
  if (count <= 199_000) {
    const { milliseconds, codes } = new RecursiveOctree({
      low: [0, 0, 0],
      side: side(count),
      levels: LEVELS,
    }).search(boxes);
    report.add({
      scene,
      measure: 'whole',
      who: 'recursive search, five levels',
      unit: 'ms',
      n: 1,
      median: milliseconds.codes + milliseconds.sort + milliseconds.scan,
      note: `codes ${milliseconds.codes.toFixed(0)}, sort ${milliseconds.sort.toFixed(0)}, scan ${milliseconds.scan.toFixed(0)}; ${codes} codes; plain TypeScript on one thread`,
    });
  }
  const paper =
    octreeScenes.find(({ name }) => name === `spheres-${count < 1e6 ? `${count / 1e3}k` : `${count / 1e6}m`}`)
      ?.paper?.series[0]?.milliseconds ?? {};
  for (const [machines, milliseconds] of Object.entries(paper)) {
    report.add({
      scene,
      measure: 'whole',
      who: `thesis, ${machines} of its processors`,
      unit: 'ms',
      n: 1,
      median: milliseconds,
      rival: 'thesis, 1',
      ratio: paper[1] / milliseconds,
      note: `efficiency ${(paper[1] / milliseconds / Number(machines)).toFixed(2)}; as published, 2002`,
    });
  }
  let first: number | undefined;
  for (const k of processes) {
    while (nodes.length < k)
      nodes.push(
        await startNodeProcess({ url: broker.url, cluster: CLUSTER, name: `bench-${nodes.length}` }),
      );
    const all = await runs(boxes, hash, rounds, { nodes: k, parts: k });
    const { callerCpu, stats } = middle(all);
    const own = summarize(all.map(({ milliseconds }) => milliseconds));
    first ??= own.median;
    report.add({
      scene,
      measure: 'whole',
      who: `${k} processes, two cores`,
      unit: 'ms',
      ...own,
      rival: '1 process',
      ratio: first / own.median,
      note: `efficiency ${(first / own.median / k).toFixed(2)} (${Math.min(2, k)} cores, shared with caller and broker); ${stagesText(stats)}; processor time of nodes ${total(stats, 'cpu').toFixed(0)} ms, of the busiest node in each round ${stats.rounds.reduce((sum, { maxCpu }) => sum + maxCpu, 0).toFixed(0)}, of the caller ${callerCpu.toFixed(0)}; ${stats.messages} messages sent by the caller`,
    });
    report.add({
      scene,
      measure: 'bytes',
      who: `${k} processes`,
      unit: 'bytes',
      n: 1,
      median: total(stats, 'fromCaller') + total(stats, 'fromNodes') + stats.toCaller,
      note: `caller to nodes ${total(stats, 'fromCaller')}, between nodes ${total(stats, 'fromNodes')}, to the caller ${stats.toCaller}`,
    });
    report.add({
      scene,
      measure: 'tests',
      who: `${k} processes`,
      unit: 'count',
      n: 1,
      median: stats.tests,
      rival: 'one engine',
      ratio: alone[0].tests / stats.tests,
    });
  }
  await model(scene, boxes, hash);
}

// Runs the number of parts that separate machines would have on the available processes.
async function model(scene: string, boxes: Float32Array, hash: string): Promise<void> {
  const base: Record<string, number> = {};
  for (const k of MODELED_MACHINES) {
    const { stats } = middle(await runs(boxes, hash, 1, { nodes: processes.at(-1)!, parts: k }));
    const byteCost = costOfByte(stats);
    for (const [name, bits] of Object.entries(LINKS)) {
      const milliseconds = modeled(stats, byteCost, bits);
      base[name] ??= milliseconds;
      report.add({
        scene,
        measure: `modelled, ${name}`,
        who: `${k} machines`,
        unit: 'ms',
        n: 1,
        median: milliseconds,
        rival: '1 machine',
        ratio: base[name] / milliseconds,
        note: `efficiency ${(base[name] / milliseconds / k).toFixed(2)}; ${MODEL}: ${(1e6 * byteCost).toFixed(2)} ns per byte; longest tasks ${stats.rounds.map(({ name: round, maxComputed }) => `${round} ${maxComputed.toFixed(1)}`).join(', ')}`,
      });
    }
  }
}

/** Compares the three levels of integration, and merging by ranges with merging in a tree. */
async function compareLevels(count: number): Promise<void> {
  const scene = textOf(count);
  const boxes = sphereBoxes(count, { radius: RADIUS, side: side(count) }, SEED);
  const { a, b } = engine.boxPairs(boxes, { method: 'octree' }).copy();
  const hash = hashPairRows(a, b);
  const k = processes.at(-1)!;
  const all: Record<string, ClusterBoxPairsOptions> = {
    'everything in the caller': { where: 'caller' },
    'nodes make lists, the caller merges and scans': { where: 'lists' },
    'nodes do all, by ranges': {},
    'nodes do all, merged in a tree': { merge: 'tree' },
  };
  for (const [who, options] of Object.entries(all)) {
    const measured = await runs(boxes, hash, 2, {
      engine,
      nodes: Math.min(4, k),
      parts: Math.min(4, k),
      ...options,
    });
    const { callerCpu, stats } = middle(measured);
    report.add({
      scene,
      measure: 'level of integration',
      who,
      unit: 'ms',
      ...summarize(measured.map(({ milliseconds }) => milliseconds)),
      note: `${Math.min(4, k)} processes; ${stagesText(stats)}; processor time of the caller ${callerCpu.toFixed(0)} ms; bytes from the caller ${total(stats, 'fromCaller')}, between nodes ${total(stats, 'fromNodes')}, to the caller ${stats.toCaller}`,
    });
  }
  const forty = middle(
    await runs(boxes, hash, 1, { nodes: 1, parts: isQuick ? 4 : 40, merge: 'tree', wire: 'raw' }),
  ).stats;
  const longest = (name: string): number[] =>
    forty.rounds.filter(round => round.name === name).map(({ maxComputed }) => maxComputed);
  report.add({
    scene,
    measure: 'stages of 40 parts',
    who: 'codes and sort, longest task',
    unit: 'ms',
    n: 1,
    median: longest('list')[0],
    note: 'thesis, 40 processors: ResolveObject() 1307.6, qsort() 89.0',
  });
  report.add({
    scene,
    measure: 'stages of 40 parts',
    who: 'merges, longest of each level',
    unit: 'ms',
    n: 1,
    median: longest('merge').reduce((sum, value) => sum + value, 0),
    note: `${longest('merge')
      .map(value => value.toFixed(1))
      .join(', ')}; thesis: MergeSlaveResults() of a slave 38.6, of the master 791.5`,
  });
}

async function lists(count: number): Promise<void> {
  const scene = textOf(count);
  const boxes = sphereBoxes(count, { radius: RADIUS, side: side(count) }, SEED);
  const work = new OctreeComputation(engine);
  const { low, high } = work.statistics(boxes);
  const list = work.list(boxes, { low, high }, 0);
  let raw = 0;
  for (const [wire, name] of listEncodings.entries()) {
    const encoded: number[] = [];
    const decoded: number[] = [];
    let bytes = new Uint8Array(0);
    for (let round = 0; round < 3; round++) {
      const startedAt = performance.now();
      bytes = Uint8Array.from(await encodeList(list, wire));
      const encodedAt = performance.now();
      await decodeList(bytes, count);
      encoded.push(encodedAt - startedAt);
      decoded.push(performance.now() - encodedAt);
    }
    raw ||= bytes.length;
    const [there, back] = [summarize(encoded).median, summarize(decoded).median];
    const breakEven = (8e-6 * (raw - bytes.length)) / (there + back);
    report.add({
      scene,
      measure: 'a list travels',
      who: name,
      unit: 'bytes',
      n: 3,
      median: bytes.length,
      rival: 'raw',
      ratio: raw / bytes.length,
      note: `${list.keys.length} octants, ${(bytes.length / list.keys.length).toFixed(2)} bytes each; ${there.toFixed(0)} ms to write, ${back.toFixed(0)} ms to read${wire > 0 ? `; pays on links below ${breakEven.toFixed(2)} Gbit/s` : ''}`,
    });
  }
  work.dispose();
}

try {
  for (const count of sizes) {
    await tables(count);
    if (count === (isQuick ? sizes[0] : 1_000_000)) await compareLevels(count);
    await lists(count);
    // Saves what has been measured so far, in case a later scene does not finish.
    report.save();
  }
} finally {
  await Promise.all(nodes.map(node => node.kill()));
  await link.close();
  await broker.kill();
  engine.dispose();
}
process.exit(0);
