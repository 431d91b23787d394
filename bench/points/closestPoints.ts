// Measures three queries of many points: closest points, signed distances, and tests of whether points are in a
// solid. In the same run, measures three-mesh-bvh's closestPointToPoint for comparison with closest points.

import { Vector3 } from 'three';
import type { Mesh } from '../../dist/index.js';
import { createRandom, sphere } from '../../dist/samples/index.js';
import { createEngines, disposeEngines, type NamedEngine } from '../support/engines.js';
import { loadMesh, type NamedMesh } from '../support/meshes.js';
import { isQuick, Report } from '../support/report.js';
import { buildRival, RIVAL } from '../support/rival.js';
import { interleave } from '../support/timing.js';

const SEED = 7;
const COUNT = isQuick ? 1000 : 20_000;

interface PointSet {
  name: string;
  points: Float64Array;
}

/** Makes random points in a box, points near the surface, and the vertices of the mesh. */
function makePointSets({ bounds }: Mesh, { positions }: { positions: Float32Array }): PointSet[] {
  const random = createRandom(SEED);
  const inBox = (factor: number): Float64Array =>
    Float64Array.from({ length: 3 * COUNT }, (_, i) => {
      const [low, high] = [bounds[i % 3], bounds[(i % 3) + 3]];
      const half = (factor * (high - low)) / 2;
      return random.between((low + high) / 2 - half, (low + high) / 2 + half);
    });
  const size = Math.max(...[0, 1, 2].map(axis => bounds[axis + 3] - bounds[axis]));
  const vertices = Float64Array.from(
    { length: 3 * COUNT },
    (_, i) => positions[(3 * Math.floor(i / 3) + (i % 3)) % positions.length],
  );
  return [
    { name: 'in its box', points: inBox(1) },
    { name: 'in a box of three times its size', points: inBox(3) },
    { name: 'within 0.01 sizes', points: vertices.map(value => value + random.between(-0.01, 0.01) * size) },
    { name: 'at its vertices', points: vertices },
    { name: 'in a box of 1,000 times its size', points: inBox(1000) },
  ];
}

function measure(report: Report, { name, data }: NamedMesh, engines: readonly NamedEngine[]): void {
  const meshes = engines.map(({ engine }) => engine.createMesh(data));
  const rival = buildRival(data);
  const point = new Vector3();
  const target = { point: new Vector3(), distance: 0, faceIndex: 0 };
  for (const { name: where, points } of makePointSets(meshes[0], data)) {
    const ours = engines.map(({ name: variant, engine }, i) => ({
      name: variant,
      run: () => engine.closestPoints(meshes[i], points),
    }));
    const theirs = {
      name: RIVAL,
      run: () => {
        for (let i = 0; i < points.length; i += 3)
          rival.boundsTree.closestPointToPoint(point.set(points[i], points[i + 1], points[i + 2]), target);
      },
    };
    const timings = interleave([0], [...ours, theirs], isQuick ? 1 : 5);
    const last = timings.at(-1)!;
    for (const { name: variant, ...times } of timings)
      report.add({
        scene: `${name}, ${COUNT} points ${where}`,
        measure: 'closest points, compared with a rival',
        variant,
        unit: 'ms',
        ...times,
        ...(variant === RIVAL ? {} : { rival: RIVAL, ratio: last.mean / times.mean, limit: '>= 8 x' }),
      });
  }
  for (const mesh of meshes) mesh.dispose();
}

function measureSolid(report: Report, engines: readonly NamedEngine[]): void {
  const data = sphere(70_000);
  const meshes = engines.map(({ engine }) => engine.createMesh(data));
  const [{ points }] = makePointSets(meshes[0], data);
  for (const [method, run] of [
    ['points in a solid', (i: number) => engines[i].engine.containsPoints(meshes[i], points)],
    ['signed distances', (i: number) => engines[i].engine.closestPoints(meshes[i], points, { signed: true })],
  ] as const) {
    const contenders = engines.map(({ name: variant }, i) => ({ name: variant, run: () => run(i) }));
    for (const { name: variant, ...times } of interleave([0], contenders, isQuick ? 1 : 5))
      report.add({
        scene: `sphere of 70,000 triangles, ${COUNT} points in its box`,
        measure: method,
        variant,
        unit: 'ms',
        ...times,
      });
  }
  for (const mesh of meshes) mesh.dispose();
}

async function main(): Promise<void> {
  const report = new Report('closestPoints', SEED);
  const engines = await createEngines(1, 2);
  measure(report, (await loadMesh('bunny'))!, engines);
  measureSolid(report, engines);
  disposeEngines(engines);
  report.save();
}

await main();
