// Defines what consoles and JSON show of the core's classes. No query needs this file, so createEngine imports
// it dynamically, at the same time as it loads the kernels.
import type { CoreEngine } from '../engine/engine.js';
import type { Mesh } from '../mesh/mesh.js';
import { printAs } from './printing.js';
import type { BoxPairs, ManyTrianglePairs, TrianglePairs } from './results.js';

interface Class<T> {
  readonly prototype: T;
}

/**
 * Defines how the classes are printed. The classes are passed as arguments, because importing them in this
 * file would move them out of the core's chunk in a bundle.
 */
export function printCore(
  engine: Class<CoreEngine>,
  mesh: Class<Mesh>,
  pairs: Class<TrianglePairs>,
  manyPairs: Class<ManyTrianglePairs>,
  boxPairs: Class<BoxPairs>,
  copies: object,
): void {
  printAs(engine.prototype, 'Engine', ['info']);
  printAs(mesh.prototype, 'Mesh', [
    'id',
    'triangleCount',
    'vertexCount',
    'nodeCount',
    'volume',
    'isDeformable',
    'bounds',
    'bytes',
  ]);
  printAs(pairs.prototype, 'TrianglePairs', ['count', 'a', 'b', 'stats']);
  printAs(manyPairs.prototype, 'ManyTrianglePairs', ['pairCount', 'count', 'pairsAt', 'a', 'b', 'stats']);
  printAs(copies, 'PairsCopy');
  printAs(boxPairs.prototype, 'BoxPairs', ['count', 'a', 'b', 'stats']);
}
