// Implements the module 'deforming': self-intersection queries, and a rebuild policy for the trees of
// deforming meshes.

import { RebuildPolicy } from '../bvh/rebuildPolicy.js';
import { copyOptions, rejectExtraArgument } from '../core/checkOptions.js';
import type { EngineHost, EngineModule } from '../core/module.js';
import { SELF_QUERY, type SelfQueryOptions } from '../core/moduleOptions.js';
import { TrianglePairs } from '../core/results.js';
import type { Mesh } from '../mesh/mesh.js';
import { MeshRecord, PairRecord } from '../records/layout.js';
import { setWords } from '../records/record.js';
import type { Extensions, RefittedMesh } from '../runtime/engineContext.js';
import type { FrontSystem } from './front.js';
import { SelfTrees } from './selfTrees.js';
import type { StartingFront } from './startingFront.js';
import { nameLength, wasmGzipBase64 } from '../wasm/deforming.wasm.js';

/** By default, self-intersection queries of meshes with fewer leaves than this use one thread. */
const MIN_LEAVES = 512;

class SelfQueries {
  readonly #host: EngineHost;
  readonly #trees: SelfTrees;
  readonly #fronts = new WeakMap<Mesh, (StartingFront | undefined)[]>();

  constructor(host: EngineHost) {
    this.#host = host;
    this.#trees = new SelfTrees(host.context);
  }

  run(mesh: Mesh, options: SelfQueryOptions): TrianglePairs | boolean {
    const host = this.#host;
    const {
      context: { arena, pool },
      writer,
    } = this.#host;
    const { want, neighbors = 'index', order } = options;
    const write = (front: FrontSystem): readonly Mesh[] => {
      // For a tiny mesh far from the origin, the writer makes placed copies. The copies are not used here,
      // because the nodes of their trees differ from the nodes of the mesh's tree. The kernels read the mesh's
      // own coordinates and boxes.
      writer.write(front, [{ a: mesh, b: mesh }]);
      front.noteDepth(2 * mesh.depth);
      const pairingAt = this.#trees.prepareTree(mesh, neighbors);
      const nodesAt = arena.u32[(mesh.recordAt + MeshRecord.at.nodesAt) / 4];
      setWords(arena.u32, front.pairs.at, PairRecord, { pairingAt, nodesA: nodesAt, nodesB: nodesAt });
      return [mesh, mesh];
    };
    pool.chooseThreads(`self ${want}`, mesh?.leafCount);
    const parts =
      options.parts ?? (this.#host.owns(mesh) && mesh.leafCount < MIN_LEAVES ? 1 : pool.threadCount);
    const front = host.run(
      want === 'any' ? 'runAny' : 'run',
      write,
      { ...options, parts },
      this.#frontsOf(mesh),
      'Self',
    );
    if (want === 'any') {
      pool.endCall();
      return arena.u32[front.hitsAt / 4] === 1;
    }
    // The kernels write the smaller triangle number first, even if meshes A and B are exchanged in the pair
    // record.
    const place = host.join(1, new Uint8Array(1), order);
    pool.endCall();
    return new TrianglePairs(place, host.clock, host.summarize);
  }

  // Returns the cached front for self-intersection queries of a mesh. It is not shared with ordinary queries
  // of the mesh against itself, because the costs of the two kinds of query differ.
  #frontsOf(mesh: Mesh): (StartingFront | undefined)[] {
    let fronts = this.#fronts.get(mesh);
    if (!fronts && this.#host.owns(mesh)) this.#fronts.set(mesh, (fronts = [undefined]));
    return fronts ?? [];
  }
}

// Each tree has its own rebuild policy. After a rebuild, the new tree starts with a new policy.
function rebuildPolicies(): Extensions {
  const policies = new WeakMap<RefittedMesh, { policy: RebuildPolicy; treeVersion: number }>();
  return {
    shouldRebuild(mesh, options, quality) {
      const { treeVersion } = mesh;
      const { tree = 'auto' } = options;
      if (quality === undefined) return tree === 'rebuild';
      let known = policies.get(mesh);
      if (known?.treeVersion !== treeVersion)
        policies.set(mesh, (known = { policy: new RebuildPolicy(mesh.builder), treeVersion }));
      return known.policy.addRefit(quality) && tree === 'auto';
    },
  };
}

/** Methods that the module 'deforming' adds to an engine. */
export class DeformingMethods {
  readonly #host: EngineHost;
  readonly #queries: SelfQueries;

  /** @internal */
  constructor(host: EngineHost) {
    this.#host = host;
    this.#queries = new SelfQueries(host);
  }

  /**
   * Returns whether a mesh intersects itself: whether any two of its triangles that share no vertex
   * intersect. Stops at the first hit. Source: as for the next overload.
   * @throws Unsupported, Disposed, Capacity
   */
  selfQuery(mesh: Mesh, options: SelfQueryOptions & { want: 'any' }): boolean;
  /**
   * Finds all pairs (a, b) of triangles of one mesh that intersect but share no vertex; a < b. The result is
   * exact and complete. By default, a large mesh is tested on all threads. Source: Zhang and Kim 2014, section
   * 5.2.3 (p-partition fronts).
   * @throws Unsupported, Disposed, Capacity
   */
  selfQuery(mesh: Mesh, options?: SelfQueryOptions & { want?: 'pairs' }): TrianglePairs;
  selfQuery(mesh: Mesh, options: SelfQueryOptions = {}, surplus?: unknown): TrianglePairs | boolean {
    this.#host.beginCall();
    rejectExtraArgument(surplus, 'selfQuery(mesh, options)');
    return this.#queries.run(mesh, copyOptions(SELF_QUERY, options));
  }
}

export const deforming: EngineModule<DeformingMethods> = {
  inlined: { nameLength, wasmGzipBase64 },
  extend: rebuildPolicies,
  makeMethods: host => new DeformingMethods(host),
};
