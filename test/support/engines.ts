// Makes an engine for the duration of a test, and converts results to forms that can be compared.

import { BroadPhase } from '../../dist/broadphase/broadPhase.js';
import {
  type BroadPhaseOptions,
  createEngine,
  type Engine,
  type EngineOptions,
  type Mesh,
  type PairsCopy,
} from '../../dist/index.js';
import type { EngineContext } from '../../dist/runtime/engineContext.js';
import type { Pool } from '../../dist/runtime/pool.js';
import type { Pair } from '../oracle/bruteForce.js';
import { hashBytes } from './hash.js';

export async function withEngine<T>(
  options: EngineOptions,
  use: (engine: Engine) => T | Promise<T>,
): Promise<T> {
  const engine = await createEngine(options);
  try {
    return await use(engine);
  } finally {
    engine.dispose();
  }
}

export const pairsOf = ({ a, b }: { a: Uint32Array; b: Uint32Array }): Pair[] =>
  Array.from(a, (first, i): Pair => [first, b[i]]);

export const swappedPairs = (pairs: readonly Pair[]): Pair[] =>
  pairs.map(([a, b]): Pair => [b, a]).sort((left, right) => left[0] - right[0] || left[1] - right[1]);

/** Returns a hash of the pairs in the given order; a result in another order has another hash. */
export const hashInOrder = ({ a, b }: Pick<PairsCopy, 'a' | 'b'>): string => hashBytes(a, b);

/** Returns the context of an engine. */
export const contextOf = (engine: Engine): EngineContext =>
  (engine as unknown as { context: EngineContext }).context;

/** Returns the pool of an engine, so that tests can shorten its deadline and replace its functions. */
export const poolOf = (engine: Engine): Pool => contextOf(engine).pool;

export function disposeAll(...meshes: Mesh[]): void {
  for (const mesh of meshes) mesh.dispose();
}

/** Returns the error that `run` throws; fails if `run` throws nothing. */
export function caught(run: () => unknown): Error & { code?: string; fix?: string } {
  try {
    run();
  } catch (error) {
    return error as Error & { code?: string; fix?: string };
  }
  throw new Error('an error was expected, but none was thrown');
}

export async function caughtLater(
  run: () => Promise<unknown>,
): Promise<Error & { code?: string; fix?: string }> {
  try {
    await run();
  } catch (error) {
    return error as Error & { code?: string; fix?: string };
  }
  throw new Error('an error was expected, but none was thrown');
}

/**
 * Makes a broad phase that treats boxes whose min is above their max as empty, as scenes do for removed
 * bodies.
 */
export function broadPhaseOfBodies(engine: Engine, options: BroadPhaseOptions): BroadPhase {
  using ordinary = engine.createBroadPhase();
  const { host } = ordinary as unknown as { host: ConstructorParameters<typeof BroadPhase>[0] };
  return new BroadPhase({ ...host, inverted: 'empty' }, options);
}

/** Calls `runQuery`. @returns the names of the kernels that the calling thread ran during this call */
export function kernelsOf(made: Engine, runQuery: () => void): Set<string> {
  const { pool } = (
    made as unknown as { context: { pool: { kernels: Record<string, (...job: number[]) => void> } } }
  ).context;
  const { kernels } = pool;
  const names = new Set<string>();
  pool.kernels = Object.fromEntries(
    Object.entries(kernels).map(([name, run]) => [
      name,
      (...job: number[]) => {
        names.add(name);
        run(...job);
      },
    ]),
  );
  runQuery();
  pool.kernels = kernels;
  return names;
}
