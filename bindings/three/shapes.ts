// Makes engine meshes from three.js objects. Objects that draw the same part of the same geometry share one
// mesh. Each skinned or morphed object, and each morphed instance, has its own deformable mesh.
import type { BatchedMesh, Material } from 'three';
import { InvalidMesh } from '../core/errors.js';
import type { Mesh, MeshOptions } from '../mesh/mesh.js';
import {
  type MeshFactory,
  makeMesh,
  readPositions,
  readTriangles,
  setStarts,
  type Triangles,
} from './geometry.js';
import { isBatched, type Placeable } from './instances.js';
import { hasOwnPoses, isPosed, isSame, numberOf, Pose, versionOf } from './pose.js';

/** An engine mesh, which several bodies may share, and the state of the geometry that it was made from. */
export interface Shape {
  mesh: Mesh;
  /**
   * Identifies the data from which the mesh was made, except for the values of the vertex positions. If the
   * object now has another key, a new mesh is needed.
   */
  sourceKey: string;
  /** Identifies the values of the vertex positions: the position attribute and its version. */
  version: string;
  /** Number of bodies with this shape. */
  useCount: number;
  /** The cached pose of a skinned or morphed object. */
  pose: Pose | undefined;
  /**
   * A copy of the triangles that were read from a BatchedMesh. Changes are found by comparing triangles,
   * because all geometries of a BatchedMesh have one common version.
   */
  batched: Triangles | undefined;
  /** Number of the last sync that checked this shape. */
  checkedSync: number;
}

/** Identifies a shape by the identity of an object and by a number or text. */
interface Key {
  owner: object;
  name: string | number;
}

/** The shapes that the bodies of one ObjectBodies use. */
export class Shapes {
  private readonly byOwner = new WeakMap<object, Map<string | number, Shape>>();
  private readonly factory: MeshFactory;
  private readonly options: MeshOptions;
  private sync = 0;

  constructor(factory: MeshFactory, options: MeshOptions) {
    this.factory = factory;
    this.options = options;
  }

  /** Begins a sync, which is one call of `syncTransforms`. In each sync, each shape is checked only once. */
  beginSync(): void {
    this.sync++;
  }

  /**
   * Returns the current shape of an object or of one of its instances. If possible, updates and returns the
   * previous shape; otherwise makes a new shape.
   */
  shapeOf(object: Placeable, instanceId: number | undefined): Shape {
    const { owner, name } = keyOf(object, instanceId);
    let shapes = this.byOwner.get(owner);
    if (!shapes) this.byOwner.set(owner, (shapes = new Map()));
    const current = shapes.get(name);
    if (current?.checkedSync === this.sync) return current;
    const shape = this.updateOrMake(current, object, instanceId);
    shapes.set(name, shape);
    shape.checkedSync = this.sync;
    return shape;
  }

  /** Decrements the use count of a shape, and disposes of its mesh if no body uses it any more. */
  release(shape: Shape): void {
    if (--shape.useCount > 0) return;
    shape.sourceKey = '';
    shape.mesh.dispose();
  }

  private updateOrMake(current: Shape | undefined, object: Placeable, instanceId: number | undefined): Shape {
    const sourceKey = sourceKeyOf(object);
    try {
      return current !== undefined && this.tryUpdate(current, sourceKey, object, instanceId)
        ? current
        : this.make(object, instanceId, sourceKey);
    } catch (error) {
      // The next sync makes a new shape, because no object has an empty key.
      if (current) current.sourceKey = '';
      throw error instanceof InvalidMesh
        ? new InvalidMesh(`${object.type} '${object.name}': ${error.message}`, error.fix)
        : error;
    }
  }

  // Updates a shape to the current state of its object. Returns false if a new shape is needed instead.
  private tryUpdate(
    shape: Shape,
    sourceKey: string,
    object: Placeable,
    instanceId: number | undefined,
  ): boolean {
    if (shape.sourceKey !== sourceKey) return false;
    const { mesh, pose, batched } = shape;
    const version = positionVersion(object);
    if (pose) {
      if (pose.update()) mesh.update(pose.positions.subarray(0, 3 * mesh.vertexCount));
      return true;
    }
    if (shape.version === version) return true;
    const triangles = readShape(object, instanceId);
    if (batched) {
      // Compares the triangles. If other geometries of the batch were added or moved, the version has
      // changed, but these triangles have not.
      if (!isSame(triangles.positions, batched.positions) || !isSame(triangles.indices!, batched.indices!))
        return false;
      setStarts(mesh, triangles.starts!);
    } else if (mesh.isDeformable) mesh.update(triangles.positions);
    else return false;
    shape.version = version;
    return true;
  }

  private make(object: Placeable, instanceId: number | undefined, sourceKey: string): Shape {
    const triangles = readShape(object, instanceId);
    const pose = isPosed(object) ? new Pose(object, hasOwnPoses(object) ? instanceId : undefined) : undefined;
    if (pose) triangles.positions = pose.positions.subarray(0, triangles.positions.length);
    const mesh = makeMesh(this.factory, triangles, {
      ...this.options,
      deformable: pose !== undefined || this.options.deformable,
    });
    return {
      mesh,
      sourceKey,
      version: positionVersion(object),
      useCount: 0,
      pose,
      batched: isBatched(object) ? { ...triangles, positions: triangles.positions.slice() } : undefined,
      checkedSync: 0,
    };
  }
}

/** Returns whether different instances of an object may have different shapes. */
export const hasOwnShapes = (object: Placeable): boolean => isBatched(object) || hasOwnPoses(object);

const positionVersion = ({
  geometry: {
    attributes: { position },
  },
}: Placeable): string => `${numberOf(position!)}.${versionOf(position!)}`;

function keyOf(object: Placeable, instanceId: number | undefined): Key {
  if (isBatched(object)) return { owner: object, name: object.getGeometryIdAt(instanceId!) };
  if (isPosed(object)) return { owner: object, name: hasOwnPoses(object) ? instanceId! : 'pose' };
  return { owner: object.geometry, name: groupsOf(object)?.join() ?? 'all' };
}

// Returns a key that changes with the index, draw range, groups and position attribute. A BatchedMesh has a
// constant key, because `tryUpdate` compares its triangles.
function sourceKeyOf(object: Placeable): string {
  if (isBatched(object)) return 'batch';
  const { id, index, drawRange, groups, attributes } = object.geometry;
  const chosen = groupsOf(object)?.flatMap(group => [groups[group].start, groups[group].count]) ?? [];
  return [
    id,
    numberOf(attributes.position!),
    attributes.position!.count,
    index ? numberOf(index) : 0,
    index?.version,
    drawRange.start,
    drawRange.count,
    isPosed(object),
    ...chosen,
  ].join();
}

// Returns the groups that three.js draws if the object has an array of materials: the groups with a material.
// Returns undefined if the object has a single material, because three.js then ignores groups.
function groupsOf({ geometry, material }: Placeable): number[] | undefined {
  if (!Array.isArray(material)) return undefined;
  return [...geometry.groups.keys()].filter(
    group => (material as (Material | undefined)[])[geometry.groups[group].materialIndex ?? 0],
  );
}

const rangeOf = (object: BatchedMesh, instanceId: number) =>
  object.getGeometryRangeAt(object.getGeometryIdAt(instanceId))!;

function readShape(object: Placeable, instanceId: number | undefined): Triangles {
  return isBatched(object)
    ? readBatched(object, instanceId!)
    : readTriangles(object.geometry, groupsOf(object));
}

// Reads the geometry of an instance from a BatchedMesh. Numbers its triangles and vertices from 0.
function readBatched(object: BatchedMesh, instanceId: number): Triangles {
  const { index, attributes } = object.geometry;
  const { start, count, vertexStart, vertexCount } = rangeOf(object, instanceId);
  const positions = readPositions(attributes.position!, vertexStart, vertexCount);
  const triangleCount = Math.floor(count / 3);
  const starts = Uint32Array.from({ length: triangleCount }, (_, i) => start + 3 * i);
  const indices = Uint32Array.from({ length: 3 * triangleCount }, (_, i) =>
    index ? index.getX(start + i) - vertexStart : i,
  );
  return { positions, indices, starts };
}
