// Continuous collision detection -> what it adds to an engine: sweeps of meshes that are placed, and of meshes that deform.
import { Unsupported } from '../errors.js';
import type { EngineHost, Feature } from '../feature.js';
import type { Mesh } from '../mesh.js';
import { oneOf } from '../options.js';
import { retry } from '../steps.js';
import { checkCoordinates, checkQueries, checkSweepOptions, DEFAULT_TOLERANCE, marginOf, type Coordinates, type PlacedSweepOptions, type SweepOptions } from '../sweepOptions.js';
import { decideNear } from '../decideNear.js';
import { makeBodySweeper } from '../sweptBodies.js';
import { firstOf, readContacts, type SweptContact, type SweptContacts } from '../sweptContacts.js';
import { BoxPairFinder } from '../systems/boxPairs.js';
import { contactTimes, sweepFeatures, type FeatureContacts, type FeatureKind, type FeatureSweepOptions } from '../systems/featureSweep.js';
import { FaceSweep } from '../systems/faceSweep.js';
import { MeshTables } from '../systems/meshTables.js';
import { MovingMesh } from '../systems/sweptMesh.js';
import { readTransform, type Transform } from '../transform.js';
import * as inlined from '../wasm/continuous.wasm.js';

export interface ContinuousVerbs {
  /**
   * Contacts of a mesh with itself while its vertices move straight from one place to another: vertices with faces, edges with
   * edges, that share no vertex. No contact is missed; `toi` is never later than the contact.
   * from, to: x, y, z of each vertex. Source: Curtis et al. 2008 (each pair of features once), Du, Liu and Suzumura 2017.
   * @throws InvalidMesh, Unsupported, Disposed, Capacity
   */
  sweepVertices(mesh: Mesh, from: Coordinates, to: Coordinates, options: SweepOptions & { want: 'all' }): SweptContacts;
  /** The first of these contacts, or nothing. @throws as above */
  sweepVertices(mesh: Mesh, from: Coordinates, to: Coordinates, options?: SweepOptions & { want?: 'first' }): SweptContact | undefined;
  /**
   * Contacts of two meshes while each of their vertices moves straight from its place in one placement to that in another.
   * @throws InvalidTransform, Unsupported, Disposed, Capacity
   */
  sweep(a: Mesh, b: Mesh, options: PlacedSweepOptions & { want: 'all' }): SweptContacts;
  /** The first of these contacts, or nothing. @throws as above */
  sweep(a: Mesh, b: Mesh, options?: PlacedSweepOptions & { want?: 'first' }): SweptContact | undefined;
  /**
   * Whether and when pairs of features touch whose points move straight ahead, whatever mesh they are of.
   * queries: 24 numbers a pair, four points at the start, then at the end: of 'VF' a vertex and a face's three, of 'EE' two edges'.
   * @throws Unsupported, Disposed, Capacity
   */
  sweepFeatures(kind: 'VF' | 'EE', queries: Float64Array, options?: FeatureSweepOptions): FeatureContacts;
  /**
   * When each of these pairs first touches, 0..1, never later than it does; Infinity where it does not. Without a separation that
   * is decided exactly; `exact` makes the times so, too. points: as queries above, of 'vf' a vertex and a face, of 'ee' two edges.
   * @throws Unsupported, Disposed, Capacity
   */
  contactTimes(kind: 'vf' | 'ee', points: Float64Array, options?: FeatureSweepOptions): Float64Array;
}

class Sweeper {
  private readonly host: EngineHost;
  private readonly tables: MeshTables;
  private finder: BoxPairFinder;
  private a: MovingMesh;
  private b: MovingMesh;
  private sweep: FaceSweep;

  constructor(host: EngineHost) {
    this.host = host;
    this.tables = new MeshTables(host.backend);
    [this.finder, this.a, this.b, this.sweep] = this.make();
  }

  vertices(mesh: Mesh, from: Coordinates, to: Coordinates, options: SweepOptions): SweptContacts | SweptContact | undefined {
    this.check(mesh);
    checkSweepOptions(options);
    const extent = Math.max(checkCoordinates(`from`, from, mesh), checkCoordinates('to', to, mesh));
    return this.run(options, extent, () => this.a.move(mesh, from, to), () => undefined);
  }

  meshes(a: Mesh, b: Mesh, options: PlacedSweepOptions): SweptContacts | SweptContact | undefined {
    this.check(a);
    this.check(b);
    checkSweepOptions(options);
    const placed = [rowsOf('fromA', options.fromA), rowsOf('toA', options.toA), rowsOf('fromB', options.fromB), rowsOf('toB', options.toB)] as const;
    const [fromA, toA = fromA, fromB, toB = fromB] = placed;
    const extent = Math.max(reachOf(a, fromA), reachOf(a, toA), reachOf(b, fromB), reachOf(b, toB));
    return this.run(options, extent, () => { this.a.place(a, fromA, toA); this.b.place(b, fromB, toB); }, () => this.b);
  }

  private run(options: SweepOptions, extent: number, move: () => void, other: () => MovingMesh | undefined): SweptContacts | SweptContact | undefined {
    const { want = 'first', minSeparation: separation = 0, tolerance = DEFAULT_TOLERANCE, exact = false } = options;
    const margin = marginOf(separation, extent);
    return this.host.trapped(() => retry(() => {
      try {
        this.sweep.clock.start();
        const startedAt = this.sweep.clock.last;
        move();
        this.sweep.clock.end('place');
        this.sweep.run(this.a, other(), { separation, margin, tolerance, isFirst: want === 'first', isExact: exact });
        const { arena } = this.host.backend, contacts = exact ? decideNear(arena, this.sweep.lists.contacts) : this.sweep.lists.contacts;
        return want === 'first' ? firstOf(arena, contacts) : readContacts(arena, contacts, () => this.sweep.summarise(startedAt)).contacts;
      } catch (error) {
        // A lost worker may still write to it; an error midway leaves it half written.
        this.dispose();
        [this.finder, this.a, this.b, this.sweep] = this.make();
        throw error;
      }
    }));
  }

  private make(): [BoxPairFinder, MovingMesh, MovingMesh, FaceSweep] {
    const { backend } = this.host, finder = new BoxPairFinder(backend);
    return [finder, new MovingMesh(backend, this.tables), new MovingMesh(backend, this.tables), new FaceSweep(backend, (boxesAt, count, secondFrom) => finder.findAt(boxesAt, count, { order: 'any', secondFrom }).list)];
  }

  private dispose(): void { for (const part of [this.finder, this.a, this.b, this.sweep]) part.dispose(); }

  private check(mesh: Mesh): void {
    if (!this.host.owns(mesh)) throw new Unsupported('a mesh is missing, or is not of this engine', 'pass meshes that createMesh of the engine that is asked has made');
  }
}

function rowsOf(name: string, transform: Transform | undefined): Float64Array | undefined {
  if (transform === undefined) return undefined;
  const rows = new Float64Array(12);
  readTransform(name, transform, rows, 0);
  return rows;
}

// Greatest |coordinate| that a placed vertex can have, with a little to spare.
function reachOf(mesh: Mesh, rows: Float64Array | undefined): number {
  const sizes = [0, 1, 2].map((axis) => Math.max(Math.abs(mesh.bounds[axis]!), Math.abs(mesh.bounds[axis + 3]!)));
  if (!rows) return Math.max(...sizes);
  return 1.01 * Math.max(...[0, 4, 8].map((row) => sizes.reduce((sum, size, axis) => sum + size * Math.abs(rows[row + axis]!), Math.abs(rows[row + 3]!))));
}

function makeVerbs(host: EngineHost): ContinuousVerbs {
  const sweeper = new Sweeper(host);
  const sweepVertices = (mesh: Mesh, from: Coordinates, to: Coordinates, options: SweepOptions = {}): SweptContacts | SweptContact | undefined => {
    host.tick();
    return sweeper.vertices(mesh, from, to, options);
  };
  const sweep = (a: Mesh, b: Mesh, options: PlacedSweepOptions = {}): SweptContacts | SweptContact | undefined => {
    host.tick();
    return sweeper.meshes(a, b, options);
  };
  const askFeatures: ContinuousVerbs['sweepFeatures'] = (kind, queries, options) => {
    host.tick();
    oneOf('kind', kind, ['VF', 'EE']);
    checkQueries('queries', queries);
    return host.trapped(() => sweepFeatures(host.backend, kind, queries, options));
  };
  const askTimes: ContinuousVerbs['contactTimes'] = (kind, points, options) => {
    host.tick();
    oneOf('kind', kind, ['vf', 'ee']);
    checkQueries('points', points);
    return host.trapped(() => contactTimes(host.backend, kind.toUpperCase() as FeatureKind, points, options));
  };
  return { sweepVertices, sweep, sweepFeatures: askFeatures, contactTimes: askTimes } as ContinuousVerbs;
}

export const continuous: Feature<ContinuousVerbs> = { inlined, makeVerbs, makeBodySweeper, warmUp: () => {} };
