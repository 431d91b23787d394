// Measures casts of capsules and spheres, such as a character controller makes, against a level of 301,088
// triangles. Also measures casts of a mesh against a mesh. The rival for capsules and spheres is castShape of
// rapier. The rival for overlap tests is shapecast of three-mesh-bvh, which has no casts. The rival for meshes
// is pfront's own sweep.

import rapier from '@dimforge/rapier3d-simd-compat';
import { Box3, Line3, Vector3 } from 'three';
import { createRandom, type MeshData, torus, translation } from '../../dist/samples/index.js';
import { createEngines, disposeEngines } from '../support/engines.js';
import { isQuick, Report } from '../support/report.js';
import { buildRival, RIVAL } from '../support/rival.js';
import { interleave, type Timing } from '../support/timing.js';

const SEED = 5;
const CELLS = isQuick ? 100 : 388;
const CELL = 0.5;
/** Number of casts per frame, as if 40 characters cast three times each. */
const CASTS = 120;
const FRAMES = isQuick ? 3 : 40;
const RADIUS = 0.3;
const HEIGHT = 1.2;
const RAPIER = 'rapier3d-simd-compat castShape';

const heightAt = (x: number, z: number): number => 2 * Math.sin(0.2 * x) * Math.cos(0.26 * z);

/** Returns a hilly level of 2 * CELLS^2 triangles. */
function makeLevel(): MeshData {
  const positions = new Float32Array(3 * (CELLS + 1) ** 2);
  const indices = new Uint32Array(6 * CELLS ** 2);
  for (let j = 0; j <= CELLS; j++)
    for (let i = 0; i <= CELLS; i++)
      positions.set([i * CELL, heightAt(i * CELL, j * CELL), j * CELL], 3 * (j * (CELLS + 1) + i));
  for (let j = 0; j < CELLS; j++)
    for (let i = 0; i < CELLS; i++) {
      const a = j * (CELLS + 1) + i;
      const b = a + CELLS + 1;
      indices.set([a, b, a + 1, a + 1, b, b + 1], 6 * (j * CELLS + i));
    }
  return { positions, indices };
}

/** start: the center of a sphere, or the lower end of a capsule's segment. motion: how far the shape moves. */
interface Cast {
  readonly start: readonly [number, number, number];
  readonly motion: readonly [number, number, number];
}

// Each cast starts at a random place just above the ground. Three directions of motion take turns: forward,
// forward and slightly down, and straight down.
function makeFrames(): Cast[][] {
  const random = createRandom(SEED);
  const size = CELLS * CELL;
  return Array.from({ length: FRAMES }, () =>
    Array.from({ length: CASTS }, (_, i): Cast => {
      const x = random.between(0.1 * size, 0.9 * size);
      const z = random.between(0.1 * size, 0.9 * size);
      const angle = random.between(0, 2 * Math.PI);
      const step = 0.1;
      const motion = [
        [step * Math.cos(angle), 0, step * Math.sin(angle)],
        [step * Math.cos(angle), -0.05, step * Math.sin(angle)],
        [0, -0.5, 0],
      ] as const;
      return { start: [x, heightAt(x, z) + RADIUS + 0.15, z], motion: motion[i % 3] };
    }),
  );
}

const report = new Report('shapeCasts', SEED);
await rapier.init();
const engines = await createEngines(1);
const [{ engine }] = engines;

function addRows(
  scene: string,
  measure: string,
  timings: readonly Timing[],
  rival: string,
  notes: ReadonlyMap<string, number>,
): void {
  const other = timings.find(({ name }) => name === rival)!;
  for (const { name: variant, ...times } of timings)
    report.add({
      scene,
      measure,
      variant,
      unit: 'ms',
      ...times,
      note: `${notes.get(variant)} hits`,
      ...(variant !== rival && { rival, ratio: other.mean / times.mean }),
    });
}

function measureCharacters(): void {
  const level = makeLevel();
  const mesh = engine.createMesh(level);
  const scene = `level of ${mesh.triangleCount} triangles`;
  const frames = makeFrames();
  const world = new rapier.World({ x: 0, y: 0, z: 0 });
  world.createCollider(rapier.ColliderDesc.trimesh(level.positions, level.indices));
  world.step();
  const capsule = new rapier.Capsule(HEIGHT / 2, RADIUS);
  const ball = new rapier.Ball(RADIUS);
  const upright = { x: 0, y: 0, z: 0, w: 1 };
  const rivalCast = (shape: rapier.Shape, lift: number, { start: [x, y, z], motion }: Cast): boolean =>
    world.castShape(
      { x, y: y + lift, z },
      upright,
      { x: motion[0], y: motion[1], z: motion[2] },
      shape,
      0,
      1,
      true,
    ) !== null;
  const bvh = buildRival(level, 'sah').boundsTree;
  const [box, segment, onTriangle, onSegment] = [new Box3(), new Line3(), new Vector3(), new Vector3()];
  const rivalOverlap = ({ start: [x, y, z] }: Cast): boolean => {
    segment.start.set(x, y, z);
    segment.end.set(x, y + HEIGHT, z);
    box.setFromPoints([segment.start, segment.end]).expandByScalar(RADIUS);
    return bvh.shapecast({
      intersectsBounds: bounds => bounds.intersectsBox(box),
      intersectsTriangle: triangle =>
        triangle.closestPointToSegment(segment, onTriangle, onSegment) <= RADIUS,
    });
  };
  const capsuleOf = ({ start: [x, y, z] }: Cast) => ({
    start: [x, y, z],
    end: [x, y + HEIGHT, z],
    radius: RADIUS,
  });
  const measures: [
    name: string,
    rival: string,
    own: (cast: Cast) => boolean,
    other: (cast: Cast) => boolean,
  ][] = [
    [
      `${CASTS} casts of a capsule`,
      RAPIER,
      cast => engine.castCapsule(mesh, capsuleOf(cast), cast.motion) !== undefined,
      cast => rivalCast(capsule, HEIGHT / 2, cast),
    ],
    [
      `${CASTS} casts of a sphere`,
      RAPIER,
      cast => engine.castSphere(mesh, { center: cast.start, radius: RADIUS }, cast.motion) !== undefined,
      cast => rivalCast(ball, 0, cast),
    ],
    [
      `${CASTS} overlap tests of a capsule`,
      `${RIVAL} shapecast`,
      cast => engine.overlapCapsule(mesh, capsuleOf(cast), { want: 'any' }),
      rivalOverlap,
    ],
  ];
  for (const [measure, rival, own, other] of measures) {
    const count = (test: (cast: Cast) => boolean) => (casts: Cast[]) => casts.filter(test).length;
    const notes = new Map([
      ['pfront', count(own)(frames.flat())],
      [rival, count(other)(frames.flat())],
    ]);
    const timings = interleave(
      frames,
      [
        { name: 'pfront', run: count(own) },
        { name: rival, run: count(other) },
      ],
      isQuick ? 1 : 7,
    );
    addRows(scene, measure, timings, rival, notes);
  }
  world.free();
  mesh.dispose();
}

function measureMeshes(triangleCount: number): void {
  const ring = engine.createMesh(torus(triangleCount));
  const random = createRandom(SEED);
  const cases = Array.from({ length: isQuick ? 2 : 10 }, () => ({
    from: [random.between(2.9, 5), random.between(-0.5, 0.5), random.between(-0.5, 0.5)] as const,
    motion: [-3.5, random.between(-0.5, 0.5), 0] as const,
  }));
  const own = ({ from, motion }: (typeof cases)[number]): boolean =>
    engine.castMesh(ring, ring, motion, { transform: translation([...from]) }) !== undefined;
  const sweep = ({ from, motion }: (typeof cases)[number]): boolean =>
    engine.sweep(ring, ring, {
      fromB: translation([...from]),
      toB: translation([from[0] + motion[0], from[1] + motion[1], from[2]]),
    }) !== undefined;
  const rival = 'pfront sweep';
  const notes = new Map([
    ['pfront castMesh', cases.filter(own).length],
    [rival, cases.filter(sweep).length],
  ]);
  const timings = interleave(
    cases,
    [
      { name: 'pfront castMesh', run: own },
      { name: rival, run: sweep },
    ],
    isQuick ? 1 : 7,
  );
  addRows(`two tori of ${triangleCount}`, 'first contact of a translation', timings, rival, notes);
  ring.dispose();
}

measureCharacters();
for (const triangleCount of isQuick ? [720] : [720, 4_000, 20_000]) measureMeshes(triangleCount);
disposeEngines(engines);
report.save();
