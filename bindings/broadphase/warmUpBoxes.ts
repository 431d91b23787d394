// Warms up the box pair code of a new engine, so that the first real call is as fast as later ones.

import { repeat } from '../runtime/repeat.js';
import type { BoxPairsOptions } from './boxPairs.js';
import type { BroadPhase } from './broadPhase.js';

const MILLISECONDS = 12;
const BOXES = 2500;
const MOVERS = 50;

interface BoxFinder {
  boxPairs(boxes: Float32Array, options: BoxPairsOptions): unknown;
  createBroadPhase(): BroadPhase;
}

/**
 * Repeatedly finds the pairs of 2,500 boxes, with `boxPairs` and with a broad phase. Afterwards, the engine
 * keeps only working buffers, which later calls use.
 */
export function warmUpBoxes(engine: BoxFinder): void {
  const cube = boxes();
  const ids = Uint32Array.from({ length: MOVERS }, (_, i) => i);
  const broad = engine.createBroadPhase();
  broad.set(cube);
  repeat(MILLISECONDS, iteration => {
    engine.boxPairs(cube, { order: iteration % 2 === 0 ? 'any' : 'sorted' });
    // Boxes move back and forth, so that some pairs begin and some end.
    broad.move(ids, cube.subarray(6 * (iteration % 2), 6 * ((iteration % 2) + MOVERS)));
    broad.pairs();
  });
  broad.dispose();
}

/** Returns boxes in a cube; each overlaps a few others. */
function boxes(): Float32Array {
  return Float32Array.from({ length: 6 * BOXES }, (_, i) => {
    const center = (Math.abs(Math.sin(12.9898 * (3 * Math.floor(i / 6) + (i % 3)))) * 43758.5453) % 15;
    return i % 6 < 3 ? center - 0.5 : center + 0.5;
  });
}
