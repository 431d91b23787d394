// Queries the two meshes of the scans page in every frame. The CPU returns the result in the same frame, a
// GPU in a later frame.
import type { Engine, Mesh, MeshData, QueryOptions } from 'pfront';
import { setText } from '../shell/elements.js';
import { whyNoGpu } from './backendChoice.js';

/** The result of a query: the intersecting triangles of the two meshes, placed by `matrices`. */
export interface QueryResult {
  matrices: Float64Array;
  hits: { count: number; a: Uint32Array; b: Uint32Array };
  frontNodes: number;
  time: number;
}

export class PairQuery {
  readonly isOnGpu: boolean;
  private meshes: Mesh[] = [];
  private isWaiting = false;
  private answer: QueryResult | undefined;
  private error: { what: unknown } | undefined;

  constructor(private readonly engine: Engine) {
    this.isOnGpu = engine.info.backend === 'webgpu';
  }

  /** Replaces the two meshes. */
  change(data: readonly MeshData[]): void {
    for (const mesh of this.meshes) mesh.dispose();
    this.meshes = data.map(mesh => this.engine.createMesh(mesh));
    this.answer = undefined;
  }

  /**
   * On the CPU, runs a query and returns its result. On a GPU, starts a query unless one is running, and
   * returns the result that has arrived since the last call, or undefined if there is none.
   */
  query(matrices: Float64Array, how: QueryOptions): QueryResult | undefined {
    const [a, b] = this.meshes as [Mesh, Mesh];
    const options = {
      ...how,
      want: 'pairs',
      transformA: matrices.subarray(0, 16),
      transformB: matrices.subarray(16, 32),
    } as const;
    if (!this.isOnGpu) {
      const hits = this.engine.query(a, b, options);
      return { matrices, hits, frontNodes: hits.stats.frontNodes, time: hits.stats.milliseconds };
    }
    if (this.error) throw this.error.what;
    const { answer } = this;
    this.answer = undefined;
    if (!this.isWaiting) void this.queryGpu(a, b, matrices, options);
    return answer;
  }

  private async queryGpu(
    a: Mesh,
    b: Mesh,
    matrices: Float64Array,
    options: QueryOptions & { want: 'pairs' },
  ): Promise<void> {
    this.isWaiting = true;
    try {
      const hits = await this.engine.async.query(a, b, options);
      const { backend, gpu, milliseconds } = hits.stats;
      if (this.meshes[0] !== a) return;
      if (backend === 'wasm') setText('backend-hint', whyNoGpu(this.engine.info));
      this.answer = {
        matrices,
        hits,
        frontNodes: (gpu as { frontNodes: number } | undefined)?.frontNodes ?? 0,
        time: milliseconds,
      };
    } catch (error) {
      // If the meshes were replaced during the query, its error is ignored.
      if (this.meshes[0] === a) this.error = { what: error };
    } finally {
      this.isWaiting = false;
    }
  }
}
