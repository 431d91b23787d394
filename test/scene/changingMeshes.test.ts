// Tests scenes whose bodies break, vanish, deform or get another mesh between frames. Compares all contacts,
// and the contacts that began or ended in each frame, with a simple model of the scene. Compares triangle
// pairs of some contacts with exact arithmetic.

import * as assert from 'uvu/assert';
import { type Contacts, createEngine, type Engine } from '../../dist/index.js';
import { rotation, soup, sphere, torus, translation } from '../../dist/samples/index.js';
import { type Pair, trianglePairs } from '../oracle/bruteForce.js';
import { pairsOf } from '../support/engines.js';
import { test } from '../support/test.js';
import { type ModelBody, SceneModel, trianglesOf } from './sceneModel.js';

const engines: Engine[] = [];
for (const threads of [1, 2, 5]) engines.push(await createEngine({ threads, warmUp: 'off' }));
engines.push(await createEngine({ memory: 'single', warmUp: 'off' }));
const [queryEngine] = engines;
const PARTS = { parts: 6 };

const truthOf = (a: ModelBody, b: ModelBody): Pair[] =>
  trianglePairs(a.shape.data, a.matrix, b.shape.data, b.matrix);
const sorted = (pairs: Pair[]): Pair[] =>
  pairs.sort((left, right) => left[0] - right[0] || left[1] - right[1]);

function contactOf(contacts: Contacts, a: number, b: number): Pair[] {
  const i = pairsOf(contacts).findIndex(pair => pair[0] === a && pair[1] === b);
  return i < 0 ? [] : trianglesOf(contacts, i);
}

function withModels(use: (model: SceneModel) => void): void {
  for (const engine of engines) {
    using scene = engine.createScene();
    const model = new SceneModel(engine, scene, queryEngine);
    use(model);
    model.dispose();
  }
}

test('the shards of a broken body together have the contacts of the whole body, triangle by triangle', () =>
  withModels(model => {
    const ring = model.make(torus(400));
    const ball = model.make(sphere(200));
    const whole = model.add(ring, { transform: Float64Array.from(rotation([0.6, 0.8, 0], 0.7, [0, 0, 0])) });
    const others = [
      [0.8, 0.1, 0],
      [-0.9, 0.3, 0.1],
      [0, -1, 0.2],
    ].map(at =>
      model.add(ball, { transform: Float64Array.from(translation(at as [number, number, number])) }),
    );
    const truth = others.map(other => truthOf(whole, other));
    const before = model.check(PARTS, 'whole');
    others.forEach((other, k) => assert.equal(contactOf(before, whole.id, other.id), truth[k]));
    assert.ok(
      truth.every(({ length }) => length > 10),
      truth.map(({ length }) => length).join(),
    );
    // The whole body is removed and three shards are added, one of them in the slot of the whole body.
    const shards = model.shatter(whole.id, 3, triangle => Math.floor((3 * triangle) / 400));
    const after = model.check(PARTS, 'broken');
    others.forEach((other, k) => {
      const found = shards.flatMap(({ body, triangles }) => {
        const first = body.id < other.id;
        return contactOf(after, Math.min(body.id, other.id), Math.max(body.id, other.id)).map(
          ([a, b]): Pair => (first ? [triangles[a], b] : [triangles[b], a]),
        );
      });
      assert.equal(sorted(found), truth[k]);
    });
    // Only contacts of the whole body have ended, and only contacts of its shards have begun.
    assert.equal(
      pairsOf(after.ended).filter(([a, b]) => a !== whole.id && b !== whole.id),
      [],
    );
    assert.ok(
      pairsOf(after.began).every(([a, b]) => shards.some(({ body }) => body.id === a || body.id === b)),
    );
    // One shard moves far away and loses its contacts. The contacts of the other shards persist.
    model.scene.setTransform(shards[0].body.id, translation([50, 0, 0]));
    shards[0].body.matrix = Float64Array.from(translation([50, 0, 0]));
    const apart = model.check(PARTS, 'apart');
    assert.ok(apart.ended.count > 0 && apart.persisted.count > 0);
    assert.is(apart.stats.tested, 0);
  }));

test('contacts agree with exact arithmetic if a mesh deforms and its tree is rebuilt, or if a body gets another mesh', () =>
  withModels(model => {
    const soft = model.make(soup(40, 1), true);
    const ball = model.make(sphere(200));
    const ring = model.make(torus(200));
    const first = model.add(soft, { transform: Float64Array.from(translation([0.1, 0, 0])) });
    let second = model.add(ball, { transform: Float64Array.from(translation([0, 0, 0.2])) });
    const third = model.add(ring, { transform: Float64Array.from(translation([60, 0, 0])) });
    let rebuilt = 0;
    for (let iteration = 0; iteration < 8; iteration++) {
      const before = soft.mesh.treeVersion;
      model.update(
        soft,
        soup(40, 2 + iteration).positions.map(value => value * (1 + iteration / 4)),
        { tree: iteration % 3 === 2 ? 'rebuild' : 'auto' },
      );
      rebuilt += soft.mesh.treeVersion - before;
      // The second body gets another mesh in the same frame: the body is removed, and a body with the other
      // mesh is added in the same slot.
      if (iteration % 2 === 1)
        second = model.add(iteration % 4 === 1 ? ring : ball, { transform: model.remove(second.id).matrix });
      const contacts = model.check(PARTS, `round ${iteration}`);
      const pair = [first, second].sort((left, right) => left.id - right.id) as [ModelBody, ModelBody];
      assert.equal(contactOf(contacts, pair[0].id, pair[1].id), truthOf(...pair));
      assert.is(contacts.persisted.count, iteration % 2 === 0 && iteration > 0 ? 1 : 0);
    }
    assert.ok(rebuilt > 0, 'no tree was rebuilt');
    assert.is(model.check(PARTS, 'still').stats.tested, 0);
    model.remove(third.id);
    model.remove(second.id);
    assert.is(model.check(PARTS, 'vanished').ended.count, 1);
  }));

test('contacts are correct if all bodies break at once, and some shards break again', () =>
  withModels(model => {
    const ring = model.make(torus(240));
    const bodies = Array.from({ length: 5 }, (_, i) =>
      model.add(ring, { transform: Float64Array.from(rotation([0, 0.6, 0.8], i, [0.9 * i, 0, 0])) }),
    );
    model.check(PARTS, 'whole');
    const shards = bodies
      .flatMap(({ id }) => model.shatter(id, 2, triangle => triangle & 1))
      .map(({ body }) => body);
    const first = model.check(PARTS, 'once');
    assert.is(first.persisted.count, 0);
    shards.forEach(({ id }, i) => {
      if (i % 3 === 0) model.shatter(id, 4, triangle => triangle % 4);
    });
    assert.ok(model.check(PARTS, 'twice').persisted.count > 0);
    assert.ok(model.check({ ...PARTS, narrow: 'counts' }, 'counted').count > 10);
  }));

test.after(() => {
  for (const engine of engines) engine.dispose();
});
test.run();
