// The entry point `pfront/samples`: re-exports the generators of meshes and scenes for tests and examples.
/**
 * Generates sample meshes, crowds of boxes and moving scenes. The same arguments give the same bytes on every
 * machine.
 * @module pfront/samples
 */

export { building } from './building.js';
export { boxCrowd, type CrowdKind, crowdKinds, sphereBoxes, tumbling } from './crowds.js';
export { epicyclicTrain } from './epicyclicTrain.js';
export { type Falling, falling } from './falling.js';
export { type FoldingCloth, foldingCloth } from './foldingCloth.js';
export { loopSubdivide } from './loopSubdivide.js';
export { type Nanorobots, nanorobots } from './nanorobots.js';
export { penetrationPath, randomPlacements } from './placements.js';
export { createRandom, hash32, type Random } from './random.js';
export { type ArmJoint, type RobotArm, robotArm } from './robotArm.js';
export { type Movement, type RobotWorld, robotWorld } from './robots.js';
export { box, skittle, sphere, torus } from './shapes.js';
export { lattice, latticeBoxes, skewed, slivers, soup, touchingPlates } from './stress.js';
export { product, rotation, translation, type Vector } from './transforms.js';
export type { MeshData, Scene } from './types.js';
export { placedTriangleCount, triangleCount } from './types.js';
export { wormGear } from './wormGear.js';
