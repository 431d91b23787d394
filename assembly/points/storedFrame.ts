// Converts points to the frame in which the boxes of a mesh's tree are stored.
import { MeshRecord } from '../records';

/**
 * Returns one coordinate, in this frame, of the point at `point` (three f64). axis: the byte offset of the
 * coordinate among three floats: 0, 4 or 8.
 */
export function stored(mesh: usize, point: usize, axis: usize): f64 {
  return (
    (load<f64>(point + (axis << 1)) - <f64>load<f32>(mesh + axis, MeshRecord.centerX)) *
    <f64>load<f32>(mesh, MeshRecord.scale)
  );
}

/** Returns the largest stored |coordinate| of the mesh on an axis. axis: 0, 4 or 8. */
export function reachAlong(mesh: usize, axis: usize): f64 {
  return abs(<f64>load<f32>(mesh + axis, MeshRecord.middleX)) + <f64>load<f32>(mesh + axis, MeshRecord.halfX);
}

/** Returns the largest stored |coordinate| of the mesh. */
export function reachOf(mesh: usize): f64 {
  return max(reachAlong(mesh, 0), max(reachAlong(mesh, 4), reachAlong(mesh, 8)));
}
