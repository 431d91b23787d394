// Benchmark scenes of moving meshes. A scene measures, for each number of threads, the time to find all
// intersecting triangle pairs of a frame, and how evenly the work is partitioned (Zhang and Kim 2014, section
// 5.2, Fig. 4).

import { formatCount } from '../../cli/terminal.js';
import type { AsyncPairs } from '../../gpu/asyncResults.js';
import type { Engine, Mesh, PlacedPair, QueryManyOptions, TrianglePairs } from '../../index.js';
import {
  epicyclicTrain,
  type MeshData,
  penetrationPath,
  placedTriangleCount,
  randomPlacements,
  type Scene,
  sphere,
  torus,
  wormGear,
} from '../../samples/index.js';
import { type Contender, interleave, measureTime } from './measure.js';
import { gpuRemarks, withGpuEngine } from './meshesOnGpu.js';
import { type BenchScene, type Outcome, type Setup, type ThreadedEngine, withEngines } from './scene.js';

const ALL = 'all triangle pairs';
const ALL_ON_GPU = 'all triangle pairs, GPU';
const LISTS = [2, 4, 8, 12];
const CITE =
  'Zhang and Kim, Scalable Collision Detection Using p-Partition Fronts on Many-Core Processors, 2014';
const MACHINE = 'two hexacore Intel Xeon X5690, 3.47 GHz';

interface Motion {
  scene: Scene;
  frames: number[];
  coherence: 'on' | 'off';
  rounds: number;
}
type Case = readonly { a: MeshData; b: MeshData; transformA: Float64Array; transformB: Float64Array }[];

const steps = (from: number, step: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => from + step * i);
const frameCount = (size: Setup['size']): number => (size === 'quick' ? 2 : 20);

function wormMotion({ size }: Setup): Motion {
  return {
    scene: wormGear({ triangles: size === 'quick' ? 4000 : 64_000 }),
    frames: steps(0, 1, frameCount(size)),
    coherence: 'on',
    rounds: size === 'quick' ? 1 : 9,
  };
}

function trainMotion({ size }: Setup): Motion {
  return {
    scene: epicyclicTrain(),
    frames: steps(0, 1, frameCount(size)),
    coherence: 'on',
    rounds: size === 'quick' ? 1 : 5,
  };
}

function pathMotion({ size }: Setup): Motion {
  const triangles = size === 'quick' ? 4000 : 500_000;
  return {
    scene: penetrationPath(torus(triangles), sphere(triangles), 400),
    frames: steps(200, 1, frameCount(size)),
    coherence: 'on',
    rounds: size === 'quick' ? 1 : 5,
  };
}

function randomMotion({ size, seed }: Setup): Motion {
  const mesh = torus(size === 'quick' ? 2000 : 58_000);
  const placed = randomPlacements(mesh, frameCount(size), seed);
  const still = placed[0].map((_, i) => (i % 5 === 0 ? 1 : 0));
  const scene: Scene = {
    parts: [
      { name: 'still', mesh: 0 },
      { name: 'placed', mesh: 0 },
    ],
    meshes: [mesh],
    frame: t => Float64Array.of(...still, ...placed[t]),
  };
  return { scene, frames: steps(0, 1, placed.length), coherence: 'off', rounds: size === 'quick' ? 1 : 9 };
}

interface SceneDescription {
  line: string;
  cite: string;
  speedUps?: Readonly<Record<number, number>>;
  motion: (setup: Setup) => Motion;
  remark: string;
}

const scenes: Readonly<Record<string, SceneDescription>> = {
  'worm-gear': {
    line: 'a worm gear (a worm that drives a wheel) of 64,000 triangles',
    cite: 's5.2.1, Fig. 6a',
    speedUps: { 8: 7.5 },
    motion: wormMotion,
    remark: 'The gear is our own model of the same size.',
  },
  'epicyclic-train': {
    line: 'an epicyclic train of 17 gears, 149,000 triangles',
    cite: 's5.2.1, Fig. 6b',
    speedUps: { 8: 7.5 },
    motion: trainMotion,
    remark: 'The train is our own model with the same numbers of gears and triangles.',
  },
  'collision-sequence': {
    line: 'two solids of 500,000 triangles, one passing through the other',
    cite: 's5.2.2, Fig. 7',
    motion: pathMotion,
    remark:
      "A torus and a sphere stand in for the paper's two Buddhas. The paper calls the speed-up near linear and gives no number.",
  },
  'random-courses': {
    line: 'two solids of 58,000 triangles at random placements, without coherence',
    cite: 's5.2.4, Fig. 9',
    motion: randomMotion,
    remark:
      "Two tori stand in for the paper's two bunnies. The paper calls the speed-up nearly linear, as long as a frame takes more than 1 ms.",
  },
};

export const meshScenes: BenchScene[] = Object.entries(scenes).map(
  ([name, { line, cite, speedUps, motion, remark }]) => ({
    name,
    line: `${line}: all triangle pairs by threads`,
    paper: {
      cite: `${CITE}, ${cite}`,
      machine: MACHINE,
      series: speedUps ? [{ measure: ALL, speedUps }] : [],
    },
    runsOnGpu: true,
    run: setup => run(motion(setup), remark, setup),
  }),
);

async function run(
  { scene, frames, coherence, rounds }: Motion,
  remark: string,
  setup: Setup,
): Promise<Outcome> {
  const cases = frames.map(t => pairsAt(scene, t));
  return withEngines(setup, threadedEngines =>
    withGpuEngine(setup, async gpuEngine => {
      const placed = threadedEngines.map(threadedEngine => new EngineMeshes(threadedEngine, scene));
      const contenders = placed.map(
        (meshes): Contender<Case> => ({
          threads: meshes.threads,
          run: pairs => {
            const [{ count }, whole] = measureTime(() => meshes.query(pairs, { order: 'any', coherence }));
            return { found: count, milliseconds: { [ALL]: whole } };
          },
        }),
      );
      const answers: AsyncPairs[] = [];
      if (gpuEngine)
        contenders.push(
          gpuContender(new EngineMeshes({ threads: 1, engine: gpuEngine }, scene), coherence, answers),
        );
      const measured = await interleave(cases, contenders, rounds, setup.progress);
      const remarks = [
        `${formatCount(placedTriangleCount(scene))} triangles, coherence ${coherence}. ${remark}`,
        ...placed[0].balance(cases, coherence),
        ...(gpuEngine ? gpuRemarks(gpuEngine, answers.slice(-cases.length)) : []),
      ];
      return { measured, cases: cases.length, rounds, remarks };
    }),
  );
}

const gpuContender = (
  meshes: EngineMeshes,
  coherence: 'on' | 'off',
  answers: AsyncPairs[],
): Contender<Case> => ({
  threads: meshes.threads,
  run: async pairs => {
    const startedAt = performance.now();
    const answer = await meshes.queryAsync(pairs, { order: 'any', coherence });
    answers.push(answer);
    return { found: answer.count, milliseconds: { [ALL_ON_GPU]: performance.now() - startedAt } };
  },
});

// Pairs every part of the scene with every other part.
function pairsAt({ parts, meshes, frame }: Scene, t: number): Case {
  const transforms = frame(t);
  const place = (part: number): Float64Array => transforms.slice(16 * part, 16 * part + 16);
  return parts.flatMap((first, i) =>
    parts.slice(i + 1).map((second, k) => ({
      a: meshes[first.mesh],
      b: meshes[second.mesh],
      transformA: place(i),
      transformB: place(i + 1 + k),
    })),
  );
}

/** The meshes of a scene in one engine. */
class EngineMeshes {
  readonly threads: number;
  private readonly engine: Engine;
  private readonly meshes: Map<MeshData, Mesh>;

  constructor({ threads, engine }: ThreadedEngine, scene: Scene) {
    this.engine = engine;
    this.threads = threads;
    this.meshes = new Map(scene.meshes.map(data => [data, engine.createMesh(data)]));
  }

  query(pairs: Case, options: Omit<QueryManyOptions, 'pairs' | 'want'>): TrianglePairs {
    const placed = this.place(pairs);
    const [pair] = placed;
    return placed.length === 1
      ? this.engine.query(pair.a, pair.b, {
          ...options,
          transformA: pair.transformA,
          transformB: pair.transformB,
        })
      : this.engine.queryMany({ ...options, pairs: placed });
  }

  queryAsync(pairs: Case, options: Omit<QueryManyOptions, 'pairs' | 'want'>): Promise<AsyncPairs> {
    const placed = this.place(pairs);
    const [pair] = placed;
    const { async } = this.engine;
    return placed.length === 1
      ? async.query(pair.a, pair.b, { ...options, transformA: pair.transformA, transformB: pair.transformB })
      : async.queryMany({ ...options, pairs: placed });
  }

  /**
   * Returns text about how evenly the work is divided among the lists. The work of a list is counted, not
   * timed, so there may be more lists than cores. The first frame is left out, because it has no previous run
   * from which costs could be predicted.
   */
  balance(cases: readonly Case[], coherence: 'on' | 'off'): string[] {
    const texts = LISTS.map(parts => {
      const ratios = cases
        .map(pairs => this.query(pairs, { order: 'any', coherence, parts, stealing: 'off' }).stats.imbalance)
        .slice(1);
      return `${parts}: ${(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toFixed(3)} (${Math.max(...ratios).toFixed(3)})`;
    });
    return [
      `Maximum cost of a work list divided by the mean cost (Fig. 4), averaged over the frames (worst frame in parentheses), by number of lists: ${texts.join(', ')}.`,
    ];
  }

  private place(pairs: Case): PlacedPair[] {
    return pairs.map(pair => ({ ...pair, a: this.meshes.get(pair.a)!, b: this.meshes.get(pair.b)! }));
  }
}
