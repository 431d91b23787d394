// Parameters -> scenes, the same bytes each time: shared by tests, benches and samples.
/**
 * Generated meshes, crowds of boxes and moving scenes: the same bytes each time.
 * @module pfront/scenes
 */

export type { MeshData, Scene } from './types.js';
export { placedTriangleCount, triangleCount } from './types.js';
export { createRandom, mixed, type Random } from './random.js';
export { box, skittle, sphere, torus } from './shapes.js';
export { wormGear } from './wormGear.js';
export { epicyclicTrain } from './epicyclicTrain.js';
export { loopSubdivide } from './loopSubdivide.js';
export { boxCrowd, crowdKinds, sphereBoxes, tumbling, type CrowdKind } from './crowds.js';
export { falling, type Falling } from './falling.js';
export { foldingCloth, type FoldingCloth } from './foldingCloth.js';
export { nanorobots, type Nanorobots } from './nanorobots.js';
export { robotWorld, type Movement, type RobotWorld } from './robots.js';
export { penetrationPath, randomPlacements } from './placements.js';
export { robotArm, type RobotArm } from './robotArm.js';
export { product, rotation, translation, type Vector } from './transforms.js';
export { lattice, latticeBoxes, skewed, slivers, soup, touchingPlates } from './stress.js';
