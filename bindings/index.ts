// The package's entry: re-exports only.
/**
 * Engines, meshes, and the questions that are asked of them.
 * @module pfront
 */
export { collide, createEngine } from './createEngine.js';
export type { BroadPhase } from './broadPhase.js';
export type { BroadPhaseOptions, SelfQueryOptions } from './featureOptions.js';
export type { Engine, EngineInfo } from './engine.js';
export type { AsyncContacts, AsyncManyPairs, AsyncPairs, AsyncSweptBodies, WithStats } from './asyncAnswers.js';
export type { AsyncEngine } from './asyncEngine.js';
export type { AsyncStats } from './gpuRunner.js';
export type { GpuInfo, Note } from './note.js';
export type { ByWasmFile, EngineOptions, WasmFile } from './engineOptions.js';
export type { FeatureName } from './features.js';
export type { AnyQueryManyOptions, AnyQueryOptions, PartitionOptions, PlacedPair, QueryManyOptions, QueryOptions } from './options.js';
export type { AsyncMeshOptions, Mesh, MeshData, MeshOptions, UpdateOptions, Updated, Volume } from './mesh.js';
export type { Builder } from './tree.js';
export type { BoxPairs, ManyPairsCopy, ManyTrianglePairs, PairsCopy, TrianglePairs } from './results.js';
export type { BoxPairsOptions, Method } from './systems/boxPairs.js';
export type { OverlapWeight } from './systems/frontMaker.js';
export type { KeptMethod } from './systems/makeKeeper.js';
export type { Scene } from './scene.js';
export type { BodyOptions, Contacts, DetectOptions, SceneOptions, StartOptions } from './sceneOptions.js';
export type { BodyPairs } from './contacts.js';
export type { ContactKinds, ContactSegments, ContactSegmentsCopy, ManyContactSegments } from './questions/contactSegments.js';
export type { ManySegmentOptions, SegmentOptions } from './questions/segmentFinder.js';
export type { BodyPair, PosesOptions } from './questions/poses.js';
export type { PoseAnswers } from './questions/poseAnswers.js';
export type { ClearanceOptions, ManyClearanceOptions } from './questions/clearance.js';
export type { ManyNearPairs, NearPairs, NearPairsCopy } from './questions/nearPairs.js';
export type { Distance, DistanceOptions, DistanceStats } from './questions/distance.js';
export type { Neighbours } from './systems/selfTrees.js';
export type { Classified, ClassifyOptions, PairClass, Penetration } from './questions/classify.js';
export type { Placements } from './questions/asked.js';
export type { Narrow } from './frame.js';
export type { BoxPairsStage, BoxPairsStats, QueryStats, SceneStats, SphereTests, ThreadStats } from './stats.js';
export type { Coordinates, Motion, PlacedSweepOptions, SweepOptions } from './sweepOptions.js';
export type { ContinuousOptions, SweptBodies } from './bodySweeper.js';
export type { FeatureContacts, FeatureSweepOptions } from './systems/featureSweep.js';
export type { SweepStage, SweepStats } from './stats.js';
export type { ContactKind, SweptContact, SweptContacts } from './sweptContacts.js';
export type { MatrixObject, Transform, Transforms } from './transform.js';
export type { WorkerHandle, WorkerStart } from './transport.js';
export { Capacity, CollisionError, Disposed, InvalidBoxes, InvalidMesh, InvalidTransform, Stale, Unsupported, WorkerLoad } from './errors.js';
