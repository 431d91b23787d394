// Measures how many poses per second a query tests for collision if it gets thousands of poses at once: poses
// of a robot arm, and placements of one mesh against another. The rival in the same run is three-mesh-bvh,
// whose intersectsGeometry is called for one pair at a time.

import { Matrix4 } from 'three';
import { mat4d } from 'wgpu-matrix';
import type { Engine, Mesh } from '../../dist/index.js';
import { createRandom, robotArm, sphere, torus } from '../../dist/samples/index.js';
import { createEngines, disposeEngines, type NamedEngine } from '../support/engines.js';
import { coreCount } from '../support/machine.js';
import { isQuick, Report } from '../support/report.js';
import { buildRival, RIVAL } from '../support/rival.js';
import { interleave, type Timing } from '../support/timing.js';
import { RivalArm } from './rivalArm.js';

const SEED = 611;
const ITERATIONS = isQuick ? 1 : 5;
const BATCH = isQuick ? 500 : 4000;
/** A safety distance, in meters. The rival has no query with a safety distance. */
const CLEARANCE = 0.03;
const WITH_CLEARANCE = `, clearance ${CLEARANCE}`;
const report = new Report('poses', SEED, ['three-mesh-bvh']);

function addRates(
  scene: string,
  timings: readonly Timing[],
  poses: number,
  note: (variant: string) => string,
): void {
  const rival = timings.find(({ name }) => name === RIVAL);
  for (const { name, ...times } of timings) {
    report.add({
      scene,
      measure: `${poses} poses`,
      variant: name,
      unit: 'ms',
      ...times,
      note: `${Math.round((1000 * poses) / times.mean)} poses per second; ${note(name)}`,
      ...(rival && name !== RIVAL && !name.endsWith(WITH_CLEARANCE)
        ? { rival: RIVAL, ratio: rival.mean / times.mean }
        : {}),
    });
  }
}

function measureArm(engines: readonly NamedEngine[]): void {
  const arm = robotArm();
  const { movingCount: moving, fixedTransforms: still, allowed } = arm;
  const meshes = new Map(
    engines.map(({ engine }) => [engine, arm.meshes.map(mesh => engine.createMesh(mesh))]),
  );
  const runQuery = (
    engine: Engine,
    poses: Float32Array,
    want: 'any' | 'first' | 'pairs-any',
    clearance = 0,
  ) =>
    engine.queryPoses({ meshes: meshes.get(engine)!, moving, fixed: still, allowed, poses, want, clearance });
  const rival = new RivalArm(arm, runQuery(engines[0].engine, new Float32Array(0), 'any').pairs);
  for (const [name, angles] of [
    ['at random', arm.randomAngles(BATCH, SEED)],
    ['along a path', arm.pathAngles(BATCH, SEED)],
  ] as const) {
    const poses = arm.place(angles);
    const hits = runQuery(engines[0].engine, poses, 'any');
    const nearHits = runQuery(engines[0].engine, poses, 'any', CLEARANCE);
    const rivalHits = rival.count(poses);
    addRates(
      `arm, 15 bodies, ${name}`,
      interleave(
        [poses],
        [
          ...engines.flatMap(({ name: variant, engine }) => [
            ...(['any', 'first', 'pairs-any'] as const).map(want => ({
              name: `${variant}, ${want}`,
              run: (at: Float32Array) => runQuery(engine, at, want).count,
            })),
            {
              name: `${variant}, any${WITH_CLEARANCE}`,
              run: (at: Float32Array) => runQuery(engine, at, 'any', CLEARANCE).count,
            },
          ]),
          { name: RIVAL, run: (at: Float32Array) => rival.count(at) },
        ],
        ITERATIONS,
      ),
      BATCH,
      variant => {
        if (variant === RIVAL) return `${rivalHits} in collision`;
        const { count, pairCount, nearCount } = variant.endsWith(WITH_CLEARANCE) ? nearHits : hits;
        return `${count} in collision, ${pairCount} pairs per pose, ${nearCount} pairs of trees queried`;
      },
    );
  }
}

// Measures one mesh against another in many placements. During a query, the engine keeps either one bit or one
// record for each placement. The option `parts` makes the engine keep records.
function measureTwo(engines: readonly NamedEngine[], count: number): void {
  const random = createRandom(SEED);
  const transforms = new Float32Array(16 * count);
  for (let i = 0; i < count; i++) {
    const [x, y, z] = random.direction();
    const reach = random.between(0, 3);
    transforms.set(
      mat4d.rotate(
        mat4d.translation([x * reach, y * reach, z * reach]),
        random.direction(),
        random.between(0, 7),
      ),
      16 * i,
    );
  }
  const meshes = new Map<Engine, [Mesh, Mesh]>(
    engines.map(({ engine }) => [engine, [engine.createMesh(torus(4000)), engine.createMesh(sphere(4000))]]),
  );
  const pairOf = (engine: Engine) => ({ a: meshes.get(engine)![0], b: meshes.get(engine)![1], transforms });
  const first = engines[0].engine;
  const hits = first.queryMany({ ...pairOf(first), want: 'any' }).reduce((sum, hit) => sum + hit);
  const a = buildRival(torus(4000));
  const b = buildRival(sphere(4000));
  const matrix = new Matrix4();
  const byRival = (): number => {
    let found = 0;
    for (let i = 0; i < count; i++)
      if (a.boundsTree.intersectsGeometry(b, matrix.fromArray(transforms, 16 * i))) found++;
    return found;
  };
  addRates(
    'torus and sphere, 4K each',
    interleave(
      [transforms],
      [
        ...engines.flatMap(({ name: variant, engine }) => [
          { name: `${variant}, bits`, run: () => engine.queryMany({ ...pairOf(engine), want: 'bitset' }) },
          {
            name: `${variant}, one record per pair`,
            run: () => engine.queryMany({ ...pairOf(engine), want: 'any', parts: engine.info.threads }),
          },
        ]),
        ...(count <= 4000 ? [{ name: RIVAL, run: byRival }] : []),
      ],
      ITERATIONS,
    ),
    count,
    () => `${hits} in collision`,
  );
}

const engines = await createEngines(1, coreCount);
measureArm(engines);
for (const count of isQuick ? [1000] : [4000, 100_000]) measureTwo(engines, count);
disposeEngines(engines);
report.save();
