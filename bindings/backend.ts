// What every system runs on: one arena, one pool of threads, constant tables -> made once per engine.
import type { Arena } from './memory.js';
import type { Pool } from './pool.js';

export interface Backend {
  readonly arena: Arena;
  readonly pool: Pool;
  /** 16 rows of 16 bytes: the swizzle that packs the lanes of a 4-bit mask to the left. */
  readonly packTableAt: number;
}

const LANES = 4;
const LANE_BYTES = 4;

/** Writes the left-packing table: row m moves the set lanes of mask m to the front; the rest repeats lane 0. */
export function writePackTable(arena: Arena): number {
  const at = arena.allocate(16 * 16);
  for (let mask = 0; mask < 16; mask++) {
    let to = 0;
    for (let lane = 0; lane < LANES; lane++) {
      if ((mask & (1 << lane)) === 0) continue;
      for (let byte = 0; byte < LANE_BYTES; byte++) arena.u8[at + mask * 16 + to * LANE_BYTES + byte] = lane * LANE_BYTES + byte;
      to++;
    }
    for (; to < LANES; to++) for (let byte = 0; byte < LANE_BYTES; byte++) arena.u8[at + mask * 16 + to * LANE_BYTES + byte] = byte;
  }
  return at;
}
