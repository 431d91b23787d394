// Parts -> every pair of them that shares a point, with its number of triangle pairs; the triangles of a pair
// when asked.
import { CollisionError, type Engine, type Mesh } from 'pfront';
import type { MeshData } from 'pfront/scenes';
import type { Part } from './parts.js';

/** a, b: places in the list of parts. */
export interface Clash {
  a: number;
  b: number;
  trianglePairs: number;
}

export interface Found {
  /** Most triangle pairs first. */
  clashes: Clash[];
  /** Pairs of parts that were asked about, and how long all of it took. */
  asked: number;
  milliseconds: number;
}

export class ClashFinder {
  private meshes = new Map<MeshData, Mesh>();
  private parts: readonly Part[] = [];

  constructor(private readonly engine: Engine) {}

  /**
   * Takes these parts instead of the last ones, which stay where one of these cannot be had. @throws
   * CollisionError
   */
  async take(parts: readonly Part[], onProgress: (done: number) => void): Promise<void> {
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

  /** Holds every part against every other. @throws CollisionError */
  find(): Found {
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
    return { clashes, asked: stats.asked, milliseconds: performance.now() - startedAt };
  }

  /** Triangles of both parts of a clash, a[i] meeting b[i]. */
  trianglesOf({ a, b }: Clash): { a: Uint32Array; b: Uint32Array } {
    const [first, second] = [this.parts[a]!, this.parts[b]!];
    return this.engine
      .query(this.meshes.get(first.mesh)!, this.meshes.get(second.mesh)!, {
        transformA: first.transform,
        transformB: second.transform,
      })
      .copy();
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
