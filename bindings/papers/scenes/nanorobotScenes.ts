// Benchmark scenes of nanorobots that wander, or that move from corner to corner of a cube. A scene measures
// the time of one step of continuous collision detection, by stage and number of threads (Du, Liu and
// Suzumura 2017, sections 5.1 to 5.3).

import { formatCount } from '../../cli/terminal.js';
import type { Scene } from '../../index.js';
import { type Movement, nanorobots } from '../../samples/index.js';
import { type Contender, interleave, measureTime } from './measure.js';
import {
  type BenchScene,
  type Measured,
  type Outcome,
  type Setup,
  type ThreadedEngine,
  withEngines,
} from './scene.js';

const MOVEMENTS: readonly Movement[] = ['random', 'skewed'];
/**
 * SETTLING_STEPS: number of steps before the measurement, in which the robots settle. STEPS: number of
 * measured steps.
 */
const SETTLING_STEPS = 25;
const STEPS = 2;
const GPUS = 12;
const PAPER_MILLISECONDS = 300;

interface Crowd {
  count: number;
  rounds: number;
}
/** Placements of the robots at the beginning and at the end of a step. */
interface Step {
  from: Float32Array;
  to: Float32Array;
}
interface Counts {
  contacts: number;
  facePairs: number;
  featurePairs: number;
}

const crowds: Readonly<Record<string, Crowd>> = {
  'nanorobots-10k': { count: 10_000, rounds: 5 },
  'nanorobots-40k': { count: 40_000, rounds: 3 },
  nanorobots: { count: 100_000, rounds: 1 },
};

export const nanorobotScenes: BenchScene[] = Object.entries(crowds).map(([name, crowd]) => ({
  name,
  line: `${formatCount(crowd.count)} robots of 700 triangles, uniform and skewed: contacts during a step, by stage`,
  ...(name === 'nanorobots' && {
    paper: {
      cite: 'Du, Liu and Suzumura, Parallel Continuous Collision Detection for High-Performance GPU Cluster, 2017, section 5.3',
      machine: '4 nodes of TSUBAME 2.5, each two 6-core Intel Xeon E5670 and 3 Nvidia Tesla K20X',
      series: MOVEMENTS.map(movement => ({
        measure: movement,
        milliseconds: { [GPUS]: PAPER_MILLISECONDS },
      })),
    },
  }),
  run: setup => run(crowd, setup),
}));

async function run(crowd: Crowd, setup: Setup): Promise<Outcome> {
  const isQuick = setup.size === 'quick';
  const count = isQuick ? 300 : crowd.count;
  const rounds = isQuick ? 1 : crowd.rounds;
  return withEngines(setup, async threadedEngines => {
    const measured: Measured[] = [];
    const remarks: string[] = [];
    for (const movement of MOVEMENTS) {
      const counts: Counts[] = [];
      const steps = stepsOf(threadedEngines[threadedEngines.length - 1], movement, count, setup.seed);
      const contenders = threadedEngines.map(threadedEngine =>
        contender(threadedEngine, movement, count, counts),
      );
      measured.push(
        ...(await interleave(
          steps,
          contenders.map(({ contender: one }) => one),
          rounds,
          setup.progress,
        )),
      );
      for (const { scene } of contenders) scene.dispose();
      remarks.push(remark(movement, counts.slice(0, steps.length)));
    }
    return { measured, cases: STEPS, rounds, remarks: [...remarks, ...assumptions] };
  });
}

function makeScene({ engine }: ThreadedEngine, count: number): Scene {
  const mesh = engine.createMesh(nanorobots(1, 'random').mesh);
  const scene = engine.createScene();
  for (let i = 0; i < count; i++) scene.add(mesh);
  return scene;
}

// Computes the steps that all contenders run. At the end of a step, two robots that intersect and approach
// each other turn back.
function stepsOf(threadedEngine: ThreadedEngine, movement: Movement, count: number, seed: number): Step[] {
  const world = nanorobots(count, movement, seed);
  const scene = makeScene(threadedEngine, count);
  const steps: Step[] = [];
  for (let step = 0; step < SETTLING_STEPS + STEPS; step++) {
    const from = world.placements();
    const to = world.step();
    if (step >= SETTLING_STEPS) steps.push({ from, to });
    scene.setTransforms(to);
    const { a, b } = scene.detect({ narrow: 'any' });
    world.turnBack(
      a.map(id => scene.slotOf(id)),
      b.map(id => scene.slotOf(id)),
    );
  }
  scene.dispose();
  return steps;
}

function contender(
  threadedEngine: ThreadedEngine,
  movement: Movement,
  count: number,
  counts: Counts[],
): { scene: Scene; contender: Contender<Step> } {
  const scene = makeScene(threadedEngine, count);
  return {
    scene,
    contender: {
      threads: threadedEngine.threads,
      run: ({ from, to }) => {
        const [{ count: contacts, stats }, whole] = measureTime(() => {
          scene.setTransforms(to, { from });
          return scene.detect({ continuous: true });
        });
        counts.push({ contacts, facePairs: stats.facePairs, featurePairs: stats.featurePairs });
        const stages = Object.entries(stats.stages).map(([stage, time]) => [`${movement}: ${stage}`, time]);
        return { found: contacts, milliseconds: { [movement]: whole, ...Object.fromEntries(stages) } };
      },
    },
  };
}

function remark(movement: Movement, counts: readonly Counts[]): string {
  const mean = (key: keyof Counts): string =>
    formatCount(Math.round(counts.reduce((sum, step) => sum + step[key], 0) / counts.length));
  return `${movement}: on average per step ${mean('contacts')} contacts, ${mean('facePairs')} face pairs and ${mean('featurePairs')} feature pairs.`;
}

const assumptions: readonly string[] = [
  'random: robots are uniformly distributed and wander; skewed: they move from corner to corner of the cube and stay at each for a while. Robots that intersect and approach each other reverse.',
  `The paper's row for ${GPUS} threads is its time on ${GPUS} GPUs. The paper gives one time, for 100,000 robots, and does not say for which movement. Our assumptions, which the paper does not specify: robots of radius 1, one for every 10 units of volume, steps of length 0.1, rotations of up to 0.1 radians per step.`,
];
