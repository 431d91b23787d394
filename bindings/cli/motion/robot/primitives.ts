// Makes meshes of the shapes in URDF files. Each mesh encloses its shape, so that no contact is missed.
import { floatAbove } from '../../../core/floats.js';
import { cos, sin } from '../../../samples/portableMath.js';
import type { Shape } from './urdf.js';

export interface ShapeMesh {
  positions: Float32Array;
  indices: Uint32Array;
}

/** Number of sides of a cylinder, and of meridians of a sphere. */
const SIDES = 64;
/** Number of rings of a sphere between its poles. */
const RINGS = 31;
/** Radii are enlarged by this factor, which exceeds the rounding of coordinates to float32. */
const ENLARGE = 1 + 2 ** -22;

/** Returns a closed mesh that contains the shape, in the frame of the shape. */
export function meshOf(shape: Exclude<Shape, { kind: 'mesh' }>): ShapeMesh {
  if (shape.kind === 'box') return boxMesh(shape.size);
  // Except for ENLARGE, this is the distance from the center to a corner of the polygon around the unit circle.
  const outer = ENLARGE / cos(Math.PI / SIDES);
  if (shape.kind === 'cylinder') {
    const { radius, length } = shape;
    const top = floatAbove(length / 2);
    const ring = (z: number) => ({ radius: radius * outer, z });
    return revolve([ring(-top), ring(top)], -top, top);
  }
  // If the corners lie on the unit sphere, the planes of the triangles are at least this far from the center.
  const step = Math.PI / (RINGS + 1);
  const inner = cos(Math.PI / SIDES) * cos(step / 2);
  const radius = (shape.radius * ENLARGE) / inner;
  const rings = Array.from({ length: RINGS }, (_, i) => ({
    radius: radius * sin((i + 1) * step),
    z: -radius * cos((i + 1) * step),
  }));
  return revolve(rings, -radius, radius);
}

function boxMesh(size: number[]): ShapeMesh {
  const corner = size.map(length => floatAbove(length / 2));
  const positions = Float32Array.from({ length: 24 }, (_, i) =>
    (Math.floor(i / 3) >> (i % 3)) & 1 ? corner[i % 3] : -corner[i % 3],
  );
  const faces = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5];
  const indices = Uint32Array.from({ length: 36 }, (_, i) => {
    const corner = [0, 1, 2, 0, 2, 3][i % 6];
    return faces[4 * Math.floor(i / 6) + corner];
  });
  return { positions, indices };
}

// Returns a mesh of rings around the z axis, closed by a point at its bottom and its top.
function revolve(rings: { radius: number; z: number }[], bottom: number, top: number): ShapeMesh {
  const points = rings.flatMap(({ radius, z }) =>
    Array.from({ length: SIDES }, (_, side) => {
      const angle = (2 * Math.PI * side) / SIDES;
      return [radius * cos(angle), radius * sin(angle), z];
    }),
  );
  const [low, high] = [points.length, points.length + 1];
  const triangles: number[] = [];
  const last = SIDES * (rings.length - 1);
  for (let side = 0; side < SIDES; side++) {
    const next = (side + 1) % SIDES;
    triangles.push(low, next, side, high, last + side, last + next);
    for (let ring = 0; ring < last; ring += SIDES)
      triangles.push(
        ring + side,
        ring + next,
        ring + SIDES + next,
        ring + side,
        ring + SIDES + next,
        ring + SIDES + side,
      );
  }
  return {
    positions: Float32Array.from([...points, [0, 0, bottom], [0, 0, top]].flat()),
    indices: Uint32Array.from(triangles),
  };
}
