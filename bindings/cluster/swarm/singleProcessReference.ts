// Simulates a world in one process, with one scene and without a network. This is the reference with which
// the results of a swarm (a simulation of the same world on several nodes) are compared.

import type { SweepStats } from '../../core/stats.js';
import type { Engine } from '../../engine/engine.js';
import { Digest } from './digest.js';
import { addContact, addState } from './localSimulation.js';
import type { SwarmContacts } from './rows.js';
import type { BodyContact, SwarmStates, SwarmWorld } from './world.js';

/** The results of one step of stepSingleProcess. */
export interface ReferenceRow {
  /** The number of the step, counted from 1. */
  step: number;
  /** The number of pairs of bodies that touch during the step. */
  contacts: number;
  /** See SwarmRow. */
  contactDigest: string;
  /** See SwarmRow. */
  stateDigest: string;
  /** The contacts, sorted by a, then b. */
  collected: SwarmContacts;
  /** The cost of finding the contacts. */
  stats: SweepStats;
}

/**
 * Simulates a world step by step by calling detect({ continuous: true }) on one scene, and yields a row for
 * each step.
 * @param after the states to continue from, instead of the initial states
 * @returns the states after the last step
 * @throws Capacity, InvalidTransform
 */
export function* stepSingleProcess(
  engine: Engine,
  world: SwarmWorld,
  steps: number,
  after?: SwarmStates,
): Generator<ReferenceRow, Float64Array> {
  const { count, stateLength } = world;
  const first = after?.step ?? 0;
  const meshes = world.meshes.map(mesh => engine.createMesh(mesh));
  const states = after?.states.slice() ?? new Float64Array(count * stateLength);
  const stateOf = (body: number): Float64Array =>
    states.subarray(body * stateLength, (body + 1) * stateLength);
  const scene = engine.createScene();
  try {
    for (let body = 0; body < count; body++) {
      if (!after) world.begin(body, stateOf(body));
      scene.add(meshes[world.meshOf(body)]);
    }
    for (let step = first + 1; step <= first + steps; step++) {
      const from = matricesOf(world, states);
      for (let body = 0; body < count; body++) world.advance(body, stateOf(body), step);
      const to = matricesOf(world, states);
      scene.setTransforms(to, { from });
      const found = scene.detect({ continuous: true });
      // No body was removed, so a body's slot is its number.
      const placed = {
        ...found,
        a: found.a.map(id => scene.slotOf(id)),
        b: found.b.map(id => scene.slotOf(id)),
      };
      const contactSum = new Digest();
      const stateSum = new Digest();
      for (let i = 0; i < found.count; i++) addContact(contactSum, step, placed, i);
      respondAll(world, step, stateOf, placed, to);
      for (let body = 0; body < count; body++) addState(stateSum, step, body, stateOf(body));
      const { a, b, toi, bound, kind, featureA, featureB, triangleA, triangleB } = placed;
      yield {
        step,
        contacts: found.count,
        contactDigest: contactSum.toString(),
        stateDigest: stateSum.toString(),
        collected: { a, b, toi, bound, kind, featureA, featureB, triangleA, triangleB },
        stats: found.stats,
      };
    }
    return states;
  } finally {
    scene.dispose();
    for (const mesh of meshes) mesh.dispose();
  }
}

function respondAll(
  world: SwarmWorld,
  step: number,
  stateOf: (body: number) => Float64Array,
  { a, b, toi }: Pick<SwarmContacts, 'a' | 'b' | 'toi'>,
  to: Float64Array,
): void {
  const byBody = new Map<number, BodyContact[]>();
  const add = (body: number, other: number, at: number): void => {
    const contact = {
      other,
      toi: at,
      x: to[16 * other + 12],
      y: to[16 * other + 13],
      z: to[16 * other + 14],
    };
    const known = byBody.get(body);
    if (known) known.push(contact);
    else byBody.set(body, [contact]);
  };
  for (let i = 0; i < a.length; i++) {
    add(a[i], b[i], toi[i]);
    add(b[i], a[i], toi[i]);
  }
  for (const [body, contacts] of byBody)
    world.respond(
      body,
      stateOf(body),
      step,
      contacts.sort((x, y) => x.other - y.other),
    );
}

function matricesOf(world: SwarmWorld, states: Float64Array): Float64Array {
  const matrices = new Float64Array(16 * world.count);
  const rows = new Float64Array(12);
  for (let body = 0; body < world.count; body++) {
    world.place(body, states.subarray(body * world.stateLength, (body + 1) * world.stateLength), rows);
    for (let row = 0; row < 3; row++)
      for (let column = 0; column < 4; column++)
        matrices[16 * body + 4 * column + row] = rows[4 * row + column];
    matrices[16 * body + 15] = 1;
  }
  return matrices;
}
