// Box pairs of a new engine -> as quick at the first real call as at the next.

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

/** Finds the pairs of a small crowd over and over. Keeps working buffers only, which the first calls use. */
export function warmUpBoxes(engine: BoxFinder): void {
  const crowd = boxes();
  const ids = Uint32Array.from({ length: MOVERS }, (_, i) => i);
  const broad = engine.createBroadPhase();
  broad.set(crowd);
  repeat(MILLISECONDS, round => {
    engine.boxPairs(crowd, { order: round % 2 === 0 ? 'any' : 'sorted' });
    // There and back: some pairs begin, some end.
    broad.move(ids, crowd.subarray(6 * (round % 2), 6 * ((round % 2) + MOVERS)));
    broad.pairs();
  });
  broad.dispose();
}

/** Boxes in a cube, each overlapping a few others. */
function boxes(): Float32Array {
  return Float32Array.from({ length: 6 * BOXES }, (_, i) => {
    const center = (Math.abs(Math.sin(12.9898 * (3 * Math.floor(i / 6) + (i % 3)))) * 43758.5453) % 15;
    return i % 6 < 3 ? center - 0.5 : center + 0.5;
  });
}
