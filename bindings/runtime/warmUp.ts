// A new engine -> one whose kernels and calls the machine has already translated well: the first real query
// is as quick as the next.
import type { CoreEngine } from '../engine/engine.js';
import type { MeshData } from '../mesh/mesh.js';
import { repeat } from './repeat.js';

const CELLS = 20;
/** Long enough for every kernel to be noticed as hot; translation itself goes on in the background. */
const BUILD_MILLISECONDS = 12;
const QUERY_MILLISECONDS = 20;
const FIRST_HITS = 16;

/**
 * Builds, bends and queries small crossing surfaces over and over. Keeps working buffers only, which the
 * first calls use.
 */
export function warmUp(engine: CoreEngine): void {
  const low = ripples(0.1);
  const high = ripples(0.2);
  repeat(BUILD_MILLISECONDS, () => {
    const sah = engine.createMesh(low, { deformable: true });
    sah.update(high.positions);
    sah.dispose();
    engine.createMesh(high, { builder: 'morton' }).dispose();
  });
  const floor = engine.createMesh(low);
  const wall = engine.createMesh(high);
  const transformB = Float32Array.of(0.8, 0, 0.6, 0, 0, 1, 0, 0, -0.6, 0, 0.8, 0, 0, 0, 0, 1);
  repeat(QUERY_MILLISECONDS, round => {
    // Now crossing, now only near each other: hits, misses and what lies between.
    transformB[13] = 0.3 * Math.sin(round);
    transformB[14] = 0.6 * Math.cos(round);
    engine.query(floor, wall, { transformB, order: round % 2 === 0 ? 'any' : 'sorted', parts: 1 });
    // First hits are over so soon that it takes many of them to be noticed.
    for (let hit = 0; hit < FIRST_HITS; hit++)
      engine.query(floor, wall, { transformB, want: 'any', parts: 1 });
  });
  for (const made of [floor, wall]) made.dispose();
}

// A rippled square of 2 CELLS^2 triangles.
function ripples(height: number): MeshData {
  const side = CELLS + 1;
  const positions = new Float32Array(side * side * 3);
  const indices = new Uint32Array(CELLS * CELLS * 6);
  for (let y = 0, v = 0; y < side; y++) {
    for (let x = 0; x < side; x++, v += 3) {
      positions[v] = x / CELLS - 0.5;
      positions[v + 1] = y / CELLS - 0.5;
      positions[v + 2] = height * Math.sin(x + 0.5 * y);
    }
  }
  for (let y = 0, i = 0; y < CELLS; y++) {
    for (let x = 0; x < CELLS; x++, i += 6) {
      const a = y * side + x;
      indices.set([a, a + 1, a + side, a + side, a + 1, a + side + 1], i);
    }
  }
  return { positions, indices };
}
