// Placed pairs of meshes -> PairRecords and the trees to walk, whatever the transforms are like.
import type { Backend } from './backend.js';
import { Unsupported } from './errors.js';
import { PairRecord } from './layout.js';
import type { Mesh } from './mesh.js';
import { makePlacedCopies, placedSize, type PlacedCopies } from './placedCopy.js';
import { fillPair, keepOriginals } from './placement.js';
import type { FrontSystem } from './systems/front.js';
import { readTransform, type Transform } from './transform.js';

const rowsA = new Float64Array(12);
const rowsB = new Float64Array(12);

export interface PlacedMeshes { a: Mesh; b: Mesh; transformA?: Transform; transformB?: Transform }

export class PairWriter {
  /** 1 where the pair of the last `write` runs with its meshes exchanged. */
  swapped = new Uint8Array(1);
  private readonly backend: Backend;
  private readonly trees: Mesh[] = [];
  private readonly copies: PlacedCopies[] = [];
  private readonly known: { has(mesh: Mesh): boolean };

  /** `known`: the meshes of this engine. */
  constructor(backend: Backend, known: { has(mesh: Mesh): boolean }) {
    this.backend = backend;
    this.known = known;
  }

  /** @returns trees[2 i], trees[2 i + 1]: the meshes of pair i as its record has them. `release` when the run is over. */
  write(front: FrontSystem, pairs: readonly PlacedMeshes[]): readonly Mesh[] {
    if (this.swapped.length < pairs.length) this.swapped = new Uint8Array(pairs.length);
    const at = front.reservePairs(pairs.length);
    this.trees.length = 2 * pairs.length;
    for (let i = 0; i < pairs.length; i++) {
      const { a, b, transformA, transformB } = pairs[i]!;
      this.check(a);
      this.check(b);
      if (transformA) readTransform('transformA', transformA, rowsA);
      if (transformB) readTransform('transformB', transformB, rowsB);
      this.fill(i, at + i * PairRecord.size, a, b, transformA && rowsA, transformB && rowsB);
      front.noteDepth(this.trees[2 * i]!.depth + this.trees[2 * i + 1]!.depth);
    }
    return this.trees;
  }

  /** Gives back what the last `write` made for its run only. */
  release(): void {
    for (const { a, b } of this.copies) { a.dispose(); b.dispose(); }
    this.copies.length = 0;
  }

  private check(mesh: Mesh): void {
    if (this.known.has(mesh)) return;
    throw new Unsupported('a mesh is missing, or is not of this engine', 'pass meshes that createMesh of the engine that is asked has made');
  }

  private fill(i: number, at: number, a: Mesh, b: Mesh, ofA: Float64Array | undefined, ofB: Float64Array | undefined): void {
    const { arena } = this.backend;
    this.setTrees(i, 0, a, b);
    if (fillPair(arena, at, a.recordAt, b.recordAt, ofA, ofB)) return;
    this.setTrees(i, 1, b, a);
    if (fillPair(arena, at, b.recordAt, a.recordAt, ofB, ofA)) return;
    if (placedSize(this.backend, a, ofA) >= placedSize(this.backend, b, ofB)) this.fillCopies(i, 0, at, a, ofA, b, ofB);
    else this.fillCopies(i, 1, at, b, ofB, a, ofA);
  }

  // Neither frame is fit: the filter works on copies in a common one, the exact stage on the meshes themselves.
  private fillCopies(i: number, swapped: 0 | 1, at: number, a: Mesh, ofA: Float64Array | undefined, b: Mesh, ofB: Float64Array | undefined): void {
    const copies = makePlacedCopies(this.backend, a, ofA, b, ofB);
    this.copies.push(copies);
    this.setTrees(i, swapped, copies.a, copies.b);
    fillPair(this.backend.arena, at, copies.a.recordAt, copies.b.recordAt, undefined, undefined, copies.ownError);
    keepOriginals(this.backend.arena, at, a.recordAt, b.recordAt, ofA, ofB);
  }

  private setTrees(i: number, swapped: 0 | 1, a: Mesh, b: Mesh): void {
    this.swapped[i] = swapped;
    this.trees[2 * i] = a;
    this.trees[2 * i + 1] = b;
  }
}
