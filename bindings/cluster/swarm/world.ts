// Defines the interface of a world that a swarm simulates: bodies that move step by step. The motion of a body
// is a function of its own state, the step, and its contacts.
import type { MeshData } from '../../mesh/mesh.js';
import type { SpacePartition } from './space.js';

/** A contact of a body during a step. */
export interface BodyContact {
  /** The number of the other body. */
  other: number;
  /** A time before which the two bodies do not touch: a fraction of the step. */
  toi: number;
  /** The position of the other body's origin at the end of the step. */
  x: number;
  /** See `x`. */
  y: number;
  /** See `x`. */
  z: number;
}

/**
 * Bodies 0 to count - 1 that move step by step. The motion of a body must depend only on its own state, the
 * step and its contacts. It must be computed with the same results on every machine, since any node may
 * simulate the body.
 */
export interface SwarmWorld {
  /** The number of bodies. */
  readonly count: number;
  /** How many numbers the state of a body has. */
  readonly stateLength: number;
  /** The meshes of the bodies. */
  readonly meshes: readonly MeshData[];
  /**
   * Minimum x, minimum y, maximum x, maximum y of the ground that is divided into columns. Bodies may leave
   * the ground.
   */
  readonly ground: readonly [number, number, number, number];
  /** Returns the index of a body's mesh in `meshes`. */
  meshOf(body: number): number;
  /** Writes the state of a body before step 1. */
  begin(body: number, state: Float64Array): void;
  /** Advances the state of a body by a step; steps count from 1. */
  advance(body: number, state: Float64Array, step: number): void;
  /**
   * Writes the placement of a body in the common frame of all bodies: three rows of four numbers. In a step,
   * the body moves linearly from its placement before the call of `advance` to its placement after this call.
   */
  place(body: number, state: Float64Array, rows: Float64Array): void;
  /**
   * Changes the state of a body in response to its contacts in the step.
   * @param contacts sorted by the number of the other body
   */
  respond(body: number, state: Float64Array, step: number, contacts: readonly BodyContact[]): void;
  /** Returns fixed regions for a number of members, in place of columns. @internal */
  spaceOf?(memberCount: number): SpacePartition;
}

/**
 * Returns the world that has the given name, or undefined if the name is unknown. In every process of a swarm,
 * this must be the same world.
 */
export type FindWorld = (name: string) => SwarmWorld | undefined;

/** The state of a swarm after a step, from which another swarm can continue. */
export interface SwarmStates {
  /** The number of steps done. */
  step: number;
  /** The states of all bodies, by number: `stateLength` numbers each. */
  states: Float64Array;
}
