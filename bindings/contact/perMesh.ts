// Keeps data that were computed from a mesh until the mesh's coordinates change.

import type { Mesh } from '../mesh/mesh.js';

/**
 * Returns a function that calls `compute` for a mesh only if the mesh's version has changed since the last
 * call.
 */
export function perMesh<Data>(compute: (mesh: Mesh) => Data): (mesh: Mesh) => Data {
  const kept = new WeakMap<Mesh, { version: number; data: Data }>();
  return mesh => {
    const { version } = mesh;
    let known = kept.get(mesh);
    if (known?.version !== version) kept.set(mesh, (known = { version, data: compute(mesh) }));
    return known.data;
  };
}
