// Rotates the building of the landing page about its vertical axis.
import type { Scene } from 'pfront/samples';
import { mat4d } from 'wgpu-matrix';

const toCenter = mat4d.translation([-7.2, -4.8, -3.4]);

/**
 * Returns the transforms of all parts when the building is rotated by `angle` radians. Each transform is a
 * column-major matrix of 16 doubles.
 */
export function rotateBuilding(building: Scene, angle: number): Float64Array {
  const turn = mat4d.multiply(mat4d.rotationZ(angle), toCenter);
  const placed = building.frame(0);
  for (let at = 0; at < placed.length; at += 16) {
    const part = placed.subarray(at, at + 16);
    mat4d.multiply(turn, part, part);
  }
  return placed;
}
