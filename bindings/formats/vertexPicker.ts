// Extracts meshes from one vertex list. Each mesh gets only the vertices that its triangles use, in the order
// in which they are first used.
import type { MemoryBudget } from './memoryBudget.js';
import type { Part } from './part.js';

const BYTES_PER_VERTEX = 12;
const BOOKKEEPING_BYTES = 8;

/** Extracts meshes from one shared vertex list. */
export class VertexPicker {
  private readonly newIndex: Uint32Array;
  private readonly lastPass: Uint32Array;
  private pass = 0;

  /** @param vertices The vertices of the list: as floats and, if `exact` is given, also as doubles. */
  constructor(
    private readonly vertices: Pick<Part, 'positions' | 'exact'>,
    private readonly budget?: MemoryBudget,
  ) {
    const vertexCount = vertices.positions.length / 3;
    budget?.take(BOOKKEEPING_BYTES * vertexCount, 'its vertices');
    this.newIndex = new Uint32Array(vertexCount);
    this.lastPass = new Uint32Array(vertexCount);
  }

  get vertexCount(): number {
    return this.newIndex.length;
  }

  /**
   * Returns a mesh with only the vertices that its triangles use.
   * @param indices Three vertex numbers per triangle, which refer to the shared vertex list. These numbers
   * are replaced in place by vertex numbers of the returned mesh.
   */
  extractMesh(indices: Uint32Array): Pick<Part, 'positions' | 'indices' | 'exact'> {
    const count = this.countUsed(indices);
    const { positions: all, exact } = this.vertices;
    this.budget?.take((exact ? 3 : 1) * BYTES_PER_VERTEX * count, 'its vertices');
    const positions = new Float32Array(3 * count);
    const doubles = new Float64Array(exact ? 3 * count : 0);
    const pass = ++this.pass;
    for (let i = 0, next = 0; i < indices.length; i++) {
      const vertex = indices[i];
      if (this.lastPass[vertex] !== pass) {
        this.lastPass[vertex] = pass;
        this.newIndex[vertex] = next;
        for (let axis = 0; axis < 3; axis++) positions[3 * next + axis] = all[3 * vertex + axis];
        if (exact)
          for (let axis = 0; axis < 3; axis++) doubles[3 * next + axis] = exact.positions[3 * vertex + axis];
        next++;
      }
      indices[i] = this.newIndex[vertex];
    }
    return exact ? { positions, indices, exact: { ...exact, positions: doubles } } : { positions, indices };
  }

  private countUsed(indices: Uint32Array): number {
    const pass = ++this.pass;
    let count = 0;
    for (let i = 0; i < indices.length; i++) {
      if (this.lastPass[indices[i]] === pass) continue;
      this.lastPass[indices[i]] = pass;
      count++;
    }
    return count;
  }
}
