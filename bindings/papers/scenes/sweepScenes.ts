// Benchmark scenes of falling cubes, balls and skittles. A scene measures, by number of threads, how long it
// takes to update the boxes and to find the overlapping pairs (Avril, Gouranton and Arnaldi 2014, Tables 1
// and 2, Fig. 7).

import { formatCount } from '../../cli/terminal.js';
import { triangleCount } from '../../samples/index.js';
import { type Contender, interleave } from './measure.js';
import { type BenchScene, type Outcome, type Setup, type ThreadedEngine, withEngines } from './scene.js';
import {
  type SweepBodies,
  type SweepWorld,
  startSweepWorld,
  sweepBodies,
  sweepWorld,
  type Times,
} from './sweepBodies.js';

const UPDATE = 'update of boxes (Table 1)';
const OVERLAP = 'overlapping pairs (Table 2)';
const BOTH = 'both (Fig. 7)';
const CITE =
  'Avril, Gouranton and Arnaldi, Broad Phase Adaptation from Multi-Core to Multi-GPU Architecture, 2014';
const MACHINE = 'two quad-core Intel Xeon X5482, 3.20 GHz, Windows XP x64';
const FRAMES = 8;

export const sweepScenes: BenchScene[] = Object.entries(sweepBodies).map(([name, bodies]) => ({
  name,
  line: `${bodies.description} that fall onto a heap: sweep and prune by stage and threads`,
  threads: [1, 2, 3, 4, 8],
  paper: {
    cite: `${CITE}, Tables 1 and 2, Fig. 7`,
    machine: MACHINE,
    series: [
      { measure: UPDATE, milliseconds: bodies.update },
      { measure: OVERLAP, milliseconds: bodies.overlap },
      { measure: BOTH, milliseconds: sum(bodies.update, bodies.overlap) },
    ],
  },
  run: setup => run(bodies, setup),
}));

function sum(first: Times, second: Times): Times {
  return {
    1: first[1] + second[1],
    2: first[2] + second[2],
    4: first[4] + second[4],
    8: first[8] + second[8],
  };
}

async function run(bodies: SweepBodies, setup: Setup): Promise<Outcome> {
  const rounds = setup.size === 'quick' ? 1 : 15;
  const world = sweepWorld(bodies, setup.size, FRAMES, setup.seed);
  return withEngines(setup, async threadedEngines => {
    const pairs: number[] = [];
    const contenders = threadedEngines.map(threadedEngine => contender(threadedEngine, world, pairs));
    const measured = await interleave(world.frames, contenders, rounds, setup.progress);
    return { measured, cases: FRAMES, rounds, remarks: remarks(world, pairs.slice(0, FRAMES)) };
  });
}

function contender(
  { threads, engine }: ThreadedEngine,
  world: SweepWorld,
  pairs: number[],
): Contender<Float32Array> {
  const runFrame = startSweepWorld(engine, world);
  return {
    threads,
    run: matrices => {
      const {
        update,
        boxPairs,
        broadPhase: { milliseconds, stages },
      } = runFrame(matrices);
      pairs.push(boxPairs);
      const steps = Object.entries(stages).map(([stage, time]) => [`overlapping pairs: ${stage}`, time]);
      return {
        found: boxPairs,
        milliseconds: {
          [UPDATE]: update,
          [OVERLAP]: milliseconds,
          ...Object.fromEntries(steps),
          [BOTH]: update + milliseconds,
        },
      };
    },
  };
}

const remarks = ({ count, environment }: SweepWorld, pairs: readonly number[]): string[] => [
  `${formatCount(count)} bodies and an environment of ${formatCount(triangleCount(environment))} triangles: ${formatCount(Math.min(...pairs))} to ${formatCount(Math.max(...pairs))} box pairs per frame.`,
  'Our assumptions, which the paper does not specify: bodies start in layers, fall with uniform acceleration and end in a heap with the density of random packing; even at rest, all bodies move a little; the environment is one static body; if it has more than 2 triangles, it has hills, whose height is a tenth of its width.',
  'Update: reading placements and computing boxes. Overlapping pairs: found from scratch in every frame, as one sorted list.',
  'Fig. 7 gives an overall speed-up of 5.1 on 8 cores; the paper column of "both" is the sum of its two tables. The paper finds that on 2 cores, 3 threads are slower than 2 but faster than 1.',
];
