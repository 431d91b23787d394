// Checks that a mesh belongs to an engine.
import { Unsupported } from '../core/errors.js';
import type { EngineHost } from '../core/module.js';
import type { Mesh } from '../mesh/mesh.js';

/** @throws Unsupported if the mesh is missing or belongs to another engine */
export function rejectForeign(host: EngineHost, mesh: Mesh): void {
  if (!host.owns(mesh))
    throw new Unsupported(
      'the mesh is missing, or belongs to another engine',
      'pass a mesh that createMesh of this engine returned',
    );
}
