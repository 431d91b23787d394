// Finds what the user has clicked in the 3D view: a marker, a part, or a point of a surface.
import { type Camera, type Mesh, type Plane, Raycaster, Vector2, Vector3 } from 'three';

/** Max distance in pixels from which a click snaps to a point. */
const SNAP_PIXELS = 12;
/** Max distance in pixels between press and release of a click. */
const CLICK_PIXELS = 5;

export interface Hit {
  part: number;
  /** The point in the coordinates of the 3D view. */
  place: Vector3;
  /** The corners of the triangle. */
  corners: Vector3[];
}

/** Calls `onClick` with the position in pixels when the canvas is clicked, but not when it is dragged. */
export function watchClicks(canvas: HTMLCanvasElement, onClick: (x: number, y: number) => void): void {
  let pressed: { x: number; y: number; id: number } | undefined;
  canvas.addEventListener('pointerdown', ({ offsetX: x, offsetY: y, button, pointerId: id, isPrimary }) => {
    pressed = button === 0 && isPrimary ? { x, y, id } : undefined;
  });
  canvas.addEventListener('pointerup', ({ offsetX: x, offsetY: y, pointerId }) => {
    if (pressed?.id === pointerId && Math.hypot(x - pressed.x, y - pressed.y) <= CLICK_PIXELS) onClick(x, y);
    pressed = undefined;
  });
}

export class Picker {
  private readonly ray = new Raycaster();

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly camera: Camera,
  ) {}

  /** Returns the position of a point in pixels, or undefined if it is not in front of the camera. */
  readonly toScreen = (place: Vector3): { x: number; y: number } | undefined => {
    const { x, y, z } = place.clone().project(this.camera);
    if (!(z > -1 && z < 1)) return undefined;
    return { x: ((x + 1) * this.canvas.clientWidth) / 2, y: ((1 - y) * this.canvas.clientHeight) / 2 };
  };

  /** Returns the nearest surface at a position in pixels. Ignores surfaces that a plane cuts away there. */
  hit(x: number, y: number, meshes: Mesh[], planes: readonly Plane[]): Hit | undefined {
    const { clientWidth, clientHeight } = this.canvas;
    this.ray.setFromCamera(new Vector2((2 * x) / clientWidth - 1, 1 - (2 * y) / clientHeight), this.camera);
    const found = this.ray
      .intersectObjects<Mesh>(meshes, false)
      .find(({ point }) => planes.every(plane => plane.distanceToPoint(point) >= 0));
    if (!found) return undefined;
    const { a, b, c } = found.face!;
    const positions = found.object.geometry.getAttribute('position');
    return {
      part: found.object.userData.part,
      place: found.point,
      corners: [a, b, c].map(corner =>
        new Vector3().fromBufferAttribute(positions, corner).applyMatrix4(found.object.matrixWorld),
      ),
    };
  }

  /** Returns the candidate that is nearest to a position in pixels, if it is near enough. */
  snap(x: number, y: number, candidates: readonly Vector3[]): Vector3 | undefined {
    return nearestWithin(SNAP_PIXELS, x, y, candidates, this.toScreen);
  }
}

/**
 * Returns the candidate that is nearest to a position in pixels; undefined if none is nearer than `pixels`.
 * Of candidates at the same distance, returns the first.
 *
 * @param toScreen - Returns the position of a candidate in pixels, or undefined if it is not visible.
 */
export function nearestWithin<Candidate>(
  pixels: number,
  x: number,
  y: number,
  candidates: readonly Candidate[],
  toScreen: (candidate: Candidate) => { x: number; y: number } | undefined,
): Candidate | undefined {
  let best: Candidate | undefined;
  let bestDistance = pixels;
  for (const candidate of candidates) {
    const at = toScreen(candidate);
    const distance = at ? Math.hypot(at.x - x, at.y - y) : Infinity;
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}
