// The 3D view of the report page. Draws the model on a canvas whenever something has changed, and animates
// the camera.
import {
  AmbientLight,
  type Box3,
  Color,
  DirectionalLight,
  type Object3D,
  PerspectiveCamera,
  type Plane,
  Scene,
  Sphere,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { pixelRatio } from './pixelRatio.js';

const FLIGHT_MILLISECONDS = 650;
const FIELD_OF_VIEW = 35;
// Lengths in the coordinates of the 3D view, in which all parts fit into a sphere of radius 1.
const MIN_RADIUS = 1e-4;
const MAX_DISTANCE = 30;

interface View {
  target: Vector3;
  direction: Vector3;
  distance: number;
}

export class Stage {
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW);
  private readonly controls: OrbitControls;
  private readonly home: Vector3;
  private flight: { from: View; to: View; begin: number } | undefined;
  private isFramePending = false;
  private inset = 0;

  /**
   * Creates the view.
   *
   * @param corners - Points that must be visible in the view of the whole scene.
   * @throws If the browser does not support WebGL.
   */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    shapes: Object3D[],
    private readonly corners: Vector3[],
    up: 'y' | 'z',
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    this.renderer.setPixelRatio(pixelRatio());
    this.camera.up.set(0, up === 'y' ? 1 : 0, up === 'z' ? 1 : 0);
    this.home = (up === 'y' ? new Vector3(1, 0.7, 1.2) : new Vector3(1, -1.2, 0.7)).normalize();
    const lamp = new DirectionalLight(0xffffff, 2.2);
    lamp.position.set(-0.5, 0.8, 1);
    this.camera.add(lamp);
    this.scene.add(...shapes, this.camera, new AmbientLight(0xffffff, 1.1));
    this.camera.position.copy(this.home);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.maxDistance = MAX_DISTANCE;
    this.controls.minDistance = MIN_RADIUS;
    this.controls.addEventListener('change', () => this.redraw());
    this.controls.addEventListener('start', () => {
      this.flight = undefined;
    });
    canvas.addEventListener('webglcontextrestored', () => this.redraw());
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.resize();
    this.look(this.wholeView());
  }

  /** Whether the camera is moving, or a redraw is pending. */
  get isMoving(): boolean {
    return this.flight !== undefined || this.isFramePending;
  }

  /** Draws the view before the browser's next repaint. */
  redraw(): void {
    if (this.isFramePending) return;
    this.isFramePending = true;
    requestAnimationFrame(now => {
      this.isFramePending = false;
      this.draw(now);
    });
  }

  /** Number of draw calls of the last picture. */
  get drawCalls(): number {
    return this.renderer.info.render.calls;
  }

  /** Number of pictures that were drawn. */
  get pictureCount(): number {
    return this.renderer.info.render.frame;
  }

  /** Reserves a strip of this width in pixels at the left. Views are centered in the rest. */
  setInset(width: number): void {
    this.inset = width;
    this.redraw();
  }

  /** Cuts away everything on the negative side of one of the planes. */
  setPlanes(planes: Plane[]): void {
    this.renderer.clippingPlanes = planes;
    this.redraw();
  }

  setBackground(color: string): void {
    this.scene.background = new Color(color);
    this.redraw();
  }

  /** Moves the camera to the view of the whole scene. */
  flyHome(): void {
    this.flyTo(this.wholeView());
  }

  /**
   * Moves the camera to a view of a box, from the side that faces away from the point `inner`. At least a
   * sphere with radius `margin` about the center of the box is visible.
   */
  flyToBox(box: Box3, inner: Vector3, margin: number): void {
    const { center, radius } = box.getBoundingSphere(new Sphere());
    const outward = center.clone().sub(inner);
    const direction =
      outward.lengthSq() < 1e-12
        ? this.home.clone()
        : outward.normalize().addScaledVector(this.home, 0.9).normalize();
    // OrbitControls does not work if the camera looks straight down or straight up.
    if (Math.abs(direction.dot(this.camera.up)) > 0.98) direction.addScaledVector(this.home, 0.5).normalize();
    this.flyTo({
      target: center,
      direction,
      distance: this.distanceFor(Math.max(1.5 * radius, margin, MIN_RADIUS)),
    });
  }

  /** Returns the current picture on a new canvas. */
  capturePicture(): HTMLCanvasElement {
    this.render();
    const copy = document.createElement('canvas');
    copy.width = this.canvas.width;
    copy.height = this.canvas.height;
    copy.getContext('2d')!.drawImage(this.canvas, 0, 0);
    return copy;
  }

  // Returns the nearest view in which all corners are visible. The view volume is a pyramid; `half` is the
  // slope of its upper and lower sides, the tangent of half the field of view.
  private wholeView(): View {
    const half = Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
    const right = new Vector3().crossVectors(this.camera.up, this.home).normalize();
    const above = new Vector3().crossVectors(this.home, right);
    const distance = this.corners.reduce(
      (max, corner) =>
        Math.max(
          max,
          corner.dot(this.home) +
            Math.max(
              Math.abs(corner.dot(above)) / half,
              Math.abs(corner.dot(right)) / (half * this.camera.aspect),
            ),
        ),
      MIN_RADIUS,
    );
    return { target: new Vector3(), direction: this.home, distance: 1.05 * distance };
  }

  private distanceFor(radius: number): number {
    const half = Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
    const { clientWidth, clientHeight } = this.canvas;
    const aspect = (clientWidth - this.inset) / clientHeight;
    return (1.02 * radius) / Math.sin(Math.atan(half * Math.min(1, aspect)));
  }

  private flyTo(to: View): void {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) this.look(to);
    else this.flight = { from: this.view(), to, begin: performance.now() };
    this.redraw();
  }

  private view(): View {
    const target = this.controls.target.clone();
    const direction = this.camera.position.clone().sub(target);
    const distance = direction.length();
    return { target, direction: direction.divideScalar(distance), distance };
  }

  private look({ target, direction, distance }: View): void {
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(direction, distance);
    this.controls.update();
  }

  private draw(now: number): void {
    if (this.flight) {
      const { from, to, begin } = this.flight;
      const fraction = Math.min(1, Math.max(0, (now - begin) / FLIGHT_MILLISECONDS));
      if (fraction === 1) this.flight = undefined;
      else this.redraw();
      this.look(between(from, to, fraction * fraction * (3 - 2 * fraction)));
    }
    this.render();
  }

  private render(): void {
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = distance / 200;
    this.camera.far = distance + 2 * MAX_DISTANCE;
    const { clientWidth, clientHeight } = this.canvas;
    // This also updates the projection.
    this.camera.setViewOffset(clientWidth, clientHeight, -this.inset / 2, 0, clientWidth, clientHeight);
    this.renderer.render(this.scene, this.camera);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement!;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    // Resizing clears the canvas, so the view is drawn at once.
    this.render();
  }
}

// Interpolates between two views. Distances are interpolated geometrically, so that zooming looks uniform.
function between(from: View, to: View, fraction: number): View {
  const direction = from.direction.clone().lerp(to.direction, fraction);
  if (direction.lengthSq() < 1e-6) direction.copy(to.direction);
  return {
    target: from.target.clone().lerp(to.target, fraction),
    direction: direction.normalize(),
    distance: from.distance * (to.distance / from.distance) ** fraction,
  };
}
