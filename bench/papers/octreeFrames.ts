// Measures how fast a cluster finds the box pairs of moving spheres, frame by frame, if its processes keep
// the sorted octants of the previous frame (Lucchesi 2002, section 6.2, item 4). Compares each frame with a
// job that starts from scratch. Reports the time in total and by stage, the bytes that are sent, and the number
// of changed octants. Models the time for the numbers of machines in the tables of Lucchesi's thesis.

import {
  type BoxPairsFrame,
  type ClusterBoxPairsOptions,
  type OctreeStages,
  type OctreeStats,
  openBoxPairs,
  submitBoxPairs,
} from '../../dist/cluster/index.js';
import { createEngine } from '../../dist/index.js';
import { sphereBoxes } from '../../dist/samples/index.js';
import { createRandom } from '../../dist/samples/random.js';
import { hashPairRows } from '../../test/support/hash.js';
import { startCluster } from '../support/brokerCluster.js';
import { plural } from '../support/machine.js';
import {
  FORMULA,
  fitOverhead,
  LINKS,
  MACHINES,
  modeled,
  type Overhead,
  overheadText,
  stagesOf,
  total,
} from '../support/octreeModel.js';
import { isQuick, Report } from '../support/report.js';
import { summarize } from '../support/statistics.js';

const SEED = 1;
const RADIUS = 0.5;
const SIDE = 1000;
const CLUSTER = 'frames';
const FIGURE = 'Lucchesi, 6.2 (4), coherence: no figures in the thesis';
/** Motion per frame in diameters, and the fraction of spheres that move. */
const MOTIONS = [
  [0, 0],
  [0.01, 1],
  [0.1, 0.01],
  [1, 1],
] as const;
const FRAMES = isQuick ? 1 : 3;
const report = new Report('octreeFrames', SEED, ['@nats-io/transport-node']);
const sizes = isQuick ? [10_000] : [100_000, 199_000, 1_000_000, 2_000_000];
const machines = isQuick ? [1, 2, 4] : MACHINES;
/**
 * Max number of node processes. More machines are only modeled, because all processes share this machine's
 * cores.
 */
const PROCESSES = 2;
const engine = await createEngine({ threads: 1 });
const cluster = await startCluster(CLUSTER);
const { link } = cluster;

const sceneName = (count: number): string =>
  count < 1e6 ? `spheres ${count / 1e3}K` : `spheres ${count / 1e6}M`;
const motionText = (step: number, share: number): string =>
  share === 0
    ? 'no sphere moves'
    : `${share === 1 ? 'all' : `${100 * share} % of the`} spheres move by ${step} x their diameter`;

/** Moves a fraction of the boxes, each in its own direction. Returns the moved boxes and their indices. */
function move(
  boxes: Float32Array,
  step: number,
  share: number,
  seed: number,
): { ids: Uint32Array; places: Float32Array } {
  const random = createRandom(seed);
  const ids = Uint32Array.from({ length: boxes.length / 6 }, (_, i) => i).filter(
    () => random.between(0, 1) < share,
  );
  const places = new Float32Array(6 * ids.length);
  for (const [i, id] of ids.entries()) {
    const direction = random.direction();
    for (let k = 0; k < 6; k++)
      boxes[6 * id + k] = places[6 * i + k] = boxes[6 * id + k] + step * direction[k % 3];
  }
  return { ids, places };
}

const boxesOf = (count: number): Float32Array => {
  const side = isQuick ? SIDE * Math.cbrt(count / 100_000) : SIDE;
  return sphereBoxes(count, { radius: RADIUS, side }, SEED);
};
const optionsFor = (k: number): ClusterBoxPairsOptions => ({
  cluster: CLUSTER,
  nodes: Math.min(k, PROCESSES),
  subsets: k,
  silence: 60_000,
});

async function measure(count: number): Promise<void> {
  const boxes = boxesOf(count);
  const jobs: { k: number; runs: OctreeStats[] }[] = [];
  for (const k of machines) {
    const runs: OctreeStats[] = [];
    // The first job warms up.
    for (let job = -1; job < FRAMES; job++)
      runs.push((await submitBoxPairs(link, boxes, optionsFor(k)).wait()).stats);
    jobs.push({ k, runs: runs.slice(1) });
  }
  const overhead = fitOverhead(jobs.flatMap(({ runs }) => runs));
  for (const { k, runs } of jobs) await measureFrames(count, boxes.slice(), k, overhead, medianByTime(runs));
}

// Moves the boxes in place.
async function measureFrames(
  count: number,
  boxes: Float32Array,
  k: number,
  overhead: Overhead,
  scratch: OctreeStats,
): Promise<void> {
  const scene = sceneName(count);
  const session = openBoxPairs(link, boxes, optionsFor(k));
  const next = async (): Promise<BoxPairsFrame> => {
    const answer = await session.pairs();
    const { a, b } = engine.boxPairs(boxes, { method: 'octree' });
    if (hashPairRows(answer.a, answer.b) !== hashPairRows(a, b))
      throw new Error('the pairs differ from those of one engine');
    return answer;
  };
  const first = (await next()).stats;
  report.add({
    scene,
    measure: 'first frame: stages',
    variant: plural(k, 'machine'),
    unit: 'ms',
    n: 1,
    median: Object.values(stagesOf(first)).reduce((sum, value) => sum + value),
    figure: FIGURE,
    note: `${stagesText(stagesOf(first))}; each stage in the range that takes longest; ${first.octants} octants, ${first.copies} copies`,
  });
  for (const [step, share] of MOTIONS) {
    const frames: BoxPairsFrame['stats'][] = [];
    for (let frame = 0; frame < FRAMES; frame++) {
      const { ids, places } = move(boxes, step, share, frame);
      session.move(ids, places);
      frames.push((await next()).stats);
    }
    add(scene, k, motionText(step, share), frames, overhead, scratch);
  }
  session.close();
}

const medianByTime = <Stats extends OctreeStats>(all: readonly Stats[]): Stats =>
  [...all].sort((p, q) => p.milliseconds - q.milliseconds)[all.length >> 1];
const bytesIn = (stats: OctreeStats): number =>
  total(stats, 'fromCaller') + total(stats, 'fromNodes') + stats.toCaller;
const stagesText = (stages: OctreeStages): string =>
  Object.entries(stages)
    .map(([stage, milliseconds]) => `${stage} ${milliseconds.toFixed(1)}`)
    .join(', ');

function add(
  scene: string,
  k: number,
  motion: string,
  frames: readonly BoxPairsFrame['stats'][],
  overhead: Overhead,
  scratch: OctreeStats,
): void {
  const stats = medianByTime(frames);
  const common = { scene, variant: plural(k, 'machine'), figure: FIGURE };
  if (k <= PROCESSES) {
    const own = summarize(frames.map(({ milliseconds }) => milliseconds));
    report.add({
      ...common,
      measure: `${motion}: whole`,
      variant: plural(k, 'process'),
      unit: 'ms',
      ...own,
      rival: 'job from scratch',
      ratio: scratch.milliseconds / own.median,
      note: 'over a broker; caller, broker and nodes share the cores',
    });
  }
  for (const [name, bits] of Object.entries(LINKS)) {
    const milliseconds = modeled(stats, overhead, bits);
    report.add({
      ...common,
      measure: `${motion}: machines, ${name}`,
      unit: 'ms',
      n: 1,
      median: milliseconds,
      rival: 'job from scratch',
      ratio: modeled(scratch, overhead, bits) / milliseconds,
      how: FORMULA,
      note: `${overheadText(overhead)}, from jobs from scratch; longest tasks ${stats.rounds.map(({ name: round, maxComputed }) => `${round} ${maxComputed.toFixed(1)}`).join(', ')}`,
    });
  }
  for (const [stage, milliseconds] of Object.entries(stagesOf(stats)))
    report.add({
      ...common,
      measure: `${motion}: ${stage}`,
      unit: 'ms',
      n: 1,
      median: milliseconds,
      note: `of the range that takes longest; ${stats.sorted} of ${stats.subsets} ranges were sorted from scratch`,
    });
  const bytes = bytesIn(stats);
  report.add(
    {
      ...common,
      measure: `${motion}: bytes`,
      unit: 'bytes',
      n: 1,
      median: bytes,
      ...(bytes > 0 ? { rival: 'job from scratch', ratio: bytesIn(scratch) / bytes } : {}),
      note: `caller to nodes ${total(stats, 'fromCaller')}, between nodes ${total(stats, 'fromNodes')}, to the caller ${stats.toCaller}`,
    },
    {
      ...common,
      measure: `${motion}: octants changed`,
      unit: 'count',
      n: 1,
      median: stats.changed,
      note: `removed and inserted, of ${stats.octants}; ${stats.copies} copies; ${stats.fresh} ranges listed from scratch`,
    },
  );
}

try {
  await cluster.startNodes(PROCESSES);
  for (const count of sizes) {
    await measure(count);
    // Saves what has been measured so far, in case a later scene does not finish.
    report.save();
  }
} finally {
  await cluster.close();
  engine.dispose();
}
process.exit(0);
