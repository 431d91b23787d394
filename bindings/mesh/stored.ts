// The module 'stored': saves meshes as bytes and loads them.
import type { EngineHost, EngineModule } from '../core/module.js';
import { loadMesh } from './loadMesh.js';
import type { Mesh } from './mesh.js';
import { writeMesh } from './serialize.js';

/** Methods that the module 'stored' adds to an engine. */
export class StoredMethods {
  readonly #host: EngineHost;

  /** @internal */
  constructor(host: EngineHost) {
    this.#host = host;
  }

  /**
   * Creates a mesh from the bytes that `mesh.serialize()` returned. The bytes are checked as untrusted input.
   * @throws InvalidMesh, Disposed, Capacity
   */
  loadMesh(bytes: Uint8Array): Mesh {
    this.#host.beginCall();
    return this.#host.adopt(loadMesh(this.#host.context, bytes));
  }
}

export const stored: EngineModule<StoredMethods> = {
  extend: context => ({ writeMesh: (recordAt, options) => writeMesh(context, recordAt, options) }),
  makeMethods: host => new StoredMethods(host),
};
