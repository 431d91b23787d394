// Checks a sample of the triangle pairs that nodes have found. For some mesh pairs, the caller runs the query
// again and compares the results. If the meshes are too large for that, the caller tests only some of the
// returned triangle pairs.

import { bytesOf } from '../bytes.js';
import { hashOf, textOf } from './content.js';
import { type MeshFacts, readMesh, writeMesh } from './meshContent.js';
import { entryOffsets, type PairReportValues, type PairTaskValues } from './pairTasks.js';
import { haveEqualBytes } from './untrustedTasks.js';

/** One mesh pair of a result. */
export interface PairToProve {
  /** The name of the mesh pair in error messages. */
  name: string;
  meshA: MeshFacts;
  meshB: MeshFacts;
  /** Returns the task with only this pair. */
  task: () => PairTaskValues;
  /** The triangle pairs that a node returned for this mesh pair. */
  entries: PairReportValues;
}

/**
 * Runs a task in this process. contents: the meshes that the task needs, by hash; default: the meshes of the
 * job.
 */
type Recompute = (task: PairTaskValues, contents?: Map<string, Uint8Array>) => Promise<PairReportValues>;

/** The maximum number of mesh pairs that are checked. */
export const MAX_PROVED_PAIRS = 64;
/**
 * The maximum total number of triangles in the meshes of all repeated queries. Each mesh counts once. A query
 * that would exceed this number is not repeated, except the query of the first mesh pair.
 */
const MAX_TRIANGLES = 2 ** 18;
/**
 * The maximum number of triangle pairs that are tested if the meshes are too large to run the query again.
 */
const MAX_TESTED = 64;

/**
 * Returns at most `size` different indices below `count`, chosen at random. Returns all indices if there are
 * at most `size`.
 */
export function randomSample(count: number, size: number): number[] {
  if (count <= size) return Array.from({ length: count }, (_, i) => i);
  const chosen = new Set<number>();
  while (chosen.size < size)
    chosen.add(Math.floor((crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32) * count));
  return [...chosen];
}

/** Returns the entries of pair k of a result, as the result of a task with only this pair. */
export function entriesOf({ at, a, b, distances }: PairReportValues, k: number): PairReportValues {
  const [begin, end] = [at[k], at[k + 1]];
  return {
    at: entryOffsets([end - begin]),
    a: a.subarray(begin, end),
    b: b.subarray(begin, end),
    distances: distances.subarray(begin, end),
  };
}

/**
 * Checks mesh pairs in the given order. @returns the index of each pair with a false result, and what is wrong
 * with the result
 */
export async function findFalsePairs(
  pairs: readonly PairToProve[],
  recompute: Recompute,
): Promise<{ index: number; what: string }[]> {
  const wrong: { index: number; what: string }[] = [];
  const built = new Set<MeshFacts>();
  let left = MAX_TRIANGLES;
  for (const [index, pair] of pairs.entries()) {
    const meshes = [...new Set([pair.meshA, pair.meshB])].filter(mesh => !built.has(mesh));
    const cost = meshes.reduce((sum, { triangleCount }) => sum + triangleCount, 0);
    const isWhole = index === 0 || cost <= left;
    if (isWhole) {
      left -= cost;
      for (const mesh of meshes) built.add(mesh);
    }
    const what = isWhole
      ? differenceOf(pair.entries, await recompute(pair.task()))
      : await testTriangles(pair, recompute);
    if (what !== undefined) wrong.push({ index, what: `${pair.name} ${what}` });
  }
  return wrong;
}

function differenceOf(entries: PairReportValues, right: PairReportValues): string | undefined {
  const [count, rightCount] = [entries.at[1], right.at[1]];
  if (count !== rightCount) return `has ${rightCount} triangle pairs, not ${count}`;
  return (['a', 'b', 'distances'] as const).every(name =>
    haveEqualBytes(bytesOf(entries[name]), bytesOf(right[name])),
  )
    ? undefined
    : 'has triangle pairs other than the returned ones';
}

// Makes two small meshes from the triangles of some returned pairs, and runs the query for these meshes. The
// query must find all returned pairs of these triangles, and no others.
async function testTriangles(
  { meshA, meshB, task, entries }: PairToProve,
  recompute: Recompute,
): Promise<string | undefined> {
  if (entries.a.length === 0) return undefined;
  const sample = randomSample(entries.a.length, MAX_TESTED);
  const [numbersA, numbersB] = [entries.a, entries.b].map(all =>
    [...new Set(sample.map(k => all[k]))].sort((x, y) => x - y),
  );
  const [bytesA, bytesB] = [trianglesOf(meshA, numbersA), trianglesOf(meshB, numbersB)];
  const [hashA, hashB] = [await hashOf(bytesA), await hashOf(bytesB)];
  const { a, b, distances } = await recompute(
    { ...task(), hashes: Uint32Array.of(...hashA, ...hashB), a: Uint32Array.of(0), b: Uint32Array.of(1) },
    new Map([
      [textOf(hashA), bytesA],
      [textOf(hashB), bytesB],
    ]),
  );
  const keyOf = (first: number, second: number): string => `${first} ${second}`;
  const found = new Map(Array.from(a, (first, k) => [keyOf(numbersA[first], numbersB[b[k]]), distances[k]]));
  const [isA, isB] = [new Set(numbersA), new Set(numbersB)];
  let claimed = 0;
  for (const [k, first] of entries.a.entries()) {
    if (!isA.has(first) || !isB.has(entries.b[k])) continue;
    claimed++;
    const key = keyOf(first, entries.b[k]);
    if (!found.has(key) || !Object.is(found.get(key), entries.distances[k]))
      return `should not have the triangle pair ${key.replace(' ', ', ')} with the distance that the node returned`;
  }
  return claimed === found.size
    ? undefined
    : `is missing ${found.size - claimed} triangle pairs in the result of the node`;
}

// Makes a mesh from some triangles of another mesh, and returns the encoded mesh.
function trianglesOf({ bytes }: MeshFacts, triangles: readonly number[]): Uint8Array {
  const { positions, indices } = readMesh(bytes);
  const corners = new Float32Array(9 * triangles.length);
  triangles.forEach((triangle, i) => {
    for (let corner = 0; corner < 3; corner++) {
      const at = 3 * indices[3 * triangle + corner];
      corners.set(positions.subarray(at, at + 3), 9 * i + 3 * corner);
    }
  });
  return writeMesh({
    positions: corners,
    indices: Uint32Array.from({ length: 3 * triangles.length }, (_, i) => i),
  }).bytes;
}
