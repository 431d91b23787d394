// Entry point `pfront/debug`: re-exports only.
/**
 * Checks of an engine's data structures, for bug reports and tests. They are loaded only if they are
 * imported.
 * @module pfront/debug
 */
export { checkMemory } from './checkMemory.js';
export { checkMesh } from './checkMesh.js';
export { checkScene } from './checkScene.js';
