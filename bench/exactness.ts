// Scenes -> how many triangle pairs the float filter leaves to the exact test, and what of the time these take.
//
// A pair's price is measured by the exact kernel alone, on the very pairs that the scene found: the filter leaves to it what
// lies within float32's error of touching, and the kernel's double filter settles such pairs as fast as any. Pairs that touch
// or are coplanar go on to expansions: the lattice, where nearly all do, is the dearest pair, and gives the upper bound.

import { createEngine, type Engine, type PlacedPair, type TrianglePairs } from '../dist/index.js';
import { lattice, randomPlacements, slivers, type MeshData } from '../dist/scenes/index.js';
import { foundPoints, priceOf } from './support/exactPrice.js';
import { loadMesh, loadMeshes } from './support/meshes.js';
import { ask, path, Placed, totals, train, worm, type Motion } from './support/motion.js';
import { isQuick, Report } from './support/report.js';
import { sum, summarise } from './support/statistics.js';
import { interleave } from './support/timing.js';

const SEED = 1;
const report = new Report('exactness', SEED);
const engine = await createEngine({ threads: 1 });
const query = (cases: PlacedPair[]): TrianglePairs => ask(engine, cases, { order: 'any' });

// Placements on the lattice again: touching stays exact.
function dearest(): number {
  const mesh = engine.createMesh(lattice(isQuick ? 200 : 1000, SEED));
  const { nanoseconds, meetCount, pairCount } = priceOf(engine, foundPoints(engine, engine.query(mesh, mesh)));
  report.add({ scene: 'lattice', measure: 'exact test of a pair', who: 'decideTriangles', unit: 'ns', n: pairCount, mean: nanoseconds, note: `${meetCount} meet; touching and coplanar pairs` });
  mesh.dispose();
  return nanoseconds;
}

function measure(scene: string, cases: PlacedPair[][], dear: number): void {
  const seen = cases.map((pairs) => totals(query(pairs)));
  const exactTests = sum(seen.map((test) => test.exactTests)) / cases.length;
  const shares = summarise(seen.map((test) => test.exactTests / Math.max(1, test.triangleTests)));
  const price = priceOfFound(engine, cases);
  const [time] = interleave(cases, [{ name: scene, run: query }], isQuick ? 1 : 5);
  const shareAt = (nanoseconds: number): number => (exactTests * nanoseconds) / 1e6 / time!.mean;
  report.add(
    { scene, measure: 'exact of triangle tests', who: 'pfront', unit: 'share', ...shares, note: `${Math.round(exactTests)} exact tests a query` },
    { scene, measure: 'exact test of a found pair', who: 'decideTriangles', unit: 'ns', n: price.pairCount, mean: price.nanoseconds, note: `${price.meetCount} meet` },
    { scene, measure: 'exact stage, of order any', who: 'pfront', unit: 'share', n: time!.n, mean: shareAt(price.nanoseconds), note: 'at the price of a found pair' },
    { scene, measure: 'exact stage, at most', who: 'pfront', unit: 'share', n: time!.n, mean: shareAt(Math.max(dear, price.nanoseconds)), note: 'at the price of a lattice pair' },
  );
}

// The pairs of the query that found most.
function priceOfFound(engine: Engine, cases: PlacedPair[][]): ReturnType<typeof priceOf> {
  let points: Float64Array = new Float64Array(0);
  for (const pairs of cases) {
    const found = foundPoints(engine, query(pairs));
    if (found.length > points.length) points = found;
  }
  return priceOf(engine, points);
}

function ofMotion(what: Motion, dear: number): void {
  const placed = new Placed(engine, what);
  measure(what.name, placed.frames(isQuick ? 3 : 20), dear);
  placed.dispose();
}

function ofMesh(scene: string, data: MeshData, count: number, dear: number): void {
  const mesh = engine.createMesh(data);
  measure(scene, randomPlacements(data, count, SEED).map((transformB) => [{ a: mesh, b: mesh, transformB }]), dear);
  mesh.dispose();
}

const dear = dearest();
const bunny = (await loadMesh('bunny'))!;
ofMesh(bunny.name, bunny.data, isQuick ? 6 : 50, dear);
ofMesh('slivers 10K', slivers(10_000, SEED), isQuick ? 2 : 10, dear);
for (const mesh of await loadMeshes('dragon 203K', ...(isQuick ? [] : ['dragon 810K' as const]))) ofMesh(mesh.name, mesh.data, isQuick ? 4 : 20, dear);
ofMotion(worm(64_000), dear);
ofMotion(train(), dear);
for (const mesh of await loadMeshes('dragon 203K')) ofMotion(path(mesh), dear);
engine.dispose();
report.save();
