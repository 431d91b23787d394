// The three.js objects that show the contact of the selected clash: curves as wide lines, regions, and single
// points. Curves and regions lie in the surfaces of the parts, so they are drawn slightly in front of these
// surfaces. They are drawn again, faintly and without a depth test, so that hidden ones are visible too.
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  type Material,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Points,
  PointsMaterial,
} from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import type { SceneContent } from '../content.js';
import { segmentsOf } from './contactShape.js';
import { pixelRatio } from './pixelRatio.js';
import type { Placement } from './placement.js';

const LINE_PIXELS = 3;
const POINT_PIXELS = 9;
/** Values of renderOrder: visible shapes are drawn after opaque parts, and hidden shapes after all parts. */
const VISIBLE = 0.25;
const HIDDEN = 4;

export class ContactView {
  readonly root = new Group();
  /** What is drawn: the number of segments, triangles of regions, and single points. */
  counts = { segments: 0, triangles: 0, points: 0 };
  private readonly lines: LineMaterial[];
  private readonly regions: MeshBasicMaterial[];
  private readonly points: PointsMaterial[];
  private shapes: Object3D[] = [];
  private geometries: BufferGeometry[] = [];

  constructor(
    private readonly content: SceneContent,
    private readonly placement: Placement,
  ) {
    const inFront = { polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -16 };
    const hidden = (opacity: number) => ({
      transparent: true,
      opacity,
      depthTest: false,
      depthWrite: false,
    });
    this.lines = [inFront, hidden(0.45)].map(
      depthOptions => new LineMaterial({ ...depthOptions, linewidth: LINE_PIXELS }),
    );
    this.regions = [inFront, hidden(0.2)].map(
      depthOptions => new MeshBasicMaterial({ ...depthOptions, side: DoubleSide }),
    );
    // Polygon offsets do not apply to points, so points are drawn only once, without a depth test.
    const pixels = POINT_PIXELS * pixelRatio();
    this.points = [hidden(1)].map(
      depthOptions => new PointsMaterial({ ...depthOptions, size: pixels, sizeAttenuation: false }),
    );
  }

  /** Shows the contact of a clash; undefined shows none. */
  show(clash: number | undefined): void {
    for (const geometry of this.geometries) geometry.dispose();
    this.root.remove(...this.shapes);
    this.geometries = [];
    this.shapes = [];
    this.counts = { segments: 0, triangles: 0, points: 0 };
    if (clash === undefined) return;
    const contact = this.content.contacts[clash];
    const { fileToStage } = this.placement;
    // The shapes are relative to the point of the clash, so that float32 is precise enough for them.
    this.root.position.fromArray(this.content.header.clashes[clash].point).applyMatrix4(fileToStage);
    this.root.scale.setScalar(fileToStage.getMaxScaleOnAxis());
    const segments = segmentsOf(contact);
    const { regionCorners, singlePoints } = contact;
    this.counts = {
      segments: segments.length / 6,
      triangles: regionCorners.length / 9,
      points: singlePoints.length / 3,
    };
    if (segments.length > 0) {
      const geometry = new LineSegmentsGeometry().setPositions(segments);
      this.add(geometry, this.lines, material => new LineSegments2(geometry, material as LineMaterial));
    }
    this.addPlain(regionCorners, this.regions, (geometry, material) => new Mesh(geometry, material));
    this.addPlain(singlePoints, this.points, (geometry, material) => new Points(geometry, material));
  }

  paint(color: string): void {
    for (const material of [...this.lines, ...this.regions, ...this.points]) material.color.set(color);
  }

  private addPlain(
    positions: Float32Array,
    materials: Material[],
    make: (geometry: BufferGeometry, material: Material) => Object3D,
  ): void {
    if (positions.length === 0) return;
    const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(positions, 3));
    this.add(geometry, materials, material => make(geometry, material));
  }

  private add(geometry: BufferGeometry, materials: Material[], make: (material: Material) => Object3D): void {
    this.geometries.push(geometry);
    for (const material of materials) {
      const shape = make(material);
      shape.renderOrder = material.depthTest ? VISIBLE : HIDDEN;
      shape.frustumCulled = false;
      this.shapes.push(shape);
      this.root.add(shape);
    }
  }
}
