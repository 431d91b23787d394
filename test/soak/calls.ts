// Makes random calls on one engine, in blocks, and hashes their results. The calls of a block depend only on
// a seed and the block's number, not on the engine's state, so the hash must be the same on any engine at any
// time.

import type { Contacts, Engine, TrianglePairs } from '../../dist/index.js';
import { createRandom, hash32, type Random, translation } from '../../dist/samples/index.js';
import { boxPairsByAll } from '../oracle/boxesOverlap.js';
import { type Pair, trianglePairs } from '../oracle/bruteForce.js';
import { disposeAll, pairsOf } from '../support/engines.js';
import { hashBytes } from '../support/hash.js';
import { selfPairs } from '../support/selfMeshes.js';
import {
  type Call,
  choose,
  noteResultOrError,
  type PairCall,
  type Part,
  pairCall,
  placement,
  type Transform,
  truthOf,
} from './callSupport.js';
import { motionCalls } from './motionCalls.js';
import { nastyMesh, sizeOf } from './nastyMeshes.js';
import { shapeCalls } from './shapeCalls.js';

const MESHES = 6;
export const CALLS_PER_BLOCK = 50;
/** On average, one in SAMPLE calls is compared with the oracle, which tests every pair. */
const SAMPLE = 10;

const boxMethods = ['auto', 'sap', 'cells', 'octree', 'tree'] as const;
const randomScale = (random: Random): number => 2 ** (random.below(200) - 100);

/** Returns a box whose corners are on a lattice, so that boxes often touch. */
function latticeBox(random: Random, scale: number): number[] {
  const min = [0, 1, 2].map(() => random.below(40));
  return [...min, ...min.map(value => value + random.below(8))].map(value => value * scale);
}

function expectPairs(what: string, found: Pair[], expected: Pair[], call: PairCall | undefined): void {
  if (JSON.stringify(found) === JSON.stringify(expected)) return;
  const meshes = call ? `${call.a.data.recipe}; ${call.b.data.recipe}` : '';
  throw new Error(`${what}: ${found.length} pairs instead of ${expected.length} (${meshes})`);
}

const calls: Record<string, (call: Call) => void> = {
  query(call) {
    const pair = pairCall(call);
    const { a, b, transformA, transformB } = pair;
    const found: TrianglePairs = call.engine.query(a.mesh, b.mesh, { transformA, transformB });
    call.note(found.a, found.b);
    if (call.isChecked) expectPairs('query', pairsOf(found), truthOf(pair), pair);
  },
  any(call) {
    const pair = pairCall(call);
    const { a, b, transformA, transformB } = pair;
    const isHit = call.engine.query(a.mesh, b.mesh, { transformA, transformB, want: 'any' });
    call.note(Uint8Array.of(Number(isHit)));
    if (call.isChecked && isHit !== truthOf(pair).length > 0)
      throw new Error(`any: ${isHit}, but the oracle says ${!isHit} (${a.data.recipe}; ${b.data.recipe})`);
  },
  distance(call) {
    const pair = pairCall(call);
    const { a, b, transformA, transformB } = pair;
    const found = call.engine.distance(a.mesh, b.mesh, { transformA, transformB })!;
    call.note(Float64Array.of(found.distance, found.triangleA, found.triangleB));
    if (call.isChecked && (found.distance === 0) !== truthOf(pair).length > 0)
      throw new Error(`wrong distance: ${found.distance} (${a.data.recipe}; ${b.data.recipe})`);
  },
  parts(call) {
    const pair = pairCall(call);
    const { a, b, transformA, transformB } = pair;
    const parts = 1 + call.random.below(20);
    const found = call.engine.query(a.mesh, b.mesh, { transformA, transformB, parts });
    call.note(found.a, found.b);
    if (call.isChecked) expectPairs(`${parts} parts`, pairsOf(found), truthOf(pair), pair);
  },
  spheres(call) {
    const { engine, random } = call;
    const pair = pairCall(call);
    const { transformA, transformB } = pair;
    const [a, b] = [pair.a, pair.b].map(({ data }) =>
      engine.createMesh(data, { volume: 's-aabb', thresholds: [choose(random, [0.5, 2, Infinity])] }),
    );
    const found = engine.query(a, b, { transformA, transformB });
    call.note(found.a, found.b);
    if (call.isChecked) expectPairs('spheres', pairsOf(found), truthOf(pair), pair);
    const { count } = found;
    const isHit = engine.query(a, b, { transformA, transformB, want: 'any' });
    if (isHit !== count > 0) throw new Error(`spheres: ${isHit}, but ${count} pairs`);
    disposeAll(a, b);
  },
  segments(call) {
    const pair = pairCall(call);
    const { a, b, transformA, transformB } = pair;
    const found = call.engine.query(a.mesh, b.mesh, { transformA, transformB, want: 'segments' });
    call.note(found.a, found.b, found.kind, found.pointsAt, found.points);
    if (call.isChecked) expectPairs('segments', pairsOf(found), truthOf(pair), pair);
  },
  poses(call) {
    const { engine, random, parts } = call;
    const bodies = Array.from({ length: 2 + random.below(2) }, () => choose(random, parts));
    const poses = Array.from({ length: 1 + random.below(6) }, () =>
      bodies.map(body => placement(random, body) ?? Float64Array.from(translation([0, 0, 0]))),
    );
    const { each, pairs } = engine.queryPoses({
      meshes: bodies.map(({ mesh }) => mesh),
      poses: Float64Array.from(poses.flatMap(matrices => matrices.flatMap(matrix => [...matrix]))),
      want: 'pairs-any',
    });
    call.note(each!, pairs);
    if (!call.isChecked) return;
    poses.forEach((matrices, pose) => {
      for (let pair = 0; 2 * pair < pairs.length; pair++) {
        const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
        const bit = (pose * pairs.length) / 2 + pair;
        const isHit = ((each![bit >>> 5] >>> (bit & 31)) & 1) === 1;
        const expected = trianglePairs(bodies[a].data, matrices[a], bodies[b].data, matrices[b]).length > 0;
        if (isHit !== expected)
          throw new Error(`poses: ${isHit} (${bodies[a].data.recipe}; ${bodies[b].data.recipe})`);
      }
    });
  },
  anyNear(call) {
    const pair = pairCall(call);
    const { a, b, transformA, transformB } = pair;
    const clearance = sizeOf(a.data) * call.random.between(0, 0.2);
    const isHit = call.engine.query(a.mesh, b.mesh, { transformA, transformB, clearance, want: 'any' });
    const found = call.engine.query(a.mesh, b.mesh, { transformA, transformB, clearance });
    call.note(Uint8Array.of(Number(isHit)));
    if (isHit !== found.a.length > 0) throw new Error(`anyNear: ${isHit}, but ${found.a.length} pairs`);
  },
  clearance(call) {
    const { a, b, transformA, transformB } = pairCall(call);
    const clearance = sizeOf(a.data) * call.random.between(0, 0.2);
    const found = call.engine.query(a.mesh, b.mesh, { transformA, transformB, clearance });
    call.note(found.a, found.b, found.distances);
  },
  queryMany(call) {
    const pairs = Array.from({ length: 1 + call.random.below(6) }, () => pairCall(call));
    const found = call.engine.queryMany({
      pairs: pairs.map(({ a, b, transformA, transformB }) => ({
        a: a.mesh,
        b: b.mesh,
        transformA,
        transformB,
      })),
    });
    call.note(found.pairsAt, found.a, found.b);
    if (!call.isChecked) return;
    pairs.forEach((pair, i) => {
      const [from, to] = [found.pairsAt[i], found.pairsAt[i + 1]];
      const own = { a: found.a.slice(from, to), b: found.b.slice(from, to) };
      expectPairs('queryMany', pairsOf(own), truthOf(pair), pair);
    });
  },
  selfQuery(call) {
    const data = nastyMesh(call.random);
    const mesh = call.engine.createMesh(data, { deformable: true });
    for (const change of [1, 0.5]) {
      const positions = data.positions.map((value, i) => (i % 3 === 0 ? Math.abs(value) * change : value));
      mesh.update(positions);
      const found = call.engine.selfQuery(mesh, { neighbors: 'index' });
      call.note(found.a, found.b);
      if (call.isChecked)
        expectPairs(
          `selfQuery of ${data.recipe}`,
          pairsOf(found),
          selfPairs({ ...data, positions }, 'index'),
          undefined,
        );
    }
    mesh.dispose();
  },
  boxPairs(call) {
    const { random } = call;
    const boxes = new Float32Array(6 * (1 + random.below(300)));
    const scale = randomScale(random);
    for (let box = 0; 6 * box < boxes.length; box++) boxes.set(latticeBox(random, scale), 6 * box);
    const method = choose(random, boxMethods);
    const found = call.engine.boxPairs(boxes, { method });
    call.note(found.a, found.b);
    if (call.isChecked) expectPairs('boxPairs', pairsOf(found), boxPairsByAll(boxes), undefined);
  },
  broadPhase(call) {
    const { engine, random } = call;
    const count = 1 + random.below(300);
    const scale = randomScale(random);
    const boxes = Float32Array.from(Array.from({ length: count }, () => latticeBox(random, scale)).flat());
    const broad = engine.createBroadPhase({
      method: choose(random, [...boxMethods, 'sap-persistent'] as const),
    });
    broad.set(boxes);
    for (let frame = 0; frame < 3; frame++) {
      const found = broad.pairs();
      call.note(found.a, found.b, broad.began.a, broad.began.b, broad.ended.a, broad.ended.b);
      if (call.isChecked) expectPairs('broadPhase', pairsOf(found), boxPairsByAll(boxes), undefined);
      const ids = Uint32Array.from({ length: 1 + random.below(8) }, () => random.below(count));
      const moved = Float32Array.from(Array.from(ids, () => latticeBox(random, scale)).flat());
      ids.forEach((id, k) => boxes.set(moved.subarray(6 * k, 6 * k + 6), 6 * id));
      broad.move(ids, moved);
    }
    broad.dispose();
  },
  features(call) {
    const { engine, random } = call;
    const points = Float64Array.from({ length: 24 * 8 }, () => random.below(5) - 2);
    const { verdict, toi, bound } = engine.sweepFeatures(choose(random, ['VF', 'EE'] as const), points);
    call.note(verdict, toi, bound);
  },
  solids(call) {
    const { a, b, transformA, transformB } = pairCall(call);
    noteResultOrError(call, () => call.engine.contains(a.mesh, b.mesh, { transformA, transformB }));
    noteResultOrError(call, () => call.engine.penetration(a.mesh, b.mesh, { transformA, transformB }));
  },
  scene(call) {
    const { engine, random, parts } = call;
    const scene = engine.createScene();
    const bodies = Array.from({ length: 2 + random.below(5) }, () => {
      const part = choose(random, parts);
      const transform = placement(random, part);
      return { part, id: scene.add(part.mesh, { transform }), transform };
    });
    for (let frame = 0; frame < 2; frame++) {
      const contacts: Contacts = scene.detect();
      call.note(contacts.a, contacts.b, contacts.pairsAt, contacts.triangles.a, contacts.triangles.b);
      if (call.isChecked) checkContacts(contacts, bodies);
      const moved = choose(random, bodies);
      moved.transform = placement(random, moved.part) ?? Float64Array.from(translation([0, 0, 0]));
      scene.setTransform(moved.id, moved.transform);
    }
    scene.dispose();
  },
  classify(call) {
    const { a, b, transformA, transformB } = pairCall(call);
    noteResultOrError(call, () => call.engine.classify(a.mesh, b.mesh, { transformA, transformB }));
  },
  sweep(call) {
    const { a, b, transformA, transformB } = pairCall(call);
    noteResultOrError(call, () => {
      const { kind, featureA, featureB, toi } = call.engine.sweep(a.mesh, b.mesh, {
        fromA: transformA,
        toB: transformB,
        want: 'all',
      });
      call.note(kind, featureA, featureB, toi);
    });
  },
  refused(call) {
    const { a } = pairCall(call);
    noteResultOrError(call, () => {
      call.engine.query(a.mesh, a.mesh, { transformB: new Float64Array(16).fill(NaN) });
      throw new Error('a transform of NaN was accepted');
    });
  },
  ...shapeCalls,
  ...motionCalls,
};

interface Body {
  part: Part;
  id: number;
  transform: Transform;
}

function checkContacts({ a, b, pairsAt, triangles }: Contacts, bodies: readonly Body[]): void {
  const found = Array.from(a, (first, i): [string, Pair[]] => [
    `${first} ${b[i]}`,
    pairsOf({
      a: triangles.a.slice(pairsAt[i], pairsAt[i + 1]),
      b: triangles.b.slice(pairsAt[i], pairsAt[i + 1]),
    }),
  ]);
  const truth = bodies.flatMap((one, i) =>
    bodies.slice(i + 1).flatMap((other): [string, Pair[]][] => {
      const pairs = trianglePairs(one.part.data, one.transform, other.part.data, other.transform);
      return pairs.length > 0 ? [[`${one.id} ${other.id}`, pairs]] : [];
    }),
  );
  if (JSON.stringify(found.sort()) !== JSON.stringify(truth.sort()))
    throw new Error(
      `scene: ${found.length} body pairs instead of ${truth.length}, or their triangle pairs differ`,
    );
}

export const callNames = Object.keys(calls);

/** Runs one block of calls. @returns the hash of all results, and how many were compared with the oracle */
export function runBlock(engine: Engine, seed: number, block: number): { hash: string; checked: number } {
  const random = createRandom(hash32(seed, block));
  const parts = Array.from({ length: MESHES }, (): Part => {
    const data = nastyMesh(random);
    return { data, mesh: engine.createMesh(data, { builder: choose(random, ['sah', 'morton'] as const) }) };
  });
  let hash = '';
  let checked = 0;
  for (let i = 0; i < CALLS_PER_BLOCK; i++) {
    const name = choose(random, callNames);
    const isChecked = random.below(SAMPLE) === 0;
    if (isChecked) checked++;
    const note = (...values: ArrayBufferView[]): void => {
      hash = hashBytes(new TextEncoder().encode(`${hash} ${name}`), ...values);
    };
    try {
      calls[name]!({ engine, random, parts, isChecked, note });
    } catch (error) {
      throw new Error(`seed ${seed}, block ${block}, call ${i}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
  for (const { mesh } of parts) mesh.dispose();
  return { hash, checked };
}
