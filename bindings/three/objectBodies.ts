// Everything below an object of three.js -> bodies of a scene that follow it.
import { type Object3D, Vector3 } from 'three';
import { Disposed, describe, Unsupported } from '../core/errors.js';
import { anything, callback, checkSurplus, copyOptions, type OptionTable } from '../core/optionTable.js';
import type { MeshOptions } from '../mesh/mesh.js';
import type { Scene } from '../scene/scene.js';
import { startOf } from './geometry.js';
import { forEachInstance, isPlaceable, type Placeable, updateWorld, writeWorldMatrix } from './instances.js';
import { asInstance, isSame, vertexOf } from './pose.js';
import { hasShapes, type Shape, Shapes } from './shapes.js';

/** What a body stands for. */
export interface ObjectBody {
  /** The object. */
  object: Placeable;
  /** Which of its instances, of an InstancedMesh or a BatchedMesh; else undefined. */
  instanceId: number | undefined;
}

/** A number for all bodies, or one that depends on the object and on which of its instances it is. */
export type OfObject = number | ((object: Placeable, instanceId: number | undefined) => number);

/** What addObject3D may be asked for; all may be left out. */
export interface ObjectOptions extends Pick<MeshOptions, 'builder'> {
  /**
   * Whether changed positions of geometries (needsUpdate) move the vertices of a body. Default false: it then
   * becomes a new body.
   */
  deformable?: boolean;
  /**
   * Which objects, and which of their instances, are bodies; asked at every sync. Default: all, visible or
   * not.
   */
  filter?: (object: Placeable, instanceId: number | undefined) => boolean;
  /** Bits of the groups that a body belongs to, as in Scene.add. Default 1. */
  group?: OfObject;
  /** Bits of the groups that a body may touch, as in Scene.add. Default: all. */
  mask?: OfObject;
}

// Values of the mesh's and the body's own options are checked by createMesh and Scene.add.
const OBJECT: OptionTable<ObjectOptions> = {
  builder: anything,
  deformable: anything,
  filter: callback,
  group: anything,
  mask: anything,
};

/** round: the sync that has last seen it. */
interface Body extends ObjectBody {
  id: number;
  shape: Shape;
  matrix: Float64Array;
  round: number;
}

/** The bodies of all meshes below an object. Made by addObject3D. */
export class ObjectBodies {
  /** The object that was added. */
  readonly root: Object3D;
  private readonly scene: Scene;
  private readonly options: ObjectOptions;
  private readonly shapes: Shapes;
  private readonly byId = new Map<number, Body>();
  // By instance, with gaps; an object without instances has one body.
  private readonly byObject = new Map<Object3D, (Body | undefined)[]>();
  // Of the body at hand; of those that have moved, in order.
  private readonly matrix = new Float64Array(16);
  private matrices = new Float64Array(16 * 16);
  private readonly moved: Body[] = [];
  private round = 0;
  private seen = 0;
  private isDisposed = false;

  /** For addObject3D. @internal */
  constructor(scene: Scene, root: Object3D, options: ObjectOptions) {
    this.scene = scene;
    this.root = root;
    this.options = options;
    this.shapes = new Shapes(scene, { builder: options.builder, deformable: options.deformable });
  }

  /** How many bodies there are. */
  get count(): number {
    return this.byId.size;
  }
  /** Their numbers in the scene. */
  get ids(): number[] {
    return [...this.byId.keys()];
  }

  /** What a body stands for; undefined where it is not one of these. */
  objectOf(id: number): ObjectBody | undefined {
    const body = this.byId.get(id);
    return body && { object: body.object, instanceId: body.instanceId };
  }

  /** The body of an object, or of one of its instances; undefined where there is none. */
  bodyOf(object: Object3D, instanceId?: number): number | undefined {
    return this.byObject.get(object)?.[instanceId ?? 0]?.id;
  }

  /**
   * The number of a body's triangle in the geometry of its object, index / 3, as faceIndex of a raycast:
   * another one only where a draw range, or groups, leave triangles out, and in a BatchedMesh, whose geometry
   * holds many. @throws Unsupported for a body of another object
   */
  triangleOf(id: number, triangle: number): number {
    return Math.floor(startOf(this.bodyAt(id).shape.mesh, triangle) / 3);
  }

  /**
   * The corners of a body's triangle in the world: where its object has its vertices now, placed as of the
   * last sync. @throws Unsupported for a body of another object
   */
  cornersOf(
    id: number,
    triangle: number,
    corners: readonly Vector3[] = [new Vector3(), new Vector3(), new Vector3()],
  ): readonly Vector3[] {
    const { object, instanceId, shape, matrix: m } = this.bodyAt(id);
    const { index } = object.geometry;
    const start = startOf(shape.mesh, triangle);
    asInstance(object, instanceId, () =>
      corners.forEach((corner, i) => {
        const { x, y, z } = vertexOf(object, index ? index.getX(start + i) : start + i, corner);
        corner.set(
          m[0] * x + m[4] * y + m[8] * z + m[12],
          m[1] * x + m[5] * y + m[9] * z + m[13],
          m[2] * x + m[6] * y + m[10] * z + m[14],
        );
      }),
    );
    return corners;
  }

  /**
   * Brings the bodies to where their objects are now: objects and instances that have come or gone are added
   * or removed, what has moved is moved, vertices of skinned and morphed meshes are posed. Where a geometry
   * is exchanged, or its triangles are others, the object becomes a new body. @throws InvalidMesh,
   * InvalidTransform, Capacity, Disposed
   */
  syncTransforms(): void {
    if (this.isDisposed)
      throw new Disposed('the bodies of the object were disposed', 'add the object again with addObject3D');
    updateWorld(this.root);
    this.shapes.beginRound();
    this.round++;
    this.moved.length = this.seen = 0;
    this.root.traverse(object => {
      if (isPlaceable(object)) this.syncObject(object);
    });
    if (this.seen < this.byId.size) this.removeUnseen();
    this.move();
  }

  /** Takes all bodies out of the scene and gives their meshes back. */
  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    for (const body of this.byId.values()) this.remove(body);
  }

  /** As dispose, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  private bodyAt(id: number): Body {
    const body = this.byId.get(id);
    if (!body)
      throw new Unsupported(
        `body ${id} is not one of the object's`,
        'ask objectOf first: it is undefined for others',
      );
    return body;
  }

  private syncObject(object: Placeable): void {
    const { filter } = this.options;
    const isShared = !hasShapes(object);
    // Nothing is made of what is filtered out.
    let shape: Shape | undefined;
    let bodies = this.byObject.get(object);
    forEachInstance(object, instanceId => {
      if (filter?.(object, instanceId) === false) return;
      if (!isShared || !shape) shape = this.shapes.of(object, instanceId);
      writeWorldMatrix(object, instanceId, this.matrix);
      let body = bodies?.[instanceId ?? 0];
      if (body?.shape !== shape) {
        if (body) this.remove(body);
        body = this.add(object, instanceId, shape);
        bodies = this.byObject.get(object);
      }
      body.round = this.round;
      this.seen++;
      if (!isSame(this.matrix, body.matrix)) this.stage(body);
    });
  }

  private removeUnseen(): void {
    for (const body of this.byId.values()) if (body.round !== this.round) this.remove(body);
  }

  private add(object: Placeable, instanceId: number | undefined, shape: Shape): Body {
    const { group, mask } = this.options;
    const matrix = this.matrix.slice();
    const of = (value: OfObject | undefined) =>
      typeof value === 'function' ? value(object, instanceId) : value;
    shape.users++;
    try {
      const id = this.scene.add(shape.mesh, { transform: matrix, group: of(group), mask: of(mask) });
      const body = { object, instanceId, id, shape, matrix, round: 0 };
      this.enter(body);
      return body;
    } catch (error) {
      this.shapes.release(shape);
      throw error;
    }
  }

  private enter(body: Body): void {
    let bodies = this.byObject.get(body.object);
    if (!bodies) this.byObject.set(body.object, (bodies = []));
    bodies[body.instanceId ?? 0] = body;
    this.byId.set(body.id, body);
  }

  private remove(body: Body): void {
    const bodies = this.byObject.get(body.object)!;
    this.byId.delete(body.id);
    bodies[body.instanceId ?? 0] = undefined;
    while (bodies.length > 0 && !bodies.at(-1)) bodies.pop();
    if (bodies.length === 0) this.byObject.delete(body.object);
    try {
      this.scene.remove(body.id);
    } catch (error) {
      // A scene that was disposed holds no bodies.
      if (!(error instanceof Disposed)) throw error;
    }
    this.shapes.release(body.shape);
  }

  private stage(body: Body): void {
    const at = 16 * this.moved.length;
    if (at === this.matrices.length) {
      const larger = new Float64Array(2 * at);
      larger.set(this.matrices);
      this.matrices = larger;
    }
    for (let k = 0; k < 16; k++) this.matrices[at + k] = this.matrix[k];
    this.moved.push(body);
  }

  private move(): void {
    const { moved, matrices } = this;
    if (moved.length === 0) return;
    this.scene.setTransforms(
      matrices.subarray(0, 16 * moved.length),
      moved.map(({ id }) => id),
    );
    for (let i = 0, at = 0; i < moved.length; i++) {
      const { matrix } = moved[i];
      for (let k = 0; k < 16; k++) matrix[k] = matrices[at++];
    }
  }
}

/**
 * Adds every mesh below an object, itself included, to a scene: Mesh, SkinnedMesh and morphed meshes as one
 * body each, InstancedMesh and BatchedMesh as one an instance. Objects that show one geometry share its tree.
 * Nothing of the object is changed but its matrices in the world, which are brought up to date.
 * @throws InvalidMesh naming the object, InvalidTransform, Capacity, with nothing added
 */
export function addObject3D(scene: Scene, root: Object3D, options: ObjectOptions = {}): ObjectBodies {
  if (typeof scene?.setTransforms !== 'function')
    throw new Unsupported(
      `the scene is ${describe(scene)}, not a scene of pfront`,
      'pass what engine.createScene() returned',
    );
  if (!root?.isObject3D)
    throw new Unsupported(
      `the object is ${describe(root)}, not an Object3D`,
      'pass a mesh, a group or a scene of three.js',
    );
  checkSurplus(arguments[3], 'addObject3D(scene, root, options)');
  const bodies = new ObjectBodies(scene, root, copyOptions(OBJECT, options));
  try {
    bodies.syncTransforms();
    return bodies;
  } catch (error) {
    bodies.dispose();
    throw error;
  }
}
