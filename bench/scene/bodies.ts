// Measures frames of moving bodies, stage by stage: tori that penetrate each other deeply, and robots that
// reverse when they touch. With up to 1,000 bodies, also measures rapier's sensors and three-mesh-bvh's trees
// on the same triangle meshes. Jolt is not measured, because it cannot test two triangle meshes against each
// other.

import rapier from '@dimforge/rapier3d-simd-compat';
import type { Engine } from '../../dist/index.js';
import { type MeshData, type Movement, nanorobots, torus, tumbling } from '../../dist/samples/index.js';
import { bodyTrees } from '../support/bodyTrees.js';
import { createEngines, disposeEngines } from '../support/engines.js';
import { coreCount } from '../support/machine.js';
import { isQuick, Report } from '../support/report.js';
import { RIVAL as TREES } from '../support/rival.js';
import { sum, summarize } from '../support/statistics.js';
import { type Contender, interleave } from '../support/timing.js';

const SEED = 1;
const RIVAL = 'rapier3d-simd-compat';
const TRIANGLES = 700;
const FRAMES = isQuick ? 3 : 10;
const MAX_FOR_RIVAL = 1000;
const ROBOT_STEPS = 60;
/** Number of robots per unit volume at which each robot has about one contact. */
const CROWDED = 0.42;
const report = new Report('bodies', SEED, ['@dimforge/rapier3d-simd-compat', TREES, 'three']);
const engines = await createEngines(1, coreCount);
await rapier.init();

const sums = new Map<string, number[]>();
/** For each frame: the number of touching pairs of bodies that three-mesh-bvh found. */
const touchingCounts: number[] = [];

function makeContender(
  threads: string,
  engine: Engine,
  mesh: MeshData,
  count: number,
  narrow: 'any' | 'pairs',
): Contender<Float32Array> {
  const shape = engine.createMesh(mesh);
  const scene = engine.createScene();
  for (let i = 0; i < count; i++) scene.add(shape);
  const name = `${narrow}, ${threads}`;
  return {
    name,
    run: matrices => {
      const startedAt = performance.now();
      scene.setTransforms(matrices);
      const placedAt = performance.now();
      const { stats, count: contacts, triangles } = scene.detect({ narrow });
      const { broad, choose, narrow: surfaces } = stats.milliseconds;
      const lists = stats.queries.flatMap(({ threads }) => threads);
      const all = (counter: 'boxTests' | 'leafPairs' | 'triangleTests'): number =>
        sum(lists.map(list => list[counter]));
      const values = [
        placedAt - startedAt,
        broad,
        choose,
        surfaces,
        stats.boxPairs,
        stats.tested,
        contacts,
        triangles.a.length,
        all('boxTests'),
        all('leafPairs'),
        all('triangleTests'),
        1,
      ];
      const parts = sums.get(name);
      sums.set(
        name,
        values.map((value, i) => value + (parts?.[i] ?? 0)),
      );
    },
  };
}

// Makes a contender that uses rapier. Each body is a sensor with a triangle mesh. A run sets the transforms
// of all sensors, runs a step, and reads the collision events.
function makeRapierContender(mesh: MeshData, count: number): Contender<Float32Array> {
  const world = new rapier.World({ x: 0, y: 0, z: 0 });
  const shape = rapier.ColliderDesc.trimesh(mesh.positions, mesh.indices).setSensor(true);
  shape
    .setActiveCollisionTypes(rapier.ActiveCollisionTypes.ALL | rapier.ActiveCollisionTypes.FIXED_FIXED)
    .setActiveEvents(rapier.ActiveEvents.COLLISION_EVENTS);
  const colliders = Array.from({ length: count }, () => world.createCollider(shape));
  const events = new rapier.EventQueue(true);
  return {
    name: RIVAL,
    run: matrices => {
      colliders.forEach((collider, i) => {
        const [x, y, z] = matrices.subarray(16 * i + 12, 16 * i + 15);
        collider.setTranslation({ x, y, z });
        collider.setRotation(quaternion(matrices.subarray(16 * i, 16 * i + 16)));
      });
      world.step(events);
      events.drainCollisionEvents(() => {});
    },
  };
}

function quaternion(m: Float32Array): { x: number; y: number; z: number; w: number } {
  const w = Math.sqrt(Math.max(0, 1 + m[0] + m[5] + m[10])) / 2;
  const x = Math.sqrt(Math.max(0, 1 + m[0] - m[5] - m[10])) / 2;
  const y = Math.sqrt(Math.max(0, 1 - m[0] + m[5] - m[10])) / 2;
  const z = Math.sqrt(Math.max(0, 1 - m[0] - m[5] + m[10])) / 2;
  return {
    x: x * Math.sign(m[6] - m[9] || 1),
    y: y * Math.sign(m[8] - m[2] || 1),
    z: z * Math.sign(m[1] - m[4] || 1),
    w,
  };
}

function measure(scene: string, mesh: MeshData, frames: readonly Float32Array[]): void {
  const count = frames[0].length / 16;
  const contenders = engines.flatMap(({ name, engine }) => [
    makeContender(name, engine, mesh, count, 'any'),
    makeContender(name, engine, mesh, count, 'pairs'),
  ]);
  const trees = bodyTrees(mesh, count);
  if (count <= MAX_FOR_RIVAL)
    contenders.push(makeRapierContender(mesh, count), {
      name: TREES,
      run: matrices => {
        touchingCounts.push(trees(matrices));
      },
    });
  touchingCounts.length = 0;
  sums.clear();
  const timings = interleave(frames, contenders, isQuick ? 1 : count <= MAX_FOR_RIVAL ? 5 : 3);
  const base = timings.find(({ name }) => name === RIVAL);
  for (const { name, ...timing } of timings) {
    const parts = sums.get(name);
    const runs = parts?.at(-1) ?? 1;
    const [place, broad, choose, narrow, boxPairs, queried, contacts, triangles, boxTests, leafPairs, tests] =
      (parts ?? []).map(value => value / runs);
    report.add({
      scene,
      measure: 'a frame',
      variant: name,
      unit: 'ms',
      ...timing,
      ...summarize(timing.perCase),
      rival: base && RIVAL,
      ratio: base && base.mean / timing.mean,
      limit: base && name.startsWith('any, 1') ? '>= 30 x' : undefined,
      note:
        name === TREES
          ? `${(sum(touchingCounts) / touchingCounts.length).toFixed(0)} contacts`
          : parts &&
            `place ${place.toFixed(2)}, broad ${broad.toFixed(2)}, choose ${choose.toFixed(2)}, narrow ${narrow.toFixed(2)}; ${boxPairs.toFixed(0)} box pairs, ${queried.toFixed(0)} queried, ${contacts.toFixed(0)} contacts, ${triangles.toFixed(0)} triangle pairs of ${tests.toFixed(0)} tested; ${boxTests.toFixed(0)} box tests, ${leafPairs.toFixed(0)} leaf pairs`,
    });
  }
}

function measureTori(count: number, density: number): void {
  const matricesOf = tumbling(count, density, SEED);
  measure(
    `${count} tori of ${TRIANGLES}`,
    torus(TRIANGLES),
    Array.from({ length: FRAMES }, (_, frame) => matricesOf(frame)),
  );
}

// Measures robots that move as in the paper of Du, Liu and Suzumura. Only the last FRAMES of ROBOT_STEPS
// steps are measured, because the robots need time to gather. A robot reverses when it touches another robot,
// so robots penetrate each other less deeply than tori.
function measureRobots(count: number, movement: Movement, density?: number): void {
  const { mesh, step, turnBack } = nanorobots(count, movement, SEED, density);
  const { engine } = engines[0];
  const shape = engine.createMesh(mesh);
  const scene = engine.createScene();
  for (let i = 0; i < count; i++) scene.add(shape);
  const frames = Array.from({ length: ROBOT_STEPS }, () => {
    const matrices = step();
    scene.setTransforms(matrices);
    const { a, b } = scene.detect({ narrow: 'any' });
    const slots = (handles: Uint32Array): number[] => Array.from(handles, handle => scene.slotOf(handle));
    turnBack(slots(a), slots(b));
    return matrices;
  });
  scene.dispose();
  shape.dispose();
  measure(
    `${count} robots, ${movement}${density ? `, ${density} per unit volume` : ''}`,
    mesh,
    frames.slice(-FRAMES),
  );
}

measureTori(1000, 0.05);
if (!isQuick) measureTori(10_000, 0.03);
for (const movement of ['random', 'skewed'] as const) if (!isQuick) measureRobots(10_000, movement);
if (!isQuick) measureRobots(10_000, 'random', CROWDED);
disposeEngines(engines);
report.save();
