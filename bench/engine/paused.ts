// Measures calls as a game makes them: one call per frame, with 16 ms of other work between the calls, which
// also empties the caches. Compares the default engine with an engine of one thread, while all other cores are
// idle, and while a busy loop runs on each of them.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createEngine, type Engine } from '../../dist/index.js';
import { boxCrowd, createRandom, torus, tumbling } from '../../dist/samples/index.js';
import { coreCount } from '../support/machine.js';
import { loadMesh } from '../support/meshes.js';
import { isQuick, Report } from '../support/report.js';
import { summarize } from '../support/statistics.js';

const SEED = 1;
const ITERATIONS = isQuick ? 2 : 12;
/** Number of measured calls that an engine runs in a row, after `UNCOUNTED` calls as a warm-up. */
const CALLS = isQuick ? 2 : 12;
const UNCOUNTED = 4;
const PAUSE_MILLISECONDS = 16;
/** Larger than most caches of a core. */
const other = new Float64Array(isQuick ? 1e5 : 4e6);

const report = new Report('paused', SEED);
const engines: { name: string; engine: Engine }[] = [
  { name: '1 thread', engine: await createEngine({ threads: 1 }) },
  { name: 'default', engine: await createEngine() },
];

/** Takes an engine, and returns a function that runs the call with a given number in this engine. */
type Workload = (engine: Engine) => (call: number) => unknown;

const boxesWorkload =
  (count: number): Workload =>
  engine => {
    const boxes = boxCrowd('uniform', count, SEED);
    return () => engine.boxPairs(boxes, { order: 'any' }).count;
  };

const moversWorkload =
  (count: number): Workload =>
  engine => {
    const boxes = boxCrowd('uniform', count, SEED);
    const broadPhase = engine.createBroadPhase({ events: 'off' });
    broadPhase.set(boxes);
    broadPhase.pairs({ order: 'any' });
    const random = createRandom(SEED);
    const ids = Uint32Array.from({ length: count / 100 }, () => Math.floor(random.between(0, count)));
    const places = new Float32Array(6 * ids.length);
    return call => {
      ids.forEach((id, k) => {
        for (let end = 0; end < 6; end++) {
          const size = boxes[6 * id + (end % 3) + 3] - boxes[6 * id + (end % 3)];
          places[6 * k + end] = boxes[6 * id + end] + 0.05 * size * (call % 2);
        }
      });
      broadPhase.move(ids, places);
      return broadPhase.pairs({ order: 'any' }).count;
    };
  };

const dragon = await loadMesh('dragon 203K');
const meshWorkload: Workload = engine => {
  const mesh = engine.createMesh(dragon!.data);
  const size = mesh.bounds[3] - mesh.bounds[0];
  return call => {
    const transformB = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, size * (0.4 + 0.001 * (call % 8)), 0, 0, 1];
    return engine.query(mesh, mesh, { transformB, order: 'any' }).count;
  };
};

const toriWorkload: Workload = engine => {
  const shape = engine.createMesh(torus(700));
  const scene = engine.createScene();
  const matricesOf = tumbling(1000, 0.2, SEED);
  for (let i = 0; i < 1000; i++) scene.add(shape);
  return call => {
    scene.setTransforms(matricesOf(call % 8));
    return scene.detect({ narrow: 'any' }).count;
  };
};

const workloads = new Map<string, Workload>([
  ['boxes 10K', boxesWorkload(10_000)],
  ['boxes 30K', boxesWorkload(30_000)],
  ['boxes 100K', boxesWorkload(100_000)],
  ['1 % movers 100K', moversWorkload(100_000)],
  ...(dragon ? [['dragon 203K twice', meshWorkload] as const] : []),
  ['1,000 tori', toriWorkload],
]);

/** Works for 16 ms, as the other parts of a frame do. */
function pause(): void {
  for (const until = performance.now() + PAUSE_MILLISECONDS; performance.now() < until; )
    for (let i = 0; i < other.length; i += 8) other[i] += 1;
}

/** Starts a busy loop on every core but the first one. Without `taskset`, the system chooses the cores. */
async function startLoops(): Promise<ChildProcess[]> {
  const words = [process.execPath, '-e', 'for (;;);'];
  const pins = spawnSync('taskset', ['--version']).status === 0;
  const loops = Array.from({ length: coreCount - 1 }, (_, i) => {
    const [program, ...args] = pins ? ['taskset', '-c', String(i + 1), ...words] : words;
    return spawn(program!, args, { stdio: 'ignore' });
  });
  await new Promise(resolve => setTimeout(resolve, 500));
  return loops;
}

function measure(name: string, workload: Workload, cores: string): void {
  const calls = engines.map(({ engine }) => workload(engine));
  const times = engines.map((): number[] => []);
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    // The engines run one after another, and each makes several calls in a row, as a game does.
    for (const place of engines.keys()) {
      const engine = iteration % 2 === 0 ? place : engines.length - 1 - place;
      for (let call = 0; call < UNCOUNTED + CALLS; call++) {
        pause();
        const startedAt = performance.now();
        calls[engine]!(call);
        if (call >= UNCOUNTED) times[engine]!.push(performance.now() - startedAt);
      }
    }
  }
  const summaries = times.map(list => summarize(list));
  engines.forEach(({ name: variant, engine }, i) => {
    report.add({
      scene: name,
      measure: `a call after a pause, other cores ${cores}`,
      variant: i === 0 ? variant : `${variant}, ${engine.info.threads} threads`,
      unit: 'ms',
      ...summaries[i]!,
      ...(i > 0 && {
        rival: '1 thread',
        ratio: summaries[0]!.mean / summaries[i]!.mean,
        limit: '>= 0.97 x',
        note: `ratio of medians ${(summaries[0]!.median / summaries[i]!.median).toFixed(2)}`,
      }),
    });
  });
}

for (const cores of ['idle', 'busy']) {
  const loops = cores === 'busy' ? await startLoops() : [];
  try {
    for (const [name, workload] of workloads) measure(name, workload, cores);
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
  }
}
for (const { engine } of engines) engine.dispose();
report.save();
