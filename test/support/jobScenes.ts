// Makes cluster jobs with many kinds of meshes and placements, and computes their expected results with an
// engine in this process.

import type {
  ClashAnswer,
  ClashJob,
  JobPair,
  MeshPairsAnswer,
  MeshPairsJob,
} from '../../dist/cluster/index.js';
import { createEngine, type Engine, type Mesh, type MeshData } from '../../dist/index.js';
import { createRandom, product, rotation, sphere, torus, translation } from '../../dist/samples/index.js';
import { hashBytes } from './hash.js';
import { emptyMesh, meshPairs, placements } from './placedScenes.js';

/**
 * Makes a job of `count` random mesh pairs. The meshes and placements are those of placedScenes.ts, plus a mesh
 * without triangles.
 */
export function hardJob(count: number, seed = 1): MeshPairsJob {
  const random = createRandom(seed);
  const meshes = [...Object.values(meshPairs).flat(), emptyMesh];
  const ways = Object.values(placements);
  const pairs = Array.from(
    { length: count },
    (_, i): JobPair => ({
      a: random.below(meshes.length),
      b: random.below(meshes.length),
      ...ways[i % ways.length](random),
    }),
  );
  return { kind: 'meshPairs', meshes, pairs };
}

export interface TinyPairs extends MeshPairsJob {
  pairs: (JobPair & { transformB: Float64Array })[];
}

/** Makes many pairs of small meshes, each with its own random placement, so that results differ by pair. */
export function tinyPairs(count: number, seed = 2): TinyPairs {
  const random = createRandom(seed);
  const pairs = Array.from({ length: count }, () => ({ a: 0, b: 1, transformB: somewhere(1.2) }));
  function somewhere(reach: number): Float64Array {
    const [x, y, z] = random.direction();
    const far = random.between(0.3, reach);
    return product(
      translation([x * far, y * far, z * far]),
      rotation(random.direction(), random.between(0, 6)),
    );
  }
  return { kind: 'meshPairs', meshes: [sphere(60), torus(80)], pairs };
}

/**
 * Makes `count` bodies. Each body has one of four meshes, one of which has no triangles. Every fifth body is
 * in a group whose bodies do not collide with each other.
 */
export function crowdJob(count: number, seed = 3): ClashJob {
  const random = createRandom(seed);
  const shapes = [sphere(120), torus(160), sphere(48), emptyMesh];
  const reach = Math.cbrt(count) * 1.2;
  const bodies = Array.from({ length: count }, (_, i) => ({
    mesh: shapes[random.below(shapes.length)],
    transform:
      i % 7 === 0
        ? undefined
        : product(
            translation([
              random.between(-reach, reach),
              random.between(-reach, reach),
              random.between(-reach, reach),
            ]),
            rotation(random.direction(), random.between(0, 6)),
          ),
    ...(i % 5 === 0 ? { group: 2, mask: 1 } : {}),
  }));
  return { kind: 'clash', bodies };
}

const makeAll = (engine: Engine, meshes: readonly MeshData[]): Mesh[] => {
  const made = new Map<MeshData, Mesh>();
  return meshes.map(data => {
    if (!made.has(data)) made.set(data, engine.createMesh(data));
    return made.get(data)!;
  });
};

async function withOneThread<T>(runQuery: (engine: Engine) => T): Promise<T> {
  const engine = await createEngine({ threads: 1 });
  try {
    return runQuery(engine);
  } finally {
    engine.dispose();
  }
}

/** Returns the hash of the triangle pairs that queryMany returns for all pairs of meshes. */
export const hashInProcess = ({ meshes, pairs }: MeshPairsJob): Promise<string> =>
  withOneThread(engine => {
    const made = makeAll(engine, meshes);
    const placed = (pairs as JobPair[]).map(({ a, b, ...rest }) => ({ a: made[a], b: made[b], ...rest }));
    const result = engine.queryMany({ pairs: placed });
    return hashBytes(result.pairsAt, result.a, result.b);
  });
export const hashOfPairs = ({ pairsAt, a, b }: MeshPairsAnswer): string => hashBytes(pairsAt, a, b);

/** Returns the hash of the contacts that a scene detects: slots of bodies, counts and triangle pairs. */
export const hashClashInProcess = ({ bodies, narrow = 'pairs' }: ClashJob): Promise<string> =>
  withOneThread(engine => {
    const made = makeAll(
      engine,
      bodies.map(({ mesh }) => mesh),
    );
    const scene = engine.createScene();
    bodies.forEach(({ transform, group, mask }, i) => {
      scene.add(made[i], { transform, group, mask });
    });
    const { a, b, counts, pairsAt, triangles } = scene.detect({ narrow });
    const slots = (ids: Uint32Array): Uint32Array => ids.map(id => scene.slotOf(id));
    return hashBytes(slots(a), slots(b), counts, pairsAt, triangles.a, triangles.b);
  });
export const hashOfClash = ({ a, b, counts, pairsAt, triangles }: ClashAnswer): string =>
  hashBytes(a, b, counts, pairsAt, triangles.a, triangles.b);
