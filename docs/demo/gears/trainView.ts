// Draws the gears of the gear train and highlights intersecting triangles.

import type { Contacts } from 'pfront';
import type { Scene } from 'pfront/samples';
import { Mesh, MeshLambertMaterial } from 'three';
import { cornersOf, geometryOf, place } from '../shell/geometry.js';
import { HighlightedTriangles, TriangleMarks } from '../shell/highlightedTriangles.js';
import { type Stage, themed } from '../shell/stage.js';

const colors: [kind: RegExp, name: string][] = [
  [/sun/, 'part-b'],
  [/planet/, 'part-a'],
  [/ring/, 'part-c'],
];

export class TrainView {
  private readonly gears: Mesh[];
  private readonly marks: TriangleMarks[];
  private readonly lit = new HighlightedTriangles();

  constructor(
    stage: Stage,
    private readonly train: Scene,
  ) {
    const geometries = train.meshes.map(geometryOf);
    const materials = colors.map(([, name]) => themed(new MeshLambertMaterial({ flatShading: true }), name));
    this.gears = train.parts.map(
      ({ name, mesh }) =>
        new Mesh(geometries[mesh], materials[colors.findIndex(([kind]) => kind.test(name))]),
    );
    this.marks = train.parts.map(({ mesh }) => new TriangleMarks(train.meshes[mesh]!.indices.length / 3));
    stage.scene.add(...this.gears, this.lit.object);
    const placed = train.frame(0);
    stage.fit(
      train.parts.flatMap(({ mesh }, part) => cornersOf(train.meshes[mesh]!, placed, 16 * part)),
      [0.5, -0.6, 0.85],
    );
  }

  move(matrices: Float64Array): void {
    this.gears.forEach((gear, part) => place(gear, matrices, 16 * part));
  }

  /**
   * Highlights the intersecting triangles of the contacts. `partOf` takes the id of a body and returns the
   * index of its gear.
   */
  light(
    { count, a, b, pairsAt, triangles }: Contacts,
    matrices: Float64Array,
    partOf: (id: number) => number,
  ): void {
    this.lit.clear();
    for (const marks of this.marks) marks.begin();
    for (let contact = 0; contact < count; contact++) {
      this.lightPart(
        partOf(a[contact]!),
        triangles.a.subarray(pairsAt[contact], pairsAt[contact + 1]),
        matrices,
      );
      this.lightPart(
        partOf(b[contact]!),
        triangles.b.subarray(pairsAt[contact], pairsAt[contact + 1]),
        matrices,
      );
    }
    this.lit.update();
  }

  showLit(isShown: boolean): void {
    this.lit.object.visible = isShown;
  }

  private lightPart(part: number, triangles: Uint32Array, matrices: Float64Array): void {
    const mesh = this.train.meshes[this.train.parts[part]!.mesh]!;
    const marks = this.marks[part]!;
    for (const triangle of triangles)
      if (marks.isNew(triangle)) this.lit.add(mesh, triangle, matrices, 16 * part);
  }
}
