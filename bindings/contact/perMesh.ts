// Caches data that were computed from a mesh. The cached data are used until the mesh's coordinates change.

import type { Mesh } from '../mesh/mesh.js';

/**
 * Returns a function that returns the data of a mesh. It calls `compute` only if the data of this mesh are not
 * cached, or if the mesh's version has changed since they were cached.
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
