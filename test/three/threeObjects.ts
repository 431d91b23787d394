// Makes three.js objects whose vertices depend on more than their geometry: on bones, morph targets, or
// morphs of instances.

import {
  Bone,
  BoxGeometry,
  type BufferGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Skeleton,
  SkinnedMesh,
  Uint16BufferAttribute,
} from 'three';

const material = new MeshBasicMaterial();

/** Makes an upright tube with two bones, one at its bottom and one at its middle. */
export function bentTube(): { tube: SkinnedMesh; bones: [Bone, Bone] } {
  const geometry = new CylinderGeometry(0.3, 0.3, 2, 8, 6).translate(0, 1, 0);
  const { position } = geometry.attributes;
  const weights: number[] = [];
  const numbers: number[] = [];
  for (let i = 0; i < position!.count; i++) {
    const upper = Math.min(1, Math.max(0, position!.getY(i) - 0.5));
    numbers.push(0, 1, 0, 0);
    weights.push(1 - upper, upper, 0, 0);
  }
  geometry.setAttribute('skinIndex', new Uint16BufferAttribute(numbers, 4));
  geometry.setAttribute('skinWeight', new Float32BufferAttribute(weights, 4));
  const bones: [Bone, Bone] = [new Bone(), new Bone()];
  const tube = new SkinnedMesh(geometry, material);
  bones[0].add(bones[1]);
  bones[1].position.y = 1;
  tube.add(bones[0]);
  tube.bind(new Skeleton(bones));
  return { tube, bones };
}

// Adds two morph targets: the first stretches the geometry along x, the second along y.
function withMorphs(geometry: BufferGeometry, isRelative: boolean): BufferGeometry {
  const { array } = geometry.attributes.position!;
  geometry.morphAttributes.position = [0, 1].map(
    axis =>
      new Float32BufferAttribute(
        Array.from(array, (value, i) => (isRelative ? 0 : value) + (i % 3 === axis ? value * 0.8 : 0)),
        3,
      ),
  );
  geometry.morphTargetsRelative = isRelative;
  return geometry;
}

export const morphedBox = (): Mesh => new Mesh(withMorphs(new BoxGeometry(1, 1, 1, 2, 2, 2), true), material);

/**
 * Sets the morph influences of an instance. three.js copies them from a mesh, so a temporary mesh is made.
 */
export function setInfluences(faces: InstancedMesh, instanceId: number, influences: number[]): void {
  const face = new Mesh(faces.geometry, material);
  face.morphTargetInfluences = influences;
  faces.setMorphAt(instanceId, face);
}

/** Makes an InstancedMesh with two instances, each of which has its own morph influences. */
export function instancedFaces(): InstancedMesh {
  const faces = new InstancedMesh(withMorphs(new BoxGeometry(1, 1, 1, 2, 2, 2), false), material, 2);
  for (const i of [0, 1]) {
    faces.setMatrixAt(i, new Matrix4().makeTranslation(1.2 * (i + 1), 0.3, 0.1));
    setInfluences(faces, i, [0.1 * i, 0.4]);
  }
  return faces;
}
