// Measures an octree search for overlapping pairs of boxes that several processes run together. The processes
// communicate over NATS. For each number of processes, measures the time, the processor time and the bytes
// sent. The boxes enclose spheres. For comparison, the report also has the times in Tables 5.1 to 5.8 of
// Lucchesi's thesis (Lucchesi 2002), and the time of the thesis's recursive search on this machine. Also
// measures encodings of lists of octants, and models the time on separate machines.

import {
  type ClusterBoxPairsOptions,
  type OctreeStages,
  type OctreeStats,
  submitBoxPairs,
} from '../../dist/cluster/index.js';
import { decodeList, encodeList, listEncodings } from '../../dist/cluster/octree/listEncoding.js';
import { OctreeComputation } from '../../dist/cluster/octree/octreeComputation.js';
import { createEngine } from '../../dist/index.js';
import { RecursiveOctree } from '../../dist/papers/recursiveOctree.js';
import { sphereBoxes } from '../../dist/samples/index.js';
import { hashPairRows } from '../../test/support/hash.js';
import { startCluster } from '../support/brokerCluster.js';
import { coreCount, plural } from '../support/machine.js';
import {
  FORMULA,
  figureOf,
  fitOverhead,
  LINKS,
  MACHINES,
  modeled,
  overheadText,
  stagesOf,
  THESIS_STAGES,
  tablesOf,
  thesisText,
  total,
} from '../support/octreeModel.js';
import { isQuick, Report } from '../support/report.js';
import { summarize } from '../support/statistics.js';

const SEED = 1;
const RADIUS = 0.5;
const SIDE = 1000;
const LEVELS = 5;
/** Runs per number of machines. Other programs disturb a single run too much. */
const MACHINE_RUNS = isQuick ? 1 : 5;
const CLUSTER = 'bench';
const report = new Report('clusterOctree', SEED, ['@nats-io/transport-node']);
const sizes = isQuick ? [10_000] : [100_000, 199_000, 1_000_000, 2_000_000];
const processes = isQuick ? [1, 2] : [1, 2, 3, 4, 5, ...[10].filter(count => count < coreCount)];
const machines = isQuick ? [1, 2, 4] : MACHINES;
const engine = await createEngine({ threads: 1 });
const cluster = await startCluster(CLUSTER);
const { link } = cluster;

const sceneName = (count: number): string =>
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

/**
 * Runs the job `iterations` times, and returns the runs sorted by their duration, shortest first. If
 * `iterations` is more than 1, one more run precedes them as a warm-up.
 */
async function runRepeatedly(
  boxes: Float32Array,
  hash: string,
  iterations: number,
  options: ClusterBoxPairsOptions,
): Promise<Run[]> {
  const all: Run[] = [];
  for (let iteration = iterations > 1 ? -1 : 0; iteration < iterations; iteration++) {
    const before = cpuMilliseconds();
    const { a, b, stats } = await solve(boxes, options);
    const callerCpu = cpuMilliseconds() - before;
    if (hashPairRows(a, b) !== hash) throw new Error('the pairs differ from those of one engine');
    if (iteration >= 0) all.push({ milliseconds: stats.milliseconds, callerCpu, stats });
  }
  return all.sort((p, q) => p.milliseconds - q.milliseconds);
}

const medianByTime = (all: readonly Run[]): Run => all[all.length >> 1];
const stagesText = ({ rounds }: OctreeStats): string =>
  rounds
    .map(
      ({ name, milliseconds, maxComputed, tasks }) =>
        `${name} ${milliseconds.toFixed(0)} (kernels of the longest of ${tasks}: ${maxComputed.toFixed(1)})`,
    )
    .join(', ');

async function measureTables(count: number): Promise<void> {
  const scene = sceneName(count);
  const boxes = sphereBoxes(count, { radius: RADIUS, side: side(count) }, SEED);
  const iterations = count < 1e6 ? 3 : 2;
  const singleProcess = Array.from(
    { length: iterations + 1 },
    () => engine.boxPairs(boxes, { method: 'octree' }).stats,
  ).slice(1);
  const { a, b } = engine.boxPairs(boxes, { method: 'octree' }).copy();
  const hash = hashPairRows(a, b);
  report.add({
    scene,
    measure: 'whole',
    variant: 'one engine, no cluster',
    unit: 'ms',
    ...summarize(singleProcess.map(({ milliseconds }) => milliseconds)),
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
      variant: 'recursive search, five levels',
      unit: 'ms',
      n: 1,
      median: milliseconds.codes + milliseconds.sort + milliseconds.scan,
      note: `codes ${milliseconds.codes.toFixed(0)}, sort ${milliseconds.sort.toFixed(0)}, scan ${milliseconds.scan.toFixed(0)}; ${codes} codes; plain TypeScript on one thread`,
    });
  }
  for (const [table, times] of tablesOf(count)) {
    for (const [processors, milliseconds] of Object.entries(times)) {
      report.add({
        scene,
        measure: `whole, thesis's Table ${table}`,
        variant: `thesis, ${processors} processors`,
        unit: 'ms',
        n: 1,
        median: milliseconds,
        rival: 'thesis, 1',
        ratio: times[1]! / milliseconds,
        note: `efficiency ${(times[1]! / milliseconds / Number(processors)).toFixed(2)}; as published, 2002`,
        figure: `Lucchesi, Table ${table}`,
        how: 'published',
      });
    }
  }
  let first: number | undefined;
  for (const k of processes) {
    await cluster.startNodes(k);
    const all = await runRepeatedly(boxes, hash, iterations, { nodes: k, subsets: k });
    const { callerCpu, stats } = medianByTime(all);
    const own = summarize(all.map(({ milliseconds }) => milliseconds));
    first ??= own.median;
    report.add({
      scene,
      measure: 'whole',
      variant: `${plural(k, 'process')}, ${plural(coreCount, 'core')}`,
      unit: 'ms',
      ...own,
      rival: '1 process',
      ratio: first / own.median,
      figure: figureOf(count),
      note: `${thesisText(count, k)}; efficiency ${(first / own.median / k).toFixed(2)} (${plural(Math.min(coreCount, k), 'core')}, shared with caller and broker); ${stagesText(stats)}; processor time of nodes ${total(stats, 'cpu').toFixed(0)} ms, of the busiest node in each round ${stats.rounds.reduce((sum, { maxCpu }) => sum + maxCpu, 0).toFixed(0)}, of the caller ${callerCpu.toFixed(0)}; ${stats.messages} messages sent by the caller`,
    });
    report.add({
      scene,
      measure: 'bytes',
      variant: plural(k, 'process'),
      unit: 'bytes',
      n: 1,
      median: total(stats, 'fromCaller') + total(stats, 'fromNodes') + stats.toCaller,
      note: `caller to nodes ${total(stats, 'fromCaller')}, between nodes ${total(stats, 'fromNodes')}, to the caller ${stats.toCaller}`,
    });
    report.add({
      scene,
      measure: 'tests',
      variant: plural(k, 'process'),
      unit: 'count',
      n: 1,
      median: stats.tests,
      rival: 'one engine',
      ratio: singleProcess[0].tests / stats.tests,
    });
  }
  await model(count, boxes, hash);
}

// Models the time on k separate machines. Divides the job into k subsets, as for k machines, and runs these
// subsets on the available processes. Then computes the time from the measured costs of the subsets.
async function model(count: number, boxes: Float32Array, hash: string): Promise<void> {
  const scene = sceneName(count);
  const jobs: { k: number; runs: Run[] }[] = [];
  for (const k of machines) {
    const options = { nodes: processes.at(-1)!, subsets: k };
    jobs.push({ k, runs: await runRepeatedly(boxes, hash, MACHINE_RUNS, options) });
  }
  const overhead = fitOverhead(jobs.flatMap(({ runs }) => runs.map(({ stats }) => stats)));
  for (const [name, bits] of Object.entries(LINKS)) {
    const times = jobs.map(({ runs }) => summarize(runs.map(({ stats }) => modeled(stats, overhead, bits))));
    for (const [i, { k, runs }] of jobs.entries()) {
      const ratio = times[0]!.median / times[i]!.median;
      report.add({
        scene,
        measure: `machines, ${name}`,
        variant: plural(k, 'machine'),
        unit: 'ms',
        ...times[i]!,
        rival: '1 machine',
        ratio,
        figure: figureOf(count),
        how: FORMULA,
        note: `efficiency ${(ratio / k).toFixed(2)}; ${thesisText(count, k)}; ${overheadText(overhead)}; longest tasks ${medianByTime(
          runs,
        )
          .stats.rounds.map(({ name: round, maxComputed }) => `${round} ${maxComputed.toFixed(1)}`)
          .join(', ')}`,
      });
    }
  }
  for (const k of machines) await measureStages(scene, k, boxes, hash);
}

// Measures the stages of the tasks that take longest. Lists are merged in a tree, as in the thesis: if each
// node searched a range of octant codes instead, there would be no merge stage to measure.
async function measureStages(scene: string, k: number, boxes: Float32Array, hash: string): Promise<void> {
  const all = await runRepeatedly(boxes, hash, MACHINE_RUNS, {
    nodes: processes.at(-1)!,
    subsets: k,
    merge: 'tree',
  });
  const runs = all.map(({ stats }) => stagesOf(stats));
  for (const stage of Object.keys(runs[0]) as (keyof OctreeStages)[])
    report.add({
      scene,
      measure: `stage: ${stage}`,
      variant: plural(k, 'machine'),
      unit: 'ms',
      ...summarize(runs.map(stages => stages[stage])),
      figure: 'Lucchesi, section 5.3',
      note: `of the task that takes longest${stage === 'merge' ? ', summed over the levels of the tree' : ''}; thesis, 40 processors: ${THESIS_STAGES[stage]}`,
    });
}

/**
 * Compares the thesis's three levels of integration: the caller does everything, the nodes only make lists,
 * or the nodes do everything. If nodes do everything, also compares nodes that each search a range of octant
 * codes with nodes that merge lists in a tree.
 */
async function compareLevels(count: number): Promise<void> {
  const scene = sceneName(count);
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
  for (const [variant, options] of Object.entries(all)) {
    const measured = await runRepeatedly(boxes, hash, 2, {
      engine,
      ...(options.where === 'caller' ? {} : { nodes: Math.min(4, k), subsets: Math.min(4, k) }),
      ...options,
    });
    const { callerCpu, stats } = medianByTime(measured);
    report.add({
      scene,
      measure: 'level of integration',
      variant,
      unit: 'ms',
      ...summarize(measured.map(({ milliseconds }) => milliseconds)),
      note: `${Math.min(4, k)} processes; ${stagesText(stats)}; processor time of the caller ${callerCpu.toFixed(0)} ms; bytes from the caller ${total(stats, 'fromCaller')}, between nodes ${total(stats, 'fromNodes')}, to the caller ${stats.toCaller}`,
    });
  }
}

async function measureEncodings(count: number): Promise<void> {
  const scene = sceneName(count);
  const boxes = sphereBoxes(count, { radius: RADIUS, side: side(count) }, SEED);
  const work = new OctreeComputation(engine);
  const { low, high } = work.statistics(boxes);
  const list = work.listOctants(boxes, { low, high }, 0);
  let raw = 0;
  for (const [encoding, name] of listEncodings.entries()) {
    const encoded: number[] = [];
    const decoded: number[] = [];
    let bytes = new Uint8Array(0);
    for (let iteration = 0; iteration < 3; iteration++) {
      const startedAt = performance.now();
      bytes = Uint8Array.from(await encodeList(list, encoding));
      const encodedAt = performance.now();
      await decodeList(bytes, count);
      encoded.push(encodedAt - startedAt);
      decoded.push(performance.now() - encodedAt);
    }
    raw ||= bytes.length;
    const [encode, decode] = [summarize(encoded).median, summarize(decoded).median];
    const breakEven = (8e-6 * (raw - bytes.length)) / (encode + decode);
    report.add({
      scene,
      measure: 'encoding of a list',
      variant: name,
      unit: 'bytes',
      n: 3,
      median: bytes.length,
      rival: 'raw',
      ratio: raw / bytes.length,
      note: `${list.keys.length} octants, ${(bytes.length / list.keys.length).toFixed(2)} bytes each; ${encode.toFixed(0)} ms to encode, ${decode.toFixed(0)} ms to decode${encoding > 0 ? `; worthwhile on links below ${breakEven.toFixed(2)} Gbit/s` : ''}`,
    });
  }
  work.dispose();
}

try {
  for (const count of sizes) {
    await measureTables(count);
    if (count === (isQuick ? sizes[0] : 1_000_000)) await compareLevels(count);
    await measureEncodings(count);
    // Saves what has been measured so far, in case a later scene does not finish.
    report.save();
  }
} finally {
  await cluster.close();
  engine.dispose();
}
process.exit(0);
