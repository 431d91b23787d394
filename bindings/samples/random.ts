// Generates pseudorandom numbers that are the same on every machine, with Marsaglia's 32-bit xorshift
// followed by a multiplication. Also hashes integers.

import { cos, sin } from './portableMath.js';

/** A stream of pseudorandom numbers. */
export interface Random {
  /** Returns 32 random bits. */
  bits(): number;
  /** Returns a double in [from, to), or `to` itself if the result is rounded up to it. */
  between(from: number, to: number): number;
  /** Returns an integer in [0, count). */
  below(count: number): number;
  /** Returns a unit vector, uniformly distributed over the sphere. */
  direction(): [x: number, y: number, z: number];
}

/**
 * Hashes 32-bit integers to 32 bits that depend on all bits of all the integers. The hashes can be used as
 * seeds of unrelated streams. Source: the finalizer of MurmurHash3.
 */
export function hash32(...words: number[]): number {
  let state = 0x2f0b4c47;
  for (const word of words) {
    state = Math.imul(state ^ word, 0x85ebca6b);
    state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
    state ^= state >>> 16;
  }
  return state >>> 0;
}

/**
 * Creates a stream of pseudorandom numbers from an integer seed. A seed gives the same stream on every
 * machine. Different 32-bit seeds give different streams, except for one pair of seeds. Source:
 * Marsaglia's 32-bit xorshift.
 */
export function createRandom(seed: number): Random {
  // The state must not be 0, because xorshift does not change 0.
  let state = (Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995) | 0 || 1;
  const bits = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return Math.imul(state, 0x2c1b3c6d) >>> 0;
  };
  const between = (from: number, to: number): number => from + (to - from) * (bits() / 2 ** 32);
  const below = (count: number): number => Math.floor((bits() / 2 ** 32) * count);
  const direction = (): [number, number, number] => {
    const z = between(-1, 1);
    const angle = between(0, 2 * Math.PI);
    const radius = Math.sqrt(1 - z * z);
    return [radius * cos(angle), radius * sin(angle), z];
  };
  return { bits, between, below, direction };
}
