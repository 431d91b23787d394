// The job of a scene of placed meshes: what scene.detect finds, with work for many nodes.
import { Unsupported } from '../../core/errors.js';
import { BODY } from '../../core/moduleOptions.js';
import { anyValue, checkOptions, type OptionTable, oneOf } from '../../core/optionTable.js';
import type { MeshData } from '../../mesh/meshData.js';
import type { BodyOptions } from '../../scene/sceneOptions.js';
import { ClusterError } from '../errors.js';
import { askPairs } from './askPairs.js';
import { boxTasks } from './boxTasks.js';
import type { JobKind, NodePool } from './jobKind.js';
import { Meshes, type PairList, Places, placedBox } from './placedPairs.js';

/** A body of a scene: bodies that show the same mesh name the same object. */
export interface ClashBody extends BodyOptions {
  /** Its triangles. */
  mesh: MeshData;
}

/** A scene of placed meshes, each against every other. */
export interface ClashJob {
  /** What the job is. */
  kind: 'clash';
  /** The bodies: the answer names them by their places here. */
  bodies: readonly ClashBody[];
  /** What counts as contact, and what is told of it. Default 'pairs'. */
  narrow?: 'any' | 'counts' | 'pairs';
}

/**
 * Pairs of bodies that touch, a[i] < b[i], sorted: the same as of `scene.detect`, but for numbers of bodies.
 */
export interface ClashAnswer {
  /** How many pairs of bodies touch. */
  count: number;
  /** First bodies. */
  a: Uint32Array;
  /** Second bodies. */
  b: Uint32Array;
  /** Triangle pairs of each; 0 where narrow is 'any'. */
  counts: Uint32Array;
  /** Contact i owns entries pairsAt[i] <= k < pairsAt[i + 1] of triangles; all 0 unless narrow is 'pairs'. */
  pairsAt: Uint32Array;
  /** Triangle triangles.a[k] of the one body meets triangles.b[k] of the other; sorted within a contact. */
  triangles: {
    /** Triangles of the bodies in `a`. */
    a: Uint32Array;
    /** Triangles of the bodies in `b`. */
    b: Uint32Array;
  };
  /** Pairs of bodies whose boxes overlap. */
  boxPairs: number;
}

interface Bodies {
  meshes: Meshes;
  places: Places;
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
    return async crew => {
      const near = await nearBodies(crew, bodies);
      const { mesh, place } = bodies;
      const of = (list: Uint32Array, numbers: Uint32Array): Uint32Array => numbers.map(body => list[body]);
      const pairs: PairList = {
        a: of(mesh, near.a),
        b: of(mesh, near.b),
        placeA: of(place, near.a),
        placeB: of(place, near.b),
      };
      const { at, a, b } = await askPairs(crew, bodies.meshes.facts, bodies.places, pairs, narrow);
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
        a: of(near.a, touching),
        b: of(near.b, touching),
        counts,
        pairsAt,
        triangles: { a, b },
        boxPairs: near.boxPairs,
      };
    };
  },
};

function readBodies(given: readonly ClashBody[]): Bodies {
  const meshes = new Meshes();
  const places = new Places();
  const words = (): Uint32Array => new Uint32Array(given.length);
  const bodies = { meshes, places, mesh: words(), place: words(), group: words(), mask: words() };
  given.forEach((body, i) => {
    checkOptions(CLASH_BODY, body, `bodies[${i}]`);
    const { mesh, transform, group = 1, mask = 0xffffffff } = body;
    bodies.mesh[i] = meshes.add(mesh);
    bodies.place[i] = places.add('transform', transform);
    [bodies.group[i], bodies.mask[i]] = [group, mask];
  });
  return bodies;
}

// Pairs whose boxes overlap, and that may touch by their groups.
async function nearBodies(
  crew: NodePool,
  { meshes, places, mesh, place, group, mask }: Bodies,
): Promise<{ a: Uint32Array; b: Uint32Array; boxPairs: number }> {
  // Without triangles nothing is touched.
  const solid = Uint32Array.from(mesh.keys()).filter(body => meshes.facts[mesh[body]].triangleCount > 0);
  const count = solid.length;
  const boxes = new Float32Array(6 * count);
  if (count < 2) return { a: new Uint32Array(0), b: new Uint32Array(0), boxPairs: 0 };
  solid.forEach((body, i) =>
    placedBox(
      meshes.facts[mesh[body]].bounds,
      place[body] ? places.row(place[body]) : undefined,
      boxes,
      6 * i,
    ),
  );
  const hash = await crew.share(new Uint8Array(boxes.buffer));
  const [found] = await crew.run(
    boxTasks,
    1,
    () => ({ count, hash }),
    ({ a, b }) => {
      const wrong = a.findIndex(
        (first, i) =>
          first >= b[i] ||
          b[i] >= count ||
          (i > 0 && (first < a[i - 1] || (first === a[i - 1] && b[i] <= b[i - 1]))),
      );
      if (wrong >= 0)
        throw new ClusterError(
          `pair ${wrong} of boxes ${a[wrong]} and ${b[wrong]} out of order, or of no box`,
          'it is refused, and the task done again',
        );
    },
  );
  const { a, b } = found!;
  const kept = Uint32Array.from(a.keys()).filter(i => {
    const one = solid[a[i]];
    const other = solid[b[i]];
    return (group[one] & mask[other]) !== 0 && (group[other] & mask[one]) !== 0;
  });
  return { a: kept.map(i => solid[a[i]]), b: kept.map(i => solid[b[i]]), boxPairs: a.length };
}
