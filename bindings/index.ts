// The package's entry: re-exports only.
export { collide, createEngine } from './createEngine.js';
export type { BroadPhase, BroadPhaseOptions } from './broadPhase.js';
export type { Engine, EngineInfo, Note } from './engine.js';
export type { EngineOptions } from './engineOptions.js';
export type { PlacedPair, QueryManyOptions, QueryOptions } from './options.js';
export type { AsyncMeshOptions, Mesh, MeshData, MeshOptions, Updated } from './mesh.js';
export type { BoxPairs, ManyTrianglePairs, PairsCopy, TrianglePairs } from './results.js';
export type { BoxPairsOptions } from './systems/boxPairs.js';
export type { BodyOptions, Contacts, DetectOptions, Scene, SceneOptions } from './scene.js';
export type { BodyPairs } from './contacts.js';
export type { BoxPairsStage, BoxPairsStats, QueryStats, SceneStats, ThreadStats } from './stats.js';
export type { Transform } from './transform.js';
export { Capacity, CollisionError, Disposed, InvalidBoxes, InvalidMesh, InvalidTransform, Stale, Unsupported, WorkerLoad } from './errors.js';
