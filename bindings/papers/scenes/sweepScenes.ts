// Benchmark scenes of falling cubes, balls and skittles: update of boxes and overlapping pairs by number of
// threads (Avril, Gouranton and Arnaldi 2014, Tables 1 and 2, Fig. 7).

import { formatCount } from '../../cli/terminal.js';
import { box, falling, type MeshData, skittle, sphere } from '../../samples/index.js';
import { type Contender, interleave, timed } from './measure.js';
import { type BenchScene, type Outcome, type Setup, type ThreadedEngine, withEngines } from './scene.js';

const UPDATE = 'update of boxes (Table 1)';
const OVERLAP = 'overlapping pairs (Table 2)';
const BOTH = 'both (Fig. 7)';
const CITE =
  'Avril, Gouranton and Arnaldi, Broad Phase Adaptation from Multi-Core to Multi-GPU Architecture, 2014';
const MACHINE = 'two quad-core Intel Xeon X5482, 3.20 GHz, Windows XP x64';
const FRAMES = 8;

interface Bodies {
  description: string;
  count: number;
  quick: number;
  mesh: (size: Setup['size']) => MeshData;
  spacing: number;
  update: Times;
  overlap: Times;
}
type Times = Readonly<Record<1 | 2 | 4 | 8, number>>;

const scenes: Readonly<Record<'cubes' | 'balls' | 'skittles', Bodies>> = {
  cubes: {
    description: '20,000 cubes of 12 triangles',
    count: 20_000,
    quick: 500,
    mesh: () => box(0.5, 0.5, 0.5),
    spacing: 1.2,
    update: { 1: 8.89, 2: 4.96, 4: 2.76, 8: 1.52 },
    overlap: { 1: 53.339, 2: 31.65, 4: 18.76, 8: 11.43 },
  },
  balls: {
    description: '10,000 balls of 2,000 triangles',
    count: 10_000,
    quick: 500,
    mesh: () => sphere(2000),
    spacing: 1.9,
    update: { 1: 4.45, 2: 2.48, 4: 1.4, 8: 0.74 },
    overlap: { 1: 26.7, 2: 15.748, 4: 9.51, 8: 5.82 },
  },
  skittles: {
    description: '3,500 skittles of 20,000 triangles',
    count: 3500,
    quick: 200,
    mesh: size => skittle(size === 'quick' ? 200 : 20_000),
    spacing: 1.1,
    update: { 1: 1.6, 2: 0.9, 4: 0.5, 8: 0.27 },
    overlap: { 1: 10.71, 2: 6.35, 4: 3.742, 8: 2.314 },
  },
};

export const sweepScenes: BenchScene[] = Object.entries(scenes).map(([name, bodies]) => ({
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

async function run(bodies: Bodies, setup: Setup): Promise<Outcome> {
  const isQuick = setup.size === 'quick';
  const rounds = isQuick ? 1 : 15;
  const count = isQuick ? bodies.quick : bodies.count;
  const { frame, side } = falling(count, bodies.spacing, FRAMES, setup.seed);
  // The ground is the last body: one flat box below the heap, touched by the bodies that lie on it.
  const ground = Float32Array.of(side, 0, 0, 0, 0, side, 0, 0, 0, 0, 0.1, 0, side / 2, side / 2, -0.1, 1);
  const frames = Array.from({ length: FRAMES }, (_, t) => concatenated(frame(t + 1), ground));
  return withEngines(setup, async teams => {
    const pairs: number[] = [];
    const mesh = bodies.mesh(setup.size);
    const contenders = teams.map(team => contender(team, mesh, count, pairs));
    const measured = await interleave(frames, contenders, rounds, setup.progress);
    return { measured, cases: FRAMES, rounds, remarks: remarks(count, pairs.slice(0, FRAMES)) };
  });
}

function concatenated(first: Float32Array, second: Float32Array): Float32Array {
  const all = new Float32Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function contender(
  { threads, engine }: ThreadedEngine,
  mesh: MeshData,
  count: number,
  pairs: number[],
): Contender<Float32Array> {
  const shape = engine.createMesh(mesh);
  const scene = engine.createScene({ broadPhase: 'sap' });
  for (let i = 0; i < count; i++) scene.add(shape);
  scene.add(engine.createMesh(box()));
  return {
    threads,
    run: matrices => {
      const [, update] = timed(() => scene.setTransforms(matrices));
      const {
        boxPairs,
        broadPhase: { milliseconds, stages },
      } = scene.detect({ narrow: 'boxes' }).stats;
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

const remarks = (count: number, pairs: readonly number[]): string[] => [
  `${formatCount(count)} bodies and a flat ground: ${formatCount(Math.min(...pairs))} to ${formatCount(Math.max(...pairs))} box pairs per frame.`,
  'Our assumptions, which the paper does not specify: bodies start in layers, fall with uniform acceleration and end in a heap with the density of random packing; even at rest all move a little; the environment is one flat box.',
  'Update: reading placements and computing boxes. Overlapping pairs: found from scratch in every frame, one sorted list at the end.',
  'Fig. 7 gives an overall speed-up of 5.1 on 8 cores; the paper column of "both" is the sum of its two tables. The paper finds 3 threads on 2 cores slower than 2 and faster than 1.',
];
