// Draws the two meshes of the scans page and highlights intersecting triangles. The moving mesh is
// transparent.

import type { Scene } from 'pfront/samples';
import { type BufferGeometry, Mesh, MeshLambertMaterial } from 'three';
import { cornersOf, geometryOf, place } from '../shell/geometry.js';
import { HighlightedTriangles, TriangleMarks } from '../shell/highlightedTriangles.js';
import { type Stage, themed } from '../shell/stage.js';

export class PairView {
  private readonly materials = [
    themed(new MeshLambertMaterial({ flatShading: true }), 'part-a'),
    themed(new MeshLambertMaterial({ flatShading: true, transparent: true, opacity: 0.62 }), 'part-b'),
  ];
  private readonly lit = new HighlightedTriangles();
  private meshes: Mesh<BufferGeometry>[] = [];
  private marks: TriangleMarks[] = [];
  private pair: Scene | undefined;

  constructor(private readonly stage: Stage) {
    stage.scene.add(this.lit.object);
  }

  /**
   * Replaces the drawn meshes with another pair, and moves the camera to show both. `steps`: index of the
   * last frame on the path of the moving mesh.
   */
  change(pair: Scene, steps: number): void {
    for (const mesh of this.meshes) {
      this.stage.scene.remove(mesh);
      mesh.geometry.dispose();
    }
    this.pair = pair;
    this.meshes = pair.meshes.map((mesh, i) => new Mesh(geometryOf(mesh), this.materials[i]));
    this.marks = pair.meshes.map(({ indices }) => new TriangleMarks(indices.length / 3));
    this.stage.scene.add(...this.meshes);
    const seen = [0.34 * steps, 0.66 * steps].map(t => pair.frame(t));
    this.stage.fit(
      seen.flatMap(matrices => pair.meshes.flatMap((mesh, i) => cornersOf(mesh, matrices, 16 * i))),
      [0.25, 0.3, 1],
    );
  }

  move(matrices: Float64Array, hits: { a: Uint32Array; b: Uint32Array }): void {
    const { pair, lit } = this;
    if (!pair) return;
    lit.clear();
    [hits.a, hits.b].forEach((triangles, i) => {
      const mesh = pair.meshes[i]!;
      const marks = this.marks[i]!;
      place(this.meshes[i]!, matrices, 16 * i);
      marks.begin();
      for (const triangle of triangles) if (marks.isNew(triangle)) lit.add(mesh, triangle, matrices, 16 * i);
    });
    lit.update();
  }
}
