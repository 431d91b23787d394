// Entry point `pfront/debug`: re-exports only.
/**
 * Checks of an engine's data structures, for bug reports and tests. A program that does not import this entry
 * point does not load them.
 * @module pfront/debug
 */
export { checkMemory } from './checkMemory.js';
export { checkMesh } from './checkMesh.js';
export { checkScene } from './checkScene.js';
