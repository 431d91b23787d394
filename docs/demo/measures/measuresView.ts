// Two bodies -> drawn, the still one as glass; between them the nearest points, the curve of contact, or the
// way out.

import type { Scene } from 'pfront/scenes';
import {
  type BufferGeometry,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  SphereGeometry,
} from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import { cornersOf, geometryOf, place } from '../shell/geometry.js';
import { type Stage, themed } from '../shell/stage.js';

/** A point: x, y, z. */
export type Point = readonly [number, number, number];

const DOT_RADIUS = 0.025;

/** Lines of a few pixels, x y z of both ends each, seen through what hides them. */
class Lines {
  readonly object: LineSegments2;

  constructor(colour: string, width: number, dashed = false) {
    const material = new LineMaterial({
      linewidth: width,
      dashed,
      dashSize: 0.05,
      gapSize: 0.035,
      depthTest: false,
      transparent: true,
    });
    this.object = new LineSegments2(
      new LineSegmentsGeometry(),
      themed(material as Material & LineMaterial, colour),
    );
    this.object.frustumCulled = false;
    this.object.renderOrder = 3;
    this.object.visible = false;
  }

  show(ends: ArrayLike<number>): void {
    this.object.visible = ends.length > 0;
    if (ends.length === 0) return;
    this.object.geometry.dispose();
    this.object.geometry = new LineSegmentsGeometry().setPositions(Float32Array.from(ends));
    if (this.object.material.dashed) this.object.computeLineDistances();
  }
}

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
  private readonly wayOut = new Lines('wrong', 3, true);
  private readonly dots: Mesh[];
  private meshes: Mesh<BufferGeometry>[] = [];

  constructor(private readonly stage: Stage) {
    const dot = new SphereGeometry(DOT_RADIUS, 12, 8);
    const paint = themed(new MeshBasicMaterial({ depthTest: false, transparent: true }), 'accent');
    this.dots = [new Mesh(dot, paint), new Mesh(dot, paint)];
    for (const mesh of this.dots) mesh.renderOrder = 4;
    stage.scene.add(this.nearest.object, this.curve.object, this.wayOut.object, ...this.dots);
  }

  /** Draws another pair instead, seen as a whole. steps: its last frame. */
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

  /** The nearest points of both bodies; nothing where they meet. */
  showNearest(points: readonly [Point, Point] | undefined): void {
    this.nearest.show(points ? [...points[0], ...points[1]] : []);
    this.dots.forEach((dot, i) => {
      dot.visible = Boolean(points);
      if (points) dot.position.set(...points[i]!);
    });
  }

  /** Segments, x y z of both ends each. */
  showCurve(ends: ArrayLike<number>): void {
    this.curve.show(ends);
  }

  /** From a point, a way by which the moving body is out. */
  showWayOut(from: Point | undefined, way: Point = [0, 0, 0]): void {
    this.wayOut.show(from ? [...from, ...from.map((value, axis) => value + way[axis]!)] : []);
  }
}
