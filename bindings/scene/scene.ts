// The public class Scene, which holds moving bodies. In every frame (time step), it reports which bodies
// intersect, where they intersect, and which contacts began and ended.

import type { BodySweeper, ContinuousOptions, SweptBodies } from '../ccd/bodySweeper.js';
import type { BodySweepRun } from '../ccd/bodySweepRun.js';
import { copyOptions, rejectExtraArgument } from '../core/checkOptions.js';
import { Disposed, missingModule, Unsupported } from '../core/errors.js';
import { BODY, CONTINUOUS, DETECT, isContinuous, SCENE, START } from '../core/moduleOptions.js';
import { printAs } from '../core/printing.js';
import { readTransform, type Transform, type Transforms } from '../core/transform.js';
import type { Mesh, MeshData, MeshOptions } from '../mesh/mesh.js';
import { Bodies } from './bodies.js';
import { copyIds } from './bodyMatrices.js';
import { Detection, type SceneHost } from './detection.js';
import type {
  BodyOptions,
  Contacts,
  ContactsWithPoints,
  DetectOptions,
  SceneOptions,
  StartOptions,
} from './sceneOptions.js';

/** A set of bodies, each a mesh with a placement. Created by `createScene`. */
export class Scene {
  readonly #host: SceneHost;
  private readonly bodies: Bodies;
  readonly #detection: Detection;
  #sweeper: BodySweeper | undefined;
  /** The result of #rowsOf. */
  readonly #rows = new Float64Array(12);
  #isDetecting = false;
  #isDisposed = false;

  /** @internal */
  constructor(host: SceneHost, options: SceneOptions) {
    const { broadPhase = 'auto' } = copyOptions(SCENE, options);
    // Reading options may run the caller's code, which may dispose of the engine.
    host.beginCall();
    this.#host = host;
    this.bodies = new Bodies(host.context);
    this.#detection = new Detection(host, this.bodies, broadPhase);
  }

  /**
   * Number of slots. Each body has a slot, which `slotOf` returns; the slot of a removed body is empty until
   * it is reused. `setTransforms` takes one matrix per slot.
   */
  get slotCount(): number {
    return this.bodies.slots.length;
  }

  /**
   * Returns the slot of a body, which is the index of its matrix in `setTransforms`.
   * @throws Unsupported
   */
  slotOf(id: number): number {
    return this.bodies.find(id);
  }

  /**
   * Adds a body. Bodies may share a mesh. The id of a removed body is not reused for the next 4,095 bodies in
   * its slot.
   * @returns the body's id
   * @throws Unsupported, InvalidTransform, Disposed, Capacity
   */
  add(mesh: Mesh, options: BodyOptions = {}): number {
    const { transform, group = 1, mask = 0xffffffff } = copyOptions(BODY, options);
    rejectExtraArgument(arguments[2], 'add(mesh, options)');
    if (!this.#host.owns(mesh))
      throw new Unsupported(
        'the mesh is missing, or belongs to another engine',
        "pass a mesh that createMesh of the scene's engine returned",
      );
    const rows = transform === undefined ? undefined : this.#rowsOf(transform);
    this.#checkOpen();
    return this.bodies.add(mesh, group >>> 0, mask >>> 0, rows);
  }

  /**
   * Creates a mesh in the scene's engine, like the engine's `createMesh`.
   * @throws InvalidMesh, Unsupported, Disposed, Capacity
   */
  createMesh(data: MeshData, options?: MeshOptions): Mesh {
    this.#checkOpen();
    rejectExtraArgument(arguments[2], 'createMesh(data, options)');
    return this.#host.createMesh(data, options);
  }

  /** Removes a body; its contacts end with the next detect. @throws Unsupported, Disposed */
  remove(id: number): void {
    this.#checkOpen();
    this.bodies.remove(id);
  }

  /**
   * Moves one body to a placement in the common frame: 16 numbers, column-major.
   * @throws Unsupported, InvalidTransform, Disposed
   */
  setTransform(id: number, transform: Transform): void {
    rejectExtraArgument(arguments[2], 'setTransform(id, transform)');
    const rows = this.#rowsOf(transform);
    this.#checkOpen();
    this.bodies.place(id, rows);
  }

  /**
   * Moves bodies to placements in the common frame: 16 numbers each, column-major. Without `idsOrOptions`,
   * moves all bodies: `matrices` has 16 numbers per slot, in the order of the slots (see `slotOf`), and
   * matrices of empty slots are ignored. If `idsOrOptions` is a list of ids, moves only these bodies:
   * `matrices` has 16 numbers per id, in the order of the ids. If `idsOrOptions` is `{ from }`, moves all
   * bodies to `matrices`, and the motion of the next continuous detect starts at the placements `from`; both
   * have 16 numbers per slot. A body whose matrix is unchanged does not count as moved.
   * @throws Unsupported, InvalidTransform, Disposed; in each case nothing has changed
   */
  setTransforms(matrices: Transforms, idsOrOptions?: ArrayLike<number> | StartOptions): void {
    rejectExtraArgument(arguments[2], 'setTransforms(matrices, idsOrOptions)');
    if (idsOrOptions === undefined) {
      this.#checkOpen();
      this.bodies.placeAll(matrices);
    } else if (isList(idsOrOptions)) {
      const ids = copyIds(idsOrOptions, matrices);
      this.#checkOpen();
      this.bodies.placeSome(ids, matrices);
    } else {
      const { from } = copyOptions(START, idsOrOptions);
      this.#checkOpen();
      this.bodies.placeFrom(from, matrices);
    }
  }

  /**
   * Returns a view of engine memory with 16 float32 per slot. Write matrices to it and pass it to
   * `setTransforms`, which then copies nothing. The view is valid until a body is added. With `memory:
   * 'single'`, it also becomes invalid when anything else allocates memory, so call `transformView` again
   * after creating meshes.
   * @throws Disposed, Unsupported, Capacity
   */
  transformView(): Float32Array {
    this.#checkOpen();
    return this.bodies.matrixView();
  }

  /**
   * Finds the contacts of the bodies during their motion to the current placements. Source: Du, Liu and
   * Suzumura 2017, section 3.
   * @throws Unsupported, Disposed, Capacity
   */
  detect(options: ContinuousOptions): SweptBodies;
  /**
   * Finds the contacts of the bodies at their current placements, and the contact points of each contact for
   * physics solvers. Source: see the next overload, and the engine's `contacts`.
   * @throws Unsupported, Disposed, Capacity
   */
  detect(options: DetectOptions & { narrow: 'contacts' }): ContactsWithPoints;
  /**
   * Finds the contacts of the bodies at their current placements, and which contacts began, persisted and
   * ended. Source: Avril, Gouranton and Arnaldi 2014, section 4 (pairs of boxes); Gottschalk, Lin and Manocha
   * 1996 (oriented boxes); Zhang and Kim 2014, eq. 5 (pairs of meshes).
   * @throws Unsupported, Disposed, Capacity
   */
  detect(options?: DetectOptions): Contacts;
  detect(options: DetectOptions | ContinuousOptions = {}, surplus?: unknown): Contacts | SweptBodies {
    rejectExtraArgument(surplus, 'detect(options)');
    if (isContinuous(options)) return this.#detectContinuous(options);
    const { pool } = this.#host.context;
    const detection = this.beginDetect(options);
    try {
      // After beginDetect, which begins a call without a kind.
      pool.chooseThreads(`detect ${detection.request.narrow}`, this.slotCount);
      detection.choose();
      const contacts = detection.end(detection.test());
      pool.endCall();
      return contacts;
    } finally {
      this.finishDetect();
    }
  }

  /**
   * Begins a frame, which the caller then runs with the methods of the returned Detection. Until the caller
   * calls `finishDetect`, the scene may be neither changed nor queried.
   * @throws as detect @internal
   */
  beginDetect(options: DetectOptions): Detection {
    const ownOptions = copyOptions(DETECT, options);
    this.#checkOpen();
    const request = { narrow: 'pairs', onProgress: () => {}, ...ownOptions } as const;
    this.#detection.begin(request);
    this.#isDetecting = true;
    return this.#detection;
  }

  /** @internal */
  belongsTo(context: object): boolean {
    return this.#host.context === context;
  }

  /** Returns the bodies at their present placements, for ray casts. @throws Unsupported, Disposed @internal */
  beginCast(): Bodies {
    this.#checkOpen();
    this.bodies.refresh();
    return this.bodies;
  }

  /** Ends the frame that `beginDetect` began. @internal */
  finishDetect(): void {
    this.#isDetecting = false;
    if (this.#isDisposed) this.#free();
  }

  /**
   * Releases the scene's memory, but not its meshes. A running asynchronous detect still completes, and the
   * memory is released when it ends.
   */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    if (!this.#isDetecting) this.#free();
  }

  /** Calls `dispose`, for `using` declarations. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  // Returns the rows of a transform; valid until the next call of this method. Reading the transform may run
  // the caller's code, which may dispose of the scene, so call #checkOpen afterwards. @throws InvalidTransform
  #rowsOf(transform: Transform): Float64Array {
    readTransform('transform', transform, this.#rows, 0);
    return this.#rows;
  }

  #checkOpen(): void {
    if (this.#isDisposed) throw new Disposed('the scene was disposed', 'create a new one with createScene()');
    if (this.#isDetecting)
      throw new Unsupported(
        'another detect of this scene is still running',
        'wait until detect has returned, or await its result',
      );
    this.#host.beginCall();
  }

  #free(): void {
    for (const resource of [this.bodies, this.#detection, this.#sweeper]) resource?.dispose();
  }

  // After a continuous detect, the bodies are at the end of their motion. The next discrete detect compares
  // its contacts with the contacts of the last discrete detect, as if there had been no continuous detect.
  #detectContinuous(options: ContinuousOptions): SweptBodies {
    const motion = this.beginMotion(options);
    try {
      return this.endMotion(motion.sweep());
    } finally {
      this.finishDetect();
    }
  }

  /**
   * Begins a continuous detect, which the caller then runs with the methods of the returned BodySweepRun. Until
   * the caller calls `finishDetect`, the scene may be neither changed nor queried.
   * @throws as detect @internal
   */
  beginMotion(options: ContinuousOptions): BodySweepRun<SweptBodies> {
    const ownOptions = copyOptions(CONTINUOUS, options);
    this.#checkOpen();
    const { bodies } = this;
    const detection = this.#detection;
    bodies.refresh();
    this.#sweeper ??= this.#host.makeBodySweeper();
    if (!this.#sweeper) throw missingModule('detect({ continuous: true })', 'continuous');
    const motion = this.#sweeper.begin(bodies, bodies.starts.rows, ownOptions, near =>
      detection.prune(near, false),
    );
    this.#isDetecting = true;
    return motion;
  }

  /** Ends a continuous detect: the next motion starts where this motion ended. @internal */
  endMotion(swept: SweptBodies): SweptBodies {
    this.bodies.recordStarts();
    return swept;
  }
}

const isList = (idsOrOptions: unknown): idsOrOptions is ArrayLike<number> =>
  typeof idsOrOptions === 'object' && idsOrOptions !== null && 'length' in idsOrOptions;
printAs(Scene.prototype, 'Scene', ['slotCount']);
