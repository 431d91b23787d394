// What the engine answers synchronously, on the CPU: what asynchronous calls fall back to.
import type { Mesh } from './mesh.js';
import type { QueryManyOptions, QueryOptions } from './options.js';
import type { ManyTrianglePairs, TrianglePairs } from './results.js';
import type { SelfQueryOptions } from './features/deforming.js';

/** The verbs that answers on the CPU are from. */
export interface SyncVerbs {
  query(a: Mesh, b: Mesh, options?: QueryOptions): TrianglePairs | boolean;
  queryMany(options: QueryManyOptions): ManyTrianglePairs | Uint32Array;
  selfQuery(mesh: Mesh, options?: SelfQueryOptions): TrianglePairs | boolean;
}
