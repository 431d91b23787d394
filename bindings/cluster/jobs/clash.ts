// Defines the job kind 'clash', which finds all pairs of bodies of a scene that intersect. `scene.detect` finds
// the same pairs, but here the work is distributed over the nodes of a cluster.

import { anyValue, checkOptions, type OptionTable, oneOf } from '../../core/checkOptions.js';
import { Unsupported } from '../../core/errors.js';
import { BODY } from '../../core/moduleOptions.js';
import type { MeshData } from '../../mesh/meshData.js';
import type { BodyOptions } from '../../scene/sceneOptions.js';
import { boxTasks, checkBoxReport } from './boxTasks.js';
import type { JobCoordinator, JobKind, NodePool } from './jobKind.js';
import { MeshSet, type PairList, PlacementSet, placedBox } from './placedPairs.js';
import { findFalseBoxPairs } from './proveBoxPairs.js';
import { runPairTasks } from './runPairTasks.js';
import { runUntrusted } from './untrustedTasks.js';

/** A body of a scene. Bodies with the same mesh should refer to the same `mesh` object. */
export interface ClashBody extends BodyOptions {
  /** The mesh of the body. */
  mesh: MeshData;
}

/** The job: a scene of bodies (placed meshes). Each body is tested against every other body. */
export interface ClashJob {
  /** The kind of the job. */
  kind: 'clash';
  /** The bodies; the answer refers to them by index. */
  bodies: readonly ClashBody[];
  /**
   * What the answer contains for each contact. 'any': the two bodies. 'counts': also the number of triangle
   * pairs. 'pairs': also the triangle pairs. Default 'pairs'.
   */
  narrow?: 'any' | 'counts' | 'pairs';
}

/**
 * The answer. Contact i is between bodies a[i] and b[i], and a[i] < b[i]. Contacts are sorted by a, then b.
 * `scene.detect` finds the same contacts, but here the number of a body is its index in the job.
 */
export interface ClashAnswer {
  /** The number of pairs of bodies that intersect. */
  count: number;
  /** First bodies. */
  a: Uint32Array;
  /** Second bodies. */
  b: Uint32Array;
  /** The number of triangle pairs of each contact; 0 if narrow is 'any'. */
  counts: Uint32Array;
  /**
   * The triangle pairs of contact i are the pairs k of `triangles` with pairsAt[i] <= k < pairsAt[i + 1].
   * Unless narrow is 'pairs', all entries of pairsAt are 0.
   */
  pairsAt: Uint32Array;
  /**
   * In pair k, triangle number `triangles.a[k]` of the first body intersects triangle number `triangles.b[k]`
   * of the second body. The pairs of a contact are sorted.
   */
  triangles: {
    /** Triangles of the bodies in `a`. */
    a: Uint32Array;
    /** Triangles of the bodies in `b`. */
    b: Uint32Array;
  };
  /** The number of pairs of bodies whose boxes overlap, before groups and masks are applied. */
  boxPairs: number;
}

/** The bodies as arrays: body i has mesh number mesh[i] and placement number place[i]. */
interface Bodies {
  meshes: MeshSet;
  places: PlacementSet;
  mesh: Uint32Array;
  place: Uint32Array;
  group: Uint32Array;
  mask: Uint32Array;
}

const CLASH: OptionTable<ClashJob> = {
  kind: anyValue,
  bodies: anyValue,
  narrow: oneOf('any', 'counts', 'pairs'),
};
const CLASH_BODY: OptionTable<ClashBody> = { mesh: anyValue, ...BODY };

export const clash: JobKind<ClashJob, ClashAnswer> = {
  name: 'clash',
  open(job) {
    checkOptions(CLASH, job, 'the job');
    const { bodies: given, narrow = 'pairs' } = job;
    if (!Array.isArray(given))
      throw new Unsupported('the job has no list of bodies', 'pass bodies: [{ mesh, transform }]');
    const bodies = readBodies(given);
    const coordinate: JobCoordinator<ClashAnswer> = async pool => {
      const near = await nearBodies(pool, bodies);
      const { mesh, place } = bodies;
      const select = (list: Uint32Array, numbers: Uint32Array): Uint32Array =>
        numbers.map(body => list[body]);
      const pairs: PairList = {
        a: select(mesh, near.a),
        b: select(mesh, near.b),
        placeA: select(place, near.a),
        placeB: select(place, near.b),
      };
      const { at, a, b } = await runPairTasks(pool, bodies.meshes.facts, bodies.places, pairs, narrow);
      const touching = Uint32Array.from(near.a.keys()).filter(i => at[i + 1] > at[i]);
      const count = touching.length;
      const pairsAt = new Uint32Array(count + 1);
      if (narrow === 'pairs')
        touching.forEach((i, contact) => {
          pairsAt[contact + 1] = at[i + 1];
        });
      const counts = touching.map(i => (narrow === 'any' ? 0 : at[i + 1] - at[i]));
      return {
        count,
        a: select(near.a, touching),
        b: select(near.b, touching),
        counts,
        pairsAt,
        triangles: { a, b },
        boxPairs: near.boxPairs,
      };
    };
    return { coordinate };
  },
};

function readBodies(given: readonly ClashBody[]): Bodies {
  const meshes = new MeshSet();
  const places = new PlacementSet();
  const words = (): Uint32Array => new Uint32Array(given.length);
  const bodies = { meshes, places, mesh: words(), place: words(), group: words(), mask: words() };
  // `forEach` would skip the holes of a sparse array.
  for (const [i, body] of given.entries()) {
    checkOptions(CLASH_BODY, body, `bodies[${i}]`);
    const { mesh, transform, group = 1, mask = 0xffffffff } = body;
    bodies.mesh[i] = meshes.add(mesh);
    bodies.place[i] = places.add('transform', transform);
    [bodies.group[i], bodies.mask[i]] = [group, mask];
  }
  return bodies;
}

// Finds the pairs whose boxes overlap and whose groups and masks allow contact.
async function nearBodies(
  pool: NodePool,
  { meshes, places, mesh, place, group, mask }: Bodies,
): Promise<{ a: Uint32Array; b: Uint32Array; boxPairs: number }> {
  // Bodies without triangles intersect nothing.
  const nonEmpty = Uint32Array.from(mesh.keys()).filter(body => meshes.facts[mesh[body]].triangleCount > 0);
  const count = nonEmpty.length;
  const boxes = new Float32Array(6 * count);
  if (count < 2) return { a: new Uint32Array(0), b: new Uint32Array(0), boxPairs: 0 };
  nonEmpty.forEach((body, i) =>
    placedBox(
      meshes.facts[mesh[body]].bounds,
      place[body] ? places.row(place[body]) : undefined,
      boxes,
      6 * i,
    ),
  );
  const hash = await pool.share(new Uint8Array(boxes.buffer));
  const [found] = await runUntrusted(
    pool,
    boxTasks,
    1,
    () => ({ count, hash }),
    report => checkBoxReport(report, count),
    async ([report]) => {
      const what = findFalseBoxPairs(boxes, report);
      return what === undefined ? [] : [{ task: 0, what }];
    },
  );
  const { a, b } = found!;
  const kept = Uint32Array.from(a.keys()).filter(i => {
    const bodyA = nonEmpty[a[i]];
    const bodyB = nonEmpty[b[i]];
    return (group[bodyA] & mask[bodyB]) !== 0 && (group[bodyB] & mask[bodyA]) !== 0;
  });
  return { a: kept.map(i => nonEmpty[a[i]]), b: kept.map(i => nonEmpty[b[i]]), boxPairs: a.length };
}
