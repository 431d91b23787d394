// A view of the page -> a three.js scene in it: light, camera, orbit by pointer, size and resolution.
import { AmbientLight, Box3, Color, DirectionalLight, PerspectiveCamera, Scene, Sphere, Vector3, WebGLRenderer, type Material } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { colour, onTheme } from './theme.js';

const LEAST_RESOLUTION = 0.5;

export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(38, 1, 0.1, 1000);
  readonly controls: OrbitControls;
  private readonly renderer: WebGLRenderer | undefined;
  private resolution = Math.min(2, devicePixelRatio);

  /** up: 'y' or 'z'. Where the browser draws no WebGL, the view says so and everything else goes on. */
  constructor(readonly view: HTMLElement, up: 'y' | 'z') {
    this.camera.up.set(0, up === 'y' ? 1 : 0, up === 'z' ? 1 : 0);
    this.renderer = makeRenderer(view);
    this.controls = new OrbitControls(this.camera, this.renderer?.domElement ?? view);
    this.controls.enableDamping = true;
    const sun = new DirectionalLight(0xffffff, 2.4), fill = new DirectionalLight(0xffffff, 0.7);
    sun.position.set(0.5, 0.9, 0.6);
    fill.position.set(-1, -0.3, 0.4);
    this.camera.add(sun, fill);
    this.scene.add(new AmbientLight(0xffffff, 1.1), this.camera);
    new ResizeObserver(() => this.resize()).observe(view);
    this.resize();
  }

  /** Looks at all of the box from a direction. */
  fit(box: Box3, direction: readonly [number, number, number]): void {
    const { center, radius } = box.getBoundingSphere(new Sphere());
    const distance = this.distanceFor(radius);
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(new Vector3(...direction).normalize(), distance);
    this.reach(radius, distance);
  }

  /** How far away a sphere fills the view. */
  distanceFor(radius: number): number {
    const half = (this.camera.fov * Math.PI) / 360;
    return (1.04 * radius) / Math.sin(Math.min(half, Math.atan(Math.tan(half) * this.camera.aspect)));
  }

  /** Sets what lies between near and far: a sphere of this radius, looked at from up to a few times the distance. */
  reach(radius: number, distance: number): void {
    this.camera.near = radius / 200;
    this.camera.far = 4 * distance + 4 * radius;
    this.camera.updateProjectionMatrix();
  }

  /** Fewer pixels, for slow machines. @returns whether there were fewer to have */
  lowerResolution(): boolean {
    if (this.resolution <= LEAST_RESOLUTION) return false;
    this.resolution = Math.max(LEAST_RESOLUTION, this.resolution > 1 ? 1 : this.resolution * 0.7);
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
    this.renderer?.setPixelRatio(this.resolution);
    this.renderer?.setSize(width, height);
    this.renderer?.render(this.scene, this.camera);
  }
}

function makeRenderer(view: HTMLElement): WebGLRenderer | undefined {
  try {
    const renderer = new WebGLRenderer({ antialias: true, alpha: true, powerPreference: 'high-performance' });
    renderer.domElement.setAttribute('aria-hidden', 'true');
    view.prepend(renderer.domElement);
    return renderer;
  } catch {
    const message = view.appendChild(document.createElement('div'));
    message.className = 'view-message';
    message.textContent = 'This browser draws no WebGL, so there is nothing to see here. The numbers are computed all the same.';
    return undefined;
  }
}

/** A material whose colour is one of the style sheet's, in either theme. */
export function themed<T extends Material & { color: Color }>(material: T, name: string): T {
  onTheme(() => material.color.set(colour(name)));
  return material;
}
