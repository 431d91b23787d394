// The 3D view of a demo page: a three.js scene with lights, camera and orbit controls. It adapts to the size
// of its element.
import {
  AmbientLight,
  Box3,
  type Color,
  DirectionalLight,
  type Material,
  PerspectiveCamera,
  Scene,
  Sphere,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { color, onTheme } from './theme.js';

const MIN_RESOLUTION = 0.6;
/** Fraction of the view that the fitted points fill. */
const FILL = 0.92;

type Direction = readonly [number, number, number];

export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(38, 1, 0.1, 1000);
  readonly controls: OrbitControls;
  private readonly renderer: WebGLRenderer | undefined;
  /** Whether the browser renders in software. */
  readonly isSlow = isSlow();
  private resolution = this.isSlow ? 1 : Math.min(2, devicePixelRatio);
  private fitted: { points: ArrayLike<number>; direction: Direction } | undefined;

  /**
   * Creates the 3D view in the element `view`. Without WebGL, the element shows a message instead; the rest
   * of the page still works. `up`: the axis that points up.
   */
  constructor(
    readonly view: HTMLElement,
    up: 'y' | 'z',
  ) {
    this.camera.up.set(0, up === 'y' ? 1 : 0, up === 'z' ? 1 : 0);
    this.renderer = makeRenderer(view, !this.isSlow);
    this.controls = new OrbitControls(this.camera, this.renderer?.domElement ?? view);
    this.controls.enableDamping = true;
    this.controls.addEventListener('start', () => this.stopFitting());
    const sun = new DirectionalLight(0xffffff, 2.4);
    const fill = new DirectionalLight(0xffffff, 0.7);
    sun.position.set(0.5, 0.9, 0.6);
    fill.position.set(-1, -0.3, 0.4);
    this.camera.add(sun, fill);
    this.scene.add(new AmbientLight(0xffffff, 1.1), this.camera);
    new ResizeObserver(() => this.resize()).observe(view);
    this.resize();
  }

  /**
   * Places the camera so that the points (x, y, z of each) fill the view. Repeats this when the size of the
   * view changes, until `stopFitting` is called or the user moves the camera. `direction` points from the
   * center of the points to the camera.
   */
  fit(points: ArrayLike<number>, direction: Direction): void {
    const back = new Vector3(...direction).normalize();
    const { center, radius } = sphereOf(points);
    const distance = this.distanceFor(points, center, back);
    this.fitted = { points, direction };
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(back, distance);
    this.camera.near = radius / 200;
    this.camera.far = 6 * distance + 6 * radius;
    this.camera.updateProjectionMatrix();
  }

  /** After this call, a change of the size of the view no longer moves the camera. */
  stopFitting(): void {
    this.fitted = undefined;
  }

  /**
   * Returns the distance from `middle`, in the direction `direction`, at which a camera that looks at
   * `middle` sees all points.
   */
  distanceFor(points: ArrayLike<number>, middle: Vector3, direction: Vector3): number {
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360) * FILL;
    const point = new Vector3();
    const right = new Vector3().crossVectors(this.camera.up, direction).normalize();
    const above = new Vector3().crossVectors(direction, right);
    let distance = 0;
    for (let at = 0; at < points.length; at += 3) {
      point.set(points[at]!, points[at + 1]!, points[at + 2]!).sub(middle);
      const needed = Math.max(
        Math.abs(point.dot(right)) / (tangent * this.camera.aspect),
        Math.abs(point.dot(above)) / tangent,
      );
      distance = Math.max(distance, needed + point.dot(direction));
    }
    return distance;
  }

  /** Lowers the resolution for slow machines. Returns false if it is already at its min. */
  lowerResolution(): boolean {
    if (this.resolution <= MIN_RESOLUTION) return false;
    this.resolution = Math.max(MIN_RESOLUTION, this.resolution > 1 ? 1 : this.resolution * 0.7);
    this.resize();
    return true;
  }

  render(): void {
    this.controls.update();
    this.renderer?.render(this.scene, this.camera);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.view;
    if (width === 0 || height === 0) return;
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.fitted) this.fit(this.fitted.points, this.fitted.direction);
    this.renderer?.setPixelRatio(this.resolution);
    this.renderer?.setSize(width, height);
    this.renderer?.render(this.scene, this.camera);
  }
}

/** Returns the bounding sphere of the points' bounding box. */
export const sphereOf = (points: ArrayLike<number>): Sphere =>
  new Box3().setFromArray(points as number[]).getBoundingSphere(new Sphere());

const SOFTWARE = /swiftshader|llvmpipe|software|basic render/i;

function isSlow(): boolean {
  const context = document
    .createElement('canvas')
    .getContext('webgl2', { failIfMajorPerformanceCaveat: true });
  const names = context?.getExtension('WEBGL_debug_renderer_info');
  const isSoftware =
    !context || (names && SOFTWARE.test(String(context.getParameter(names.UNMASKED_RENDERER_WEBGL))));
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return Boolean(isSoftware);
}

function makeRenderer(view: HTMLElement, antialias: boolean): WebGLRenderer | undefined {
  try {
    const renderer = new WebGLRenderer({ antialias, alpha: true, powerPreference: 'high-performance' });
    renderer.domElement.setAttribute('aria-hidden', 'true');
    view.prepend(renderer.domElement);
    return renderer;
  } catch {
    const message = view.appendChild(document.createElement('div'));
    message.className = 'view-message';
    message.textContent =
      'This browser does not support WebGL, so there is no 3D view. The numbers are still computed.';
    return undefined;
  }
}

/**
 * Gives the material a color of the style sheet, and updates the color when the theme changes. `name`: name
 * of the color. Returns the material.
 */
export function themed<T extends Material & { color: Color }>(material: T, name: string): T {
  onTheme(() => material.color.set(color(name)));
  return material;
}
