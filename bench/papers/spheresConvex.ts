// Measures which of 31 convex bodies meet in each step: with a stand-in for I-COLLIDE (incremental sweep and
// prune, then closest features tracked from step to step), with hierarchies, and without one.
//
// I-COLLIDE handles convex bodies only, so all bodies are spheres here; bench `spheres` has tori, too. The
// hierarchies test all pairs of bodies without a broad phase, as in bench `spheres`, except in the rows 'sweep and
// prune, boxes', which test the same near pairs as the stand-in.

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
  sceneOf,
  traversing,
  type Volume,
} from '../support/tumblingBodies.js';

/** Steps that a method runs before the next one. */
const BLOCK = 100;
/** Without a hierarchy, one of this many steps is timed. */
const EVERY_WITHOUT = 100;
const MEASURE = 'which bodies meet';
/** Seconds for 1,000 steps of the paper's largest scene, Table 1. */
const PAPER_SIZE = 80_000;
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
  const behindBoxes = (frame: Frame): number => {
    const { a, b } = swept.nearPairs(frame);
    return anyOf(
      engine,
      Array.from(a, (i, k) => ({ a: mesh, b: mesh, transformA: frame[i], transformB: frame[b[k]] })),
    );
  };
  return [
    { name: 'sweep and prune, features', run: frame => convex.detect(frame).length / 2 },
    { name: 'sweep and prune, boxes', run: behindBoxes },
    ...(['boxes', 'spheres', 'hybrid'] as Volume[]).flatMap(volume => {
      const meshes = data.map(one => engine.createMesh(one, optionsOf[volume]));
      const run = (frame: Frame): number => anyOf(engine, pairsOf(meshes, frame));
      return [
        { name: volume, run },
        ...(volume === 'hybrid'
          ? [
              {
                name: 'hybrid, rounds',
                run: (frame: Frame) => traversing(laboratory, 'work-front', () => run(frame)),
              },
            ]
          : []),
      ];
    }),
  ];
}

// Tests every leaf against every leaf, body pair by body pair.
function withoutHierarchy(laboratory: Laboratory, size: number): Contender<Frame> {
  const { engine } = laboratory;
  const meshes = convexShapesOf(size).map(one => engine.createMesh(one));
  return {
    name: 'no hierarchy',
    run: frame =>
      traversing(laboratory, 'no-hierarchy', () =>
        pairsOf(meshes, frame).reduce((sum, pair) => sum + anyOf(engine, [pair]), 0),
      ),
  };
}

// Runs methods alternately, and checks that they and `also` find as many pairs.
function compareMethods(
  report: Report,
  size: number,
  methods: readonly Contender<Frame>[],
  frames: readonly Frame[],
  also: readonly Contender<Frame>[] = [],
): void {
  const looked = frames.filter((_, i) => i % Math.ceil(frames.length / 40) === 0);
  const counts = [...methods, ...also].map(({ run }) =>
    looked.reduce((sum, frame) => sum + (run(frame) as number), 0),
  );
  if (new Set(counts).size !== 1)
    throw new Error(`the methods find different numbers of pairs: ${counts.join(' ')}`);
  for (const { name: who, n, median, p95, mean, max } of interleaveBlocks(frames, methods, BLOCK)) {
    const seconds = PAPER_SECONDS[who];
    const isInPaper = size === PAPER_SIZE && seconds !== undefined;
    report.add({
      scene: sceneOf(size),
      measure: MEASURE,
      who,
      unit: 'ms',
      n,
      median,
      p95,
      mean,
      max,
      ...(isInPaper ? { rival: 'paper', ratio: seconds / mean } : {}),
      figure: `S-AABB, ${size === PAPER_SIZE ? 'Table 1 and ' : ''}Fig. 3 (a)`,
      note: `${((mean * STEPS) / 1000).toFixed(2)} s for ${STEPS} steps${n < STEPS ? `, estimated from ${n} of them` : ''}${isInPaper ? ` (paper: ${seconds} s)` : ''}; ${counts[0]} found in ${looked.length} steps`,
    });
  }
}

// Reports what the stand-in computes per near pair and step: coherence keeps it nearly independent of the
// number of triangles.
function countFeatures(report: Report, { engine }: Laboratory, size: number, frames: readonly Frame[]): void {
  const bodies = new ConvexBodies(engine, convexShapesOf(size), new Array(BODIES).fill(0));
  for (const frame of frames) bodies.detect(frame);
  const { nearPairs, steps, dots, queries } = bodies.counters;
  bodies.dispose();
  const all = (frames.length * BODIES * (BODIES - 1)) / 2;
  report.add({
    scene: sceneOf(size),
    measure: 'search steps per near pair',
    who: 'sweep and prune, features',
    unit: 'count',
    n: frames.length,
    mean: steps / nearPairs,
    figure: 'S-AABB, Fig. 3 (a)',
    note: `${nearPairs} near pairs of ${all}, ${(dots / nearPairs).toFixed(1)} dot products per near pair (with those of the boxes), ${queries} near pairs decided by the engine`,
  });
}

const report = new Report('spheresConvex', SEED);
const laboratory = await createLaboratory({ threads: 1 });
for (const size of SIZES) {
  const frames = framesOf();
  compareMethods(report, size, methodsOf(laboratory, size), frames);
  countFeatures(report, laboratory, size, frames);
  report.savePiece();
}
// Takes hours for larger bodies.
const [smallest] = SIZES;
const few = framesOf(isQuick ? 1 : EVERY_WITHOUT);
compareMethods(
  report,
  smallest,
  [withoutHierarchy(laboratory, smallest)],
  few,
  methodsOf(laboratory, smallest).slice(0, 1),
);
report.savePiece();
laboratory.engine.dispose();
