// Bodies that move -> from frame to frame, which of them touch, where, and what has begun and ended.

import type { BodyMotion } from '../ccd/bodyMotion.js';
import type { BodySweeper, ContinuousOptions, SweptBodies } from '../ccd/bodySweeper.js';
import { Disposed, missing, Unsupported } from '../core/errors.js';
import { BODY, CONTINUOUS, DETECT, isContinuous, SCENE, START } from '../core/moduleOptions.js';
import { checkOptions, checkSurplus, copyOptions } from '../core/optionTable.js';
import { printAs } from '../core/printing.js';
import type { Transform, Transforms } from '../core/transform.js';
import type { Mesh, MeshData, MeshOptions } from '../mesh/mesh.js';
import { Bodies } from './bodies.js';
import { Detection, type SceneHost } from './detection.js';
import type { BodyOptions, Contacts, DetectOptions, SceneOptions, StartOptions } from './sceneOptions.js';

/** Bodies, each a mesh and a placement. Made by createScene. */
export class Scene {
  readonly #host: SceneHost;
  private readonly bodies: Bodies;
  readonly #detection: Detection;
  #sweeper: BodySweeper | undefined;
  #isDetecting = false;
  #isDisposed = false;

  /** @internal */
  constructor(host: SceneHost, options: SceneOptions) {
    checkOptions(SCENE, options);
    const { broadPhase = 'auto' } = options;
    this.#host = host;
    this.bodies = new Bodies(host.backend);
    this.#detection = new Detection(host, this.bodies, broadPhase);
  }

  /** Slots of bodies: as many placements setTransforms takes. `slotOf` tells a body's. */
  get slotCount(): number {
    return this.bodies.slots.length;
  }

  /** The place of a body's matrix in setTransforms. @throws Unsupported */
  slotOf(id: number): number {
    return this.bodies.find(id);
  }

  /**
   * Adds a body; bodies may share a mesh. @returns its number; once removed, it does not come back for the
   * next 4,095 bodies in its place. @throws Unsupported, InvalidTransform, Disposed, Capacity
   */
  add(mesh: Mesh, options: BodyOptions = {}): number {
    this.#open();
    checkOptions(BODY, options);
    checkSurplus(arguments[2], 'add(mesh, options)');
    const { transform, group = 1, mask = 0xffffffff } = options;
    if (!this.#host.owns(mesh))
      throw new Unsupported(
        'the mesh is missing, or is not of this engine',
        'pass a mesh that createMesh of the engine of the scene has made',
      );
    return this.bodies.add(mesh, group >>> 0, mask >>> 0, transform);
  }

  /**
   * A mesh of the engine of the scene, as its createMesh makes it. @throws InvalidMesh, Disposed, Capacity
   */
  createMesh(data: MeshData, options?: MeshOptions): Mesh {
    this.#open();
    checkSurplus(arguments[2], 'createMesh(data, options)');
    return this.#host.createMesh(data, options);
  }

  /** Takes a body away: its contacts end. @throws Unsupported, Disposed */
  remove(id: number): void {
    this.#open();
    this.bodies.remove(id);
  }

  /** Moves one body: 16 numbers, column-major. @throws Unsupported, InvalidTransform, Disposed */
  setTransform(id: number, transform: Transform): void {
    this.#open();
    checkSurplus(arguments[2], 'setTransform(id, transform)');
    this.bodies.place(id, transform);
  }

  /**
   * Moves all bodies: 16 numbers a slot, column-major, in the order in which bodies were added; those of
   * empty slots are not looked at. Bodies whose numbers stay the same have not moved. With numbers of bodies,
   * moves these only, in their order; with `from`, 16 numbers a slot, a continuous detect has them begin
   * there.
   * @throws Unsupported, InvalidTransform, Disposed, with nothing changed
   */
  setTransforms(matrices: Transforms, how?: ArrayLike<number> | StartOptions): void {
    this.#open();
    checkSurplus(arguments[2], 'setTransforms(matrices, how)');
    if (how === undefined) return this.bodies.placeAll(matrices);
    if (isList(how)) return this.bodies.placeSome(how, matrices);
    checkOptions(START, how);
    this.bodies.placeFrom(how.from, matrices);
  }

  /**
   * Room for setTransforms in engine memory, 16 float32 a slot: what is written there is not copied. Holds
   * until a body is added; with `memory: 'single'` also until anything else takes memory, so ask anew after
   * creating meshes.
   */
  transformView(): Float32Array {
    this.#open();
    return this.bodies.matrixView();
  }

  /**
   * Finds what touches now; with `continuous: true`, what touches on the way there. @throws Unsupported,
   * Disposed, Capacity
   */
  detect(options: ContinuousOptions): SweptBodies;
  detect(options?: DetectOptions): Contacts;
  detect(options: DetectOptions | ContinuousOptions = {}, surplus?: unknown): Contacts | SweptBodies {
    checkSurplus(surplus, 'detect(options)');
    if (isContinuous(options)) return this.#sweep(options);
    const detection = this.hold(options);
    try {
      detection.choose();
      return detection.end(detection.ask());
    } finally {
      this.release();
    }
  }

  /**
   * Begins a frame whose steps its asker takes: until `release` the scene may be neither changed nor asked.
   * @throws as detect @internal
   */
  hold(options: DetectOptions): Detection {
    const asked = copyOptions(DETECT, options);
    this.#open();
    this.#detection.begin({ narrow: 'pairs', onProgress: () => {}, ...asked });
    this.#isDetecting = true;
    return this.#detection;
  }

  /** @internal */
  isOf(backend: object): boolean {
    return this.#host.backend === backend;
  }

  /** Ends what `hold` began. @internal */
  release(): void {
    this.#isDetecting = false;
    if (this.#isDisposed) this.#free();
  }

  /**
   * Gives its memory back; its meshes stay. A detect under way still answers: memory is given back when it
   * ends.
   */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    if (!this.#isDetecting) this.#free();
  }

  /** As dispose, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #open(): void {
    if (this.#isDisposed) throw new Disposed('the scene was disposed', 'create another with createScene()');
    if (this.#isDetecting)
      throw new Unsupported(
        'the scene is detecting',
        'call it when detect has returned, or await its answer',
      );
    this.#host.tick();
  }

  #free(): void {
    for (const part of [this.bodies, this.#detection, this.#sweeper]) part?.dispose();
  }

  // Bodies then are where they have come to; what they touched when they stood stays the last frame.
  #sweep(options: ContinuousOptions): SweptBodies {
    const motion = this.holdMotion(options);
    try {
      return this.endMotion(motion.sweep());
    } finally {
      this.release();
    }
  }

  /** As hold, of what touches on the way. @throws as detect @internal */
  holdMotion(options: ContinuousOptions): BodyMotion<SweptBodies> {
    const asked = copyOptions(CONTINUOUS, options);
    this.#open();
    const { bodies } = this;
    const detection = this.#detection;
    bodies.refresh();
    this.#sweeper ??= this.#host.makeBodySweeper();
    if (!this.#sweeper) throw missing('detect({ continuous: true })', 'continuous');
    const motion = this.#sweeper.begin(bodies, bodies.starts.rows, asked, near =>
      detection.prune(near, false),
    );
    this.#isDetecting = true;
    return motion;
  }

  /** The next motion begins where this one ended. @internal */
  endMotion(swept: SweptBodies): SweptBodies {
    this.bodies.startHere();
    return swept;
  }
}

const isList = (how: unknown): how is ArrayLike<number> =>
  typeof how === 'object' && how !== null && 'length' in how;
printAs(Scene.prototype, 'Scene', ['slotCount']);
