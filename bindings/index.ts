// The package's entry: re-exports only.
export { collide, createEngine } from './createEngine.js';
export type { Engine, EngineInfo, Note } from './engine.js';
export type { EngineOptions, PlacedPair, QueryManyOptions, QueryOptions } from './options.js';
export type { AsyncMeshOptions, Mesh, MeshData, MeshOptions, Updated } from './mesh.js';
export type { ManyTrianglePairs, PairsCopy, TrianglePairs } from './results.js';
export type { QueryStats, ThreadStats } from './stats.js';
export type { Transform } from './transform.js';
export { Capacity, CollisionError, Disposed, InvalidMesh, InvalidTransform, Stale, Unsupported, WorkerLoad } from './errors.js';
