// Makes engine meshes from three.js objects: one mesh for each geometry, shared by all objects that show it,
// and a deformable mesh for each pose.
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

/** A mesh that bodies share. */
export interface Shape {
  mesh: Mesh;
  /**
   * Identifies what the mesh was made from, except for the values of positions. If it changes, a new mesh is
   * needed.
   */
  sourceKey: string;
  /** Identifies the values of positions. */
  version: string;
  /** Number of bodies with this shape. */
  useCount: number;
  pose: Pose | undefined;
  /** The triangles that were read from a batch, whose geometries have one common version. */
  batched: Triangles | undefined;
  /** The last sync that checked it. */
  checkedRound: number;
}

/** Identifies a shape by an object, which is compared by identity, and a number or text. */
interface Key {
  owner: object;
  name: string | number;
}

/** The shapes of all objects of one ObjectBodies. */
export class Shapes {
  private readonly byOwner = new WeakMap<object, Map<string | number, Shape>>();
  private readonly factory: MeshFactory;
  private readonly options: MeshOptions;
  private round = 0;

  constructor(factory: MeshFactory, options: MeshOptions) {
    this.factory = factory;
    this.options = options;
  }

  /** Begins a sync, in which each geometry is checked once. */
  beginRound(): void {
    this.round++;
  }

  /**
   * Returns the current shape of an object, or of one of its instances: the previous shape, updated, if
   * possible.
   */
  shapeOf(object: Placeable, instanceId: number | undefined): Shape {
    const { owner, name } = keyOf(object, instanceId);
    let shapes = this.byOwner.get(owner);
    if (!shapes) this.byOwner.set(owner, (shapes = new Map()));
    const current = shapes.get(name);
    if (current?.checkedRound === this.round) return current;
    const shape = this.updateOrMake(current, object, instanceId);
    shapes.set(name, shape);
    shape.checkedRound = this.round;
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
      // A shape that could not be updated is made again next time.
      if (current) current.sourceKey = '';
      throw error instanceof InvalidMesh
        ? new InvalidMesh(`${object.type} '${object.name}': ${error.message}`, error.fix)
        : error;
    }
  }

  // Updates a shape, if possible.
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
      // Compared by content: adding or moving other geometries in the batch does not change this one.
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
      checkedRound: 0,
    };
  }
}

/** Whether instances of an object have their own shapes. */
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

// Returns a key that changes with the index, draw range, groups and position attribute. The content of a
// batch is compared instead.
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

// With an array of materials, three.js draws the groups that have a material.
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

// Reads one of the geometries in a batch. Its triangles and vertices are numbered from 0.
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
