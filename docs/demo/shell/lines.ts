// Draws line segments that are a few pixels wide.

import type { Material } from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import { themed } from './stage.js';

/** Line segments of one color and width. They are visible through other objects. `width` is in pixels. */
export class Lines {
  readonly object: LineSegments2;

  constructor(color: string, width: number, dashed = false) {
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
      themed(material as Material & LineMaterial, color),
    );
    this.object.frustumCulled = false;
    this.object.renderOrder = 3;
    this.object.visible = false;
  }

  /** Replaces the lines. `ends` holds x, y, z of both ends of each line. */
  show(ends: ArrayLike<number>): void {
    this.object.visible = ends.length > 0;
    if (ends.length === 0) return;
    this.object.geometry.dispose();
    this.object.geometry = new LineSegmentsGeometry().setPositions(Float32Array.from(ends));
    if (this.object.material.dashed) this.object.computeLineDistances();
  }
}
