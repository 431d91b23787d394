// The markers of the clashes in the overview: one dot for each clash, all in one draw call.
import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Color,
  Points,
  PointsMaterial,
  Vector3,
} from 'three';
import type { SceneContent } from '../content.js';
import { nearestWithin } from './picker.js';
import { pixelRatio } from './pixelRatio.js';
import type { Placement } from './placement.js';

const PIXELS = 11;
/** Value of renderOrder: markers are drawn after the parts and the contact. */
const LAST = 5;

/** How the markers of clashes are colored and ordered. */
export interface MarkerOrder {
  /** Returns the index of a clash's color. */
  kindOf(clash: number): number;
  /** Compares two clashes for sorting, worst first. */
  compare(x: number, y: number): number;
}

export class Markers {
  readonly points: Points;
  /** The clashes that have a marker, in the order of drawing: the worst ones are in front. */
  shown: number[] = [];
  private readonly places: Float32Array;
  // The place of each clash in the order of drawing.
  private readonly ranks: Uint32Array;
  private colors: Color[] = [];

  constructor(
    { header: { clashes } }: SceneContent,
    { fileToStage }: Placement,
    private readonly order: MarkerOrder,
  ) {
    const place = new Vector3();
    this.places = new Float32Array(3 * clashes.length);
    clashes.forEach(({ point }, clash) => {
      place
        .fromArray(point)
        .applyMatrix4(fileToStage)
        .toArray(this.places, 3 * clash);
    });
    this.ranks = new Uint32Array(clashes.length);
    Array.from(clashes.keys())
      .sort((x, y) => order.compare(y, x))
      .forEach((clash, rank) => {
        this.ranks[clash] = rank;
      });
    const scale = pixelRatio();
    const material = new PointsMaterial({
      size: PIXELS * scale,
      sizeAttenuation: false,
      vertexColors: true,
      map: new CanvasTexture(disk(PIXELS * scale)),
      transparent: true,
      depthTest: false,
      depthWrite: false,
    });
    this.points = new Points(new BufferGeometry(), material);
    this.points.frustumCulled = false;
    this.points.renderOrder = LAST;
  }

  /** Shows the markers of these clashes. @returns whether the markers have changed */
  show(clashes: readonly number[]): boolean {
    const { shown } = this;
    this.shown = [...clashes].sort((x, y) => this.ranks[x] - this.ranks[y]);
    if (shown.length === clashes.length && shown.every((clash, i) => clash === this.shown[i])) return false;
    const positions = new Float32Array(3 * this.shown.length);
    this.shown.forEach((clash, i) => {
      positions.set(this.places.subarray(3 * clash, 3 * clash + 3), 3 * i);
    });
    this.points.geometry.dispose();
    this.points.geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(positions, 3));
    this.updateColors();
    return true;
  }

  /** Sets the colors. */
  paint(colors: readonly string[]): void {
    this.colors = colors.map(color => new Color(color));
    this.updateColors();
  }

  /**
   * Returns the clash whose marker is nearest to a position in pixels, if it is near enough.
   *
   * @param toScreen - Returns the position of a point in pixels, or undefined if it is not visible.
   */
  nearest(x: number, y: number, toScreen: (place: Vector3) => { x: number; y: number } | undefined) {
    const place = new Vector3();
    // The last markers are drawn in front.
    return nearestWithin(PIXELS * 0.75, x, y, this.shown.toReversed(), clash =>
      toScreen(place.fromArray(this.places, 3 * clash)),
    );
  }

  /** Returns the places of the shown markers in the 3D view. */
  shownPlaces(): Vector3[] {
    return this.shown.map(clash => new Vector3().fromArray(this.places, 3 * clash));
  }

  private updateColors(): void {
    if (this.colors.length === 0) return;
    const colors = new Float32Array(3 * this.shown.length);
    this.shown.forEach((clash, i) => {
      this.colors[this.order.kindOf(clash)].toArray(colors, 3 * i);
    });
    this.points.geometry.setAttribute('color', new BufferAttribute(colors, 3));
  }
}

// Draws a white disk with a dark edge. The color of a marker is multiplied by the colors of the disk.
function disk(pixels: number): HTMLCanvasElement {
  const size = 2 ** Math.ceil(Math.log2(2 * pixels));
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  const pen = canvas.getContext('2d')!;
  pen.fillStyle = '#fff';
  pen.strokeStyle = '#000';
  pen.lineWidth = size / 12;
  pen.beginPath();
  pen.arc(size / 2, size / 2, size * 0.42, 0, 2 * Math.PI);
  pen.fill();
  pen.globalAlpha = 0.55;
  pen.stroke();
  return canvas;
}
