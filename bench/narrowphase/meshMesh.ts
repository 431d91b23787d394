// Measures three kinds of queries of placed meshes on one thread: all pairs in any order, all pairs sorted, and
// the first hit. Measures three-mesh-bvh in the same run, for comparison.

import { mat4d } from 'wgpu-matrix';
import { createEngine, type Engine, type PlacedPair } from '../../dist/index.js';
import { randomPlacements } from '../../dist/samples/index.js';
import { measureExactTest, uncertainPoints } from '../support/exactTestTime.js';
import { loadMesh, loadMeshes, type NamedMesh } from '../support/meshes.js';
import { type Motion, Placed, path, runQuery, totals, train, worm } from '../support/motion.js';
import { isQuick, Report } from '../support/report.js';
import { buildRival, RIVAL, type RivalMesh, RivalPairs, relativeMatrix } from '../support/rival.js';
import { sum } from '../support/statistics.js';
import { interleave, type Timing } from '../support/timing.js';

const SEED = 1;
const origin = mat4d.identity();

/** One query: the placed pairs for the engine, and the same pairs for the rival. */
interface Case {
  pairs: PlacedPair[];
  rivals: { a: RivalMesh; b: RivalMesh; matrix: ReturnType<typeof relativeMatrix> }[];
}

const report = new Report('meshMesh', SEED);
const rivalPairs = new RivalPairs();

const countPairs =
  (engine: Engine, order: 'any' | 'sorted') =>
  ({ pairs }: Case): number =>
    runQuery(engine, pairs, { order }).count;

function countRivalPairs({ rivals }: Case): number {
  rivalPairs.clear();
  for (const { a, b, matrix } of rivals) rivalPairs.add(a, b, matrix);
  return rivalPairs.count;
}

const countHits =
  (engine: Engine) =>
  ({ pairs }: Case): number => {
    if (pairs.length > 1)
      return engine.queryMany({ pairs, want: 'any' }).reduce((hits, hit) => hits + hit, 0);
    const { a, b, transformA, transformB } = pairs[0];
    return engine.query(a, b, { transformA, transformB, want: 'any' }) ? 1 : 0;
  };

function countRivalHits({ rivals }: Case): number {
  let hits = 0;
  for (const { a, b, matrix } of rivals) if (a.boundsTree.intersectsGeometry(b, matrix)) hits++;
  return hits;
}

// Returns the mean time, in milliseconds, that a query spends on exact tests.
function exactMilliseconds(engine: Engine, cases: readonly Case[]): number {
  const tests =
    sum(cases.map(({ pairs }) => totals(runQuery(engine, pairs, { order: 'any' })).exactTests)) /
    cases.length;
  return (
    (tests *
      measureExactTest(
        engine,
        uncertainPoints(
          engine,
          cases.map(({ pairs }) => pairs),
        ),
      ).nanoseconds) /
    1e6
  );
}

function compare(engine: Engine, scene: string, cases: readonly Case[], iterations: number): void {
  const found = sum(cases.map(countPairs(engine, 'any')));
  const rivalFound = sum(cases.map(countRivalPairs));
  const hits = sum(cases.map(countHits(engine)));
  const rivalHits = sum(cases.map(countRivalHits));
  const [any, sorted, rival] = interleave(
    cases,
    [
      { name: 'any', run: countPairs(engine, 'any') },
      { name: 'sorted', run: countPairs(engine, 'sorted') },
      { name: RIVAL, run: countRivalPairs },
    ],
    iterations,
  );
  const [hit, rivalHit] = interleave(
    cases,
    [
      { name: 'hit', run: countHits(engine) },
      { name: RIVAL, run: countRivalHits },
    ],
    iterations,
  );
  const row = (times: Timing) => ({ scene, unit: 'ms' as const, ...times });
  report.add(
    {
      ...row(any),
      measure: 'all pairs, order any',
      variant: 'pfront',
      rival: RIVAL,
      ratio: rival.mean / any.mean,
      limit: '>= 40 x',
      note: `${found} pairs`,
    },
    {
      ...row(sorted),
      measure: 'all pairs, sorted',
      variant: 'pfront',
      rival: RIVAL,
      ratio: rival.mean / sorted.mean,
    },
    {
      ...row(rival),
      measure: 'all pairs',
      variant: RIVAL,
      note: `${rivalFound} pairs, ${difference(rivalFound - found)}`,
    },
    {
      ...row(hit),
      measure: 'first hit',
      variant: 'pfront',
      rival: RIVAL,
      ratio: rivalHit.mean / hit.mean,
      limit: '>= 200 x',
      note: `${hits} hits`,
    },
    {
      ...row(rivalHit),
      measure: 'first hit',
      variant: RIVAL,
      note: `${rivalHits} hits, ${difference(rivalHits - hits)}`,
    },
    {
      scene,
      measure: 'share of sorting, order sorted',
      variant: 'pfront',
      unit: 'share',
      how: 'measured',
      n: any.n,
      mean: 1 - any.mean / sorted.mean,
    },
    {
      scene,
      measure: 'share of the exact stage, order any',
      variant: 'pfront',
      unit: 'share',
      how: 'measured',
      n: any.n,
      mean: exactMilliseconds(engine, cases) / any.mean,
    },
  );
}

const difference = (count: number): string =>
  count === 0 ? 'the same' : `${Math.abs(count)} ${count < 0 ? 'fewer' : 'more'}`;

function measurePlacements(
  engine: Engine,
  { name, data }: NamedMesh,
  count: number,
  iterations: number,
): void {
  const mesh = engine.createMesh(data);
  const rival = buildRival(data);
  compare(
    engine,
    name,
    randomPlacements(data, count, SEED).map(
      (transformB): Case => ({
        pairs: [{ a: mesh, b: mesh, transformB }],
        rivals: [{ a: rival, b: rival, matrix: relativeMatrix(origin, transformB) }],
      }),
    ),
    iterations,
  );
  mesh.dispose();
}

function measureMotion(engine: Engine, what: Motion, frames: readonly number[], iterations: number): void {
  const placed = new Placed(engine, what);
  const rivals = new Map(placed.meshes.map((mesh, i) => [mesh, buildRival(what.scene.meshes[i])]));
  compare(
    engine,
    what.name,
    frames.map((frame): Case => {
      const pairs = placed.pairsAt(frame);
      return {
        pairs,
        rivals: pairs.map(({ a, b, transformA, transformB }) => ({
          a: rivals.get(a)!,
          b: rivals.get(b)!,
          matrix: relativeMatrix(
            (transformA ?? origin) as Float64Array,
            (transformB ?? origin) as Float64Array,
          ),
        })),
      };
    }),
    iterations,
  );
  placed.dispose();
}

const engine = await createEngine({ threads: 1 });
const frames = Array.from({ length: isQuick ? 3 : 20 }, (_, frame) => frame);
// Frames of the penetration path, from the first contact to the last contact. Quick runs use only three
// frames between these two.
const alongThePath = Array.from({ length: isQuick ? 3 : 20 }, (_, i) =>
  isQuick ? 100 + 100 * i : 75 + 14 * i,
);
measurePlacements(engine, (await loadMesh('bunny'))!, isQuick ? 6 : 50, isQuick ? 1 : 5);
for (const mesh of await loadMeshes('dragon 203K', ...(isQuick ? [] : ['dragon 810K' as const])))
  measurePlacements(engine, mesh, isQuick ? 4 : 20, isQuick ? 1 : 3);
measureMotion(engine, worm(64_000), frames, isQuick ? 1 : 5);
measureMotion(engine, train(), frames, isQuick ? 1 : 3);
// By default, `path` counts frames from the middle of the path, where the overlap is largest. firstFrame: 0
// counts them from the start of the path.
for (const mesh of await loadMeshes('dragon 203K'))
  measureMotion(engine, { ...path(mesh), firstFrame: 0 }, alongThePath, isQuick ? 1 : 3);
engine.dispose();
report.save();
