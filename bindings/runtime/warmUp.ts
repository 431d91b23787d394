// Warms up a new engine: runs its kernels and methods until the JavaScript engine optimizes them, so that the
// first query of the user is as fast as later ones.
import type { CoreEngine } from '../engine/engine.js';
import type { MeshData } from '../mesh/mesh.js';
import { repeat } from './repeat.js';

const CELLS = 20;
/**
 * Long enough for the JavaScript engine to recognize every kernel as hot. The JavaScript engine then compiles
 * hot kernels in the background.
 */
const BUILD_MILLISECONDS = 12;
const QUERY_MILLISECONDS = 20;
const ANY_HIT_QUERIES = 16;

/**
 * Repeatedly builds, deforms and queries small crossing surfaces. Keeps no memory except working buffers,
 * which the user's first calls reuse.
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
  repeat(QUERY_MILLISECONDS, iteration => {
    // Alternates between crossing and nearby surfaces, so that the code for hits, for misses and for cases in
    // between is compiled.
    transformB[13] = 0.3 * Math.sin(iteration);
    transformB[14] = 0.6 * Math.cos(iteration);
    engine.query(floor, wall, { transformB, order: iteration % 2 === 0 ? 'any' : 'sorted', parts: 1 });
    // An any-hit query is so short that its code becomes hot only if it runs many times.
    for (let hit = 0; hit < ANY_HIT_QUERIES; hit++)
      engine.query(floor, wall, { transformB, want: 'any', parts: 1 });
  });
  for (const made of [floor, wall]) made.dispose();
}

// Returns a rippled square of 2 CELLS^2 triangles.
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
