// Measures distance queries of two meshes at several distances, and compares them with three-mesh-bvh's
// closestPointToGeometry in the same run. Also measures queries for all triangle pairs within a clearance.

import { Vector3 } from 'three';
import { mat4d } from 'wgpu-matrix';
import type { Mesh } from '../../dist/index.js';
import { createRandom, randomPlacements, rotation } from '../../dist/samples/index.js';
import { createEngines, disposeEngines, type NamedEngine } from '../support/engines.js';
import { loadMesh, type NamedMesh } from '../support/meshes.js';
import { isQuick, Report } from '../support/report.js';
import { buildRival, RIVAL, relativeMatrix } from '../support/rival.js';
import { sum } from '../support/statistics.js';
import { interleave } from '../support/timing.js';

const SEED = 7;
const origin = mat4d.identity();
/**
 * Distances between the centers of the two meshes' bounding boxes, as multiples of the longest edge of a box.
 */
const GAPS = [0.9, 1.2, 2, 10];

interface Placement {
  transformB: Float64Array;
}

/**
 * Makes at most `count` placements of a mesh. Each placement rotates the mesh randomly about the center of
 * its bounding box, then moves it in a random direction by `gap` times the longest edge of the box. Omits
 * placements for which `isApart` returns false.
 */
function makePlacements(
  { bounds }: Mesh,
  gap: number,
  count: number,
  isApart: (place: Placement) => boolean,
): Placement[] {
  const random = createRandom(SEED);
  const middle = [0, 1, 2].map(axis => (bounds[axis] + bounds[axis + 3]) / 2);
  const size = Math.max(...[0, 1, 2].map(axis => bounds[axis + 3] - bounds[axis]));
  const places: Placement[] = [];
  for (let tries = 0; places.length < count && tries < 20 * count; tries++) {
    const direction = random.direction();
    const rotated = rotation(random.direction(), random.between(0, 7));
    for (let axis = 0; axis < 3; axis++)
      rotated[12 + axis] =
        middle[axis] +
        gap * size * direction[axis] -
        (rotated[axis] * middle[0] + rotated[4 + axis] * middle[1] + rotated[8 + axis] * middle[2]);
    if (isApart({ transformB: rotated })) places.push({ transformB: rotated });
  }
  return places;
}

function measureDistances(report: Report, { name, data }: NamedMesh, engines: readonly NamedEngine[]): void {
  const meshes = engines.map(({ engine }) => [engine.createMesh(data), engine.createMesh(data)] as const);
  const rivals = [buildRival(data), buildRival(data)] as const;
  const [first] = engines;
  const target = { point: new Vector3(), distance: 0, faceIndex: 0 };
  for (const gap of GAPS) {
    const places = makePlacements(
      meshes[0][0],
      gap,
      isQuick ? 1 : 12,
      place => first.engine.distance(...meshes[0], place)!.distance > 0,
    );
    if (places.length === 0) continue;
    const ours = engines.map(({ name: variant, engine }, i) => ({
      name: variant,
      run: (place: Placement) => engine.distance(...meshes[i], place)!.distance,
    }));
    const theirs = {
      name: RIVAL,
      run: ({ transformB }: Placement) =>
        rivals[0].boundsTree.closestPointToGeometry(rivals[1], relativeMatrix(origin, transformB), target)!
          .distance,
    };
    // A query of the rival takes seconds, so only two placements are measured.
    const few = places.slice(0, 2);
    const off = Math.max(...few.map(place => Math.abs(theirs.run(place) - ours[0].run(place))));
    const timings = interleave(few, [...ours, theirs], 1);
    const last = timings.at(-1)!;
    const scene = `${name}, gap of ${gap} sizes`;
    for (const { name: variant, ...times } of timings) {
      report.add({
        scene,
        measure: 'distance, compared with a rival',
        variant,
        unit: 'ms',
        ...times,
        ...(variant === RIVAL
          ? { note: `error at most ${off.toExponential(1)}` }
          : { rival: RIVAL, ratio: last.mean / times.mean, limit: '>= 5 x' }),
      });
    }
    for (const { name: variant, ...times } of interleave(places, ours, isQuick ? 1 : 9))
      report.add({ scene, measure: 'distance', variant, unit: 'ms', ...times });
    const stats = places.map(place => first.engine.distance(...meshes[0], place)!.stats);
    const meanOf = (values: number[]): number => sum(values) / values.length;
    for (const counter of ['boxTests', 'leafPairs', 'triangleTests'] as const)
      report.add({
        scene,
        measure: `distance, ${counter}`,
        variant: first.name,
        unit: 'count',
        n: stats.length,
        mean: meanOf(stats.map(one => one[counter])),
      });
  }
  for (const pair of meshes) for (const mesh of pair) mesh.dispose();
}

function measureClearance(report: Report, { name, data }: NamedMesh, engines: readonly NamedEngine[]): void {
  const meshes = engines.map(({ engine }) => [engine.createMesh(data), engine.createMesh(data)] as const);
  const { bounds } = meshes[0][0];
  const size = Math.max(...[0, 1, 2].map(axis => bounds[axis + 3] - bounds[axis]));
  const places = randomPlacements(data, isQuick ? 2 : 10, SEED).map(
    (transformB): Placement => ({ transformB }),
  );
  for (const share of [0, 0.001, 0.01]) {
    const clearance = share * size;
    const contenders = engines.map(({ name: variant, engine }, i) => ({
      name: variant,
      run: (place: Placement) => engine.query(...meshes[i], { ...place, clearance }).count,
    }));
    const plain = engines.map(({ name: variant, engine }, i) => ({
      name: `${variant}, intersecting pairs`,
      run: (place: Placement) => engine.query(...meshes[i], place).count,
    }));
    const found = sum(places.map(contenders[0].run));
    for (const { name: variant, ...times } of interleave(
      places,
      share === 0 ? [...contenders, ...plain] : contenders,
      isQuick ? 1 : 5,
    )) {
      report.add({
        scene: name,
        measure: `all pairs within ${share} sizes`,
        variant,
        unit: 'ms',
        ...times,
        note: `${found} pairs in ${places.length} placements`,
      });
    }
  }
  for (const pair of meshes) for (const mesh of pair) mesh.dispose();
}

// Measures clearance queries of meshes whose distance is slightly less than the clearance: the time, and the
// number of tests per pair found.
function measureReach(
  report: Report,
  { name, data }: NamedMesh,
  { engine, name: variant }: NamedEngine,
): void {
  const meshes = [engine.createMesh(data), engine.createMesh(data)] as const;
  const { bounds } = meshes[0];
  const size = Math.max(...[0, 1, 2].map(axis => bounds[axis + 3] - bounds[axis]));
  for (const [share, little] of [
    [0.01, 0.0005],
    [0.1, 0.002],
    [1, 0.01],
  ] as const) {
    const contenders = makePlacements(meshes[0], 3, isQuick ? 1 : 3, () => true).map(({ transformB }) => {
      // Moves B along the line through the nearest points until these points are share * size apart.
      const { distance, pointA, pointB } = engine.distance(...meshes, { transformB })!;
      const moved = transformB.map((value, at) =>
        at > 11 && at < 15
          ? value + (pointA[at - 12] - pointB[at - 12]) * (1 - (share * size) / distance)
          : value,
      );
      return {
        transformB: moved,
        clearance: engine.distance(...meshes, { transformB: moved })!.distance + little * size,
      };
    });
    const stats = contenders.flatMap(options => engine.query(...meshes, options).stats.threads);
    const total = (field: 'boxTests' | 'triangleTests' | 'exactTests' | 'pairs'): number =>
      sum(stats.map(list => list[field]));
    const [timing] = interleave(
      contenders,
      [
        {
          name: variant,
          run: (options: Placement & { clearance: number }) => engine.query(...meshes, options).count,
        },
      ],
      isQuick ? 1 : 5,
    );
    const found = total('pairs');
    report.add({
      scene: name,
      measure: `clearance just above the distance, ${share} sizes`,
      variant,
      unit: 'ms',
      ...timing,
      note: `${found} pairs; for each ${(total('exactTests') / found).toFixed(2)} exact distances, ${(total('triangleTests') / found).toFixed(1)} triangle tests; ${total('boxTests')} pairs of boxes`,
    });
  }
  for (const mesh of meshes) mesh.dispose();
}

async function main(): Promise<void> {
  const report = new Report('distance', SEED);
  const engines = await createEngines(1, 2);
  const bunny = (await loadMesh('bunny'))!;
  measureDistances(report, bunny, engines);
  measureClearance(report, bunny, engines);
  measureReach(report, bunny, engines[0]);
  disposeEngines(engines);
  report.save();
}

await main();
