// Stored meshes -> what they add to an engine.
import type { EngineHost, EngineModule } from '../core/module.js';
import { loadMesh } from './loadMesh.js';
import type { Mesh } from './mesh.js';
import { writeMesh } from './serialize.js';

/** Verbs of stored meshes. */
export class StoredVerbs {
  readonly #host: EngineHost;

  /** @internal */
  constructor(host: EngineHost) {
    this.#host = host;
  }

  /**
   * A mesh from the bytes of `mesh.serialize()`; they are checked as if hostile. @throws InvalidMesh,
   * Disposed, Capacity
   */
  loadMesh(bytes: Uint8Array): Mesh {
    this.#host.tick();
    return this.#host.adopt(loadMesh(this.#host.backend, bytes));
  }
}

export const stored: EngineModule<StoredVerbs> = {
  extend: machine => ({ writeMesh: (recordAt, making) => writeMesh(machine, recordAt, making) }),
  makeVerbs: host => new StoredVerbs(host),
};
