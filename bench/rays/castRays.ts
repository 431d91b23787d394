// Measures closest hits of incoherent rays on one mesh, and compares them with raycastFirst of three-mesh-bvh
// in the same run.

import { DoubleSide, Ray, Vector3 } from 'three';
import { createRandom } from '../../dist/samples/index.js';
import { createEngines, disposeEngines } from '../support/engines.js';
import { loadMesh } from '../support/meshes.js';
import { isQuick, Report } from '../support/report.js';
import { buildRival, RIVAL } from '../support/rival.js';
import { interleave } from '../support/timing.js';

const SEED = 7;
const RAY_COUNT = isQuick ? 5000 : 100_000;

async function main(): Promise<void> {
  const report = new Report('castRays', SEED);
  const engines = await createEngines(1, 2);
  const { name, data } = (await loadMesh('bunny'))!;
  const meshes = engines.map(({ engine }) => engine.createMesh(data));
  const rival = buildRival(data, 'sah').boundsTree;
  const { bounds } = meshes[0];
  const random = createRandom(SEED);
  // Each ray connects two random points of a box that is three times as large as the mesh's box.
  const point = (): number[] =>
    [0, 1, 2].map(axis => {
      const [low, high] = [bounds[axis], bounds[axis + 3]];
      return Math.fround(random.between(2 * low - high, 2 * high - low));
    });
  const origins = new Float32Array(3 * RAY_COUNT);
  const directions = new Float32Array(3 * RAY_COUNT);
  for (let i = 0; i < RAY_COUNT; i++) {
    const [from, to] = [point(), point()];
    const direction = new Vector3(...to.map((value, axis) => value - from[axis])).normalize();
    origins.set(from, 3 * i);
    directions.set(direction.toArray(), 3 * i);
  }
  const ray = new Ray(new Vector3(), new Vector3());
  const castRival = (): number => {
    let hitCount = 0;
    for (let i = 0; i < 3 * RAY_COUNT; i += 3) {
      ray.origin.fromArray(origins, i);
      ray.direction.fromArray(directions, i);
      if (rival.raycastFirst(ray, DoubleSide)) hitCount++;
    }
    return hitCount;
  };
  const counts = [engines[0].engine.castRays(meshes[0], origins, directions).count, castRival()];
  const timings = interleave(
    [0],
    [
      ...engines.map(({ name: variant, engine }, i) => ({
        name: variant,
        run: () => engine.castRays(meshes[i], origins, directions).count,
      })),
      { name: RIVAL, run: castRival },
    ],
    isQuick ? 1 : 7,
  );
  const last = timings.at(-1)!;
  for (const { name: variant, ...times } of timings)
    report.add({
      scene: name,
      measure: `closest hits of ${RAY_COUNT} incoherent rays`,
      variant,
      unit: 'ms',
      ...times,
      note: `${variant === RIVAL ? counts[1] : counts[0]} rays hit`,
      ...(variant !== RIVAL && { rival: RIVAL, ratio: last.mean / times.mean }),
    });
  disposeEngines(engines);
  report.save();
}

await main();
