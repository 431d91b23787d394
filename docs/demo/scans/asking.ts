// Two meshes and where they are, frame by frame -> answers: of the CPU in the same frame, of a GPU in one of
// the next.
import type { Engine, Mesh, MeshData, QueryOptions } from 'pfront';
import { show } from '../shell/elements.js';
import { whyNone } from './backendChoice.js';

/** Triangles that meet with the meshes placed by `matrices`. */
export interface Answer {
  matrices: Float64Array;
  hits: { count: number; a: Uint32Array; b: Uint32Array };
  frontNodes: number;
  time: number;
}

export class Asking {
  readonly isOnGpu: boolean;
  private meshes: Mesh[] = [];
  private isWaiting = false;
  private answer: Answer | undefined;
  private error: { what: unknown } | undefined;

  constructor(private readonly engine: Engine) {
    this.isOnGpu = engine.info.backend === 'webgpu';
  }

  /** Two other meshes. */
  change(data: readonly MeshData[]): void {
    for (const mesh of this.meshes) mesh.dispose();
    this.meshes = data.map(mesh => this.engine.createMesh(mesh));
    this.answer = undefined;
  }

  /** The CPU's answer, or the one that a GPU has given since the last frame. */
  ask(matrices: Float64Array, how: QueryOptions): Answer | undefined {
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
    if (!this.isWaiting) void this.askGpu(a, b, matrices, options);
    return answer;
  }

  private async askGpu(
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
      if (backend === 'wasm') show('backend-hint', whyNone(this.engine.info));
      this.answer = {
        matrices,
        hits,
        frontNodes: (gpu as { frontNodes: number } | undefined)?.frontNodes ?? 0,
        time: milliseconds,
      };
    } catch (error) {
      // Of meshes that are gone nothing is wanted.
      if (this.meshes[0] === a) this.error = { what: error };
    } finally {
      this.isWaiting = false;
    }
  }
}
