// Placed pairs of meshes -> PairRecords and the trees to walk, whatever the transforms are like.
import type { Backend } from './backend.js';
import { Disposed } from './errors.js';
import { PairRecord } from './layout.js';
import type { Mesh } from './mesh.js';
import { fillPair } from './placement.js';
import type { FrontSystem } from './systems/front.js';
import { readTransform, type Transform } from './transform.js';

const rowsA = new Float64Array(12);
const rowsB = new Float64Array(12);

export class PairWriter {
  /** 1 where the pair of the last `write` runs with its meshes exchanged. */
  swapped = new Uint8Array(1);
  private readonly backend: Backend;
  private readonly trees: Mesh[] = [];

  constructor(backend: Backend) { this.backend = backend; }

  /** @returns trees[2 i], trees[2 i + 1]: the meshes of pair i as its record has them. */
  write(front: FrontSystem, pairs: readonly { a: Mesh; b: Mesh; transformA?: Transform; transformB?: Transform }[]): readonly Mesh[] {
    if (this.swapped.length < pairs.length) this.swapped = new Uint8Array(pairs.length);
    const at = front.reservePairs(pairs.length);
    this.trees.length = 2 * pairs.length;
    for (let i = 0; i < pairs.length; i++) {
      const { a, b, transformA, transformB } = pairs[i]!;
      if (transformA) readTransform('transformA', transformA, rowsA);
      if (transformB) readTransform('transformB', transformB, rowsB);
      const swapped = this.fill(at + i * PairRecord.size, a, b, transformA && rowsA, transformB && rowsB);
      this.swapped[i] = swapped ? 1 : 0;
      this.trees[2 * i] = swapped ? b : a;
      this.trees[2 * i + 1] = swapped ? a : b;
      front.noteDepth(a.depth + b.depth);
    }
    return this.trees;
  }

  private fill(at: number, a: Mesh, b: Mesh, ofA: Float64Array | undefined, ofB: Float64Array | undefined): boolean {
    const { arena } = this.backend;
    if (fillPair(arena, at, a.recordAt, b.recordAt, ofA, ofB)) return false;
    if (fillPair(arena, at, b.recordAt, a.recordAt, ofB, ofA)) return true;
    throw new Disposed('both frames are unfit', 'not yet');
  }
}
