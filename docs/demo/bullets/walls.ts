// Builds the walls of the bullets page, one behind the other. Each wall consists of thin slats with gaps. The
// slats of successive walls are offset, so that no gap continues straight through all walls.
import { box, type MeshData } from 'pfront/samples';
import { mat4d } from 'wgpu-matrix';

/**
 * Bullets fly along the x axis. The walls are perpendicular to x, WALL_STEP apart. All lengths are in meters.
 */
export const FIRST_WALL = 0,
  WALL_STEP = 1.7,
  WALLS = 3;
export const HALF_WIDTH = 0.9,
  HEIGHT = 2;
/** Thickness of a slat: half a centimeter, much less than the distance that a bullet flies in a step. */
export const THICKNESS = 0.005;
const SLATS = 4;

export interface Walls {
  slat: MeshData;
  /** For each slat: its transform, 16 numbers. */
  placements: Float64Array[];
  /** For each slat: the index of its wall. */
  wallOf: number[];
}

export function makeWalls(): Walls {
  const step = HEIGHT / SLATS;
  const half = 0.3 * step;
  const placements: Float64Array[] = [];
  const wallOf: number[] = [];
  for (let wall = 0; wall < WALLS; wall++) {
    for (let slat = 0; slat < SLATS; slat++) {
      placements.push(
        mat4d.translation([FIRST_WALL + wall * WALL_STEP, 0, (slat + 0.3 + 0.2 * wall) * step]),
      );
      wallOf.push(wall);
    }
  }
  return { slat: box(THICKNESS / 2, HALF_WIDTH, half), placements, wallOf };
}
