// What a swarm is made of: bodies whose motion is a function of their own state, the step, and whom they met.
import type { MeshData } from '../../mesh/mesh.js';
import type { Space } from './space.js';

/** Whom a body met on the way. */
export interface Meeting {
  /** Number of the other body. */
  other: number;
  /** Part of the step before which they do not touch. */
  toi: number;
  /** Where the other's origin is at the step's end. */
  x: number;
  /** See `x`. */
  y: number;
  /** See `x`. */
  z: number;
}

/**
 * Bodies 0 to count - 1 that move step by step, and where each is. What a body does must follow from its own
 * numbers alone, by the same arithmetic on every machine: it may live on any node.
 */
export interface SwarmWorld {
  /** How many bodies. */
  readonly count: number;
  /** Numbers of a body's state. */
  readonly stateLength: number;
  /** What bodies look like. */
  readonly meshes: readonly MeshData[];
  /** Least x, least y, greatest x, greatest y: what is cut into columns. Bodies may leave it. */
  readonly ground: readonly [number, number, number, number];
  /** Which of `meshes` the body has. */
  meshOf(body: number): number;
  /** Writes the state before step 1. */
  begin(body: number, state: Float64Array): void;
  /** Changes the state by a step, numbered from 1 on. */
  advance(body: number, state: Float64Array, step: number): void;
  /**
   * Writes where the state places the body: three rows of four. In a step it goes straight from where that is
   * before `advance` to where it is after.
   */
  place(body: number, state: Float64Array, rows: Float64Array): void;
  /** Changes the state by whom the body met in the step, sorted by their numbers. */
  respond(body: number, state: Float64Array, step: number, meetings: readonly Meeting[]): void;
  /** Who owns which place among so many members, for good, in place of columns. @internal */
  spaceOf?(memberCount: number): Space;
}

/** A world by its name, or nothing: every process of a swarm must find the same. */
export type FindWorld = (name: string) => SwarmWorld | undefined;

/** Where a swarm has come to: what another goes on from. */
export interface SwarmStates {
  /** After which step. */
  step: number;
  /** Of all bodies, by their numbers: `stateLength` numbers each. */
  states: Float64Array;
}
