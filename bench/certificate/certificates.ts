// Measures queries with and without a certificate, and the check of each certificate, for meshes of growing
// size. The rival is brute force: the exact triangle test of `pfront/verify` on every pair of triangles.

import { createEngine, type Engine } from '../../dist/index.js';
import { createRandom, type MeshData, rotation, torus } from '../../dist/samples/index.js';
import { type Claim, verify } from '../../dist/verify/index.js';
import { integerPoints, shareAPoint } from '../../dist/verify/verify.js';
import { countText, loadMesh } from '../support/meshes.js';
import { isQuick, Report, type Row } from '../support/report.js';
import { median, summarize } from '../support/statistics.js';

const SEED = 33;
const ITERATIONS = isQuick ? 2 : 5;
/** Brute force is measured on this many random pairs, and its time for all pairs is extrapolated. */
const SAMPLED_PAIRS = isQuick ? 2000 : 20_000;

interface Scene {
  name: string;
  data: MeshData;
  transformB: Float64Array | Float32Array;
}

/** Returns the corners of each placed triangle: 9 coordinates. */
function cornersOf({ positions, indices }: MeshData, m?: ArrayLike<number>): number[][] {
  const corner = (vertex: number): number[] => {
    const [x, y, z] = positions.subarray(3 * vertex, 3 * vertex + 3);
    return m
      ? [0, 1, 2].map(axis => m[axis]! * x! + m[axis + 4]! * y! + m[axis + 8]! * z! + m[axis + 12]!)
      : [x!, y!, z!];
  };
  return Array.from({ length: indices.length / 3 }, (_, i) =>
    [...indices.subarray(3 * i, 3 * i + 3)].flatMap(corner),
  );
}

/** Returns the mean time of one exact test of two random triangles, in milliseconds. */
function exactTestTime({ data, transformB }: Scene): number {
  const random = createRandom(SEED);
  const [a, b] = [cornersOf(data), cornersOf(data, transformB)];
  const pairs = Array.from({ length: SAMPLED_PAIRS }, () => [
    ...a[random.below(a.length)]!,
    ...b[random.below(b.length)]!,
  ]);
  const times = Array.from({ length: ITERATIONS + 1 }, () => {
    const startedAt = performance.now();
    for (const pair of pairs) shareAPoint(integerPoints(pair));
    return performance.now() - startedAt;
  });
  return median(times.slice(1)) / SAMPLED_PAIRS;
}

function times(run: () => unknown): number[] {
  return Array.from({ length: ITERATIONS + 1 }, () => {
    const startedAt = performance.now();
    run();
    return performance.now() - startedAt;
  }).slice(1);
}

function measure(report: Report, engine: Engine, scene: Scene): void {
  const { name, data, transformB } = scene;
  using mesh = engine.createMesh(data);
  const count = data.indices.length / 3;
  const certified = () => engine.query(mesh, mesh, { transformB, certificate: true });
  const { a, b, certificate } = certified().copy();
  const claim: Claim = { a: data, b: data, transformB, pairs: { a, b }, certificate };
  const verdict = verify(claim);
  if (!verdict.isValid) throw new Error(`${name}: ${verdict.problem}`);
  const row = { scene: name, n: ITERATIONS, unit: 'ms' } as const;
  const bruteForce = exactTestTime(scene) * count * count;
  const checks = summarize(times(() => verify(claim)));
  const query = () => engine.query(mesh, mesh, { transformB });
  const timed: Row[] = [
    { ...row, measure: 'query', variant: 'pfront', ...summarize(times(query)) },
    { ...row, measure: 'query with certificate', variant: 'pfront', ...summarize(times(certified)) },
    {
      ...row,
      measure: 'check',
      variant: 'pfront/verify',
      ...checks,
      rival: 'brute force',
      ratio: bruteForce / checks.median,
      limit: '>= 4 x',
    },
    {
      ...row,
      measure: 'brute force',
      variant: 'exact test of pfront/verify',
      median: bruteForce,
      note: `extrapolated from ${SAMPLED_PAIRS} random pairs`,
      how: `modeled: mean time of ${SAMPLED_PAIRS} random pairs x ${count} x ${count}`,
    },
  ];
  const { steps, boxes, triangles, common } = verdict;
  const counts: [string, number][] = [
    ['steps', steps],
    ['disjoint pairs of boxes', boxes],
    ['disjoint pairs of triangles', triangles],
    ['intersecting pairs of triangles', common],
    ['bytes', certificate.steps.length + 8 * count],
  ];
  report.add(
    ...timed,
    ...counts.map(
      ([quantity, value]): Row => ({
        scene: name,
        measure: quantity,
        variant: 'certificate',
        unit: quantity === 'bytes' ? 'bytes' : 'count',
        n: 1,
        median: value,
        note: quantity === 'steps' ? `${(value / (2 * count)).toFixed(2)} per triangle` : undefined,
      }),
    ),
  );
}

const report = new Report('certificates', SEED);
using engine = await createEngine();
for (const size of isQuick ? [1000, 3000] : [1000, 3000, 10_000, 30_000, 100_000])
  measure(report, engine, {
    name: `tori ${countText(size)}`,
    data: torus(size),
    transformB: rotation([1, 0, 0], 1, [0.4, 0, 0]),
  });
const bunny = isQuick ? undefined : await loadMesh('bunny');
if (bunny) measure(report, engine, { ...bunny, transformB: rotation([0, 1, 0], 0.5, [0.02, 0, 0]) });
report.save();
