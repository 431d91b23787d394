// Queries placed meshes with three-mesh-bvh, used as its documentation recommends.

import { BufferAttribute, BufferGeometry, Matrix4 } from 'three';
import { type ExtendedTriangle, MeshBVH, SAH } from 'three-mesh-bvh';
import type { MeshData } from '../../dist/samples/index.js';

export const RIVAL = 'three-mesh-bvh';

// The tree reorders the index buffer, so it gets copies of the caller's arrays.
export function geometryOf({ positions, indices }: MeshData): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions.slice(), 3));
  geometry.setIndex(new BufferAttribute(indices.slice(), 1));
  return geometry;
}

export function buildRival(mesh: MeshData, strategy?: 'sah'): BufferGeometry & { boundsTree: MeshBVH } {
  const geometry = geometryOf(mesh) as BufferGeometry & { boundsTree: MeshBVH };
  geometry.boundsTree = strategy === 'sah' ? new MeshBVH(geometry, { strategy: SAH }) : new MeshBVH(geometry);
  return geometry;
}

export type RivalMesh = ReturnType<typeof buildRival>;

export const rivalMatrix = (transform: ArrayLike<number>): Matrix4 =>
  new Matrix4().fromArray(Array.from(transform));

/** Returns the placement of B relative to A. */
export const relativeMatrix = (ofA: ArrayLike<number>, ofB: ArrayLike<number>): Matrix4 =>
  rivalMatrix(ofA).invert().multiply(rivalMatrix(ofB));

/** Collects intersecting triangle pairs of placed meshes, in memory that is kept between queries. */
export class RivalPairs {
  count = 0;
  private data = new Uint32Array(2 ** 16);
  private readonly callbacks = {
    intersectsTriangles: (
      first: ExtendedTriangle,
      second: ExtendedTriangle,
      a: number,
      b: number,
    ): boolean => {
      if (first.intersectsTriangle(second)) this.push(a, b);
      return false;
    },
  };

  clear(): void {
    this.count = 0;
  }

  /** Adds the pairs of one placement to the list. Returns the number of pairs in the list. */
  add(a: RivalMesh, b: RivalMesh, matrix: Matrix4): number {
    a.boundsTree.bvhcast(b.boundsTree, matrix, this.callbacks);
    return this.count;
  }

  private push(a: number, b: number): void {
    if (2 * this.count + 2 > this.data.length) {
      const grown = new Uint32Array(2 * this.data.length);
      grown.set(this.data);
      this.data = grown;
    }
    this.data[2 * this.count] = a;
    this.data[2 * this.count + 1] = b;
    this.count++;
  }
}
