// Generates a sheet of cloth that folds into the shape of a meandering river, until neighboring folds touch
// and cross.

import { InvalidMesh } from '../core/errors.js';
import { cos, sin } from './portableMath.js';
import { createRandom } from './random.js';
import type { MeshData } from './types.js';

/** Cloth that deforms from frame to frame. */
export interface FoldingCloth {
  /** The sheet in its initial state, flat. */
  mesh: MeshData;
  /** Returns x, y, z of each vertex at a frame number, which may be fractional. */
  frame(t: number): Float32Array;
}

/** Number of waves of the meander along the sheet. Each wave has two bends. */
const MEANDER_WAVES = 6;
/** Maximum angle of the meander in the last frame, in radians. From about 2 on, neighboring bends touch. */
const STEEPEST = 2.2;
/**
 * Number of wrinkles, their height relative to the sheet's side of 1, and the maximum number of waves of a
 * wrinkle along the side.
 */
const WRINKLES = 12;
const WRINKLE_HEIGHT = 0.004;
const MAX_WAVES = 40;
/** Number of integration steps of the curve in each cell of the grid. */
const SUBSTEPS = 4;

interface Wrinkle {
  x: number;
  y: number;
  phase: number;
  speed: number;
}

/**
 * Generates a square sheet with side 1. It is divided into the smallest square grid that has at least `count`
 * triangles. The cross section of the sheet in the xz plane is a curve whose direction angle is a cosine of its
 * arc length. The amplitude of this angle grows with time, and lengths along the curve do not change. Small
 * waves of random directions run over the sheet. In frame 0 the sheet is flat. In frame `frames`, neighboring
 * bends cross each other. Source: Langbein and Leopold 1966 (sine-generated curve).
 * @throws InvalidMesh if `count` is less than 2
 */
export function foldingCloth(count: number, frames: number, seed = 1): FoldingCloth {
  if (!(count >= 2))
    throw new InvalidMesh(`a cloth needs at least 2 triangles, not ${count}`, 'pass a count of at least 2');
  const cells = Math.ceil(Math.sqrt(count / 2));
  const side = cells + 1;
  const random = createRandom(seed);
  const wrinkles = Array.from({ length: WRINKLES }, (): Wrinkle => {
    const angle = random.between(0, 2 * Math.PI);
    const waves = 2 * Math.PI * random.between(4, MAX_WAVES);
    return {
      x: waves * cos(angle),
      y: waves * sin(angle),
      phase: random.between(0, 2 * Math.PI),
      speed: random.between(-3, 3),
    };
  });
  const height = (x: number, y: number, time: number): number => {
    let sum = 0;
    for (const wrinkle of wrinkles)
      sum += sin(wrinkle.x * x + wrinkle.y * y + wrinkle.phase + wrinkle.speed * time);
    return Math.min(1, 4 * time) * (WRINKLE_HEIGHT / Math.sqrt(WRINKLES)) * sum;
  };
  const frame = (t: number): Float32Array => {
    const time = t / frames;
    const positions = new Float32Array(3 * side * side);
    const curve = meander(cells, STEEPEST * time);
    for (let column = 0; column < side; column++) {
      const { x, z, angle } = curve[column];
      for (let row = 0; row < side; row++) {
        const up = height(column / cells, row / cells, time);
        positions.set([x - up * sin(angle), row / cells, z + up * cos(angle)], 3 * (row * side + column));
      }
    }
    return positions;
  };
  return { mesh: { positions: frame(0), indices: squares(cells) }, frame };
}

interface CurvePoint {
  x: number;
  z: number;
  angle: number;
}

// Returns the points of the curve at the borders of the cells, which are at equal distances along the curve.
function meander(cells: number, steepest: number): CurvePoint[] {
  const angleAt = (part: number): number => steepest * cos(2 * Math.PI * MEANDER_WAVES * part);
  const points: CurvePoint[] = [];
  const length = 1 / (cells * SUBSTEPS);
  let x = 0;
  let z = 0;
  for (let cell = 0; cell <= cells; cell++) {
    points.push({ x, z, angle: angleAt(cell / cells) });
    for (let step = 0; step < SUBSTEPS; step++) {
      const angle = angleAt((cell + (step + 0.5) / SUBSTEPS) / cells);
      x += length * cos(angle);
      z += length * sin(angle);
    }
  }
  return points;
}

// Returns two triangles per square, with alternating diagonals.
function squares(cells: number): Uint32Array {
  const indices = new Uint32Array(6 * cells * cells);
  const side = cells + 1;
  for (let y = 0; y < cells; y++) {
    for (let x = 0; x < cells; x++) {
      const a = y * side + x;
      const [b, c, d] = [a + 1, a + side, a + side + 1];
      indices.set((x + y) % 2 === 0 ? [a, b, d, a, d, c] : [a, b, c, b, d, c], 6 * (y * cells + x));
    }
  }
  return indices;
}
