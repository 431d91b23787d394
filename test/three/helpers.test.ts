// Tests the three.js helpers: ContactHelper draws the triangles of contacts, and TreeHelper draws the edges
// of the boxes that treeBoxes returns for a tree.

import {
  BoxGeometry,
  type LineSegments,
  Mesh,
  MeshBasicMaterial,
  Raycaster,
  SphereGeometry,
  TorusGeometry,
  Vector3,
  Scene as World,
} from 'three';
import * as assert from 'uvu/assert';
import { treeBoxes } from '../../dist/bvh/treeBoxes.js';
import { addObject3D, ContactHelper, meshFromGeometry, TreeHelper } from '../../dist/three/index.js';
import { caught, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';

const material = new MeshBasicMaterial();

/** Returns the vertices that three.js draws for an object: their world coordinates as text. */
function drawn(object: Mesh | LineSegments): string[] {
  object.updateWorldMatrix(true, false);
  const position = object.geometry.attributes.position!;
  const count = Math.min(position.count, object.geometry.drawRange.count);
  return Array.from({ length: count }, (_, i) =>
    new Vector3()
      .fromBufferAttribute(position, i)
      .applyMatrix4(object.matrixWorld)
      .toArray()
      .map(value => value.toFixed(4))
      .join(' '),
  );
}

const triangles = (vertices: string[]): string[] =>
  Array.from({ length: vertices.length / 3 }, (_, i) => vertices.slice(3 * i, 3 * i + 3).join(', ')).sort();

for (const away of [0, 1e6]) {
  test(`a ContactHelper draws contacts where the objects are${away ? ', even far from the origin' : ''}`, () =>
    withEngine({ threads: 1, warmUp: 'off' }, engine => {
      const ball = new Mesh(new SphereGeometry(0.6, 12, 8), material);
      const box = new Mesh(new BoxGeometry(), material);
      const world = new World().add(ball, box);
      ball.position.set(away, 0, 0);
      box.position.set(away + 0.8, 0.3, 0);
      box.rotation.z = 0.5;
      const scene = engine.createScene();
      const bodies = addObject3D(scene, ball);
      const others = addObject3D(scene, box);
      const helper = new ContactHelper([bodies, others], { opacity: 0.5 });
      world.add(helper);
      const contacts = scene.detect();
      helper.show(contacts);
      const expected = [[ball, contacts.triangles.a] as const, [box, contacts.triangles.b] as const]
        .flatMap(([{ geometry, matrixWorld }, numbers]) =>
          [...new Set(numbers)].map(number =>
            [0, 1, 2]
              .map(corner =>
                new Vector3()
                  .fromBufferAttribute(
                    geometry.attributes.position!,
                    geometry.index!.getX(3 * number + corner),
                  )
                  .applyMatrix4(matrixWorld)
                  .toArray()
                  .map(value => value.toFixed(4))
                  .join(' '),
              )
              .join(', '),
          ),
        )
        .sort();
      assert.ok(expected.length > 10);
      assert.is(helper.triangleCount, expected.length);
      assert.equal(triangles(drawn(helper)), expected);
      const bodiesOnly = new ContactHelper(bodies);
      bodiesOnly.show(contacts);
      assert.is(bodiesOnly.triangleCount, new Set(contacts.triangles.a).size);
      box.position.x += 5;
      others.syncTransforms();
      helper.show(scene.detect());
      assert.is(helper.triangleCount, 0);
      // Rays do not hit any part of the helper.
      assert.is(
        new Raycaster(new Vector3(away, 0, 5), new Vector3(0, 0, -1)).intersectObject(helper).length,
        0,
      );
      helper.dispose();
      assert.throws(
        () => new ContactHelper(bodies, { opacity: 1.5 }),
        (error: Error) => /opacity.*1\.5.*a number from 0 to 1/.test(error.message),
      );
    }));
}

const grid = (boxes: Float32Array, i: number): number[] => Array.from(boxes.subarray(6 * i, 6 * i + 6));

test('the boxes of each tree level contain those of the next, and every node and leaf has a box', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    for (const away of [0, 1e5]) {
      const geometry = new TorusGeometry(1, 0.3, 12, 24).translate(away, 0, 0);
      const mesh = meshFromGeometry(engine, geometry, { deformable: true });
      const whole = treeBoxes(mesh, 0);
      const all = treeBoxes(mesh, mesh.depth);
      assert.equal(whole, mesh.bounds);
      assert.equal(treeBoxes(mesh, 1).subarray(0, 6), whole);
      assert.ok(treeBoxes(mesh, 1).length <= 5 * 6 && treeBoxes(mesh, 1).length > 2 * 6);
      // There is one box for the whole mesh, one for each node except the root, and one for each leaf.
      assert.is(all.length / 6, mesh.nodeCount + mesh.leafCount);
      const slack = 1e-6 * (1 + away);
      const holds = (a: number[], b: number[]): boolean =>
        [0, 1, 2].every(axis => a[axis] <= b[axis] + slack && a[axis + 3] >= b[axis + 3] - slack);
      for (let depth = 1; depth < mesh.depth; depth++) {
        const above = treeBoxes(mesh, depth - 1);
        const below = treeBoxes(mesh, depth);
        assert.equal(below.subarray(0, above.length), above);
        for (let i = above.length / 6; i < below.length / 6; i++)
          assert.ok(
            Array.from({ length: above.length / 6 }, (_, j) => j).some(j =>
              holds(grid(above, j), grid(below, i)),
            ),
          );
      }
    }
  }));

test('a TreeHelper draws twelve edges per box, also after the depth and the mesh change', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const geometry = new TorusGeometry(1, 0.3, 12, 24);
    const mesh = meshFromGeometry(engine, geometry, { deformable: true });
    const helper = new TreeHelper(mesh, { depth: 2 });
    const check = (): void => {
      const boxes = treeBoxes(mesh, helper.depth);
      const vertices = drawn(helper);
      assert.is(helper.boxCount, boxes.length / 6);
      for (let i = 0; i < boxes.length / 6; i++) {
        const box = grid(boxes, i);
        const corners = new Set(vertices.slice(24 * i, 24 * i + 24));
        const expected = [0, 1, 2, 3, 4, 5, 6, 7].map(corner =>
          [0, 1, 2].map(axis => box[axis + ((corner >> axis) & 1) * 3].toFixed(4)).join(' '),
        );
        assert.equal([...corners].sort(), expected.sort());
        for (let edge = 24 * i; edge < 24 * i + 24; edge += 2) {
          const [a, b] = [vertices[edge].split(' '), vertices[edge + 1].split(' ')];
          assert.is(a.filter((value, axis) => value !== b[axis]).length, 1, 'an edge is parallel to an axis');
        }
      }
    };
    check();
    helper.depth = 3;
    mesh.update(
      Float32Array.from(geometry.attributes.position!.array, (value, i) => value * (i % 3 === 0 ? 2 : 1)),
    );
    helper.update();
    check();
    for (const depth of [2.5, -1, Infinity, NaN]) {
      const rule = `depth is ${depth}, not a whole number from 0 to`;
      assert.ok(caught(() => new TreeHelper(mesh, { depth })).message.startsWith(rule));
      helper.depth = depth;
      assert.ok(caught(() => helper.update()).message.startsWith(rule));
    }
    helper.dispose();
    geometry.setDrawRange(0, 0);
    assert.is(new TreeHelper(meshFromGeometry(engine, geometry)).boxCount, 0);
  }));

test.run();
