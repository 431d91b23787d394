// Makes jobs of up to thousands of small mesh queries. Nearly all queries have different results, so that
// tests detect lost, duplicated or swapped results.
import { createEngine, type MeshData } from '../../dist/index.js';
import { createRandom, product, rotation, sphere, translation } from '../../dist/samples/index.js';
import { hashBytes } from '../support/hash.js';

export interface PlacedMeshes {
  a: number;
  b: number;
  transformA?: Float64Array;
  transformB?: Float64Array;
}
export interface TinyJob {
  meshes: MeshData[];
  pairs: PlacedMeshes[];
}
/**
 * The triangle pairs of all queries. Query i found the pairs (a[k], b[k]) with
 * pairsAt[i] <= k < pairsAt[i + 1].
 */
export interface TinyResult {
  pairsAt: Uint32Array;
  a: Uint32Array;
  b: Uint32Array;
}

/**
 * Makes `count` queries of two small spheres. Each query places the second sphere differently, so that the
 * result of query i depends on i.
 */
export function tinyJob(count: number, seed = 1): TinyJob {
  const random = createRandom(seed);
  const pairs = Array.from({ length: count }, (): PlacedMeshes => {
    const [x, y, z] = random.direction();
    const apart = random.between(0.6, 1.7);
    return {
      a: 0,
      b: 1,
      transformB: product(
        translation([x * apart, y * apart, z * apart]),
        rotation(random.direction(), random.between(0, 6)),
      ),
    };
  });
  return { meshes: [sphere(36), sphere(40)], pairs };
}

/** Computes the results of a job with one engine in this process. */
export async function singleProcessResult({ meshes, pairs }: TinyJob): Promise<TinyResult> {
  const engine = await createEngine({ threads: 1 });
  try {
    const made = meshes.map(mesh => engine.createMesh(mesh));
    return engine
      .queryMany({
        pairs: pairs.map(({ a, b, transformA, transformB }) => ({
          a: made[a],
          b: made[b],
          transformA,
          transformB,
        })),
      })
      .copy();
  } finally {
    engine.dispose();
  }
}

export const hashOfAnswer = ({ pairsAt, a, b }: TinyResult): string => hashBytes(pairsAt, a, b);

/** Returns the result of each query as text. */
export function resultTexts({ pairsAt, a, b }: TinyResult): string[] {
  return Array.from(
    { length: pairsAt.length - 1 },
    (_, i) =>
      `${a.subarray(pairsAt[i], pairsAt[i + 1]).join(' ')} ${b.subarray(pairsAt[i], pairsAt[i + 1]).join(' ')}`,
  );
}
