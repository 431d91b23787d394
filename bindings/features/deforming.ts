// Meshes that deform and meet themselves -> what they add to an engine: pairs within a mesh, and trees that are watched.
import { Unsupported } from '../errors.js';
import type { Watched } from '../backend.js';
import type { EngineHost, Feature } from '../feature.js';
import { PairRecord, PlaceJob } from '../layout.js';
import { Buffer } from '../memory.js';
import type { Mesh } from '../mesh.js';
import { checkObject, checkQueryOptions, oneOf, type QueryOptions } from '../options.js';
import { fillPair, nameMeshes } from '../placement.js';
import { TrianglePairs } from '../results.js';
import type { FrontSystem } from '../systems/front.js';
import { SelfFronts } from '../systems/selfFronts.js';
import { SelfTrees, type Neighbours } from '../systems/selfTrees.js';
import { handOffMicroseconds, Worth } from '../systems/worth.js';
import { Wear } from '../wear.js';
import * as inlined from '../wasm/deforming.wasm.js';

/** What selfQuery may be asked for; all may be left out. */
export interface SelfQueryOptions extends Pick<QueryOptions, 'want' | 'order' | 'coherence' | 'parts' | 'grain' | 'stealing' | 'weight'> {
  /** Which triangles are neighbours, and no pair: those with a vertex of one index, or of the same coordinates (-0 is 0). Default 'index'. */
  neighbours?: Neighbours;
}

/** Verbs of meshes that deform. */
export interface DeformingVerbs {
  /** Whether two triangles of a mesh share a point but no vertex; stops at the first hit. @throws Unsupported, Disposed, Capacity */
  selfQuery(mesh: Mesh, options: SelfQueryOptions & { want: 'any' }): boolean;
  /**
   * Pairs (a, b), a < b, of one mesh's triangles that share a point but no vertex, exact and complete. Synchronous, on all threads.
   * Source: Zhang and Kim, p-partition fronts, 5.2.3.
   * @throws Unsupported, Disposed, Capacity
   */
  selfQuery(mesh: Mesh, options?: SelfQueryOptions & { want?: 'pairs' }): TrianglePairs;
}

class SelfQueries {
  private readonly host: EngineHost;
  private readonly trees: SelfTrees;
  private readonly fronts = new SelfFronts();
  private readonly job: Buffer;
  private worth: Worth | undefined;
  private readonly swapped = new Uint8Array(1);

  constructor(host: EngineHost) {
    this.host = host;
    this.trees = new SelfTrees(host.backend);
    this.job = new Buffer(host.backend.arena);
  }

  ask(mesh: Mesh, options: SelfQueryOptions): TrianglePairs | boolean {
    const { host, host: { backend } } = this, { want, neighbours = 'index', order } = options;
    if (!host.owns(mesh)) throw new Unsupported('the mesh is missing, or is not of this engine', 'pass a mesh that createMesh of the engine that is asked has made');
    const worth = this.worth ??= new Worth(handOffMicroseconds(backend)), { threadCount } = backend.pool;
    const parts = options.parts ?? (threadCount === 1 ? 1 : worth.threads(mesh, mesh, 2 * mesh.leafCount, threadCount));
    const run = want === 'any' ? 'runAny' : 'run', fronts = [parts > 1 ? this.fronts.of(backend.arena, mesh) : undefined];
    const front = host.run(run, (made) => this.write(made, mesh, neighbours), { ...options, parts }, fronts, 'Self');
    if (want === 'any') return backend.arena.u32[front.hitsAt / 4] === 1;
    worth.note(mesh, mesh, front.cost, front.greatest, front.milliseconds, Math.min(front.parts, threadCount));
    return new TrianglePairs(host.join(1, this.swapped, order), host.clock, host.summarise);
  }

  // One pair: a mesh with itself, whose frame is always fit.
  private write(front: FrontSystem, mesh: Mesh, neighbours: Neighbours): readonly Mesh[] {
    const { backend, backend: { arena } } = this.host;
    const jobAt = this.job.reserve(PlaceJob.size), at = front.reservePairs(1), treeAt = this.trees.of(mesh, neighbours);
    nameMeshes(backend, at, mesh.recordAt, mesh.recordAt, false, false);
    fillPair(backend, jobAt, at, 0);
    arena.u32[(at + PairRecord.at.selfTreeAt) / 4] = treeAt;
    front.noteDepth(2 * mesh.depth);
    return [mesh, mesh];
  }
}

// Trees are watched one by one; one that was built anew is another.
function watchTrees({ backend }: EngineHost): void {
  const wears = new WeakMap<Watched, { wear: Wear; treeVersion: number }>();
  backend.isWorn = (mesh, options, quality) => {
    const { treeVersion } = mesh, { tree = 'auto' } = options;
    if (quality === undefined) {
      checkObject('options', options);
      oneOf('tree', tree, ['auto', 'refit', 'rebuild']);
      return tree === 'rebuild';
    }
    let known = wears.get(mesh);
    if (known?.treeVersion !== treeVersion) wears.set(mesh, known = { wear: new Wear(mesh.builder), treeVersion });
    return known.wear.note(quality) && tree === 'auto';
  };
}

function makeVerbs(host: EngineHost): DeformingVerbs {
  const queries = new SelfQueries(host);
  watchTrees(host);
  const selfQuery = (mesh: Mesh, options: SelfQueryOptions = {}): TrianglePairs | boolean => {
    host.tick();
    checkQueryOptions(options);
    oneOf('neighbours', options.neighbours, ['index', 'position']);
    return queries.ask(mesh, options);
  };
  return { selfQuery } as DeformingVerbs;
}

export const deforming: Feature<DeformingVerbs> = { inlined, makeVerbs, warmUp: () => {} };
