// Computes the vertex positions of skinned or morphed three.js meshes in their current pose. Caches a pose,
// and recomputes it when its inputs change: bones, morph influences, attributes or `morphTargetsRelative`.
import { Mesh, Vector3 } from 'three';
import { isInstanced, isSkinned, type Placeable } from './instances.js';

const vertex = new Vector3();

const morphCount = ({ geometry }: Placeable): number => geometry.morphAttributes.position?.length ?? 0;

/** Returns whether each instance of the object has its own pose, as in a morphed InstancedMesh. */
export const hasOwnPoses = (object: Placeable): boolean =>
  isInstanced(object) && object.morphTexture !== null && morphCount(object) > 0;

/** Returns whether the vertex positions also depend on bones or on morph influences. */
export const isPosed = (object: Placeable): boolean =>
  isSkinned(object) ||
  hasOwnPoses(object) ||
  (object.morphTargetInfluences !== undefined && morphCount(object) > 0);

/** Returns the position of a vertex in the object's own coordinates. */
export const vertexOf = (object: Placeable, index: number, target: Vector3): Vector3 =>
  // SkinnedMesh.getVertexPosition needs a skeleton. Without one, the method of Mesh is called.
  object.isSkinnedMesh && !isSkinned(object)
    ? Mesh.prototype.getVertexPosition.call(object, index, target)
    : object.getVertexPosition(index, target);

/**
 * Calls `use` and returns its result. During the call, an object whose instances have their own poses has the
 * morph influences of the given instance.
 */
export function withInstanceMorphs<T>(object: Placeable, instanceId: number | undefined, use: () => T): T {
  if (instanceId === undefined || !hasOwnPoses(object) || !isInstanced(object)) return use();
  const influences = object.morphTargetInfluences;
  try {
    object.morphTargetInfluences = new Array<number>(morphCount(object)).fill(0);
    object.getMorphAt(instanceId, object);
    return use();
  } finally {
    object.morphTargetInfluences = influences;
  }
}

/** The vertex positions of an object or instance in its current pose, and the inputs of that pose. */
export class Pose {
  positions: Float32Array;
  private readonly object: Placeable;
  private readonly instanceId: number | undefined;
  private inputs: Float64Array;

  /** Computes the current pose of the object, or of one of its instances. */
  constructor(object: Placeable, instanceId?: number) {
    this.object = object;
    this.instanceId = instanceId;
    [this.inputs, this.positions] = withInstanceMorphs(object, instanceId, () => [
      inputsOf(object),
      positionsOf(object),
    ]);
  }

  /**
   * Recomputes the pose if any number on which it depends has changed.
   * @returns whether any vertex has moved
   */
  update(): boolean {
    return withInstanceMorphs(this.object, this.instanceId, () => {
      const inputs = inputsOf(this.object);
      if (isSame(inputs, this.inputs)) return false;
      const positions = positionsOf(this.object);
      const hasMoved = !isSame(positions, this.positions);
      [this.inputs, this.positions] = [inputs, positions];
      return hasMoved;
    });
  }
}

function positionsOf(object: Placeable): Float32Array {
  const { count } = object.geometry.attributes.position!;
  const positions = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) vertexOf(object, i, vertex).toArray(positions, 3 * i);
  return positions;
}

// Returns all numbers that the vertex positions depend on. An attribute is represented by two numbers: its
// identity and its version.
function inputsOf(object: Placeable): Float64Array {
  const { attributes, morphAttributes, morphTargetsRelative } = object.geometry;
  const { position, skinIndex, skinWeight } = attributes;
  const inputs = [position, skinIndex, skinWeight, ...(morphAttributes.position ?? [])].flatMap(attribute =>
    attribute ? [numberOf(attribute), versionOf(attribute)] : [0, 0],
  );
  inputs.push(morphTargetsRelative ? 1 : 0, ...(object.morphTargetInfluences ?? []));
  if (isSkinned(object)) {
    for (const { elements } of [object.bindMatrix, object.bindMatrixInverse, ...object.skeleton.boneInverses])
      inputs.push(...elements);
    for (const bone of object.skeleton.bones) inputs.push(...bone.matrixWorld.elements);
  }
  return Float64Array.from(inputs);
}

const numbers = new WeakMap<object, number>();
let nextNumber = 1;

/** Returns a number that identifies an attribute object. */
export function numberOf(attribute: object): number {
  let number = numbers.get(attribute);
  if (number === undefined) numbers.set(attribute, (number = nextNumber++));
  return number;
}

type Versioned = { version: number } | { data: { version: number } };
/** Returns the version of an attribute. Setting needsUpdate to true increments it. */
export const versionOf = (attribute: Versioned): number =>
  'data' in attribute ? attribute.data.version : attribute.version;

/** Returns whether two lists contain the same numbers in the same order. */
export const isSame = (a: ArrayLike<number>, b: ArrayLike<number>): boolean => {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
};
