// Makes bodies from a three.js world, and compares the contacts of the bodies with those that brute force finds
// over the vertices that three.js computes.

import { BatchedMesh, InstancedMesh, Matrix4, Mesh, type Object3D, Vector3, Scene as World } from 'three';
import * as assert from 'uvu/assert';
import type { Contacts, Engine, Scene } from '../../dist/index.js';
import { addObject3D, type ObjectBodies, type ObjectOptions } from '../../dist/three/index.js';
import { type Pair, trianglePairs } from '../oracle/bruteForce.js';
import type { OracleMesh } from '../oracle/place.js';
import { withEngine } from '../support/engines.js';

interface Placed {
  mesh: OracleMesh;
  matrix: Float64Array;
  first: number;
  key: string;
}

/**
 * Returns the triangles of an object, or of one of its instances, with the vertices that three.js computes.
 */
function placedOf(object: Mesh, instanceId: number | undefined): Placed {
  const { geometry } = object;
  const { index } = geometry;
  let first = 0;
  let last = index?.count ?? geometry.attributes.position!.count;
  const matrix = object.matrixWorld.clone();
  const local = new Matrix4();
  if (object instanceof InstancedMesh || object instanceof BatchedMesh) {
    object.getMatrixAt(instanceId!, local);
    matrix.multiply(local);
  }
  if (object instanceof BatchedMesh) {
    const range = object.getGeometryRangeAt(object.getGeometryIdAt(instanceId!))!;
    [first, last] = [range.start, range.start + range.count];
  }
  const influences = object.morphTargetInfluences;
  if (object instanceof InstancedMesh && object.morphTexture) {
    object.morphTargetInfluences = [0, 0];
    object.getMorphAt(instanceId!, object);
  }
  const positions: number[] = [];
  for (let i = first; i < last; i++)
    positions.push(...object.getVertexPosition(index ? index.getX(i) : i, new Vector3()).toArray());
  object.morphTargetInfluences = influences;
  return {
    mesh: {
      positions: Float32Array.from(positions),
      indices: Uint32Array.from({ length: last - first }, (_, i) => i),
    },
    matrix: Float64Array.from(matrix.elements),
    first: first / 3,
    key: `${object.name}${instanceId ?? ''}`,
  };
}

function instances(object: Object3D): (number | undefined)[] {
  if (object instanceof InstancedMesh) return [...Array(object.count).keys()];
  if (!(object instanceof BatchedMesh)) return [undefined];
  return [...Array(object.maxInstanceCount).keys()].filter(id => {
    try {
      return object.getVisibleAt(id) !== undefined;
    } catch {
      return false;
    }
  });
}

const sortPairs = (pairs: Pair[]): Pair[] => pairs.sort(([a, b], [c, d]) => a - c || b - d);

/**
 * Finds contacts by brute force over the vertices that three.js computes. @returns the triangle pairs of each
 * contact, by the names of its two objects
 */
function expectedOf(world: Object3D): Map<string, Pair[]> {
  const all: Placed[] = [];
  const found = new Map<string, Pair[]>();
  world.updateMatrixWorld(true);
  world.traverse(object => {
    if (object instanceof Mesh && object.geometry.attributes.position)
      for (const id of instances(object)) all.push(placedOf(object, id));
  });
  all.forEach((a, i) =>
    all.slice(i + 1).forEach(b => {
      const [one, two] = a.key < b.key ? [a, b] : [b, a];
      const pairs = trianglePairs(one.mesh, one.matrix, two.mesh, two.matrix).map(
        ([k, l]): Pair => [k + one.first, l + two.first],
      );
      if (pairs.length > 0) found.set(`${one.key} ${two.key}`, pairs);
    }),
  );
  return new Map([...found].sort());
}

function foundBy(bodies: ObjectBodies, contacts: Contacts): Map<string, Pair[]> {
  const found = new Map<string, Pair[]>();
  for (let i = 0; i < contacts.count; i++) {
    const [a, b] = [contacts.a[i], contacts.b[i]];
    const [keyA, keyB] = [a, b].map(id => {
      const { object, instanceId } = bodies.objectOf(id)!;
      return `${object.name}${instanceId ?? ''}`;
    });
    const pairs: Pair[] = [];
    for (let k = contacts.pairsAt[i]; k < contacts.pairsAt[i + 1]; k++) {
      const pair: Pair = [
        bodies.triangleOf(a, contacts.triangles.a[k]),
        bodies.triangleOf(b, contacts.triangles.b[k]),
      ];
      pairs.push(keyA < keyB ? pair : [pair[1], pair[0]]);
    }
    found.set(keyA < keyB ? `${keyA} ${keyB}` : `${keyB} ${keyA}`, sortPairs(pairs));
  }
  return new Map([...found].sort());
}

export interface Ground {
  world: World;
  engine: Engine;
  scene: Scene;
  bodies: ObjectBodies;
  check(minimum?: number): Contacts;
}

/**
 * Makes a three.js world of the given objects, and a scene of its bodies. `check` updates the bodies, detects
 * contacts, compares them with brute force, and expects at least `minimum` contacts.
 */
export async function withWorld(
  objects: readonly Object3D[],
  use: (ground: Ground) => void,
  options: ObjectOptions = {},
): Promise<void> {
  await withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const world = new World();
    const scene = engine.createScene();
    objects.forEach((object, i) => {
      object.name ||= `${String.fromCharCode(97 + i)}-`;
    });
    world.add(...objects);
    const bodies = addObject3D(scene, world, options);
    use({
      world,
      engine,
      scene,
      bodies,
      check: (minimum = 1) => {
        bodies.syncTransforms();
        const contacts = scene.detect();
        const expected = expectedOf(world);
        assert.equal([...foundBy(bodies, contacts)], [...expected]);
        assert.ok(expected.size >= minimum, `${expected.size} contacts`);
        for (const id of bodies.ids) {
          const { object, instanceId } = bodies.objectOf(id)!;
          assert.is(bodies.bodyOf(object, instanceId), id);
        }
        return contacts;
      },
    });
  });
}
