// Measures how long it takes to test edges of a robot arm's roadmap. The rival in the same run is three-mesh-bvh, which
// tests sampled poses of each edge, as planners usually do; it can miss a collision between two samples. Also measures
// the smallest distance of each pose, in one call and by one call per pair.

import type { Engine, Mesh } from '../../dist/index.js';
import { createRandom, robotArm } from '../../dist/samples/index.js';
import { createEngines, disposeEngines, type NamedEngine } from '../support/engines.js';
import { coreCount } from '../support/machine.js';
import { isQuick, Report } from '../support/report.js';
import { RIVAL } from '../support/rival.js';
import { interleave } from '../support/timing.js';
import { RivalArm } from './rivalArm.js';

const SEED = 1105;
const ITERATIONS = isQuick ? 1 : 3;
const EDGES = isQuick ? 50 : 1000;
const POSES = isQuick ? 20 : 500;
/** In meters. */
const TOLERANCE = 0.001;
/** Max change of a joint value between two samples of the rival, in radians. */
const STEP = 0.02;
const JOINTS = 6;
const report = new Report('edges', SEED, ['three-mesh-bvh']);
const arm = robotArm();

/** Edges between random poses, or from random poses to poses nearby. */
interface Roadmap {
  readonly from: Float64Array;
  readonly to: Float64Array;
}

// Returns edges whose joint values change by up to `range` radians.
function makeEdges(range: number): Roadmap {
  const random = createRandom(SEED);
  const from = arm.randomAngles(EDGES, SEED);
  return { from, to: from.map(value => value + random.between(-range, range)) };
}

// Returns which edges collide in one of their samples.
function sampleEdges(rival: RivalArm, { from, to }: Roadmap): boolean[] {
  return Array.from({ length: EDGES }, (_, edge) => {
    const [start, end] = [from, to].map(values => values.subarray(JOINTS * edge, JOINTS * edge + JOINTS));
    const longest = Math.max(...start.map((value, i) => Math.abs(end[i] - value)));
    const steps = Math.max(1, Math.ceil(longest / STEP));
    for (let step = 0; step <= steps; step++) {
      const angles = start.map((value, i) => value + ((end[i] - value) * step) / steps);
      if (rival.count(arm.place(angles)) > 0) return true;
    }
    return false;
  });
}

function measureEdges(
  engines: readonly NamedEngine[],
  bodies: ReadonlyMap<Engine, Bodies>,
  rival: RivalArm,
): void {
  for (const range of [0.05, 0.25, 3]) {
    const edges = makeEdges(range);
    const run = (engine: Engine, want: 'any' | 'first') =>
      engine.queryEdges({ ...bodies.get(engine)!, ...edges, tolerance: TOLERANCE, want });
    const { count, poseCount, nearCount, hits } = run(engines[0].engine, 'any');
    const sampled = sampleEdges(rival, edges);
    const missed = sampled.filter(
      (isHit, edge) => !isHit && ((hits[edge >>> 5] >>> (edge & 31)) & 1) === 1,
    ).length;
    const timings = interleave(
      [edges],
      [
        ...engines.flatMap(({ name, engine }) =>
          (['any', 'first'] as const).map(want => ({
            name: `${name}, ${want}`,
            run: () => run(engine, want).count,
          })),
        ),
        { name: `${RIVAL}, samples`, run: () => sampleEdges(rival, edges).length },
      ],
      ITERATIONS,
    );
    const slowest = timings.at(-1)!;
    for (const { name, ...times } of timings)
      report.add({
        scene: `arm, edges of up to ${range} rad`,
        measure: `${EDGES} edges`,
        variant: name,
        unit: 'ms',
        ...times,
        note:
          name === slowest.name
            ? `${sampled.filter(isHit => isHit).length} in collision, samples every ${STEP} rad`
            : `${count} in collision or within ${TOLERANCE} m, ${missed} of them not found by samples; ${poseCount} poses, ${nearCount} pairs of trees`,
        ...(name === slowest.name ? {} : { rival: slowest.name, ratio: slowest.mean / times.mean }),
      });
  }
}

interface Bodies {
  meshes: Mesh[];
  fixed: Float64Array;
  allowed: [number, number][];
  chain: (typeof arm)['chain'];
}

function measureDistances(engines: readonly NamedEngine[], bodies: ReadonlyMap<Engine, Bodies>): void {
  const jointValues = arm.randomAngles(POSES, SEED);
  const { engine: first } = engines[0];
  const { meshes, fixed } = bodies.get(first)!;
  const placed = first.placeChain(arm.chain, jointValues);
  const run = (engine: Engine) =>
    engine.queryPoses({ ...bodies.get(engine)!, jointValues, want: 'distance' });
  const { pairs, nearCount } = run(first);
  const placementOf = (pose: number, body: number): Float64Array =>
    body < arm.movingCount
      ? placed.subarray(16 * (pose * arm.movingCount + body), 16 * (pose * arm.movingCount + body + 1))
      : fixed.subarray(16 * (body - arm.movingCount), 16 * (body - arm.movingCount + 1));
  // Each call is limited to the smallest distance so far.
  const measureSingly = (): void => {
    for (let pose = 0; pose < POSES; pose++)
      for (let pair = 0, max: number | undefined; 2 * pair < pairs.length; pair++) {
        const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
        const transformA = placementOf(pose, a);
        const found = first.distance(meshes[a], meshes[b], {
          transformA,
          transformB: placementOf(pose, b),
          max,
        });
        if (found) max = found.distance;
      }
  };
  const single = `${engines[0].name}, one call per pair`;
  const timings = interleave(
    [placed],
    [
      ...engines.map(({ name, engine }) => ({ name, run: () => run(engine).count })),
      { name: single, run: measureSingly },
    ],
    ITERATIONS,
  );
  const slowest = timings.at(-1)!;
  for (const { name, ...times } of timings)
    report.add({
      scene: 'arm, 15 bodies, at random',
      measure: `distances of ${POSES} poses`,
      variant: name,
      unit: 'ms',
      ...times,
      note: `${pairs.length / 2} pairs per pose, ${nearCount} pairs measured by their trees`,
      ...(name === single ? {} : { rival: single, ratio: slowest.mean / times.mean }),
    });
}

const engines = await createEngines(1, coreCount);
const bodies = new Map(
  engines.map(({ engine }): [Engine, Bodies] => [
    engine,
    {
      meshes: arm.meshes.map(mesh => engine.createMesh(mesh)),
      fixed: arm.fixedTransforms,
      allowed: arm.allowed,
      chain: arm.chain,
    },
  ]),
);
const { pairs } = engines[0].engine.queryEdges({ ...bodies.get(engines[0].engine)!, from: [], to: [] });
measureEdges(engines, bodies, new RivalArm(arm, pairs));
measureDistances(engines, bodies);
disposeEngines(engines);
report.save();
