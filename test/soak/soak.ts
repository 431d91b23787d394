// Runs blocks of random calls on one engine until the caller stops them, and checks that the engine's memory
// does not grow.

import { checkMemory } from '../../dist/debug/index.js';
import type { Engine } from '../../dist/index.js';
import { contextOf } from '../support/engines.js';
import { hashBytes } from '../support/hash.js';
import { CALLS_PER_BLOCK, runBlock } from './calls.js';

/** Where a soak test (a long run of random calls) begins or has ended. */
export interface SoakState {
  seed: number;
  block: number;
  /**
   * The hash of all results so far: after each block, the hash of the old chain followed by the block's hash.
   */
  chain: string;
}

interface Memory {
  /** Bytes of allocated blocks. */
  used: number;
  /** Bytes of the engine's whole WebAssembly memory. */
  wasm: number;
  /** Bytes of JavaScript objects after garbage collection. */
  heap: number;
}

export interface SoakResult extends SoakState {
  calls: number;
  checked: number;
  warm: Memory;
  end: Memory;
}

/** The number of blocks, with 1,000 calls in total, after which working memory should hardly grow. */
export const WARM_BLOCKS = 1000 / CALLS_PER_BLOCK;

async function memoryOf(engine: Engine): Promise<Memory> {
  const { gc } = globalThis;
  if (!gc) throw new Error('the soak test needs garbage collection on demand: run node with --expose-gc');
  // Finalizers run between turns of the event loop and release more memory, so this collects garbage three
  // times.
  for (let iteration = 0; iteration < 3; iteration++) {
    gc();
    await new Promise(resolve => setImmediate(resolve));
  }
  const { arena } = contextOf(engine);
  return {
    used: arena.usedBytes,
    wasm: arena.memory.buffer.byteLength,
    heap: process.memoryUsage().heapUsed,
  };
}

/**
 * Runs at least warmBlocks blocks, and then more until `isOver` returns true. Then runs the first block again. The
 * memory after warmBlocks blocks is compared with that at the end.
 * @throws if the first block now has other results, or if the engine's memory has faults
 */
export async function soak(
  engine: Engine,
  from: SoakState,
  isOver: (state: SoakState) => boolean,
  warmBlocks = WARM_BLOCKS,
): Promise<SoakResult> {
  const state = { ...from };
  let checked = 0;
  let warm: Memory | undefined;
  let first = '';
  do {
    const block = runBlock(engine, state.seed, state.block);
    first ||= block.hash;
    checked += block.checked;
    state.chain = hashBytes(new TextEncoder().encode(state.chain + block.hash));
    state.block++;
    if (state.block - from.block === warmBlocks) warm = await memoryOf(engine);
    // Lets finalizers and timers run.
    await new Promise(resolve => setImmediate(resolve));
  } while (!warm || !isOver(state));
  const end = await memoryOf(engine);
  // Checks that the engine still gives the results that it gave at the start.
  if (runBlock(engine, from.seed, from.block).hash !== first)
    throw new Error(
      `block ${from.block} of seed ${from.seed} has other results after ${state.block - from.block} blocks`,
    );
  const faults = checkMemory(engine);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const calls = (state.block - from.block) * CALLS_PER_BLOCK;
  return { ...state, calls, checked, warm, end };
}

/**
 * Describes each kind of memory that has grown too much since the first blocks. A little growth is allowed,
 * because a later call may need more working memory than all calls before.
 */
export function growthOf({ warm, end }: SoakResult): string[] {
  const limits: Memory = {
    used: 1.35 * warm.used + 2 ** 17,
    wasm: 1.5 * warm.wasm + 2 ** 22,
    heap: warm.heap + 4 * 2 ** 20,
  };
  return (Object.keys(limits) as (keyof Memory)[]).flatMap(name =>
    end[name] > limits[name]
      ? `${name}: ${warm[name]} bytes after the first blocks, ${end[name]} at the end`
      : [],
  );
}

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(2)} MiB`;

/** Describes a result in one line. */
export const summaryOf = ({ calls, checked, warm, end, seed, block, chain }: SoakResult): string =>
  [
    `${calls} calls, ${checked} compared with the oracle`,
    `blocks in use ${mebibytes(warm.used)} to ${mebibytes(end.used)}`,
    `wasm memory ${mebibytes(warm.wasm)} to ${mebibytes(end.wasm)}`,
    `JavaScript heap ${mebibytes(warm.heap)} to ${mebibytes(end.heap)}`,
    `continue with PFRONT_SOAK=${seed},${block},${chain}`,
  ].join('; ');
