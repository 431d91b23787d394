// Draws the two bodies of the measures page: a fixed body, which is transparent, and a moving body. Shows
// their nearest points if their surfaces do not touch, and otherwise their contact curve. If the bodies
// overlap, also shows the translation that separates them.

import type { Scene } from 'pfront/samples';
import { type BufferGeometry, Mesh, MeshBasicMaterial, MeshLambertMaterial, SphereGeometry } from 'three';
import { cornersOf, geometryOf, place } from '../shell/geometry.js';
import { Lines } from '../shell/lines.js';
import { type Stage, themed } from '../shell/stage.js';

/** A point: x, y, z. */
export type Point = readonly [number, number, number];

const DOT_RADIUS = 0.025;

export class MeasuresView {
  private readonly materials = [
    themed(
      new MeshLambertMaterial({ flatShading: true, transparent: true, opacity: 0.5, depthWrite: false }),
      'part-a',
    ),
    themed(new MeshLambertMaterial({ flatShading: true }), 'part-b'),
  ];
  private readonly nearest = new Lines('accent', 3);
  private readonly curve = new Lines('lit', 3.5);
  private readonly separation = new Lines('wrong', 3, true);
  private readonly dots: Mesh[];
  private meshes: Mesh<BufferGeometry>[] = [];

  constructor(private readonly stage: Stage) {
    const dot = new SphereGeometry(DOT_RADIUS, 12, 8);
    const paint = themed(new MeshBasicMaterial({ depthTest: false, transparent: true }), 'accent');
    this.dots = [new Mesh(dot, paint), new Mesh(dot, paint)];
    for (const mesh of this.dots) mesh.renderOrder = 4;
    stage.scene.add(this.nearest.object, this.curve.object, this.separation.object, ...this.dots);
  }

  /**
   * Replaces the drawn bodies with another pair, and moves the camera to show both. `steps`: index of the
   * last frame on the path of the moving body.
   */
  change(pair: Scene, steps: number): void {
    for (const mesh of this.meshes) {
      this.stage.scene.remove(mesh);
      mesh.geometry.dispose();
    }
    this.meshes = pair.meshes.map((mesh, i) => new Mesh(geometryOf(mesh), this.materials[i]));
    this.stage.scene.add(...this.meshes);
    const seen = [0.1 * steps, 0.9 * steps].map(t => pair.frame(t));
    this.stage.fit(
      seen.flatMap(matrices => pair.meshes.flatMap((mesh, i) => cornersOf(mesh, matrices, 16 * i, 600))),
      [0.25, 0.3, 1],
    );
  }

  move(matrices: Float64Array): void {
    this.meshes.forEach((mesh, i) => place(mesh, matrices, 16 * i));
  }

  /** Draws the nearest points of the two bodies. `points` is undefined if their surfaces touch. */
  showNearest(points: readonly [Point, Point] | undefined): void {
    this.nearest.show(points ? [...points[0], ...points[1]] : []);
    this.dots.forEach((dot, i) => {
      dot.visible = Boolean(points);
      if (points) dot.position.set(...points[i]!);
    });
  }

  /** Draws the contact curve. `ends` holds x, y, z of both ends of each segment. */
  showCurve(ends: ArrayLike<number>): void {
    this.curve.show(ends);
  }

  /**
   * Draws the translation of the moving body that separates the bodies, as a line that starts at `from`.
   * Draws nothing if `from` is undefined.
   */
  showSeparation(from: Point | undefined, translation: Point = [0, 0, 0]): void {
    this.separation.show(from ? [...from, ...from.map((value, axis) => value + translation[axis]!)] : []);
  }
}
