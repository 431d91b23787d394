// Stored meshes -> what they add to an engine.
import type { Feature } from '../core/feature.js';
import { loadMesh } from './loadMesh.js';
import type { Mesh } from './mesh.js';
import { writeMesh } from './serialize.js';

/** Verbs of stored meshes. */
export interface StoredVerbs {
  /** A mesh from the bytes of `mesh.serialize()`; they are checked as if hostile. @throws InvalidMesh, Disposed, Capacity */
  loadMesh(bytes: Uint8Array): Mesh;
}

export const stored: Feature<StoredVerbs> = {
  makeVerbs({ backend, tick, adopt }) {
    backend.writeMesh = (recordAt, making) => writeMesh(backend, recordAt, making);
    return {
      loadMesh(bytes) {
        tick();
        return adopt(loadMesh(backend, bytes));
      },
    };
  },
 
};
