// Draws highlighted triangles of placed meshes. Triangles behind other surfaces are drawn faintly through
// these surfaces.

import type { MeshData } from 'pfront/samples';
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  Mesh,
  MeshBasicMaterial,
} from 'three';
import { themed } from './stage.js';

export class HighlightedTriangles {
  readonly object = new Group();
  private readonly geometry = new BufferGeometry();
  private readonly positions: Float32Array;
  private length = 0;

  /** Shows at most `maxTriangles` triangles. Triangles that are added beyond this number are ignored. */
  constructor(maxTriangles = 24_000) {
    this.positions = new Float32Array(9 * maxTriangles);
    this.geometry.setAttribute('position', new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage));
    const open = { side: DoubleSide, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2 };
    const seen = new Mesh(this.geometry, themed(new MeshBasicMaterial(open), 'lit'));
    const hidden = new Mesh(
      this.geometry,
      themed(
        new MeshBasicMaterial({
          side: DoubleSide,
          depthTest: false,
          depthWrite: false,
          transparent: true,
          opacity: 0.32,
        }),
        'lit',
      ),
    );
    for (const mesh of [seen, hidden]) mesh.frustumCulled = false;
    hidden.renderOrder = 2;
    seen.renderOrder = 1;
    this.object.add(seen, hidden);
  }

  /** Removes all triangles. */
  clear(): void {
    this.length = 0;
  }

  /** Adds a triangle. The transform of the mesh is the 16 numbers of `matrices` at index `at`. */
  add({ positions, indices }: MeshData, triangle: number, matrices: ArrayLike<number>, at = 0): void {
    if (this.length === this.positions.length) return;
    for (let corner = 3 * triangle; corner < 3 * triangle + 3; corner++) {
      const from = 3 * indices[corner]!;
      const x = positions[from]!;
      const y = positions[from + 1]!;
      const z = positions[from + 2]!;
      for (let axis = at; axis < at + 3; axis++) {
        this.positions[this.length++] =
          matrices[axis]! * x + matrices[axis + 4]! * y + matrices[axis + 8]! * z + matrices[axis + 12]!;
      }
    }
  }

  /** Makes the drawing show the triangles that were added since the last `clear`. */
  update(): void {
    const attribute = this.geometry.getAttribute('position') as BufferAttribute;
    attribute.clearUpdateRanges();
    attribute.addUpdateRange(0, this.length);
    attribute.needsUpdate = true;
    this.geometry.setDrawRange(0, this.length / 3);
  }
}

/** Marks triangles of a mesh, so that a triangle that occurs in several pairs is highlighted only once. */
export class TriangleMarks {
  private readonly rounds: Uint32Array;
  private round = 0;

  constructor(count: number) {
    this.rounds = new Uint32Array(count);
  }

  /** Starts a new round: removes all marks. */
  begin(): void {
    this.round++;
  }

  /** Marks a triangle. Returns true if the triangle was not yet marked in this round. */
  isNew(triangle: number): boolean {
    if (this.rounds[triangle] === this.round) return false;
    this.rounds[triangle] = this.round;
    return true;
  }
}
