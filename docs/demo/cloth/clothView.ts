// Draws the cloth, the ball and the floor. Where the cloth would touch itself, highlights its triangles for a
// while.

import type { MeshData } from 'pfront/samples';
import {
  type BufferAttribute,
  type BufferGeometry,
  CircleGeometry,
  DoubleSide,
  DynamicDrawUsage,
  Mesh,
  MeshLambertMaterial,
  SphereGeometry,
} from 'three';
import { mat4d } from 'wgpu-matrix';
import { geometryOf } from '../shell/geometry.js';
import { HighlightedTriangles } from '../shell/highlightedTriangles.js';
import { type Stage, themed } from '../shell/stage.js';
import { FLOOR, RADIUS } from './cloth.js';

/** Number of steps for which the triangles at a vertex stay highlighted after a contact. */
const GLOW_STEPS = 45;
/** Points that the camera must show: corners of the sheet at the start, and of the floor. */
const SEEN = [
  [-1.25, -1.25, 0.55],
  [1.25, -1.25, 0.55],
  [-1.25, 1.25, 0.55],
  [1.25, 1.25, 0.55],
  [-1.2, -1.2, FLOOR],
  [1.2, 1.2, FLOOR],
  [1.2, -1.2, FLOOR],
  [-1.2, 1.2, FLOOR],
].flat();
const IDENTITY = mat4d.identity();

export class ClothView {
  private readonly material = themed(
    new MeshLambertMaterial({ flatShading: true, side: DoubleSide }),
    'part-a',
  );
  private readonly ball = new Mesh(
    new SphereGeometry(RADIUS, 48, 32),
    themed(new MeshLambertMaterial(), 'part-b'),
  );
  private readonly lit = new HighlightedTriangles();
  private cloth: Mesh<BufferGeometry> | undefined;
  private mesh: MeshData | undefined;
  private litUntil = new Uint32Array(0);
  private step = 0;

  constructor(private readonly stage: Stage) {
    const floor = new Mesh(
      new CircleGeometry(2.4, 96),
      themed(new MeshLambertMaterial({ transparent: true, opacity: 0.5 }), 'faint'),
    );
    floor.position.z = FLOOR;
    stage.scene.add(this.ball, floor, this.lit.object);
    stage.fit(SEEN, [0.5, -1, 0.42]);
  }

  /** Replaces the drawn sheet with another sheet. */
  change(mesh: MeshData): void {
    if (this.cloth) {
      this.stage.scene.remove(this.cloth);
      this.cloth.geometry.dispose();
    }
    // A copy, because the drawn positions change.
    this.mesh = { positions: mesh.positions.slice(), indices: mesh.indices };
    this.cloth = new Mesh(geometryOf(this.mesh), this.material);
    (this.cloth.geometry.getAttribute('position') as BufferAttribute).setUsage(DynamicDrawUsage);
    this.cloth.frustumCulled = false;
    this.stage.scene.add(this.cloth);
    this.litUntil = new Uint32Array(mesh.positions.length / 3);
    this.step = 0;
  }

  /**
   * Updates the drawing after a step. `touched`: the vertices of the faces and edges in contact. `angle`:
   * rotation of the ball about the vertical axis in radians.
   */
  show(positions: Float64Array, touched: Iterable<number>, angle: number): void {
    const { mesh, cloth, lit, litUntil } = this;
    if (!mesh || !cloth) return;
    mesh.positions.set(positions);
    cloth.geometry.getAttribute('position').needsUpdate = true;
    this.ball.rotation.z = angle;
    this.step++;
    for (const vertex of touched) litUntil[vertex] = this.step + GLOW_STEPS;
    lit.clear();
    for (let corner = 0; corner < mesh.indices.length; corner += 3) {
      const until = Math.max(
        litUntil[mesh.indices[corner]!]!,
        litUntil[mesh.indices[corner + 1]!]!,
        litUntil[mesh.indices[corner + 2]!]!,
      );
      if (until > this.step) lit.add(mesh, corner / 3, IDENTITY);
    }
    lit.update();
  }
}
