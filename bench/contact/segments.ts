// Compares queries with `want: 'segments'`, which return the contact kind and the points of each pair, with
// queries that only find pairs. Also measures three-mesh-bvh, which computes the segment of each pair.

import { Line3 } from 'three';
import type { ExtendedTriangle } from 'three-mesh-bvh';
import { mat4d } from 'wgpu-matrix';
import type { Engine, Mesh } from '../../dist/index.js';
import { type MeshData, sphere, torus } from '../../dist/samples/index.js';
import { createEngines, disposeEngines, type NamedEngine } from '../support/engines.js';
import { coreCount } from '../support/machine.js';
import { loadMesh } from '../support/meshes.js';
import { isQuick, Report } from '../support/report.js';
import { buildRival, RIVAL, rivalMatrix } from '../support/rival.js';
import { interleave } from '../support/timing.js';

/**
 * Returns a function that counts pairs with three-mesh-bvh. For each pair, three-mesh-bvh writes the
 * intersection segment to a Line3.
 */
function rivalSegments(a: MeshData, b: MeshData): (transformB: Float64Array) => number {
  const [first, second] = [buildRival(a), buildRival(b)];
  const line = new Line3();
  let points: number[] = [];
  let count = 0;
  const callbacks = {
    intersectsTriangles: (one: ExtendedTriangle, other: ExtendedTriangle): boolean => {
      if (one.intersectsTriangle(other, line)) {
        points.push(line.start.x, line.start.y, line.start.z, line.end.x, line.end.y, line.end.z);
        count++;
      }
      return false;
    },
  };
  return transformB => {
    points = [];
    count = 0;
    first.boundsTree.bvhcast(second.boundsTree, rivalMatrix(transformB), callbacks);
    return count;
  };
}

function measure(
  report: Report,
  scene: string,
  a: MeshData,
  b: MeshData,
  engines: readonly NamedEngine[],
): void {
  const size = Math.max(...a.positions.slice(0, 3000).map(Math.abs));
  const placements = Array.from({ length: isQuick ? 3 : 8 }, (_, i) =>
    mat4d.rotate(mat4d.translation([0.3 * size, 0.2 * size, 0.1 * size]), [0.48, 0.6, 0.64], 0.2 + 0.1 * i),
  );
  const meshes = new Map<Engine, [Mesh, Mesh]>(
    engines.map(({ engine }) => [engine, [engine.createMesh(a), engine.createMesh(b)]]),
  );
  const contenders = [
    ...engines.flatMap(({ name, engine }) => {
      const [one, other] = meshes.get(engine)!;
      return [
        {
          name: `${name}, pairs`,
          run: (transformB: Float64Array) => engine.query(one, other, { transformB }).count,
        },
        {
          name: `${name}, segments`,
          run: (transformB: Float64Array) => engine.query(one, other, { transformB, want: 'segments' }).count,
        },
      ];
    }),
    { name: RIVAL, run: rivalSegments(a, b) },
  ];
  const counts = contenders.map(({ run }) => placements.reduce((sum, place) => sum + run(place), 0));
  const timings = interleave(placements, contenders, isQuick ? 3 : 9);
  const last = timings.at(-1)!;
  timings.forEach(({ name, n, median, p95, mean, max }, i) => {
    const pairsPerPlacement = counts[i] / placements.length;
    const perPair = (milliseconds: number): number => (milliseconds * 1e6) / pairsPerPlacement;
    report.add({
      scene,
      measure: 'time per pair',
      variant: name,
      unit: 'ns',
      n,
      median: perPair(median),
      p95: perPair(p95),
      mean: perPair(mean),
      max: perPair(max),
      note: `${counts[i]} pairs in ${placements.length} placements`,
      ...(name === RIVAL ? {} : { rival: RIVAL, ratio: last.mean / mean }),
    });
  });
  for (const pair of meshes.values()) for (const mesh of pair) mesh.dispose();
}

async function main(): Promise<void> {
  const report = new Report('segments');
  const engines = await createEngines(1, coreCount);
  const detail = isQuick ? 2000 : 200_000;
  const bunny = await loadMesh('bunny');
  measure(report, 'sphere and torus', sphere(detail), torus(detail), engines);
  if (bunny) measure(report, `two of ${bunny.name}`, bunny.data, bunny.data, engines);
  disposeEngines(engines);
  report.save();
}

await main();
