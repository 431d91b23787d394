// Entry point `pfront`: re-exports only.
/** Creates engines and meshes, and runs queries on meshes. @module pfront */

export type { BoxPairsOptions, Method } from './broadphase/boxPairs.js';
export type { BroadPhase } from './broadphase/broadPhase.js';
export type { BroadPhaseMethod } from './broadphase/incremental/createIncrementalBroadPhase.js';
export type { Builder } from './bvh/tree.js';
export type { OverlappingTriangles, ShapeHit } from './casts/castResults.js';
export type {
  BodyFilterOptions,
  CastMethods,
  MeshCastOptions,
  ShapeCastOptions,
  ShapeOverlapOptions,
} from './casts/casts.js';
export type { Box, Capsule, Sphere, Vector, VectorObject } from './casts/shapes.js';
export type { ContinuousOptions, SweptBodies } from './ccd/bodySweeper.js';
export type { ContinuousMethods } from './ccd/continuous.js';
export type { FeatureContacts, FeatureSweepOptions } from './ccd/featureSweep.js';
export type { Motion, PlacedSweepOptions, SweepOptions } from './ccd/sweepOptions.js';
export type { ContactKind, SweptContact, SweptContacts } from './ccd/sweptContacts.js';
export type { Certificate } from './certificate/certificate.js';
export type { CertificateOptions, CertifiedPairs, CertifiedPairsCopy } from './certificate/certifiedPairs.js';
export type {
  Classification,
  ClassifyOptions,
  MeasuredPenetration,
  PairClass,
  Penetration,
  PenetrationOptions,
  SolidMethods,
} from './contact/classify.js';
export type {
  ContactKinds,
  ContactSegments,
  ContactSegmentsCopy,
  ManyContactSegments,
} from './contact/contactSegments.js';
export type { ClosedMesh, CloseGapsOptions } from './contact/gaps/closeGaps.js';
export type { Placements } from './contact/meshContacts.js';
export type { ContactFigures, OverlapDepth, OverlapFigures } from './contact/overlapFigures.js';
export type { ManySegmentOptions, SegmentOptions } from './contact/segmentFinder.js';
export type { ProvenBounds } from './contact/volume/faceSums.js';
export type { BodyPairs } from './core/bodyPairs.js';
export type { Coordinates, ProgressOptions } from './core/checkOptions.js';
export {
  Capacity,
  CollisionError,
  Disposed,
  InvalidBoxes,
  InvalidMesh,
  InvalidTransform,
  Stale,
  Unsupported,
  WorkerLoad,
} from './core/errors.js';
export type { KeyValueStorage } from './core/keyValueStorage.js';
export type { BroadPhaseOptions, SelfQueryOptions } from './core/moduleOptions.js';
export type { GpuInfo, Note } from './core/note.js';
export type {
  AnyQueryManyOptions,
  AnyQueryOptions,
  OverlapOptions,
  PartitionOptions,
  PlacedPair,
  QueryManyOptions,
  QueryOptions,
} from './core/queryOptions.js';
export type { BoxPairs, ManyPairsCopy, ManyTrianglePairs, PairsCopy, TrianglePairs } from './core/results.js';
export type {
  BoxPairsStage,
  BoxPairsStats,
  QueryStats,
  SceneStats,
  SphereTests,
  SweepStage,
  SweepStats,
  ThreadStats,
} from './core/stats.js';
export type { MatrixObject, Transform, Transforms } from './core/transform.js';
export { collide, createEngine } from './engine/createEngine.js';
export type { CoreEngine, Engine, EngineInfo } from './engine/engine.js';
export type { ByWasmFile, EngineOptions, WasmFile } from './engine/engineOptions.js';
export type { MethodsOf, ModuleName } from './engine/moduleTable.js';
export type { AsyncEngine } from './gpu/asyncEngine.js';
export type {
  AsyncContacts,
  AsyncContactTimes,
  AsyncFeatureContacts,
  AsyncManyPairs,
  AsyncPairs,
  AsyncSweepStats,
  AsyncSweptBodies,
  AsyncSweptContact,
  AsyncSweptContacts,
  WithStats,
} from './gpu/asyncResults.js';
export type { AsyncStats } from './gpu/asyncRunner.js';
export type { FeatureFilterStats } from './gpu/ccd/filterStats.js';
export type { GpuMethods } from './gpu/gpu.js';
export type { ContactOptions, ManifoldMethods } from './manifolds/manifolds.js';
export type { Manifolds } from './manifolds/manifoldTable.js';
export type {
  AsyncMeshOptions,
  DoubleMeshData,
  Mesh,
  MeshData,
  MeshOptions,
  UpdateOptions,
  UpdateResult,
  Volume,
} from './mesh/mesh.js';
export type { StoredMethods } from './mesh/stored.js';
export type { DeformingMethods } from './narrowphase/deforming.js';
export type { Neighbors } from './narrowphase/selfTrees.js';
export type { ClosestPoints, ClosestPointsOptions, Points, PointsMethods } from './points/points.js';
export type { ChainBodyOptions, Joint, KinematicChain } from './poses/chain.js';
export type { EdgeAnswers } from './poses/edgeAnswers.js';
export type { EdgesOptions } from './poses/edges.js';
export type { PoseAnswers } from './poses/poseAnswers.js';
export type { BodyPair, PosedBodyOptions } from './poses/posedBodies.js';
export type { PosesOptions } from './poses/poses.js';
export type { ClearanceOptions, ManyClearanceOptions } from './proximity/clearanceQuery.js';
export type { Distance, DistanceOptions, DistanceStats } from './proximity/distanceQuery.js';
export type { ManyNearPairs, NearPairs, NearPairsCopy } from './proximity/nearPairs.js';
export type { ProximityMethods } from './proximity/proximity.js';
export type { AllRayHits, RayHits } from './rays/rayHits.js';
export type { RayNumbers, RayOptions, RaySide } from './rays/rayOptions.js';
export type { RaysMethods } from './rays/rays.js';
export type { WorkerHandle, WorkerStart } from './runtime/transport.js';
export type { Narrow } from './scene/frame.js';
export type { Scene } from './scene/scene.js';
export type {
  BodyOptions,
  Contacts,
  ContactsWithPoints,
  DetectOptions,
  SceneOptions,
  StartOptions,
} from './scene/sceneOptions.js';
export type { ScenesMethods } from './scene/scenes.js';
