// Entry point `pfront/papers`: re-exports only.
/**
 * Engines for studying the algorithms of papers. They have settings that other engines do not have.
 * @module pfront/papers
 */
export { createLaboratory, type Laboratory, type OverlapWeight, type Study } from './laboratory.js';
export type { Round, Traversal } from './workFront.js';
