// The engine module 'manifolds': contact points for physics solvers.

import { anyValue, copyOptions, type OptionTable, rejectExtraArgument } from '../core/checkOptions.js';
import type { EngineHost, EngineModule } from '../core/module.js';
import { PARTITION, type QueryOptions, readPair } from '../core/queryOptions.js';
import type { Mesh } from '../mesh/mesh.js';
import { ManifoldFinder } from './manifoldFinder.js';
import type { Manifolds } from './manifoldTable.js';
import { nameLength, wasmGzipBase64 } from '../wasm/manifolds.wasm.js';

/** Options of `contacts`. All are optional. */
export type ContactOptions = Pick<
  QueryOptions,
  'transformA' | 'transformB' | 'parts' | 'stealing' | 'coherence'
>;

const CONTACTS: OptionTable<ContactOptions> = { transformA: anyValue, transformB: anyValue, ...PARTITION };

/** The methods that the module adds to an engine. */
export class ManifoldMethods {
  readonly #host: EngineHost;
  /** @internal */
  readonly finder: ManifoldFinder;

  /** @internal */
  constructor(host: EngineHost) {
    this.#host = host;
    this.finder = new ManifoldFinder(host);
  }

  /**
   * Returns the contact points of two placed meshes, for a physics solver: regions with one normal and up to
   * four points each. Which triangles intersect is decided exactly; normals, points and depths are rounded.
   * Normals and points are in the common frame, and depths are in its units. The corners of each triangle are
   * assumed to run counterclockwise, seen from outside; the meshes need not be closed. The arrays stay valid
   * after later calls. The result is the same for any number of threads. Synchronous. Source: Bullet (contact
   * manifolds of up to four points); Sutherland and Hodgman 1974 (clipping).
   * @throws InvalidTransform, Unsupported, Disposed, Capacity
   */
  contacts(a: Mesh, b: Mesh, options?: ContactOptions): Manifolds;
  contacts(a: Mesh, b: Mesh, options: ContactOptions = {}, surplus?: unknown): Manifolds {
    const host = this.#host;
    host.beginCall();
    rejectExtraArgument(surplus, 'contacts(a, b, options)');
    const { transformA, transformB, ...partition } = copyOptions(CONTACTS, options);
    const pairs = [readPair({ a, b, transformA, transformB })];
    const { writer } = host;
    const front = host.run('run', system => writer.write(system, pairs), partition);
    const result = host.join(1, writer.swapped, 'sorted');
    const table = this.finder.makeTable();
    this.finder.find(
      { result, recordsAt: front.pairs.at, swapped: writer.swapped, secondTriangles: b.triangleCount },
      table,
    );
    return table.view();
  }
}

export const manifolds: EngineModule<ManifoldMethods> = {
  inlined: { nameLength, wasmGzipBase64 },
  makeMethods: host => new ManifoldMethods(host),
};
