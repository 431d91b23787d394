// Every public call -> unknown names, near misses, null, lists and wrong values in its options are refused with an error that says what is valid.
import { readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { collide, CollisionError, createEngine } from '../../dist/index.js';
import { connectNats, makeHub, openJobs, runSwarm, startBroker, startNode, submitBoxPairs } from '../../dist/cluster/index.js';
import { addObject3D, ContactHelper, meshFromGeometry, TreeHelper } from '../../dist/three/index.js';
import { box, translation } from '../../dist/scenes/index.js';
import { BoxGeometry, Group } from 'three';
import { test } from '../support/test.js';

const engine = await createEngine({ threads: 1, warmUp: 'off' });
test.after(() => engine.dispose());
const a = engine.createMesh(box()), b = engine.createMesh(box()), soft = engine.createMesh(box(), { deformable: true });
const scene = engine.createScene(), broad = engine.createBroadPhase(), boxes = Float32Array.of(0, 0, 0, 1, 1, 1);
const ends = new Float64Array(box().positions.length), points = new Float64Array(24), join = makeHub(), link = join();
const jobs = await openJobs({ where: 'cluster', link });
const body = scene.add(a);

interface Call { name: string; call: (options: never) => unknown; near: [wrong: string, meant: string]; wrong: [name: string, value: unknown]; needed?: object }

const query: Pick<Call, 'near' | 'wrong'> = { near: ['tranformB', 'transformB'], wrong: ['want', 'some'] };
const sweep: Pick<Call, 'near' | 'wrong'> = { near: ['minSeperation', 'minSeparation'], wrong: ['exact', 1] };

/** A line for each public call that takes options. */
const calls: readonly Call[] = [
  { name: 'createEngine', call: createEngine, near: ['thread', 'threads'], wrong: ['warmUp', true] },
  { name: 'collide', call: (options) => collide(box(), box(), options), ...query },
  { name: 'createMesh', call: (options) => engine.createMesh(box(), options), near: ['deformible', 'deformable'], wrong: ['deformable', 1] },
  { name: 'createMeshAsync', call: (options) => engine.createMeshAsync(box(), options), near: ['onprogress', 'onProgress'], wrong: ['onProgress', 5] },
  { name: 'scene.createMesh', call: (options) => scene.createMesh(box(), options), near: ['bilder', 'builder'], wrong: ['builder', 'best'] },
  { name: 'mesh.update', call: (options) => soft.update(box().positions, options), near: ['Tree', 'tree'], wrong: ['tree', 'new'] },
  { name: 'query', call: (options) => engine.query(a, b, options), ...query },
  { name: 'queryMany', call: (options) => engine.queryMany(options), near: ['transform', 'transforms'], wrong: ['pairs', 5], needed: { a, b, transforms: new Float64Array(0) } },
  { name: 'an entry of pairs', call: (pair) => engine.queryMany({ pairs: [{ a, b }, pair] }), near: ['transformb', 'transformB'], wrong: ['transformA', 5], needed: { a, b } },
  { name: 'selfQuery', call: (options) => engine.selfQuery(a, options), near: ['neighbors', 'neighbours'], wrong: ['neighbours', 'none'] },
  { name: 'distance', call: (options) => engine.distance(a, b, options), near: ['maxx', 'max'], wrong: ['max', -1] },
  { name: 'contains', call: (options) => engine.contains(a, b, options), near: ['transformC', 'transformA'], wrong: ['transformA', 5] },
  { name: 'penetration', call: (options) => engine.penetration(a, b, options), near: ['tranformA', 'transformA'], wrong: ['transformA', 5] },
  { name: 'classify', call: (options) => engine.classify(a, b, options), near: ['tolerence', 'tolerance'], wrong: ['tolerance', NaN] },
  { name: 'queryPoses', call: (options) => engine.queryPoses(options), near: ['pose', 'poses'], wrong: ['want', 'all'], needed: { meshes: [a, b], poses: new Float64Array(0) } },
  { name: 'sweep', call: (options) => engine.sweep(a, b, options), near: ['from', 'fromA'], wrong: ['motion', 'fast'] },
  { name: 'sweepVertices', call: (options) => engine.sweepVertices(a, ends, ends, options), ...sweep },
  { name: 'sweepFeatures', call: (options) => engine.sweepFeatures('VF', points, options), ...sweep },
  { name: 'contactTimes', call: (options) => engine.contactTimes('vf', points, options), ...sweep },
  { name: 'boxPairs', call: (options) => engine.boxPairs(boxes, options), near: ['methd', 'method'], wrong: ['countOnly', 1] },
  { name: 'createBroadPhase', call: (options) => engine.createBroadPhase(options), near: ['event', 'events'], wrong: ['method', 'best'] },
  { name: 'broadPhase.pairs', call: (options) => broad.pairs(options), near: ['ordr', 'order'], wrong: ['order', 'random'] },
  { name: 'createScene', call: (options) => engine.createScene(options), near: ['broadphase', 'broadPhase'], wrong: ['broadPhase', 'none'] },
  { name: 'scene.add', call: (options) => scene.add(a, options), near: ['trasform', 'transform'], wrong: ['group', 0.5] },
  { name: 'scene.setTransforms', call: (options) => scene.setTransforms(new Float64Array(16 * scene.slotCount), options), near: ['form', 'from'], wrong: ['from', 5], needed: { from: new Float64Array(16) } },
  { name: 'scene.detect', call: (options) => scene.detect(options), near: ['narow', 'narrow'], wrong: ['continuous', 1] },
  { name: 'scene.detect, continuous', call: (options: object) => scene.detect({ continuous: true, ...options }), near: ['tolerence', 'tolerance'], wrong: ['want', 'any'] },
  { name: 'async.query', call: (options) => engine.async.query(a, b, options), ...query },
  { name: 'async.queryMany', call: (options) => engine.async.queryMany(options), near: ['transform', 'transforms'], wrong: ['order', 'none'], needed: { a, b, transforms: new Float64Array(0) } },
  { name: 'async.selfQuery', call: (options) => engine.async.selfQuery(a, options), near: ['neighbors', 'neighbours'], wrong: ['neighbours', 'none'] },
  { name: 'async.boxPairs', call: (options) => engine.async.boxPairs(boxes, options), near: ['orde', 'order'], wrong: ['forEachChunk', {}] },
  { name: 'async.detect', call: (options) => engine.async.detect(scene, options), near: ['narow', 'narrow'], wrong: ['narrow', 'all'] },
  { name: 'async.sweep', call: (options) => engine.async.sweep(a, b, options), near: ['to', 'toA'], wrong: ['motion', 'fast'] },
  { name: 'async.sweepVertices', call: (options) => engine.async.sweepVertices(a, ends, ends, options), ...sweep },
  { name: 'async.sweepFeatures', call: (options) => engine.async.sweepFeatures('VF', points, options), ...sweep },
  { name: 'async.contactTimes', call: (options) => engine.async.contactTimes('vf', points, options), ...sweep },
  { name: 'meshFromGeometry', call: (options) => meshFromGeometry(engine, new BoxGeometry(), options), near: ['group', 'groups'], wrong: ['deformable', 1] },
  { name: 'addObject3D', call: (options) => addObject3D(scene, new Group(), options), near: ['filters', 'filter'], wrong: ['filter', 5] },
  { name: 'ContactHelper', call: (options) => new ContactHelper([], options), near: ['colour', 'color'], wrong: ['opacity', 'half'] },
  { name: 'TreeHelper', call: (options) => new TreeHelper(a, options), near: ['dept', 'depth'], wrong: ['depth', -1] },
  { name: 'startNode', call: (options) => startNode(join(), options), near: ['worlds_', 'worlds'], wrong: ['threads', 0] },
  { name: 'connectNats', call: connectNats, near: ['server', 'servers'], wrong: ['tls', 5] },
  { name: 'startBroker', call: startBroker, near: ['tokens', 'token'], wrong: ['tls', 5] },
  { name: 'openJobs', call: openJobs, near: ['thread', 'threads'], wrong: ['where', 'there'], needed: { where: 'here' } },
  { name: 'submitBoxPairs', call: (options) => submitBoxPairs(link, boxes, options), near: ['wires', 'wire'], wrong: ['merge', 'none'] },
  { name: 'runSwarm', call: (options) => runSwarm(link, options), near: ['step', 'steps'], wrong: ['steps', 0], needed: { world: 'w', find: () => undefined, steps: 1, nodes: 1 } },
  { name: 'jobs.submit clash', call: (job) => jobs.submit(job), near: ['bodys', 'bodies'], wrong: ['narrow', 'boxes'], needed: { kind: 'clash', bodies: [] } },
  { name: 'jobs.submit meshPairs', call: (job) => jobs.submit(job), near: ['mesh', 'meshes'], wrong: ['clearance', -1], needed: { kind: 'meshPairs', meshes: [], pairs: [] } },
  { name: 'jobs.submit boxPairs', call: (job) => jobs.submit(job), near: ['box', 'boxes'], wrong: ['nodes', 0], needed: { kind: 'boxPairs', boxes } },
];

async function errorOf(call: Call, options: unknown): Promise<CollisionError> {
  let answer: unknown;
  try { answer = await call.call(options as never); } catch (error) {
    assert.instance(error, CollisionError, `${call.name}: ${String((error as Error).stack)}`);
    return error as CollisionError;
  }
  throw new Error(`${call.name} took ${JSON.stringify(options)} and gave ${String(answer)}`);
}

for (const call of calls) {
  test(`${call.name}: unknown names are refused, with what was meant and what is valid`, async () => {
    const [wrong, meant] = call.near, near = await errorOf(call, { ...call.needed, [wrong]: undefined });
    assert.match(near.message, `'${wrong}'`);
    assert.match(near.message, `did you mean '${meant}'?`);
    assert.match(near.fix, meant);
    const unknown = await errorOf(call, { ...call.needed, qwertyuiop: 1 });
    assert.match(unknown.message, "unknown key 'qwertyuiop'");
    assert.not.match(unknown.message, 'did you mean');
    assert.match(unknown.fix, meant);
  });

  test(`${call.name}: wrong values are refused by name`, async () => {
    const [name, value] = call.wrong;
    assert.match((await errorOf(call, { ...call.needed, [name]: value })).message, name);
  });

  test(`${call.name}: what is no object of options is refused`, async () => {
    const lists = [translation([0, 0, 0]), { elements: Array(16).fill(0) }, [1, 2], a];
    if (/continuous/.test(call.name)) return;
    for (const options of [null, 5, 'x', true, ...call.name === 'scene.setTransforms' ? [] : lists]) await errorOf(call, options);
  });

  test(`${call.name}: accessors of a class are checked, too`, async () => {
    const [name, value] = call.wrong, Options = class {};
    if (/continuous/.test(call.name)) return;
    for (const [key, given] of Object.entries({ ...call.needed, [name]: value })) Object.defineProperty(Options.prototype, key, { get: () => given });
    assert.match((await errorOf(call, new Options())).message, name);
  });
}

test('every options type that is exported has a table', () => {
  const root = new URL('../../bindings/', import.meta.url), text = (file: string): string => readFileSync(new URL(file, root), 'utf8');
  const exported = new Set(['index.ts', 'three/index.ts', 'cluster/index.ts'].flatMap((file) => text(file).match(/\b[A-Z]\w+(Options|Job)\b/g) ?? []));
  const tables = new Set(readdirSync(root, { recursive: true }).map(String).filter((name) => name.endsWith('.ts'))
    .flatMap((file) => [...text(file).matchAll(/: OptionTable<(?:Omit<|Pick<)?(\w+)/g)].map(([, name]) => name!)));
  // The tables of AnyQueryOptions and AnyQueryManyOptions have all their names.
  for (const name of ['QueryOptions', 'QueryManyOptions', 'SegmentOptions', 'ManySegmentOptions', 'ClearanceOptions', 'ManyClearanceOptions']) tables.add(name);
  assert.ok(exported.size > 20, `${exported.size}`);
  assert.equal([...exported].filter((name) => !tables.has(name)), []);
});

test('scenes do not name clearance as a missing feature, and continuous options go with continuous alone', () => {
  const refused = (options: object): string => { try { scene.detect(options); } catch (error) { return (error as Error).message; } return 'taken'; };
  assert.match(refused({ clearance: 1 }), "unknown key 'clearance'");
  assert.match(refused({ continuous: true, narrow: 'any' }), "unknown key 'narrow'");
  assert.match(refused({ continuous: 1 }), 'continuous is 1, not true or false');
  assert.match(refused({ tolerance: 1 }), "unknown key 'tolerance'");
  assert.is(scene.detect({ continuous: false }).count, 0);
  assert.ok(scene.slotOf(body) >= 0);
});

test('without its feature a clearance names the feature', async () => {
  const bare = await createEngine({ threads: 1, warmUp: 'off', features: [] }), mesh = bare.createMesh(box());
  for (const options of [{ clearance: 1 }, { want: 'segments' }]) {
    try {
      bare.query(mesh, mesh, options as never);
      assert.unreachable();
    } catch (error) {
      assert.match((error as CollisionError).message, "of the feature 'questions'");
    }
  }
  bare.dispose();
});

test.after(() => jobs.close());

test.run();
