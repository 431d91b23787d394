// The engine module for continuous collision detection: sweeps of placed meshes, of deforming meshes and of
// single features.

import { type Coordinates, copyOptions, rejectExtraArgument } from '../core/checkOptions.js';
import type { EngineHost, EngineModule } from '../core/module.js';
import { FEATURE_SWEEP } from '../core/moduleOptions.js';
import type { Mesh } from '../mesh/mesh.js';
import { RetryingScratch, retry } from '../runtime/retry.js';
import type { ContactRefs } from './contactBuffer.js';
import {
  contactTimes,
  type FeatureContacts,
  type FeatureKind,
  type FeatureSweepOptions,
  sweepFeatures,
} from './featureSweep.js';
import { makeBodySweeper } from './makeBodySweeper.js';
import { MeshSweep } from './meshSweep.js';
import { MeshTables } from './meshTables.js';
import { PairSweep } from './pairSweep.js';
import { checkOwned, readPlacements, readVertices } from './sweepArguments.js';
import {
  checkKind,
  checkQueries,
  type PlacedSweepOptions,
  type SweepOptions,
  type SweepSettings,
} from './sweepOptions.js';
import { firstOf, readContacts, type SweptContact, type SweptContacts } from './sweptContacts.js';
import { nameLength, wasmGzipBase64 } from '../wasm/continuous.wasm.js';

/** Runs sweeps of meshes. */
export class Sweeper {
  readonly host: EngineHost;
  readonly #tables: MeshTables;
  readonly #scratch: RetryingScratch<{ sweepMeshes: MeshSweep; sweepPair: PairSweep }>;

  constructor(host: EngineHost) {
    this.host = host;
    this.#tables = new MeshTables(host.context);
    this.#scratch = new RetryingScratch(() => ({
      sweepMeshes: new MeshSweep(host.context, this.#tables),
      sweepPair: new PairSweep(host.context, this.#tables),
    }));
  }

  edgesOf(mesh: Mesh): Uint32Array {
    checkOwned(this.host, mesh);
    return retry(() => this.#tables.of(mesh).edges.slice());
  }

  sweepVertices(
    mesh: Mesh,
    from: Coordinates,
    to: Coordinates,
    options: SweepOptions,
  ): SweptContacts | SweptContact | undefined {
    const settings = readVertices(this.host, mesh, from, to, options);
    return this.#run(settings, meshes => meshes.deform(mesh, from, to, settings));
  }

  meshes(a: Mesh, b: Mesh, options: PlacedSweepOptions): SweptContacts | SweptContact | undefined {
    const { placed, settings, motion } = readPlacements(this.host, a, b, options);
    if (settings.isFirst)
      return this.#scratch.run(({ sweepPair }) => sweepPair.findFirst(a, b, placed, settings, motion));
    const method = motion === 'rigid' ? 'rotate' : 'move';
    return this.#run(settings, meshes => meshes[method](a, b, placed, settings));
  }

  /**
   * Runs a query of meshes, and runs it again if a worker was lost.
   * @param query receives the MeshSweep and the time at which the query began
   * @throws Internal, Capacity
   */
  run<Answer>(query: (meshes: MeshSweep, startedAt: number) => Answer): Answer {
    return this.#scratch.run(({ sweepMeshes }) => {
      sweepMeshes.sweep.reset();
      return query(sweepMeshes, sweepMeshes.sweep.clock.last);
    });
  }

  #run(
    settings: SweepSettings,
    find: (meshes: MeshSweep) => ContactRefs,
  ): SweptContacts | SweptContact | undefined {
    return this.run((meshes, startedAt) => {
      const { memory, at } = find(meshes);
      return settings.isFirst
        ? firstOf(memory, at)
        : readContacts(memory, at, () => meshes.sweep.summarize(startedAt)).contacts;
    });
  }
}

/** The engine's methods for continuous collision detection. */
export class ContinuousMethods {
  readonly #host: EngineHost;
  /** Used by engine.async, which runs queries in steps. @internal */
  readonly sweeper: Sweeper;

  /** @internal */
  constructor(host: EngineHost) {
    this.#host = host;
    this.sweeper = new Sweeper(host);
  }

  /**
   * Finds the contacts of a mesh with itself while each vertex moves linearly from one position to another. A
   * contact is a vertex and a face, or two edges, that touch or come within `minSeparation`; or two triangles
   * that share a point at the start. The two features of a contact share no vertex. No contact is missed, and
   * the time `toi` of a contact is never later than its true time. The positions are in the mesh's own frame.
   * Source: Du, Liu and Suzumura 2017; Curtis et al. 2008 (each pair of features is tested only once).
   * @param from x, y, z of each vertex at the start
   * @param to x, y, z of each vertex at the end
   * @throws InvalidMesh, Unsupported, Disposed, Capacity
   */
  sweepVertices(
    mesh: Mesh,
    from: Coordinates,
    to: Coordinates,
    options: SweepOptions & { want: 'all' },
  ): SweptContacts;
  /**
   * Finds only the mesh's first contact with itself; returns undefined if there is none.
   * @throws as with `want: 'all'`
   */
  sweepVertices(
    mesh: Mesh,
    from: Coordinates,
    to: Coordinates,
    options?: SweepOptions & { want?: 'first' },
  ): SweptContact | undefined;
  sweepVertices(
    mesh: Mesh,
    from: Coordinates,
    to: Coordinates,
    options: SweepOptions = {},
    surplus?: unknown,
  ): SweptContacts | SweptContact | undefined {
    this.#host.beginCall();
    rejectExtraArgument(surplus, 'sweepVertices(mesh, from, to, options)');
    return this.sweeper.sweepVertices(mesh, from, to, options);
  }

  /**
   * Finds the contacts of two meshes while each moves from one placement to another. By default, each vertex
   * moves linearly. With `motion: 'rigid'`, the origin of each mesh moves linearly, and the mesh rotates
   * about its origin. Triangles that share a point at the start are contacts of kind 'start'; an exact test
   * finds them. A mesh that lies wholly inside the other's solid has no contact: see `contains`. Source: Du,
   * Liu and Suzumura 2017, section 3; Tang, Manocha and Tong 2010 (non-penetration filter).
   * @throws InvalidTransform, Unsupported, Disposed, Capacity
   */
  sweep(a: Mesh, b: Mesh, options: PlacedSweepOptions & { want: 'all' }): SweptContacts;
  /**
   * Finds only the first contact of two meshes; returns undefined if there is none.
   * @throws as with `want: 'all'`
   */
  sweep(a: Mesh, b: Mesh, options?: PlacedSweepOptions & { want?: 'first' }): SweptContact | undefined;
  sweep(
    a: Mesh,
    b: Mesh,
    options: PlacedSweepOptions = {},
    surplus?: unknown,
  ): SweptContacts | SweptContact | undefined {
    this.#host.beginCall();
    rejectExtraArgument(surplus, 'sweep(a, b, options)');
    return this.sweeper.meshes(a, b, options);
  }

  /**
   * Tests pairs of features whose points move linearly, and returns whether and when each pair touches. The
   * features need not belong to a mesh. Source: Tang, Manocha and Tong 2010 (non-penetration filter); Mirtich
   * 1996 (conservative advancement).
   * @param kind 'VF': a vertex and a face; 'EE': two edges
   * @param queries 24 numbers per pair, in any frame and unit: x, y, z of four points at the start, then at
   * the end. For 'VF', the points are the vertex and the three corners of the face; for 'EE', the two ends of
   * each edge
   * @throws Unsupported, Disposed, Capacity
   */
  sweepFeatures(kind: 'VF' | 'EE', queries: Float64Array, options?: FeatureSweepOptions): FeatureContacts;
  sweepFeatures(
    kind: 'VF' | 'EE',
    queries: Float64Array,
    given: FeatureSweepOptions = {},
    surplus?: unknown,
  ): FeatureContacts {
    const host = this.#host;
    rejectExtraArgument(surplus, 'sweepFeatures(kind, queries, options)');
    const options = copyOptions(FEATURE_SWEEP, given);
    checkKind(kind, ['VF', 'EE']);
    checkQueries('queries', queries);
    host.beginCall();
    return sweepFeatures(host.context, kind, queries, options);
  }

  /**
   * Returns for each pair of features a time in 0..1 that is never later than the pair's first contact, or
   * Infinity if the pair has no contact. Without a minimum separation, an exact test decides whether a pair
   * touches. With `exact`, each time is the exact time rounded down to a multiple of 2^-48. Source: as for
   * `sweepFeatures`; also Provot 1997 (coplanarity polynomial), and Basu, Pollack and Roy, Algorithms in Real
   * Algebraic Geometry (root isolation).
   * @param kind 'VF': a vertex and a face; 'EE': two edges
   * @param points 24 numbers per pair, in the format of the queries of `sweepFeatures`
   * @throws Unsupported, Disposed, Capacity
   */
  contactTimes(kind: 'VF' | 'EE', points: Float64Array, options?: FeatureSweepOptions): Float64Array;
  contactTimes(
    kind: 'VF' | 'EE',
    points: Float64Array,
    given: FeatureSweepOptions = {},
    surplus?: unknown,
  ): Float64Array {
    const host = this.#host;
    rejectExtraArgument(surplus, 'contactTimes(kind, points, options)');
    const options = copyOptions(FEATURE_SWEEP, given);
    checkKind(kind, ['VF', 'EE']);
    checkQueries('points', points);
    host.beginCall();
    return contactTimes(host.context, kind.toUpperCase() as FeatureKind, points, options);
  }

  /**
   * Returns the edges of a mesh in a new array, two vertex indices each. Contacts refer to an edge by its
   * position in this list.
   * @throws Unsupported, Disposed, Capacity
   */
  edgesOf(mesh: Mesh): Uint32Array {
    this.#host.beginCall();
    return this.sweeper.edgesOf(mesh);
  }
}

export const continuous: EngineModule<ContinuousMethods> = {
  inlined: { nameLength, wasmGzipBase64 },
  makeMethods: host => new ContinuousMethods(host),
  makeBodySweeper,
};
