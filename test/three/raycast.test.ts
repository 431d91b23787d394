// Tests that accelerated ray casts return the intersections that three.js returns for objects of every kind.

import {
  BackSide,
  BatchedMesh,
  BoxGeometry,
  DoubleSide,
  Group,
  InstancedMesh,
  type Intersection,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Raycaster,
  SphereGeometry,
  TorusKnotGeometry,
  Vector3,
  Scene as World,
} from 'three';
import * as assert from 'uvu/assert';
import type { Engine } from '../../dist/index.js';
import { createRandom } from '../../dist/samples/index.js';
import {
  acceleratedRaycast,
  addObject3D,
  type FirstHitRaycaster,
  meshFromGeometry,
} from '../../dist/three/index.js';
import { withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { bentTube, instancedFaces, morphedBox } from './threeObjects.js';

const front = new MeshBasicMaterial();
const back = new MeshBasicMaterial({ side: BackSide });
const both = new MeshBasicMaterial({ side: DoubleSide });

/** A raycaster with a random ray through the ball of radius 3 around the origin. */
function randomRaycaster(random: ReturnType<typeof createRandom>): FirstHitRaycaster {
  const point = (size: number): Vector3 =>
    new Vector3(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)).multiplyScalar(size);
  const origin = point(4);
  const caster = new Raycaster(origin, point(1.5).sub(origin).normalize());
  if (random.between(0, 1) < 0.3) caster.far = random.between(0, 6);
  if (random.between(0, 1) < 0.3) caster.near = random.between(0, 4);
  return caster;
}

const keyOf = ({ distance, object, instanceId, batchId, faceIndex, face }: Intersection): string =>
  [distance, object.name, instanceId, batchId, faceIndex, face?.materialIndex].join();
const byKey = (a: Intersection, b: Intersection): number => (keyOf(a) < keyOf(b) ? -1 : 1);

/** Compares intersections by all properties that three.js gives them. Returns the number of intersections. */
function compare(found: Intersection[], expected: Intersection[]): number {
  const plain = (list: Intersection[]): unknown[] =>
    list
      .toSorted(byKey)
      .map(({ object, ...rest }) => ({ name: object.name, ...JSON.parse(JSON.stringify(rest)) }));
  assert.equal(plain(found), plain(expected));
  assert.ok(found.every(({ object }, i) => object === found[i]!.object));
  return found.length;
}

const named = <Kind extends Object3D>(object: Kind, name: string): Kind => Object.assign(object, { name });

function placed<Kind extends Object3D>(object: Kind, name: string, x: number, y: number, z: number): Kind {
  object.position.set(x, y, z);
  object.rotation.set(x + 0.1, y + 0.2, z + 0.3);
  return named(object, name);
}

/** A box with three materials: one shows only front sides, one only back sides, and one both. */
function manyMaterials(): Mesh {
  const geometry = new BoxGeometry(1.3, 1.1, 0.9, 3, 3, 3);
  geometry.groups.forEach((group, i) => {
    group.materialIndex = i % 3;
  });
  return new Mesh(geometry, [front, back, both]);
}

/** A knot without an index, of which only a part is drawn. */
function partOfKnot(): Mesh {
  const geometry = new TorusKnotGeometry(0.8, 0.25, 60, 8).toNonIndexed();
  geometry.setDrawRange(300, 900);
  return new Mesh(geometry, both);
}

function instancedBalls(): InstancedMesh {
  const balls = new InstancedMesh(new SphereGeometry(0.4, 12, 9), front, 6);
  for (let i = 0; i < 6; i++)
    balls.setMatrixAt(
      i,
      new Matrix4().makeTranslation(i - 2.5, 0.3 * i, -0.2 * i).scale(new Vector3(1, 1, i % 2 ? -1 : 1)),
    );
  return balls;
}

function batch(): BatchedMesh {
  const meshes = new BatchedMesh(6, 2000, 6000, both);
  const ids = [new SphereGeometry(0.5, 10, 8), new BoxGeometry(0.7, 0.7, 0.7)].map(geometry =>
    meshes.addGeometry(geometry),
  );
  for (let i = 0; i < 6; i++) {
    const instance = meshes.addInstance(ids[i % 2]!);
    meshes.setMatrixAt(instance, new Matrix4().makeTranslation(0.4 * i - 1, i - 2.5, 0.2));
    meshes.setVisibleAt(instance, i !== 4);
  }
  return meshes;
}

const RAYS = 300;

for (const [name, make] of [
  ['an indexed mesh', () => new Mesh(new TorusKnotGeometry(1, 0.3, 80, 12), front)],
  ['a mesh with a draw range and no index', partOfKnot],
  ['a mesh with several materials', manyMaterials],
  ['an InstancedMesh', instancedBalls],
] as const)
  test(`acceleratedRaycast finds the same intersections as three.js: ${name}`, () =>
    withEngine({ threads: 1 }, engine => {
      const object = placed<Mesh>(make(), 'one', 0.2, -0.1, 0.3);
      object.scale.set(1, 1.2, -0.8);
      object.updateMatrixWorld();
      const random = createRandom(1);
      const casters = Array.from({ length: RAYS }, () => randomRaycaster(random));
      const expected = casters.map(caster => caster.intersectObject(object));
      object.raycast = acceleratedRaycast(engine, meshFromGeometry(engine, object.geometry));
      let count = 0;
      casters.forEach((caster, i) => {
        count += compare(caster.intersectObject(object), expected[i]!);
        caster.firstHitOnly = true;
        const nearest = new Map<number | undefined, Intersection>();
        for (const one of expected[i]!) if (!nearest.has(one.instanceId)) nearest.set(one.instanceId, one);
        assert.equal(
          caster.intersectObject(object).map(({ distance }) => distance),
          [...nearest.values()].map(({ distance }) => distance),
        );
      });
      assert.ok(count > 30, `${count}`);
    }));

/** Checks that `count` random rays have the same intersections with the objects of a world as in three.js. */
function checkWorld(engine: Engine, objects: Object3D[], count: number): void {
  const world = new World();
  world.add(...objects);
  world.updateMatrixWorld(true);
  const scene = engine.createScene();
  const bodies = addObject3D(scene, world);
  const random = createRandom(2);
  let found = 0;
  for (let i = 0; i < count; i++) {
    const caster = randomRaycaster(random);
    if (i % 5 === 0) caster.layers.set(1);
    const expected = caster.intersectObject(world, true);
    found += compare(bodies.raycast(engine, caster), expected);
    caster.firstHitOnly = true;
    assert.equal(
      bodies.raycast(engine, caster).map(({ distance }) => distance),
      expected.slice(0, 1).map(({ distance }) => distance),
    );
  }
  assert.ok(found > 100, `${found}`);
  bodies.dispose();
  scene.dispose();
}

test('ObjectBodies.raycast finds the same intersections as three.js, for meshes of every kind', () =>
  withEngine({ threads: 2 }, engine => {
    const arm = new Group().add(placed(manyMaterials(), 'box', 1, 0.5, 0));
    arm.scale.set(1, -1, 1.3);
    const { tube } = bentTube();
    tube.material = both;
    const knot = placed(new Mesh(new TorusKnotGeometry(0.6, 0.2), front), 'knot', -1.5, 0.4, 0.1);
    knot.layers.enable(1);
    checkWorld(
      engine,
      [
        arm,
        knot,
        placed(partOfKnot(), 'part', 0, 1.4, 0.2),
        placed(instancedBalls(), 'balls', 0, -1, 0.5),
        placed(batch(), 'batch', 0.5, 0, -1),
        placed(morphedBox(), 'morphed', -0.4, -0.9, 0.9),
        placed(tube, 'tube', 0.9, -1.3, -0.4),
      ],
      RAYS,
    );
  }));

test('instances with their own morphs are hit where they are drawn', () =>
  withEngine({ threads: 1 }, engine => {
    const faces = named(instancedFaces(), 'faces');
    faces.updateMatrixWorld();
    const scene = engine.createScene();
    const bodies = addObject3D(scene, faces);
    // The second instance has the influence 0.4 for the morph target that stretches it along y by the factor
    // 1.8, so its top is at 0.5 * (1 + 0.8 * 0.4) + 0.3.
    const caster = new Raycaster(new Vector3(2.4, 3, 0.1), new Vector3(0, -1, 0));
    const [hit] = bodies.raycast(engine, caster);
    assert.is(hit!.instanceId, 1);
    assert.ok(Math.abs(hit!.point.y - (0.5 * 1.32 + 0.3)) < 1e-6, `${hit!.point.y}`);
  }));

test('nothing is hit if the ray has no direction, the matrix is singular, or the draw range is empty', () =>
  withEngine({ threads: 1 }, engine => {
    const ball = new Mesh(new SphereGeometry(), both);
    ball.raycast = acceleratedRaycast(engine, meshFromGeometry(engine, ball.geometry));
    ball.updateMatrixWorld();
    const caster = new Raycaster(new Vector3(0, 0, 5), new Vector3(0, 0, -1));
    assert.is(caster.intersectObject(ball).length, 2);
    assert.equal(new Raycaster(new Vector3(), new Vector3()).intersectObject(ball), []);
    ball.scale.set(1, 0, 1);
    ball.updateMatrixWorld();
    assert.equal(caster.intersectObject(ball), []);
    const empty = new Mesh(ball.geometry.clone(), both);
    empty.geometry.setDrawRange(0, 0);
    empty.raycast = acceleratedRaycast(engine, meshFromGeometry(engine, empty.geometry));
    assert.equal(caster.intersectObject(empty), []);
  }));

test('tiny matrix entries that rotations by right angles leave do not change the intersections', () =>
  withEngine({ threads: 1 }, engine => {
    const ball = named(new Mesh(new BoxGeometry(), both), 'box');
    for (let i = 0; i < 8; i++) ball.applyMatrix4(new Matrix4().makeRotationY(Math.PI / 2));
    ball.updateMatrixWorld();
    const caster = new Raycaster(new Vector3(0.1, 0.2, 5), new Vector3(1e-80, 0, -1));
    const expected = caster.intersectObject(ball);
    ball.raycast = acceleratedRaycast(engine, meshFromGeometry(engine, ball.geometry));
    assert.is(compare(caster.intersectObject(ball), expected), 2);
  }));

test.run();
