// Finds all pairs of parts that share a point, and counts the intersecting triangle pairs of each such pair.
// For a single pair of parts, also computes the intersecting triangles, the contact curve, the class and the
// penetration depth.
import { type Classification, CollisionError, type Engine, type Mesh } from 'pfront';
import type { MeshData } from 'pfront/samples';
import { curveOf } from '../shell/curve.js';
import type { Part } from './parts.js';

/** Two parts that clash; a and b are indices into the list of parts. */
export interface Clash {
  a: number;
  b: number;
  trianglePairs: number;
}

export interface SearchResult {
  /** Sorted by decreasing number of triangle pairs. */
  clashes: Clash[];
  /** Number of pairs of parts that were tested. */
  testedPairs: number;
  /** Duration of the search. */
  milliseconds: number;
}

export class ClashFinder {
  private meshes = new Map<MeshData, Mesh>();
  private parts: readonly Part[] = [];

  constructor(private readonly engine: Engine) {}

  /**
   * Replaces the parts. If a mesh cannot be created, the previous parts stay. `onProgress` receives the
   * fraction of the parts that are done.
   *
   * @throws CollisionError
   */
  async setParts(parts: readonly Part[], onProgress: (done: number) => void): Promise<void> {
    const meshes = new Map<MeshData, Mesh>();
    try {
      for (const [i, { name, mesh }] of parts.entries()) {
        if (!meshes.has(mesh)) meshes.set(mesh, await this.build(name, mesh));
        onProgress((i + 1) / parts.length);
      }
    } catch (error) {
      forget(meshes);
      throw error;
    }
    forget(this.meshes);
    this.meshes = meshes;
    this.parts = parts;
  }

  /**
   * Tests every part against every other.
   *
   * @throws CollisionError
   */
  find(): SearchResult {
    const startedAt = performance.now();
    using scene = this.engine.createScene();
    for (const { mesh, transform } of this.parts) scene.add(this.meshes.get(mesh)!, { transform });
    const { count, a, b, counts, stats } = scene.detect({ narrow: 'counts' });
    const clashes = Array.from({ length: count }, (_, i) => ({
      a: scene.slotOf(a[i]!),
      b: scene.slotOf(b[i]!),
      trianglePairs: counts[i]!,
    }));
    clashes.sort(
      (first, second) =>
        second.trianglePairs - first.trianglePairs || first.a - second.a || first.b - second.b,
    );
    return { clashes, testedPairs: stats.tested, milliseconds: performance.now() - startedAt };
  }

  /** Returns the pairs of intersecting triangles of a clash: a[i] intersects b[i]. */
  trianglesOf({ a, b }: Clash): { a: Uint32Array; b: Uint32Array } {
    const [first, second] = [this.parts[a]!, this.parts[b]!];
    return this.engine
      .query(this.meshes.get(first.mesh)!, this.meshes.get(second.mesh)!, {
        transformA: first.transform,
        transformB: second.transform,
      })
      .copy();
  }

  /** Returns the class and the penetration depth of a clash. */
  classify({ a, b }: Clash): Classification {
    const [first, second] = [this.parts[a]!, this.parts[b]!];
    return this.engine.classify(this.meshes.get(first.mesh)!, this.meshes.get(second.mesh)!, {
      transformA: first.transform,
      transformB: second.transform,
    });
  }

  /** Returns the contact curve of a clash: x, y, z of both ends of each segment. */
  curveOf({ a, b }: Clash): Float64Array {
    const [first, second] = [this.parts[a]!, this.parts[b]!];
    return curveOf(
      this.engine.query(this.meshes.get(first.mesh)!, this.meshes.get(second.mesh)!, {
        transformA: first.transform,
        transformB: second.transform,
        want: 'segments',
      }),
    );
  }

  private async build(name: string, mesh: MeshData): Promise<Mesh> {
    try {
      return await this.engine.createMeshAsync(mesh);
    } catch (error) {
      if (error instanceof CollisionError) error.message = `part “${name}”: ${error.message}`;
      throw error;
    }
  }
}

function forget(meshes: Map<MeshData, Mesh>): void {
  for (const mesh of meshes.values()) mesh.dispose();
}
