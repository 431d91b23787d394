// Measures the distance between two points that the user clicks, snapped to vertices and to points of the
// contact.
import {
  BufferAttribute,
  BufferGeometry,
  Group,
  Line,
  LineBasicMaterial,
  type Matrix4,
  Points,
  PointsMaterial,
  type Vector3,
} from 'three';
import { lengthText, type Unit } from '../../formats/units.js';
import { byId } from './elements.js';
import { pixelRatio } from './pixelRatio.js';
import type { Placement } from './placement.js';

/** Value of renderOrder: the measured distance is drawn last, over everything else. */
const LAST = 6;
const POINT_PIXELS = 8;
/**
 * Differences along an axis below this fraction of the distance count as rounding errors, because points of a
 * contact are stored as float32.
 */
const PRECISION = 1e-6;

export class Measure {
  readonly root = new Group();
  private isOn = false;
  // Up to two points, in the coordinates of the files.
  private points: Vector3[] = [];
  private readonly toFile: Matrix4;
  private readonly materials: [LineBasicMaterial, PointsMaterial];
  private readonly line: Line;
  private readonly ends: Points;

  constructor(
    private readonly placement: Placement,
    private readonly unit: Unit | undefined,
    private readonly onChange: () => void,
  ) {
    this.toFile = placement.fileToStage.clone().invert();
    const onTop = { depthTest: false, depthWrite: false, transparent: true };
    this.materials = [
      new LineBasicMaterial(onTop),
      new PointsMaterial({
        ...onTop,
        size: POINT_PIXELS * pixelRatio(),
        sizeAttenuation: false,
      }),
    ];
    this.line = new Line(new BufferGeometry(), this.materials[0]);
    this.ends = new Points(new BufferGeometry(), this.materials[1]);
    for (const shape of [this.line, this.ends]) {
      shape.frustumCulled = false;
      shape.renderOrder = LAST;
      this.root.add(shape);
    }
  }

  /** Whether measuring is on, so that clicks set points. */
  get isActive(): boolean {
    return this.isOn;
  }

  /** The measured distance in the unit of the files, if both points are set. */
  get distance(): number | undefined {
    return this.points.length === 2 ? this.points[0].distanceTo(this.points[1]) : undefined;
  }

  /** Switches measuring on or off, and removes the points. */
  setOn(isOn: boolean): void {
    this.isOn = isOn;
    this.points = [];
    this.update();
  }

  /** Adds a point, in the coordinates of the 3D view. A third point starts a new measurement. */
  add(place: Vector3): void {
    if (this.points.length === 2) this.points = [];
    this.points.push(place.clone().applyMatrix4(this.toFile));
    this.update();
  }

  paint(color: string): void {
    for (const material of this.materials) material.color.set(color);
  }

  private update(): void {
    byId('measure').setAttribute('aria-pressed', `${this.isOn}`);
    const text = byId('measured');
    text.hidden = !this.isOn;
    text.textContent = this.textOf();
    const { fileToStage } = this.placement;
    const [origin] = this.points;
    // The shapes are relative to the first point, so that float32 is precise enough for them.
    if (origin) this.root.position.copy(origin).applyMatrix4(fileToStage);
    this.root.scale.setScalar(fileToStage.getMaxScaleOnAxis());
    const positions = Float32Array.from(this.points.flatMap(point => point.clone().sub(origin).toArray()));
    const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(positions, 3));
    this.line.geometry.dispose();
    this.line.geometry = this.ends.geometry = geometry;
    this.line.visible = this.points.length === 2;
    this.ends.visible = this.points.length > 0;
    this.onChange();
  }

  private textOf(): string {
    const [from, to] = this.points;
    if (!from) return 'Click the first point.';
    if (!to) return 'Click the second point.';
    const distance = from.distanceTo(to);
    const along = to
      .clone()
      .sub(from)
      .toArray()
      // Differences that are only rounding errors are shown as 0.
      .map(value => (Math.abs(value) < PRECISION * distance ? 0 : Math.abs(value)))
      .map((value, axis) => `${'xyz'[axis]} ${lengthText(value, this.unit)}`);
    return `${lengthText(distance, this.unit)} (${along.join(', ')})`;
  }
}
