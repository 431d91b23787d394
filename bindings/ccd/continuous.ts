// Continuous collision detection -> what it adds to an engine: sweeps of meshes that are placed, and of
// meshes that deform.

import type { EngineHost, EngineModule } from '../core/module.js';
import { FEATURE_SWEEP } from '../core/moduleOptions.js';
import { checkSurplus, copyOptions } from '../core/optionTable.js';
import type { Mesh } from '../mesh/mesh.js';
import { RetryingScratch, retry } from '../runtime/retry.js';
import {
  contactTimes,
  type FeatureContacts,
  type FeatureKind,
  type FeatureSweepOptions,
  sweepFeatures,
} from './featureSweep.js';
import type { FoundContacts } from './keptContacts.js';
import { MeshSweep } from './meshSweep.js';
import { MeshTables } from './meshTables.js';
import {
  type Coordinates,
  checkKind,
  checkQueries,
  type PlacedSweepOptions,
  type SweepHow,
  type SweepOptions,
} from './sweepOptions.js';
import { checkOwned, readPlacements, readVertices } from './sweepQuestions.js';
import { makeBodySweeper } from './sweptBodies.js';
import { firstOf, readContacts, type SweptContact, type SweptContacts } from './sweptContacts.js';
import { nameLength, wasmGzipBase64 } from '../wasm/continuous.wasm.js';

/** Sweeps of meshes. */
export class Sweeper {
  readonly host: EngineHost;
  readonly #tables: MeshTables;
  readonly #own: RetryingScratch<{ meshes: MeshSweep }>;

  constructor(host: EngineHost) {
    this.host = host;
    this.#tables = new MeshTables(host.backend);
    this.#own = new RetryingScratch(() => ({ meshes: new MeshSweep(host.backend, this.#tables) }));
  }

  edgesOf(mesh: Mesh): Uint32Array {
    checkOwned(this.host, mesh);
    return retry(() => this.#tables.of(mesh).edges.slice());
  }

  vertices(
    mesh: Mesh,
    from: Coordinates,
    to: Coordinates,
    options: SweepOptions,
  ): SweptContacts | SweptContact | undefined {
    const how = readVertices(this.host, mesh, from, to, options);
    return this.#run(how, meshes => meshes.deform(mesh, from, to, how));
  }

  meshes(a: Mesh, b: Mesh, options: PlacedSweepOptions): SweptContacts | SweptContact | undefined {
    const { placed, how, motion } = readPlacements(this.host, a, b, options);
    const way = motion === 'rigid' ? 'turn' : 'move';
    return this.#run(how, meshes => meshes[way](a, b, placed, how));
  }

  /**
   * Asks again where a worker was lost. question: of meshes, and when it began. @throws Internal, Capacity
   */
  ask<Answer>(question: (meshes: MeshSweep, startedAt: number) => Answer): Answer {
    return this.#own.run(({ meshes }) => {
      meshes.sweep.start();
      return question(meshes, meshes.sweep.clock.last);
    });
  }

  #run(how: SweepHow, find: (meshes: MeshSweep) => FoundContacts): SweptContacts | SweptContact | undefined {
    return this.ask((meshes, startedAt) => {
      const { memory, at } = find(meshes);
      return how.isFirst
        ? firstOf(memory, at)
        : readContacts(memory, at, () => meshes.sweep.summarise(startedAt)).contacts;
    });
  }
}

/** Verbs of continuous collision detection. */
export class ContinuousVerbs {
  readonly #host: EngineHost;
  /** For engine.async, which answers in steps. @internal */
  readonly sweeper: Sweeper;

  /** @internal */
  constructor(host: EngineHost) {
    this.#host = host;
    this.sweeper = new Sweeper(host);
  }

  /**
   * Contacts of a mesh with itself while its vertices move straight from one place to another: vertices with
   * faces, edges with edges, that share no vertex; and triangles that share a point at the start but no
   * vertex. No contact is missed; `toi` is never later than the contact.
   * from, to: x, y, z of each vertex. Source: Curtis et al. 2008 (each pair of features once), Du, Liu and
   * Suzumura 2017.
   * @throws InvalidMesh, Unsupported, Disposed, Capacity
   */
  sweepVertices(
    mesh: Mesh,
    from: Coordinates,
    to: Coordinates,
    options: SweepOptions & { want: 'all' },
  ): SweptContacts;
  /** The first of these contacts, or nothing. @throws as above */
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
    this.#host.tick();
    checkSurplus(surplus, 'sweepVertices(mesh, from, to, options)');
    return this.sweeper.vertices(mesh, from, to, options);
  }

  /**
   * Contacts of two meshes while they go from one placement to another: each of their vertices straight
   * ahead, or, with `motion: 'rigid'`, the mesh turning about its origin. Triangles that share a point at the
   * start are contacts of kind 'start', decided exactly. A mesh wholly inside the other's solid touches
   * nothing: see `contains`.
   * @throws InvalidTransform, Unsupported, Disposed, Capacity
   */
  sweep(a: Mesh, b: Mesh, options: PlacedSweepOptions & { want: 'all' }): SweptContacts;
  /** The first of these contacts, or nothing. @throws as above */
  sweep(a: Mesh, b: Mesh, options?: PlacedSweepOptions & { want?: 'first' }): SweptContact | undefined;
  sweep(
    a: Mesh,
    b: Mesh,
    options: PlacedSweepOptions = {},
    surplus?: unknown,
  ): SweptContacts | SweptContact | undefined {
    this.#host.tick();
    checkSurplus(surplus, 'sweep(a, b, options)');
    return this.sweeper.meshes(a, b, options);
  }

  /**
   * Whether and when pairs of features touch whose points move straight ahead, whatever mesh they are of.
   * queries: 24 numbers a pair, four points at the start, then at the end: of 'VF' a vertex and a face's
   * three, of 'EE' two edges'.
   * @throws Unsupported, Disposed, Capacity
   */
  sweepFeatures(kind: 'VF' | 'EE', queries: Float64Array, options?: FeatureSweepOptions): FeatureContacts;
  sweepFeatures(
    kind: 'VF' | 'EE',
    queries: Float64Array,
    asked: FeatureSweepOptions = {},
    surplus?: unknown,
  ): FeatureContacts {
    const host = this.#host;
    host.tick();
    checkSurplus(surplus, 'sweepFeatures(kind, queries, options)');
    const options = copyOptions(FEATURE_SWEEP, asked);
    checkKind(kind, ['VF', 'EE']);
    checkQueries('queries', queries);
    return sweepFeatures(host.backend, kind, queries, options);
  }

  /**
   * When each of these pairs first touches, 0..1, never later than it does; Infinity where it does not.
   * Without a separation that is decided exactly; `exact` makes the times so, too. points: as queries above,
   * of 'vf' a vertex and a face, of 'ee' two edges.
   * @throws Unsupported, Disposed, Capacity
   */
  contactTimes(kind: 'vf' | 'ee', points: Float64Array, options?: FeatureSweepOptions): Float64Array;
  contactTimes(
    kind: 'vf' | 'ee',
    points: Float64Array,
    asked: FeatureSweepOptions = {},
    surplus?: unknown,
  ): Float64Array {
    const host = this.#host;
    host.tick();
    checkSurplus(surplus, 'contactTimes(kind, points, options)');
    const options = copyOptions(FEATURE_SWEEP, asked);
    checkKind(kind, ['vf', 'ee']);
    checkQueries('points', points);
    return contactTimes(host.backend, kind.toUpperCase() as FeatureKind, points, options);
  }

  /**
   * A mesh's edges, by the numbers that contacts have for them: two vertices each. @throws Unsupported,
   * Disposed, Capacity
   */
  edgesOf(mesh: Mesh): Uint32Array {
    this.#host.tick();
    return this.sweeper.edgesOf(mesh);
  }
}

export const continuous: EngineModule<ContinuousVerbs> = {
  inlined: { nameLength, wasmGzipBase64 },
  makeVerbs: host => new ContinuousVerbs(host),
  makeBodySweeper,
};
