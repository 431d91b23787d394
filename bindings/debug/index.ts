// The entry for debugging: re-exports only.
/**
 * Checks of what an engine holds, for bug reports and tests. Nothing of it is loaded unless it is imported.
 * @module pfront/debug
 */
export { checkMemory } from './checkMemory.js';
export { checkMesh } from './checkMesh.js';
export { checkScene } from './checkScene.js';
