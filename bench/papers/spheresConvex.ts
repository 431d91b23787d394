// Measures the time to find which of 31 convex bodies intersect in each step, by three kinds of methods: a
// stand-in for I-COLLIDE (incremental sweep and prune, then closest features tracked from step to step),
// bounding volume hierarchies, and tests of all leaves without a hierarchy.
//
// I-COLLIDE handles convex bodies only, so all bodies are spheres here. (In the bench `spheres`, every second
// body is a torus.) The hierarchies test all pairs of bodies without a broad phase, as in the bench
// `spheres`. The exception is the method 'sweep and prune, boxes': it uses trees with boxes, but tests only
// the near pairs that the stand-in's sweep and prune finds.

import type { Engine } from '../../dist/index.js';
import { ConvexBodies } from '../../dist/papers/convexBodies.js';
import { createLaboratory, type Laboratory } from '../../dist/papers/laboratory.js';
import { isQuick, Report } from '../support/report.js';
import { type Contender, interleaveBlocks } from '../support/timing.js';
import {
  BODIES,
  convexShapesOf,
  type Frame,
  framesOf,
  optionsOf,
  pairsOf,
  SEED,
  SIZES,
  STEPS,
  sceneName,
  type Volume,
  withTraversal,
} from '../support/tumblingBodies.js';

/** Number of consecutive steps that one method runs before the next method runs the same steps. */
const BLOCK = 100;
/** Interval, in steps, at which the method without a hierarchy is timed. */
const STEP_INTERVAL_WITHOUT_HIERARCHY = 100;
const MEASURE = 'which bodies intersect';
/** Number of triangles of the largest scene in the S-AABB paper. */
const PAPER_SIZE = 80_000;
/** Table 1 of the paper: seconds for 1,000 steps of the largest scene, by method. */
const PAPER_SECONDS: Readonly<Record<string, number>> = {
  'no hierarchy': 5109,
  'sweep and prune, features': 4231,
  spheres: 3265,
  'hybrid, rounds': 185,
};

const anyOf = (engine: Engine, pairs: ReturnType<typeof pairsOf>): number =>
  engine.queryMany({ pairs, want: 'any', parts: 1 }).reduce((sum, hit) => sum + hit, 0);

function methodsOf(laboratory: Laboratory, size: number): Contender<Frame>[] {
  const { engine } = laboratory;
  const data = convexShapesOf(size);
  const convex = new ConvexBodies(engine, data, new Array(BODIES).fill(0));
  const swept = new ConvexBodies(engine, data, new Array(BODIES).fill(0));
  const [mesh] = data.map(one => engine.createMesh(one));
  const testNearPairs = (frame: Frame): number => {
    const { a, b } = swept.nearPairs(frame);
    return anyOf(
      engine,
      Array.from(a, (i, k) => ({ a: mesh, b: mesh, transformA: frame[i], transformB: frame[b[k]] })),
    );
  };
  return [
    { name: 'sweep and prune, features', run: frame => convex.detect(frame).length / 2 },
    { name: 'sweep and prune, boxes', run: testNearPairs },
    ...(['boxes', 'spheres', 'hybrid'] as Volume[]).flatMap(volume => {
      const meshes = data.map(one => engine.createMesh(one, optionsOf[volume]));
      const run = (frame: Frame): number => anyOf(engine, pairsOf(meshes, frame));
      return [
        { name: volume, run },
        ...(volume === 'hybrid'
          ? [
              {
                name: 'hybrid, rounds',
                run: (frame: Frame) => withTraversal(laboratory, 'work-front', () => run(frame)),
              },
            ]
          : []),
      ];
    }),
  ];
}

// Makes the method without a hierarchy. For each pair of bodies, it tests every leaf of one body against
// every leaf of the other.
function withoutHierarchy(laboratory: Laboratory, size: number): Contender<Frame> {
  const { engine } = laboratory;
  const meshes = convexShapesOf(size).map(one => engine.createMesh(one));
  return {
    name: 'no hierarchy',
    run: frame =>
      withTraversal(laboratory, 'no-hierarchy', () =>
        pairsOf(meshes, frame).reduce((sum, pair) => sum + anyOf(engine, [pair]), 0),
      ),
  };
}

// Times `methods` alternately. First checks, on a sample of the frames, that `methods` and `also` all find
// the same number of pairs.
function compareMethods(
  report: Report,
  size: number,
  methods: readonly Contender<Frame>[],
  frames: readonly Frame[],
  also: readonly Contender<Frame>[] = [],
): void {
  const sampledFrames = frames.filter((_, i) => i % Math.ceil(frames.length / 40) === 0);
  const counts = [...methods, ...also].map(({ run }) =>
    sampledFrames.reduce((sum, frame) => sum + (run(frame) as number), 0),
  );
  if (new Set(counts).size !== 1)
    throw new Error(`the methods find different numbers of pairs: ${counts.join(' ')}`);
  for (const { name: variant, ...times } of interleaveBlocks(frames, methods, BLOCK)) {
    const seconds = PAPER_SECONDS[variant];
    const isInPaper = size === PAPER_SIZE && seconds !== undefined;
    report.add({
      scene: sceneName(size),
      measure: MEASURE,
      variant,
      unit: 'ms',
      ...times,
      ...(isInPaper ? { rival: 'paper', ratio: seconds / times.mean } : {}),
      figure: `S-AABB, ${size === PAPER_SIZE ? 'Table 1 and ' : ''}Fig. 3 (a)`,
      note: `${((times.mean * STEPS) / 1000).toFixed(2)} s for ${STEPS} steps${times.n < STEPS ? `, estimated from ${times.n} of them` : ''}${isInPaper ? ` (paper: ${seconds} s)` : ''}; ${counts[0]} found in ${sampledFrames.length} steps`,
    });
  }
}

// Reports how much work the stand-in for I-COLLIDE does per near pair. Temporal coherence keeps this work
// nearly independent of the number of triangles.
function countFeatures(report: Report, { engine }: Laboratory, size: number, frames: readonly Frame[]): void {
  const bodies = new ConvexBodies(engine, convexShapesOf(size), new Array(BODIES).fill(0));
  for (const frame of frames) bodies.detect(frame);
  const { nearPairs, steps, dots, queries } = bodies.counters;
  bodies.dispose();
  const all = (frames.length * BODIES * (BODIES - 1)) / 2;
  report.add({
    scene: sceneName(size),
    measure: 'search steps per near pair',
    variant: 'sweep and prune, features',
    unit: 'count',
    n: frames.length,
    mean: steps / nearPairs,
    figure: 'S-AABB, Fig. 3 (a)',
    note: `${nearPairs} near pairs of ${all}, ${(dots / nearPairs).toFixed(1)} dot products per near pair (including those that compute the boxes), ${queries} near pairs decided by the engine`,
  });
}

const report = new Report('spheresConvex', SEED);
const laboratory = await createLaboratory({ threads: 1 });
for (const size of SIZES) {
  const frames = framesOf();
  compareMethods(report, size, methodsOf(laboratory, size), frames);
  countFeatures(report, laboratory, size, frames);
  report.saveFinished();
}
// The method without a hierarchy takes hours for larger meshes, so only the smallest size is measured.
const [minSize] = SIZES;
const few = framesOf(isQuick ? 1 : STEP_INTERVAL_WITHOUT_HIERARCHY);
compareMethods(
  report,
  minSize,
  [withoutHierarchy(laboratory, minSize)],
  few,
  methodsOf(laboratory, minSize).slice(0, 1),
);
report.saveFinished();
laboratory.engine.dispose();
