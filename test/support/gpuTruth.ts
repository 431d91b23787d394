// Checks the results of GPU queries of published scenes against the published counts and hashes.

import * as assert from 'uvu/assert';
import { readParts } from '../../dist/formats/readParts.js';
import type { GpuBoxPairs } from '../../dist/gpu/broadphase/gpuBoxPairs.js';
import type { GpuQueries } from '../../dist/gpu/gpuQueries.js';
import type { Engine, Mesh, PlacedPair } from '../../dist/index.js';
import { triangleBoxes } from '../oracle/bruteForce.js';
import { placeTriangles } from '../oracle/place.js';
import { dataPath } from './data.js';
import { hashInOrder } from './engines.js';
import { roundedOutward } from './frames.js';
import type { TriangleVerdicts } from './gpuLeaves.js';
import { hashPairRows, hashPairs } from './hash.js';
import { type PartsTruth, readMeshPairs, type TriangleRow } from './truth.js';

/** The object under test: a GPU in Node, or in a page. */
export type QueryRunner = Pick<GpuQueries, 'query'>;
export type FindBoxes = GpuBoxPairs['find'];
/** Tests pairs of triangles on the GPU. corners: 18 coordinates per pair. */
export type TestTriangles = (corners: Float64Array) => Promise<TriangleVerdicts>;

/** Number of triangle pairs in one batch. Each triangle becomes a mesh. */
const PAIRS_AT_ONCE = 1000;

/**
 * Checks pairs of triangles: the GPU's result must be correct unless the GPU is uncertain, and uncertain
 * pairs must be decided correctly. @returns the numbers of all pairs and of uncertain pairs, by kind
 */
export async function checkTriangles(
  rows: readonly TriangleRow[],
  testTriangles: TestTriangles,
): Promise<Map<string, { all: number; uncertain: number }>> {
  const shares = new Map<string, { all: number; uncertain: number }>();
  const wrong: string[] = [];
  for (let first = 0; first < rows.length; first += PAIRS_AT_ONCE) {
    const part = rows.slice(first, first + PAIRS_AT_ONCE);
    const { refused, certain, uncertain, meeting } = await testTriangles(
      Float64Array.from(part.flatMap(({ corners }) => Array.from(corners))),
    );
    part.forEach(({ kind, doIntersect }, i) => {
      const share = shares.get(kind) ?? { all: 0, uncertain: 0 };
      shares.set(kind, share);
      if (refused[i]) return;
      share.all++;
      if (uncertain[i]) share.uncertain++;
      else if (Boolean(certain[i]) !== doIntersect) wrong.push(`row ${first + i} (${kind})`);
      if (Boolean(meeting[i]) !== doIntersect) wrong.push(`row ${first + i} (${kind}), decided`);
    });
  }
  assert.equal(wrong, []);
  return shares;
}

/**
 * The meshes of an assembly's parts, and the pairs of parts to query. numbers: the part numbers of each pair.
 */
export interface PartQueries {
  pairs: PlacedPair[];
  numbers: readonly (readonly [number, number])[];
  meshes: Mesh[];
}

/** Returns all pairs of parts a < b for which `isQueried` returns true. */
export function partsOf(
  engine: Engine,
  { parts }: PartsTruth,
  isQueried: (a: number, b: number) => boolean = () => true,
): PartQueries {
  const meshes = parts.map(({ mesh }) => engine.createMesh(mesh));
  const numbers = meshes
    .flatMap((_, a) => meshes.slice(a + 1).map((_, i) => [a, a + 1 + i] as const))
    .filter(([a, b]) => isQueried(a, b));
  return { pairs: numbers.map(([a, b]): PlacedPair => ({ a: meshes[a], b: meshes[b] })), numbers, meshes };
}

/** Queries all pairs of parts in one call, and checks the triangle pairs against the published list. */
export async function checkAllParts(engine: Engine, queries: QueryRunner, truth: PartsTruth): Promise<void> {
  const { pairs, numbers, meshes } = partsOf(engine, truth);
  const { a, b, count, pairsAt } = await queries.query(pairs);
  const allA: number[] = [];
  const allB: number[] = [];
  const partPairs: number[][] = [];
  numbers.forEach(([first, second], i) => {
    for (let k = pairsAt[i]; k < pairsAt[i + 1]; k++) {
      allA.push(a[k] + truth.parts[first].firstTriangle);
      allB.push(b[k] + truth.parts[second].firstTriangle);
    }
    if (pairsAt[i + 1] > pairsAt[i]) partPairs.push([first, second, pairsAt[i + 1] - pairsAt[i]]);
  });
  assert.is(count, truth.pairCount);
  assert.equal(partPairs, truth.partPairs);
  assert.is(hashPairs(allA, allB), truth.pairHash);
  for (const mesh of meshes) mesh.dispose();
}

/**
 * Queries the pairs of parts for which `isQueried` returns true. Checks that the counts are the published
 * counts, and that the bytes equal the CPU's. @returns the number of triangle pairs
 */
export async function checkSomeParts(
  engine: Engine,
  queries: QueryRunner,
  truth: PartsTruth,
  isQueried: (a: number, b: number) => boolean,
): Promise<number> {
  const { pairs, numbers, meshes } = partsOf(engine, truth, isQueried);
  const found = await queries.query(pairs);
  const counts = new Map(truth.partPairs.map(([a, b, count]) => [`${a} ${b}`, count]));
  assert.equal(
    numbers.map((_, i) => found.pairsAt[i + 1] - found.pairsAt[i]),
    numbers.map(([a, b]) => counts.get(`${a} ${b}`) ?? 0),
  );
  assert.is(hashInOrder(found), hashInOrder(engine.queryMany({ pairs }).copy()));
  for (const mesh of meshes) mesh.dispose();
  return found.count;
}

/**
 * Queries a bunny against a copy of itself in each of the first `count` published placements, and checks the
 * results.
 */
export async function checkBunny(engine: Engine, queries: QueryRunner, count: number): Promise<void> {
  const { mesh, placements } = readMeshPairs();
  const bunny = engine.createMesh(mesh);
  for (const { transform, pairCount, pairHash } of placements.slice(0, count)) {
    const found = await queries.query([{ a: bunny, b: bunny, transformB: transform }]);
    assert.is(found.count, pairCount);
    assert.is(hashPairs(found.a, found.b), pairHash);
  }
  bunny.dispose();
}

/**
 * Finds the overlapping pairs of triangle boxes between a bunny and its copy in the first published
 * placement. Checks the pairs against the published list.
 */
export async function checkBunnyBoxes(find: FindBoxes): Promise<void> {
  const {
    mesh,
    placements: [placement],
  } = readMeshPairs();
  const [own, other] = [undefined, placement!.transform].map(transform =>
    roundedOutward(triangleBoxes(placeTriangles(mesh, transform))),
  );
  const found = await find(own, { against: other });
  assert.is(found.count, placement!.boxPairCount);
  assert.is(hashPairRows(found.a, found.b), placement!.boxPairHash);
}

/**
 * Finds the overlapping pairs of triangle boxes in a whole assembly. Checks the pairs between different parts
 * against the published list.
 */
export async function checkPartBoxes(
  find: FindBoxes,
  { whole, parts, boxPairCount, boxPairHash }: PartsTruth,
): Promise<void> {
  const { a, b } = await find(roundedOutward(triangleBoxes(placeTriangles(whole))));
  const partOf = Uint32Array.from(
    parts.flatMap(({ triangleCount }, part) => Array(triangleCount).fill(part)),
  );
  const areTwo = (_: number, i: number): boolean => partOf[a[i]] !== partOf[b[i]];
  const [first, second] = [a.filter(areTwo), b.filter(areTwo)];
  assert.is(first.length, boxPairCount);
  assert.is(hashPairRows(first, second), boxPairHash);
}

/** Queries a frame of a film against itself. count, hash: the expected number of pairs, and their hash. */
export async function checkFrame(
  engine: Engine,
  queries: QueryRunner,
  name: string,
  [count, hash]: readonly [number, string?],
): Promise<void> {
  const mesh = engine.createMesh((await readParts(dataPath(`sccd/${name}.ply.gz`)))[0]);
  for (const neighbors of ['index', 'position'] as const) {
    const found = await queries.query([{ a: mesh, b: mesh }], { neighbors });
    assert.is(found.count, count, name);
    if (hash) assert.is(hashPairRows(found.a, found.b), hash, name);
  }
  mesh.dispose();
}

/**
 * For each frame, the published number of triangle pairs in which the mesh intersects itself, and the hash of
 * the pairs.
 */
export const frames: Readonly<Record<string, readonly [number, string?]>> = {
  'cloth-ball/frames/cloth_ball92': [
    61_530,
    '78f331a5fd792a09b84eec7063116d920ad43c94bedc3f4cdc4b1f83e9ad3c2e',
  ],
  'cloth-ball/frames/cloth_ball93': [
    97_320,
    'ea82689eb331bf6a4e1e07de8237c6d162790af25ff6cad0955d4c5dd0b93bbb',
  ],
  'rod-twist/frames/3036': [0],
  'rod-twist/frames/3037': [0],
};
