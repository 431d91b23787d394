// A placed mesh. Gives its triangles in the common frame, in which both meshes of a pair are placed, and
// searches its tree for triangles near an axis-parallel ray or box.

import { readTransform, type Transform } from '../core/transform.js';
import type { Mesh } from '../mesh/mesh.js';
import { Leaf, limits, MeshRecord, Node } from '../records/layout.js';
import { verticesOf } from '../records/vertices.js';
import type { GridPoint } from './gridPoint.js';

const NODE_WORDS = Node.size / 4;
const LEAF_WORDS = Leaf.size / 4;
const HALF = Node.at.halfX / 4;
const CHILD = Node.at.child / 4;
/**
 * The bound of the rounding error of coordinates in the mesh's tree is twice the bound in the mesh's record,
 * but at least this number. The tree's coordinates are relative to the mesh's center, and scaled, usually to at
 * most 1 in magnitude.
 */
const STORED_ERROR = 2 ** -24;
/** Bound of the rounding error of a placed box, relative to the magnitudes from which the box is computed. */
const PLACED_ERROR = 2 ** -40;
/** Number of stack entries: more than a search of the deepest tree needs. */
const STACK = 1024;

/** A transform must not have nonzero entries whose magnitude is below this. */
const MIN_ENTRY = 2 ** -200;

const stack = new Uint32Array(STACK);
const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);

/** A mesh with its placement. */
export class Surface {
  readonly mesh: Mesh;
  /** The transform: three rows of four numbers. */
  readonly rows: Float64Array;
  #known: Float64Array | undefined;
  #list: Float64Array | undefined;

  /**
   * @param transform Undefined if positions are already in the common frame.
   * @param name The name of the transform in messages.
   * @throws InvalidTransform
   */
  constructor(mesh: Mesh, transform?: Transform, name = 'transform') {
    this.mesh = mesh;
    this.rows = transform ? new Float64Array(12) : IDENTITY;
    if (transform) readTransform(name, transform, this.rows, 0);
  }

  /**
   * The vertices in the mesh's own frame, three numbers each: a view that is valid until the engine reserves
   * memory.
   */
  get positions(): Float32Array | Float64Array {
    const {
      context: { arena },
      recordAt,
      vertexCount,
    } = this.mesh;
    const { list, from } = verticesOf(arena, recordAt);
    return list.subarray(from, from + 3 * vertexCount);
  }

  /** Three vertex numbers for each triangle: a view that is valid until the engine reserves memory. */
  get indices(): Uint32Array {
    const {
      context: {
        arena: { u32 },
      },
      recordAt,
      triangleCount,
    } = this.mesh;
    const at = u32[(recordAt + MeshRecord.at.indicesAt) / 4] / 4;
    return u32.subarray(at, at + 3 * triangleCount);
  }

  /**
   * Returns the three vertex numbers of one triangle: a view that is valid until the engine reserves memory.
   */
  vertices(triangle: number): Uint32Array {
    const {
      context: {
        arena: { u32 },
      },
      recordAt,
    } = this.mesh;
    const at = u32[(recordAt + MeshRecord.at.indicesAt) / 4] / 4 + 3 * triangle;
    return u32.subarray(at, at + 3);
  }

  /**
   * Writes a placed vertex. The order of the operations is fixed, and each operation is rounded, so that
   * results are reproducible.
   */
  place(vertex: number, out: Float64Array, to: number): void {
    const {
      mesh: {
        context: { arena },
        recordAt,
      },
    } = this;
    const { list, from } = verticesOf(arena, recordAt);
    this.#placeAt(list, from + 3 * vertex, out, to);
  }

  /** Writes the nine doubles of a placed triangle. */
  writeCorners(triangle: number, out: Float64Array, to: number): void {
    const {
      mesh: {
        context: { arena },
        recordAt,
      },
    } = this;
    const { u32 } = arena;
    const { list, from } = verticesOf(arena, recordAt);
    const indices = u32[(recordAt + MeshRecord.at.indicesAt) / 4] / 4 + 3 * triangle;
    for (let corner = 0; corner < 3; corner++)
      this.#placeAt(list, from + 3 * u32[indices + corner], out, to + 3 * corner);
  }

  #placeAt(list: Float32Array | Float64Array, at: number, out: Float64Array, to: number): void {
    const { rows } = this;
    const x = list[at];
    const y = list[at + 1];
    const z = list[at + 2];
    for (let axis = 0; axis < 3; axis++)
      out[to + axis] =
        rows[4 * axis] * x + rows[4 * axis + 1] * y + rows[4 * axis + 2] * z + rows[4 * axis + 3];
  }

  /** Coordinates of the placed vertices that triangles use: three doubles per vertex, each vertex once. */
  get placedVertices(): Float64Array {
    if (this.#list) return this.#list;
    const {
      mesh: { vertexCount },
      indices,
    } = this;
    const used = new Uint8Array(vertexCount);
    for (let i = 0; i < indices.length; i++) used[indices[i]] = 1;
    const list = new Float64Array(3 * used.reduce((sum, one) => sum + one, 0));
    for (let vertex = 0, to = 0; vertex < vertexCount; vertex++) {
      if (!used[vertex]) continue;
      this.place(vertex, list, to);
      to += 3;
    }
    return (this.#list = list);
  }

  /** Bounds of the placed vertices: minimum x, y, z, then maximum x, y, z. */
  get bounds(): Float64Array {
    if (this.#known) return this.#known;
    const bounds = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
    const { placedVertices: placed } = this;
    for (let i = 0; i < placed.length; i += 3) {
      for (let axis = 0; axis < 3; axis++) {
        bounds[axis] = Math.min(bounds[axis], placed[i + axis]);
        bounds[3 + axis] = Math.max(bounds[3 + axis], placed[i + axis]);
      }
    }
    return (this.#known = bounds);
  }

  /** The largest magnitude of a coordinate of the placed vertices. */
  get reach(): number {
    return this.bounds.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  }

  /** Returns whether a point is certainly outside of the bounds. */
  isOutsideBounds({ near }: GridPoint): boolean {
    const { bounds } = this;
    return near.some((value, axis) => value < bounds[axis] || value > bounds[3 + axis]);
  }

  /**
   * Calls `visit` for every triangle that may be hit by the ray that starts at the point and follows the axis
   * in its positive direction. The test is conservative, so other triangles may be visited, too.
   */
  forEachAlongRay({ near }: GridPoint, axis: number, visit: (triangle: number) => void): void {
    const end = [...near];
    end[axis] = Infinity;
    this.forEachNearBox(near, end, visit);
  }

  /**
   * Calls `visit` for every placed triangle that may overlap a box. The test is conservative, so other
   * triangles may be visited, too.
   */
  forEachNearBox(low: ArrayLike<number>, high: ArrayLike<number>, visit: (triangle: number) => void): void {
    const {
      mesh: {
        context: {
          arena: { u32 },
        },
        recordAt,
        triangleCount,
      },
    } = this;
    if (triangleCount === 0) return;
    const leaves = u32[(recordAt + MeshRecord.at.leavesAt) / 4] / 4;
    const nodes = u32[(recordAt + MeshRecord.at.nodesAt) / 4] / 4;
    const mayOverlap = this.#boxTest(low, high);
    let stackSize = 1;
    stack[0] = 0;
    while (stackSize > 0) {
      const node = nodes + stack[--stackSize] * NODE_WORDS;
      for (let lane = 0; lane < limits.WIDTH; lane++) {
        const child = u32[node + CHILD + lane];
        if (child === limits.NOTHING || !mayOverlap(node + lane)) continue;
        if (child < limits.LEAF_BIT) stack[stackSize++] = child;
        else visitLeaf(u32, leaves + (child - limits.LEAF_BIT) * LEAF_WORDS, visit);
      }
    }
  }

  // Returns a function that tells whether a box overlaps the placed box of a child node or leaf. The placed box
  // is enlarged by its rounding error. lane: index in `f32` of the center x of the child's box in the tree.
  #boxTest(low: ArrayLike<number>, high: ArrayLike<number>): (lane: number) => boolean {
    const {
      rows,
      mesh: {
        context: {
          arena: { f32 },
        },
        recordAt,
      },
    } = this;
    const record = recordAt / 4;
    const scale = f32[record + MeshRecord.at.scale / 4];
    const storedError = Math.max(STORED_ERROR, 2 * f32[record + MeshRecord.at.storedError / 4]);
    const center = record + MeshRecord.at.centerX / 4;
    return lane => {
      for (let i = 0; i < 3; i++) {
        const row = 4 * i;
        let middle = rows[row + 3];
        let reach = 0;
        let size = Math.abs(middle);
        for (let from = 0; from < 3; from++) {
          const stored = f32[lane + 4 * from] / scale + f32[center + from];
          const half = (f32[lane + HALF + 4 * from] + storedError) / scale;
          const factor = Math.abs(rows[row + from]);
          middle += rows[row + from] * stored;
          reach += factor * half;
          size += factor * (Math.abs(stored) + half);
        }
        if (low[i] - middle > reach + (size + Math.abs(low[i])) * PLACED_ERROR) return false;
        if (middle - high[i] > reach + (size + Math.abs(high[i])) * PLACED_ERROR) return false;
      }
      return true;
    };
  }
}

function visitLeaf(u32: Uint32Array, leaf: number, visit: (triangle: number) => void): void {
  for (let lane = 0; lane < limits.WIDTH; lane++) {
    const triangle = u32[leaf + Leaf.at.id / 4 + lane];
    if (triangle !== limits.NOTHING) visit(triangle);
  }
}

/**
 * Converts a placement to a column-major transform, adds a translation and scales the result. Entries with a
 * magnitude below MIN_ENTRY become 0.
 * @param rows Three rows of four numbers.
 */
export function matrixOf(
  rows: Float64Array,
  translation: readonly [number, number, number] = [0, 0, 0],
  scale = 1,
): Float64Array {
  const matrix = new Float64Array(16);
  matrix[15] = 1;
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 4; column++) {
      const value = scale * (rows[4 * row + column] + (column === 3 ? translation[row] : 0));
      matrix[4 * column + row] = Math.abs(value) < MIN_ENTRY ? 0 : value;
    }
  }
  return matrix;
}
