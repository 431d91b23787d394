// Tests addObject3D, which makes bodies of three.js objects. For objects of every kind, compares the contacts
// of the bodies with brute force over the vertices that three.js computes, before and after the objects move.

import {
  BatchedMesh,
  BoxGeometry,
  BufferGeometry,
  Float32BufferAttribute,
  Group,
  InstancedMesh,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  SkinnedMesh,
  SphereGeometry,
  TorusGeometry,
  Scene as World,
} from 'three';
import * as assert from 'uvu/assert';
import { addObject3D, ContactHelper } from '../../dist/three/index.js';
import { caught, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { bentTube, instancedFaces, morphedBox, setInfluences } from './threeObjects.js';
import { withWorld } from './threeWorlds.js';

const material = new MeshBasicMaterial();
const ball: BufferGeometry = new SphereGeometry(0.6, 12, 8);
const at = (object: Object3D, x: number, y = 0, z = 0): Object3D => {
  object.position.set(x, y, z);
  return object;
};
const shift = (x: number, y = 0, z = 0): Matrix4 => new Matrix4().makeTranslation(x, y, z);

test('meshes in groups share a geometry, and move with their ancestors', () => {
  const arm = new Group().add(at(new Mesh(ball, material), 1), at(new Mesh(ball, material), 2));
  const other = at(new Mesh(new BoxGeometry(), material), 0.9, 0.9);
  arm.children.forEach((child, i) => {
    child.name = `arm${i}`;
  });
  return withWorld([arm, other], ({ bodies, engine, check }) => {
    assert.is(bodies.count, 3);
    check(2);
    const before = engine.createMesh({ positions: new Float32Array(9) }).id;
    arm.rotation.set(0.1, 0.2, 0.5);
    arm.scale.set(1, -1.5, 0.7);
    check();
    assert.is(
      engine.createMesh({ positions: new Float32Array(9) }).id,
      before + 1,
      'no second mesh is created',
    );
  });
});

test('nested rotations by right angles, whose matrices have tiny entries, are valid transforms', () => {
  const chain = [0, 1, 2, 3, 4, 5].map(i => {
    const group = new Group();
    group.rotation.set(
      i % 3 === 0 ? Math.PI / 2 : 0,
      i % 3 === 1 ? Math.PI / 2 : 0,
      i % 3 === 2 ? Math.PI / 2 : 0,
    );
    return group;
  });
  chain
    .reduce((above, below) => {
      above.add(below);
      return below;
    })
    .add(Object.assign(new Mesh(new BoxGeometry(), material), { name: 'deep' }));
  return withWorld([chain[0], at(new Mesh(ball, material), 0.5)], ({ check }) => {
    check();
  });
});

test('an InstancedMesh has one body for each of its first `count` instances', () => {
  const many = new InstancedMesh(ball, material, 5);
  for (let i = 0; i < 5; i++) many.setMatrixAt(i, shift(i * 1.1, 0, 0.01 * i));
  many.count = 4;
  many.rotation.z = 0.3;
  return withWorld([many, at(new Mesh(ball, material), 0.4, 0.2)], ({ bodies, check }) => {
    assert.is(bodies.count, 5);
    check(4);
    const kept = bodies.bodyOf(many, 0);
    many.setMatrixAt(1, shift(40));
    check(2);
    many.count = 5;
    check(3);
    many.count = 1;
    check(1);
    assert.is(bodies.count, 2);
    assert.is(bodies.bodyOf(many, 0), kept);
    assert.is(bodies.bodyOf(many, 4), undefined);
  });
});

for (const isIndexed of [true, false]) {
  test(`a BatchedMesh ${isIndexed ? 'with' : 'without'} an index has correct contacts after parts are added, removed and moved`, () => {
    const kind = (geometry: BufferGeometry): BufferGeometry =>
      isIndexed ? geometry : geometry.toNonIndexed();
    const batch = new BatchedMesh(8, 2000, 4000, material);
    const box = batch.addGeometry(kind(new BoxGeometry()));
    const ring = batch.addGeometry(kind(new TorusGeometry(0.6, 0.2, 6, 12)));
    [box, ring, box, ring].forEach((part, i) =>
      batch.setMatrixAt(batch.addInstance(part), shift(i * 0.9, 0.1 * i)),
    );
    return withWorld([batch, at(new Mesh(ball, material), 0.4, 0.2)], ({ bodies, check }) => {
      check(4);
      const kept = bodies.bodyOf(batch, 3);
      batch.deleteInstance(1);
      batch.setMatrixAt(2, shift(0.3, 0.2, 0.2));
      check(2);
      const cone = batch.addGeometry(kind(new SphereGeometry(0.5, 5, 4)));
      batch.setMatrixAt(batch.addInstance(cone), shift(0.2));
      check(2);
      batch.setGeometryIdAt(0, ring);
      check(2);
      // Deletes the box geometry and its instances. optimize() then moves the other geometries to the front
      // of the batch.
      batch.deleteGeometry(box);
      batch.setMatrixAt(batch.addInstance(ring), shift(0.2, 0.3));
      batch.optimize();
      check(2);
      assert.is(bodies.bodyOf(batch, 3), kept, 'the same body after all changes');
    });
  });
}

test('a SkinnedMesh is deformed by its bones', () => {
  const { tube, bones } = bentTube();
  return withWorld([tube, at(new Mesh(ball, material), 0.5, 1)], ({ bodies, check }) => {
    const id = bodies.bodyOf(tube);
    check();
    for (const angle of [0.4, 0.9, -0.8]) {
      bones[1].rotation.z = angle;
      check();
      tube.position.x = angle / 3;
      check();
    }
    assert.is(bodies.bodyOf(tube), id);
    const { tested } = check().stats;
    assert.is(tested, 0, 'an unchanged pose is not computed again');
  });
});

test('a SkinnedMesh also moves with bones that are outside of the added object', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const { tube, bones } = bentTube();
    const world = new World().add(bones[0], tube);
    const scene = engine.createScene();
    using bodies = addObject3D(scene, tube);
    using others = addObject3D(scene, at(new Mesh(new BoxGeometry(0.1, 0.1, 0.1), material), 0, 3));
    assert.is(scene.detect().count, 0);
    world.position.y = 1;
    bodies.syncTransforms();
    assert.is(scene.detect().count, 1);
    assert.is(others.count, 1);
  }));

test('contacts are correct after morph influences of meshes and of instances change', () => {
  const box = morphedBox();
  const faces = instancedFaces();
  return withWorld([box, faces, at(new Mesh(ball, material), 0.9)], ({ bodies, check }) => {
    check(2);
    const id = bodies.bodyOf(box);
    box.morphTargetInfluences![0] = 0.7;
    check(2);
    box.morphTargetInfluences!.fill(0.3);
    setInfluences(faces, 1, [0.9, 0.2]);
    check(2);
    box.geometry.morphTargetsRelative = false;
    check();
    assert.is(bodies.bodyOf(box), id);
  });
});

test('contacts are correct after objects are added and removed and geometries are exchanged', () => {
  const first = new Mesh(ball, material);
  const second = at(new Mesh(ball, material), 1);
  return withWorld([first, second], ({ world, bodies, scene, check }) => {
    check();
    const third = Object.assign(at(new Mesh(new BoxGeometry(), material), 0.5, 0.5), { name: 'c-' });
    const id = bodies.bodyOf(first)!;
    world.add(third);
    check(3);
    second.removeFromParent();
    assert.is(check().ended.count, 2);
    assert.is(bodies.bodyOf(second), undefined);
    first.geometry = new TorusGeometry(0.6, 0.2, 6, 12);
    check();
    assert.is.not(bodies.bodyOf(first), id);
    assert.is(bodies.objectOf(id), undefined);
    world.remove(first, third);
    bodies.syncTransforms();
    assert.is(bodies.count, 0);
    assert.is(scene.detect().count, 0);
  });
});

const squeezed = (geometry: BufferGeometry): void => {
  const position = geometry.attributes.position!;
  for (let i = 0; i < position.count; i++) position.setX(i, position.getX(i) * 0.7);
  position.needsUpdate = true;
};

for (const deformable of [false, true]) {
  test(`after positions change, contacts are correct, and the mesh ${deformable ? 'keeps its' : 'gets a new'} body`, () => {
    const shared = ball.clone();
    const first = new Mesh(shared, material);
    const second = at(new Mesh(shared, material), 0.7);
    return withWorld(
      [first, second],
      ({ bodies, check }) => {
        check();
        const id = bodies.bodyOf(first);
        squeezed(shared);
        check();
        assert.is(bodies.bodyOf(first) === id, deformable);
      },
      { deformable },
    );
  });
}

test('draw range, groups with materials, and options are respected', () => {
  const parts = new TorusGeometry(0.6, 0.3, 8, 16);
  parts.addGroup(0, 240, 0);
  parts.addGroup(240, 240, 1);
  parts.addGroup(480, 288, 0);
  const painted = new Mesh(parts, [material, undefined as never]);
  const half = new Mesh(ball.clone(), material);
  half.geometry.setDrawRange(90, 300);
  return withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const world = new World().add(painted, half, new LineSegments(ball), new Mesh(new BufferGeometry()));
    const scene = engine.createScene();
    using bodies = addObject3D(scene, world, { builder: 'morton' });
    assert.is(bodies.count, 2);
    const contacts = scene.detect();
    const [a, b] = [contacts.a[0], contacts.b[0]];
    const numbers = Array.from(contacts.triangles.a, number => bodies.triangleOf(a, number));
    assert.ok(
      numbers.length > 5 && numbers.every(number => number < 80 || number >= 160),
      'no triangles of the group without a material',
    );
    assert.ok(
      Array.from(contacts.triangles.b, number => bodies.triangleOf(b, number)).every(
        number => number >= 30 && number < 130,
      ),
    );
    half.geometry.setDrawRange(0, 0);
    bodies.syncTransforms();
    assert.is(scene.detect().count, 0);
    using filtered = addObject3D(scene, world, {
      filter: object => object === painted,
      group: 2,
      mask: object => (object === painted ? 4 : 2),
    });
    assert.is(filtered.count, 1);
  });
});

test('a ContactHelper does not become a body, even if it is added to the world of the bodies', () => {
  const ring = new Mesh(new TorusGeometry(0.6, 0.2, 6, 12), material);
  return withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const world = new World().add(ring, at(new Mesh(ball, material), 0.6));
    const scene = engine.createScene();
    using bodies = addObject3D(scene, world);
    const lit = new ContactHelper(bodies);
    world.add(lit);
    for (let frame = 0; frame < 3; frame++) {
      bodies.syncTransforms();
      const contacts = scene.detect();
      lit.show(contacts);
      assert.equal([bodies.count, contacts.count], [2, 1], `frame ${frame}`);
    }
    assert.ok(lit.triangleCount > 0);
  });
});

test('an object that the filter excludes is not read, and no mesh is created for it', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const nonFinite = new Mesh(
      new BufferGeometry().setAttribute(
        'position',
        new Float32BufferAttribute([0, 0, NaN, 1, 0, 0, 0, 1, 0], 3),
      ),
      material,
    );
    const hidden = new Mesh(ball, material);
    const none = new InstancedMesh(ball.clone(), material, 3);
    const scene = engine.createScene();
    nonFinite.visible = hidden.visible = false;
    none.count = 0;
    const number = (): number => engine.createMesh({ positions: new Float32Array(9) }).id;
    const before = number();
    using bodies = addObject3D(scene, new World().add(nonFinite, hidden, none), {
      filter: ({ visible }) => visible,
    });
    for (let sync = 0; sync < 3; sync++) bodies.syncTransforms();
    assert.is(number(), before + 1, 'no mesh is created');
    hidden.visible = true;
    bodies.syncTransforms();
    assert.is(bodies.count, 1);
  }));

test('a SkinnedMesh without a skeleton has the shape of its geometry', () => {
  const skin = new SkinnedMesh(ball, material);
  return withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const scene = engine.createScene();
    using bodies = addObject3D(scene, new World().add(skin, at(new Mesh(new BoxGeometry(), material), 0.7)));
    assert.is(scene.detect().count, 1);
    bodies.syncTransforms();
    assert.is(bodies.count, 2);
    const lit = new ContactHelper(bodies);
    lit.show(scene.detect());
    assert.ok(lit.triangleCount > 0);
  });
});

test('every sync with an invalid pose throws an error that names the mesh, and a later sync with a valid pose succeeds', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const box = Object.assign(morphedBox(), { name: 'face' });
    const probe = at(new Mesh(new BoxGeometry(0.1, 0.1, 0.1), material), 0.9);
    const scene = engine.createScene();
    using bodies = addObject3D(scene, new World().add(box, probe));
    assert.is(scene.detect().count, 0);
    box.morphTargetInfluences![0] = 1e39;
    for (let sync = 0; sync < 2; sync++)
      assert.match(caught(() => bodies.syncTransforms()).message, "Mesh 'face': positions[");
    box.morphTargetInfluences![0] = 1;
    bodies.syncTransforms();
    assert.is(scene.detect().count, 1);
  }));

test('an error of addObject3D names the object, and leaves no body in the scene', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const nonFinite = Object.assign(
      new Mesh(
        new BufferGeometry().setAttribute(
          'position',
          new Float32BufferAttribute([0, 0, 0, 1, 0, NaN, 0, 1, 0], 3),
        ),
        material,
      ),
      { name: 'sail' },
    );
    const scene = engine.createScene();
    const world = new World().add(new Mesh(ball, material), nonFinite);
    const error = caught(() => addObject3D(scene, world));
    assert.is(error.code, 'InvalidMesh');
    assert.match(error.message, "Mesh 'sail': positions[5] is NaN");
    assert.is(scene.detect().stats.candidates, 0);
    world.remove(nonFinite);
    world.children[0].scale.set(Infinity, 1, 1);
    assert.is(caught(() => addObject3D(scene, world)).code, 'InvalidTransform');
  }));

test('dispose frees bodies and meshes, even after the scene or the engine is disposed', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const scene = engine.createScene();
    const later = engine.createScene();
    const world = new World().add(new Mesh(ball, material), at(new Mesh(ball, material), 0.5));
    const bodies = addObject3D(scene, world);
    const others = addObject3D(later, world);
    const [id] = bodies.ids;
    assert.is(scene.detect().count, 1);
    bodies.dispose();
    bodies.dispose();
    assert.is(scene.detect().count, 0);
    assert.is(caught(() => bodies.syncTransforms()).code, 'Disposed');
    assert.match(caught(() => bodies.triangleOf(id!, 0)).message, `body ${id}`);
    later.dispose();
    others.dispose();
    const last = addObject3D(engine.createScene(), world);
    engine.dispose();
    last.dispose();
  }));

test.run();
