// Defines the random calls of the soak test about motion (vertices, bodies, edges of planners), robots, stored
// meshes, meshes of doubles, and certificates.

import * as assert from 'uvu/assert';
import type { Mesh, SweptContacts } from '../../dist/index.js';
import { translation } from '../../dist/samples/index.js';
import { verify } from '../../dist/verify/index.js';
import { trianglePairs } from '../oracle/bruteForce.js';
import { randomChain, type TestChain, valueCountOf } from '../support/chains.js';
import { disposeAll, pairsOf } from '../support/engines.js';
import { selfPairs } from '../support/selfMeshes.js';
import {
  type Call,
  choose,
  noteResultOrError,
  type Part,
  pairCall,
  placement,
  type Transform,
  truthOf,
} from './callSupport.js';
import { nastyMesh, sizeOf } from './nastyMeshes.js';

/** Chains are only made of parts whose size is in this range, since a joint cannot move farther than 1e6. */
const [MIN_SIZE, MAX_SIZE] = [2 ** -20, 2 ** 12];

/** Bodies turn only if the largest one is at most this many times as large as the smallest one. */
const MAX_RATIO = 2 ** 10;

interface Robot {
  parts: Part[];
  chain: TestChain;
  /** Bodies that do not move, each at the origin. */
  fixed: Float64Array;
  /** The number of joint values of a pose. */
  valueCount: number;
}

/** Makes a chain of up to three parts and one part that does not move; undefined if all parts are too large. */
function makeRobot({ random, parts }: Call): Robot | undefined {
  const usable = parts.filter(({ data }) => sizeOf(data) >= MIN_SIZE && sizeOf(data) <= MAX_SIZE);
  if (usable.length === 0) return undefined;
  const own = Array.from({ length: 2 + random.below(3) }, () => choose(random, usable));
  const chain = randomChain(random, own.length - 1, Math.max(...own.map(({ data }) => sizeOf(data))));
  return {
    parts: own,
    chain,
    fixed: Float64Array.from(translation([0, 0, 0])),
    valueCount: valueCountOf(chain),
  };
}

/** Returns whether any two parts of a robot intersect, by exact arithmetic. transforms: of the moving parts. */
function collides({ parts, fixed }: Robot, transforms: Float64Array): boolean {
  const at = (i: number): Float64Array =>
    i === parts.length - 1 ? fixed : transforms.slice(16 * i, 16 * i + 16);
  return parts.some((one, i) =>
    parts.slice(0, i).some((other, k) => trianglePairs(one.data, at(i), other.data, at(k)).length > 0),
  );
}

const noteContacts = ({ note }: Call, { kind, featureA, featureB, toi, bound }: SweptContacts): void =>
  note(kind, featureA, featureB, toi, bound);

export const motionCalls: Record<string, (call: Call) => void> = {
  sweepVertices(call) {
    const { engine, random } = call;
    const { data, mesh } = choose(random, call.parts);
    const size = sizeOf(data);
    const to = data.positions.map(value =>
      random.below(3) === 0 ? Math.fround(value + size * random.between(-1, 1)) : value,
    );
    noteResultOrError(call, () => {
      const found = engine.sweepVertices(mesh, data.positions, to, { want: 'all' });
      noteContacts(call, found);
      const first = engine.sweepVertices(mesh, data.positions, to);
      assert.is(first?.toi, found.count > 0 ? Math.min(...found.toi) : undefined, data.recipe);
      if (!call.isChecked || found.count > 0) return;
      // Without any contact, no two triangles can begin to intersect.
      const atStart = new Set(selfPairs(data, 'index').map(String));
      const began = selfPairs({ ...data, positions: to }, 'index').filter(pair => !atStart.has(String(pair)));
      assert.equal(began, [], `sweepVertices: ${data.recipe}`);
    });
  },
  featureTimes(call) {
    const { engine, random } = call;
    const points = Float64Array.from({ length: 24 * 8 }, () => random.below(5) - 2);
    call.note(engine.contactTimes(choose(random, ['VF', 'EE'] as const), points));
    call.note(engine.edgesOf(choose(random, call.parts).mesh));
  },
  continuous(call) {
    const { engine, random, parts } = call;
    const scene = engine.createScene();
    const bodies = Array.from({ length: 2 + random.below(4) }, () => {
      const part = choose(random, parts);
      const from = placement(random, part);
      const to: Transform = placement(random, part) ?? Float64Array.from(translation([0, 0, 0]));
      return { part, from, to, id: scene.add(part.mesh, { transform: from }) };
    });
    for (const { id, to } of bodies) scene.setTransform(id, to!);
    // A body that turns and is 10^10 times as large as another one would need minutes.
    const sizes = bodies.map(({ part }) => sizeOf(part.data));
    const mayTurn = Math.max(...sizes) <= MAX_RATIO * Math.min(...sizes);
    noteResultOrError(call, () => {
      const motion = mayTurn ? choose(random, ['linear', 'rigid'] as const) : 'linear';
      const found = scene.detect({ continuous: true, motion });
      noteContacts(call, found);
      call.note(found.a, found.b);
      if (!call.isChecked) return;
      const met = new Set(Array.from(found.a, (a, i) => `${a} ${found.b[i]}`));
      bodies.forEach((one, i) =>
        bodies.slice(i + 1).forEach(other => {
          // Bodies that intersect at the start or at the end have a contact.
          for (const when of ['from', 'to'] as const)
            if (trianglePairs(one.part.data, one[when], other.part.data, other[when]).length > 0)
              assert.ok(
                met.has(`${one.id} ${other.id}`),
                `continuous: ${when} (${one.part.data.recipe}; ${other.part.data.recipe})`,
              );
        }),
      );
    });
    scene.dispose();
  },
  robot(call) {
    const { engine, random } = call;
    const robot = makeRobot(call);
    if (!robot) return;
    const { parts, chain, fixed, valueCount } = robot;
    const meshes = parts.map(({ mesh }) => mesh);
    const jointValues = Float64Array.from({ length: 3 * valueCount }, () => random.between(-3, 3));
    noteResultOrError(call, () => {
      const transforms = engine.placeChain(chain, jointValues);
      const { distances, nearest } = engine.queryPoses({
        meshes,
        fixed,
        chain,
        jointValues,
        want: 'distance',
      });
      call.note(transforms, distances!, nearest!);
      if (!call.isChecked) return;
      const perPose = 16 * (parts.length - 1);
      distances!.forEach((distance, pose) => {
        const own = transforms.subarray(pose * perPose, (pose + 1) * perPose);
        assert.is(distance === 0, collides(robot, own), `robot: ${parts.map(({ data }) => data.recipe)}`);
      });
    });
  },
  edges(call) {
    const { engine, random } = call;
    const robot = makeRobot(call);
    if (!robot) return;
    const { parts, chain, fixed, valueCount } = robot;
    const from = Float64Array.from({ length: 2 * valueCount }, () => random.between(-3, 3));
    const to = from.map(value => value + random.between(-0.5, 0.5));
    const size = Math.max(...parts.map(({ data }) => sizeOf(data)));
    noteResultOrError(call, () => {
      const { hits, times, first } = engine.queryEdges({
        meshes: parts.map(({ mesh }) => mesh),
        fixed,
        chain,
        from,
        to,
        want: 'first',
        tolerance: size / 64,
      });
      call.note(hits, times!, first!);
      if (!call.isChecked) return;
      const perPose = 16 * (parts.length - 1);
      for (const values of [from, to]) {
        const transforms = engine.placeChain(chain, values);
        for (let edge = 0; edge < 2; edge++)
          if (((hits[0]! >>> edge) & 1) === 0)
            assert.not(
              collides(robot, transforms.subarray(edge * perPose, (edge + 1) * perPose)),
              `edges: ${parts.map(({ data }) => data.recipe)}`,
            );
      }
    });
  },
  stored(call) {
    const { engine } = call;
    const pair = pairCall(call);
    const { a, b, transformA, transformB } = pair;
    const bytes = a.mesh.serialize();
    const loaded = engine.loadMesh(bytes);
    const found = engine.query(loaded, b.mesh, { transformA, transformB });
    call.note(bytes, found.a, found.b);
    if (call.isChecked) assert.equal(pairsOf(found), truthOf(pair), `${a.data.recipe}; ${b.data.recipe}`);
    loaded.dispose();
  },
  doubles(call) {
    const { engine, random } = call;
    // The coordinates lie between float32 numbers, so a query that rounds them finds other pairs.
    const [a, b] = [nastyMesh(random), nastyMesh(random)].map(({ positions, indices }) => ({
      positions: Float64Array.from(positions, value => value * (1 + (random.below(9) - 4) * 2 ** -40)),
      indices,
    })) as [never, never];
    // Some of these meshes are refused.
    const meshes: Mesh[] = [];
    noteResultOrError(call, () => {
      for (const data of [a, b]) meshes.push(engine.createMesh(data));
      const [meshA, meshB] = meshes;
      const found = engine.query(meshA!, meshB!);
      call.note(found.a, found.b);
      if (call.isChecked) assert.equal(pairsOf(found), trianglePairs(a, undefined, b, undefined));
      const isHit = engine.query(meshA!, meshB!, { want: 'any' });
      assert.is(isHit, found.count > 0);
    });
    disposeAll(...meshes);
  },
  certificate(call) {
    const pair = pairCall(call);
    const { a, b, transformA, transformB } = pair;
    noteResultOrError(call, () => {
      const { certificate, ...pairs } = call.engine
        .query(a.mesh, b.mesh, { transformA, transformB, certificate: true })
        .copy();
      call.note(pairs.a, pairs.b, certificate.orderA, certificate.orderB, certificate.steps);
      if (!call.isChecked) return;
      assert.equal(pairsOf(pairs), truthOf(pair));
      const { problem } = verify({ a: a.data, b: b.data, transformA, transformB, pairs, certificate });
      assert.is(problem, '', `${a.data.recipe}; ${b.data.recipe}`);
    });
  },
};
