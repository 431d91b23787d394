// Continuous collision detection -> what it adds to an engine: sweeps of meshes that are placed, and of meshes that deform.
import { Unsupported } from '../errors.js';
import type { EngineHost, Feature } from '../feature.js';
import type { Mesh } from '../mesh.js';
import { Renewable } from '../renewable.js';
import { checkCoordinates, checkKind, checkQueries, checkStraightOptions, checkSweepOptions, readSweepOptions, type Coordinates, type PlacedSweepOptions, type SweepHow, type SweepOptions } from '../sweepOptions.js';
import { makeBodySweeper } from '../sweptBodies.js';
import { firstOf, readContacts, type SweptContact, type SweptContacts } from '../sweptContacts.js';
import { contactTimes, sweepFeatures, type FeatureContacts, type FeatureKind, type FeatureSweepOptions } from '../systems/featureSweep.js';
import { MeshSweep, type FoundContacts } from '../systems/meshSweep.js';
import { MeshTables } from '../systems/meshTables.js';
import { reachOf } from '../placedReach.js';
import { readTransform, type Transform } from '../transform.js';
import { nameLength, wasmGzipBase64 } from '../wasm/continuous.wasm.js';

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
   * Contacts of two meshes while they go from one placement to another: each of their vertices straight ahead, or, with
   * `motion: 'rigid'`, the mesh turning about its origin.
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
  /** A mesh's edges, by the numbers that contacts have for them: two vertices each. @throws Unsupported, Disposed, Capacity */
  edgesOf(mesh: Mesh): Uint32Array;
}

class Sweeper {
  private readonly host: EngineHost;
  private readonly tables: MeshTables;
  private readonly own: Renewable<{ meshes: MeshSweep }>;

  constructor(host: EngineHost) {
    this.host = host;
    this.tables = new MeshTables(host.backend);
    this.own = new Renewable(() => ({ meshes: new MeshSweep(host.backend, this.tables) }));
  }

  edgesOf(mesh: Mesh): Uint32Array {
    this.check(mesh);
    return this.host.trapped(() => this.tables.of(mesh).edges.slice());
  }

  vertices(mesh: Mesh, from: Coordinates, to: Coordinates, options: SweepOptions): SweptContacts | SweptContact | undefined {
    this.check(mesh);
    checkStraightOptions(options);
    const extent = Math.max(checkCoordinates(`from`, from, mesh), checkCoordinates('to', to, mesh));
    return this.run(options, extent, (meshes, how) => meshes.deform(mesh, from, to, how));
  }

  meshes(a: Mesh, b: Mesh, options: PlacedSweepOptions): SweptContacts | SweptContact | undefined {
    this.check(a);
    this.check(b);
    checkSweepOptions(options);
    const placed = [rowsOf('fromA', options.fromA), rowsOf('toA', options.toA), rowsOf('fromB', options.fromB), rowsOf('toB', options.toB)] as const;
    const [fromA, toA = fromA, fromB, toB = fromB] = placed;
    const extent = Math.max(reachOf(a, fromA), reachOf(a, toA), reachOf(b, fromB), reachOf(b, toB));
    const way = options.motion === 'rigid' ? 'turn' : 'move';
    return this.run(options, extent, (meshes, how) => meshes[way](a, b, { fromA, toA, fromB, toB }, how));
  }

  private run(options: SweepOptions, extent: number, find: (meshes: MeshSweep, how: SweepHow) => FoundContacts): SweptContacts | SweptContact | undefined {
    const how = readSweepOptions(options, extent);
    return this.host.trapped(() => this.own.run(({ meshes }) => {
      meshes.sweep.start();
      const startedAt = meshes.sweep.clock.last, { memory, at } = find(meshes, how);
      return how.isFirst ? firstOf(memory, at) : readContacts(memory, at, () => meshes.sweep.summarise(startedAt)).contacts;
    }));
  }

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
    checkKind(kind, ['VF', 'EE']);
    checkQueries('queries', queries);
    return host.trapped(() => sweepFeatures(host.backend, kind, queries, options));
  };
  const askTimes: ContinuousVerbs['contactTimes'] = (kind, points, options) => {
    host.tick();
    checkKind(kind, ['vf', 'ee']);
    checkQueries('points', points);
    return host.trapped(() => contactTimes(host.backend, kind.toUpperCase() as FeatureKind, points, options));
  };
  const edgesOf: ContinuousVerbs['edgesOf'] = (mesh) => {
    host.tick();
    return sweeper.edgesOf(mesh);
  };
  return { sweepVertices, sweep, sweepFeatures: askFeatures, contactTimes: askTimes, edgesOf } as ContinuousVerbs;
}

export const continuous: Feature<ContinuousVerbs> = { inlined: { nameLength, wasmGzipBase64 }, makeVerbs, makeBodySweeper };
