// Adds a three.js object and all meshes below it to a scene as bodies. After the meshes have moved or
// changed, `syncTransforms` updates the bodies.
import { type Intersection, type Object3D, Vector3 } from 'three';
import {
  anyValue,
  callback,
  copyOptions,
  type OptionTable,
  rejectExtraArgument,
} from '../core/checkOptions.js';
import { Disposed, describe, Unsupported } from '../core/errors.js';
import type { MeshOptions } from '../mesh/mesh.js';
import type { Scene } from '../scene/scene.js';
import { startOf } from './geometry.js';
import {
  forEachInstance,
  isBatched,
  isPlaceable,
  type Placeable,
  updateWorld,
  writeWorldMatrix,
} from './instances.js';
import { isSame, vertexOf, withInstanceMorphs } from './pose.js';
import {
  castAtEach,
  type FirstHitRaycaster,
  intersectTriangle,
  type RayEngine,
  worldRay,
} from './raycast.js';
import { hasOwnShapes, type Shape, Shapes } from './shapes.js';

/** The object that a body represents. */
export interface ObjectBody {
  /** The three.js mesh. */
  object: Placeable;
  /** Index of the instance if the object is an InstancedMesh or a BatchedMesh; otherwise undefined. */
  instanceId: number | undefined;
}

/** One number for all bodies, or a function that returns the number for an object or one of its instances. */
export type PerObject = number | ((object: Placeable, instanceId: number | undefined) => number);

/** Options of addObject3D; all are optional. */
export interface ObjectOptions extends Pick<MeshOptions, 'builder'> {
  /**
   * What happens if the positions of a geometry change (needsUpdate). If true, the body stays and its vertices
   * are moved. If false, the body is removed and the object becomes a new body with a new id. Bodies of skinned
   * and morphed objects always stay; instances of a BatchedMesh always become new bodies. Default false.
   */
  deformable?: boolean;
  /**
   * Returns whether an object or instance becomes a body. Called by addObject3D and at every `syncTransforms`.
   * By default, all objects and instances become bodies, whether they are visible or not.
   */
  filter?: (object: Placeable, instanceId: number | undefined) => boolean;
  /** Bits of the groups that a body belongs to, as in Scene.add. Default 1. */
  group?: PerObject;
  /** Bits of the groups that a body may collide with, as in Scene.add. Default: all. */
  mask?: PerObject;
}

// createMesh and Scene.add check the values of their own options.
const OBJECT: OptionTable<ObjectOptions> = {
  builder: anyValue,
  deformable: anyValue,
  filter: callback,
  group: anyValue,
  mask: anyValue,
};

/**
 * A body and its state. `sync`: the number of the last sync (call of `syncTransforms`) in which the object or
 * instance existed and the filter accepted it.
 */
interface Body extends ObjectBody {
  id: number;
  shape: Shape;
  matrix: Float64Array;
  sync: number;
}

/** The bodies of an object and of all meshes below it. Created by addObject3D. */
export class ObjectBodies {
  /** The object that was passed to addObject3D. */
  readonly root: Object3D;
  private readonly scene: Scene;
  private readonly options: ObjectOptions;
  private readonly shapes: Shapes;
  private readonly byId = new Map<number, Body>();
  // The bodies of each object, indexed by instance. Instances without a body leave gaps. An object that is
  // not instanced has one body, at index 0.
  private readonly byObject = new Map<Object3D, (Body | undefined)[]>();
  // The world matrix of the object or instance that is being synced.
  private readonly matrix = new Float64Array(16);
  // The new matrices of the bodies in `moved`, in the same order.
  private matrices = new Float64Array(16 * 16);
  private readonly moved: Body[] = [];
  private sync = 0;
  private seenCount = 0;
  private isDisposed = false;

  /** Use addObject3D instead. @internal */
  constructor(scene: Scene, root: Object3D, options: ObjectOptions) {
    this.scene = scene;
    this.root = root;
    this.options = options;
    this.shapes = new Shapes(scene, { builder: options.builder, deformable: options.deformable });
  }

  /** Number of bodies. */
  get count(): number {
    return this.byId.size;
  }
  /** The ids of all these bodies in the scene. */
  get ids(): number[] {
    return [...this.byId.keys()];
  }

  /** Returns the object that a body represents; undefined if the body does not belong to this set. */
  objectOf(id: number): ObjectBody | undefined {
    const body = this.byId.get(id);
    return body && { object: body.object, instanceId: body.instanceId };
  }

  /** Returns the id of the body of an object, or of one of its instances; undefined if there is none. */
  bodyOf(object: Object3D, instanceId?: number): number | undefined {
    return this.byObject.get(object)?.[instanceId ?? 0]?.id;
  }

  /**
   * Converts the number of a triangle in a body's mesh to the number of the triangle in the object's
   * geometry, as in faceIndex of a raycast. The two numbers differ only if a draw range or groups leave
   * triangles out, or if the object is a BatchedMesh, which stores several geometries one after another.
   * @throws Unsupported if the body does not belong to this set
   */
  triangleOf(id: number, triangle: number): number {
    return Math.floor(startOf(this.bodyAt(id).shape.mesh, triangle) / 3);
  }

  /**
   * Returns the corners of a body's triangle in world coordinates. Uses the current vertices of the object,
   * but the matrix of the last sync. Writes to `corners` and returns them.
   * @throws Unsupported if the body does not belong to this set
   */
  cornersOf(
    id: number,
    triangle: number,
    corners: readonly Vector3[] = [new Vector3(), new Vector3(), new Vector3()],
  ): readonly Vector3[] {
    const { object, instanceId, shape, matrix: m } = this.bodyAt(id);
    const { index } = object.geometry;
    const start = startOf(shape.mesh, triangle);
    withInstanceMorphs(object, instanceId, () =>
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
   * Returns the intersections of a raycaster's ray with the objects, as `raycaster.intersectObject` does,
   * nearest first. The search uses the trees of the bodies and of the scene, with the placements and shapes of
   * the last sync. Leaves out objects that share no layer with the raycaster, and instances of a BatchedMesh
   * that are not visible. If the raycaster has the property `firstHitOnly` with the value true, returns only
   * the nearest intersection.
   * @param engine the engine of the scene; it needs the module 'rays'
   * @throws as castRays
   */
  raycast(engine: RayEngine, raycaster: FirstHitRaycaster): Intersection[] {
    rejectExtraArgument(arguments[2], 'raycast(engine, raycaster)');
    const intersects: Intersection[] = [];
    const ray = worldRay(raycaster);
    if (!ray) return intersects;
    castAtEach(engine, this.scene, ray, raycaster.firstHitOnly === true, (_, { triangle, body: id }) => {
      // The scene may have bodies that do not belong to this set.
      const body = this.byId.get(id!);
      if (!body || !raycaster.layers.test(body.object.layers)) return false;
      const { object, instanceId, shape, matrix } = body;
      if (object.material === undefined || (isBatched(object) && !object.getVisibleAt(instanceId!)))
        return false;
      return intersectTriangle(
        object,
        instanceId,
        startOf(shape.mesh, triangle),
        matrix,
        raycaster,
        intersects,
      );
    });
    return intersects.sort((a, b) => a.distance - b.distance);
  }

  /**
   * Updates the bodies to the current state of their objects. Adds a body for each new object or instance,
   * removes the bodies of objects and instances that are gone or that the filter no longer accepts, and moves
   * the bodies of objects that have moved. Computes the vertices of skinned and morphed meshes in their
   * current pose. If an object's geometry was replaced or its triangles changed, its body is removed and the
   * object becomes a new body.
   * @throws InvalidMesh, InvalidTransform, Capacity, Disposed
   */
  syncTransforms(): void {
    if (this.isDisposed)
      throw new Disposed('the bodies of the object were disposed', 'add the object again with addObject3D');
    updateWorld(this.root);
    this.shapes.beginSync();
    this.sync++;
    this.moved.length = this.seenCount = 0;
    this.root.traverse(object => {
      if (isPlaceable(object)) this.syncObject(object);
    });
    if (this.seenCount < this.byId.size) this.removeUnseen();
    this.move();
  }

  /** Removes all bodies from the scene and disposes of their meshes. */
  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    for (const body of this.byId.values()) this.remove(body);
  }

  /** Calls `dispose`, for `using` declarations. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  private bodyAt(id: number): Body {
    const body = this.byId.get(id);
    if (!body)
      throw new Unsupported(
        `body ${id} is not one of this object's bodies`,
        'call objectOf first: it returns undefined for other bodies',
      );
    return body;
  }

  private syncObject(object: Placeable): void {
    const { filter } = this.options;
    const isShared = !hasOwnShapes(object);
    // The shape is made only when the filter accepts an instance, so excluded objects get no shape.
    let shape: Shape | undefined;
    let bodies = this.byObject.get(object);
    forEachInstance(object, instanceId => {
      if (filter?.(object, instanceId) === false) return;
      if (!isShared || !shape) shape = this.shapes.shapeOf(object, instanceId);
      writeWorldMatrix(object, instanceId, this.matrix);
      let body = bodies?.[instanceId ?? 0];
      if (body?.shape !== shape) {
        if (body) this.remove(body);
        body = this.add(object, instanceId, shape);
        bodies = this.byObject.get(object);
      }
      body.sync = this.sync;
      this.seenCount++;
      if (!isSame(this.matrix, body.matrix)) this.queueMove(body);
    });
  }

  private removeUnseen(): void {
    for (const body of this.byId.values()) if (body.sync !== this.sync) this.remove(body);
  }

  private add(object: Placeable, instanceId: number | undefined, shape: Shape): Body {
    const { group, mask } = this.options;
    const matrix = this.matrix.slice();
    const of = (value: PerObject | undefined) =>
      typeof value === 'function' ? value(object, instanceId) : value;
    shape.useCount++;
    try {
      const id = this.scene.add(shape.mesh, { transform: matrix, group: of(group), mask: of(mask) });
      const body = { object, instanceId, id, shape, matrix, sync: 0 };
      this.register(body);
      return body;
    } catch (error) {
      this.shapes.release(shape);
      throw error;
    }
  }

  private register(body: Body): void {
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
      // A disposed scene has no bodies to remove.
      if (!(error instanceof Disposed)) throw error;
    }
    this.shapes.release(body.shape);
  }

  private queueMove(body: Body): void {
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
 * Adds an object and all meshes below it to a scene. A Mesh, a SkinnedMesh or a morphed mesh becomes one
 * body; an InstancedMesh or a BatchedMesh becomes one body per instance. Objects with the same geometry share
 * one bounding volume tree, unless they are skinned or morphed. The objects are not changed, except that their
 * world matrices are updated.
 * @throws InvalidMesh, whose message names the object; InvalidTransform, Unsupported, Disposed, Capacity.
 * After an error, no bodies have been added.
 */
export function addObject3D(scene: Scene, root: Object3D, options: ObjectOptions = {}): ObjectBodies {
  if (typeof scene?.setTransforms !== 'function')
    throw new Unsupported(
      `the scene is ${describe(scene)}, not a scene of pfront`,
      'pass a scene that engine.createScene() returned',
    );
  if (!root?.isObject3D)
    throw new Unsupported(
      `the object is ${describe(root)}, not an Object3D`,
      'pass a mesh, a group or a scene of three.js',
    );
  rejectExtraArgument(arguments[3], 'addObject3D(scene, root, options)');
  const bodies = new ObjectBodies(scene, root, copyOptions(OBJECT, options));
  try {
    bodies.syncTransforms();
    return bodies;
  } catch (error) {
    bodies.dispose();
    throw error;
  }
}
