// Writes the fields of a BodyRecord that describe the body's mesh.
import type { Mesh } from '../mesh/mesh.js';
import type { Arena } from '../runtime/memory.js';
import { limits } from './layout.js';
import { setWords } from './record.js';
import { BodyRecord } from './sceneLayout.js';

/** Writes the mesh's address and box, and whether it has triangles, to the BodyRecord at byte address `at`. */
export function writeBodyMesh({ f32, u32 }: Arena, at: number, mesh: Mesh): void {
  f32.set(mesh.bounds, (at + BodyRecord.at.low) / 4);
  setWords(u32, at, BodyRecord, {
    meshAt: mesh.recordAt,
    presence: mesh.triangleCount > 0 ? limits.HAS_TRIANGLES : limits.NO_TRIANGLES,
  });
}
