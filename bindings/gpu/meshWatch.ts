// Detects changes of a query's meshes between the call and the answer. `check` throws if a mesh has changed.
import { Disposed, Stale } from '../core/errors.js';
import type { Mesh } from '../mesh/mesh.js';

/**
 * Detects changes of meshes since the watch was constructed. `AsyncRunner` calls `check` before it runs a query
 * on the CPU or the GPU, and again when the GPU has run the query. `AsyncSweeps` calls `check` before a sweep
 * of two meshes in steps begins.
 */
export class MeshWatch {
  readonly #meshes: readonly (Mesh | undefined)[];
  readonly #versions: readonly (number | undefined)[];

  /** Ignores entries that are not meshes. The query throws an error when it reads them. */
  constructor(meshes: readonly (Mesh | undefined)[] = []) {
    this.#meshes = meshes;
    this.#versions = meshes.map(mesh => mesh?.version);
  }

  /** Checks the meshes. @throws Stale if a mesh changed; Disposed if a mesh or its engine was disposed */
  check(): void {
    this.#meshes.forEach((mesh, i) => {
      if (!mesh || this.#versions[i] === undefined) return;
      if (mesh.isDisposed)
        throw new Disposed(
          `mesh ${mesh.id} or its engine was disposed while a query of it was pending`,
          'await the answer before disposing of meshes',
        );
      if (mesh.version !== this.#versions[i])
        throw new Stale(
          `mesh ${mesh.id} changed while a query of it was pending`,
          'await the answer before updating meshes',
        );
    });
  }
}
