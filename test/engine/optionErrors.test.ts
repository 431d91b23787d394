// Tests that public calls refuse unknown and misspelled option names, invalid option values, and arguments
// that are not options objects. The error for an unknown name lists the valid names.
import { readdirSync, readFileSync } from 'node:fs';
import { BoxGeometry, Group } from 'three';
import * as assert from 'uvu/assert';
import {
  connectNats,
  makeHub,
  openBoxPairs,
  openJobs,
  runSwarm,
  startBroker,
  startNode,
  submitBoxPairs,
} from '../../dist/cluster/index.js';
import { CollisionError, collide, createEngine } from '../../dist/index.js';
import { box, translation } from '../../dist/samples/index.js';
import { addObject3D, ContactHelper, meshFromGeometry, TreeHelper } from '../../dist/three/index.js';
import { caught, caughtLater } from '../support/engines.js';
import { test } from '../support/test.js';

const engine = await createEngine({ threads: 1, warmUp: 'off' });
test.after(() => engine.dispose());
const [a, b] = [engine.createMesh(box()), engine.createMesh(box())];
const soft = engine.createMesh(box(), { deformable: true });
const scene = engine.createScene();
const broad = engine.createBroadPhase();
const boxes = Float32Array.of(0, 0, 0, 1, 1, 1);
const ends = new Float64Array(box().positions.length);
const points = new Float64Array(24);
const join = makeHub();
const link = join();
const jobs = await openJobs({ where: 'cluster', link });
const body = scene.add(a);

interface Call {
  name: string;
  call: (options: never, ...more: []) => unknown;
  near: [wrong: string, meant: string];
  wrong: [name: string, value: unknown];
  needed?: object;
}

const query: Pick<Call, 'near' | 'wrong'> = { near: ['tranformB', 'transformB'], wrong: ['want', 'some'] };
const sweep: Pick<Call, 'near' | 'wrong'> = { near: ['minSeperation', 'minSeparation'], wrong: ['exact', 1] };

/**
 * One entry per public call that takes options. near: a misspelled name, and the name that the error must
 * suggest. wrong: an option with an invalid value. needed: options without which the call is refused.
 */
const calls: readonly Call[] = [
  { name: 'createEngine', call: createEngine, near: ['thread', 'threads'], wrong: ['warmUp', true] },
  { name: 'collide', call: (options, ...more) => collide(box(), box(), options, ...more), ...query },
  {
    name: 'createMesh',
    call: (options, ...more) => engine.createMesh(box(), options, ...more),
    near: ['deformible', 'deformable'],
    wrong: ['deformable', 1],
  },
  {
    name: 'createMeshAsync',
    call: (options, ...more) => engine.createMeshAsync(box(), options, ...more),
    near: ['onprogress', 'onProgress'],
    wrong: ['onProgress', 5],
  },
  {
    name: 'scene.createMesh',
    call: (options, ...more) => scene.createMesh(box(), options, ...more),
    near: ['bilder', 'builder'],
    wrong: ['builder', 'best'],
  },
  {
    name: 'mesh.update',
    call: (options, ...more) => soft.update(box().positions, options, ...more),
    near: ['Tree', 'tree'],
    wrong: ['tree', 'new'],
  },
  { name: 'query', call: (options, ...more) => engine.query(a, b, options, ...more), ...query },
  {
    name: 'queryMany',
    call: (options, ...more) => engine.queryMany(options, ...more),
    near: ['transform', 'transforms'],
    wrong: ['pairs', 5],
    needed: { a, b, transforms: new Float64Array(0) },
  },
  {
    name: 'an entry of pairs',
    call: pair => engine.queryMany({ pairs: [{ a, b }, pair] }),
    near: ['transformb', 'transformB'],
    wrong: ['transformA', 5],
    needed: { a, b },
  },
  {
    name: 'selfQuery',
    call: (options, ...more) => engine.selfQuery(a, options, ...more),
    near: ['neighbours', 'neighbors'],
    wrong: ['neighbors', 'none'],
  },
  {
    name: 'distance',
    call: (options, ...more) => engine.distance(a, b, options, ...more),
    near: ['maxx', 'max'],
    wrong: ['max', -1],
  },
  {
    name: 'castRays',
    call: (options, ...more) => engine.castRays(a, points, points, options, ...more),
    near: ['maxx', 'max'],
    wrong: ['side', 'top'],
  },
  {
    name: 'contacts',
    call: (options, ...more) => engine.contacts(a, b, options, ...more),
    near: ['transformC', 'transformA'],
    wrong: ['stealing', 'maybe'],
  },
  {
    name: 'closestPoints',
    call: (options, ...more) => engine.closestPoints(a, points, options, ...more),
    near: ['signd', 'signed'],
    wrong: ['max', -1],
  },
  {
    name: 'contains',
    call: (options, ...more) => engine.contains(a, b, options, ...more),
    near: ['transformC', 'transformA'],
    wrong: ['transformA', 5],
  },
  {
    name: 'penetration',
    call: (options, ...more) => engine.penetration(a, b, options, ...more),
    near: ['tranformA', 'transformA'],
    wrong: ['transformA', 5],
  },
  {
    name: 'classify',
    call: (options, ...more) => engine.classify(a, b, options, ...more),
    near: ['tolerence', 'tolerance'],
    wrong: ['tolerance', NaN],
  },
  {
    name: 'queryPoses',
    call: (options, ...more) => engine.queryPoses(options, ...more),
    near: ['pose', 'poses'],
    wrong: ['want', 'all'],
    needed: { meshes: [a, b], poses: new Float64Array(0) },
  },
  {
    name: 'queryEdges',
    call: (options, ...more) => engine.queryEdges(options, ...more),
    near: ['form', 'from'],
    wrong: ['tolerance', 0],
    needed: { meshes: [a, b], chain: { joints: [{}] }, from: [], to: [] },
  },
  {
    name: 'sweep',
    call: (options, ...more) => engine.sweep(a, b, options, ...more),
    near: ['from', 'fromA'],
    wrong: ['motion', 'fast'],
  },
  {
    name: 'sweepVertices',
    call: (options, ...more) => engine.sweepVertices(a, ends, ends, options, ...more),
    ...sweep,
  },
  {
    name: 'sweepFeatures',
    call: (options, ...more) => engine.sweepFeatures('VF', points, options, ...more),
    ...sweep,
  },
  {
    name: 'contactTimes',
    call: (options, ...more) => engine.contactTimes('VF', points, options, ...more),
    ...sweep,
  },
  {
    name: 'boxPairs',
    call: (options, ...more) => engine.boxPairs(boxes, options, ...more),
    near: ['methd', 'method'],
    wrong: ['countOnly', 1],
  },
  {
    name: 'createBroadPhase',
    call: (options, ...more) => engine.createBroadPhase(options, ...more),
    near: ['event', 'events'],
    wrong: ['method', 'best'],
  },
  {
    name: 'broadPhase.pairs',
    call: (options, ...more) => broad.pairs(options, ...more),
    near: ['ordr', 'order'],
    wrong: ['order', 'random'],
  },
  {
    name: 'createScene',
    call: (options, ...more) => engine.createScene(options, ...more),
    near: ['broadphase', 'broadPhase'],
    wrong: ['broadPhase', 'none'],
  },
  {
    name: 'scene.add',
    call: (options, ...more) => scene.add(a, options, ...more),
    near: ['trasform', 'transform'],
    wrong: ['group', 0.5],
  },
  {
    name: 'scene.setTransforms',
    call: (options, ...more) => scene.setTransforms(new Float64Array(16 * scene.slotCount), options, ...more),
    near: ['form', 'from'],
    wrong: ['from', 5],
    needed: { from: new Float64Array(16) },
  },
  {
    name: 'scene.detect',
    call: (options, ...more) => scene.detect(options, ...more),
    near: ['narow', 'narrow'],
    wrong: ['continuous', 1],
  },
  {
    name: 'scene.detect, continuous',
    call: (options: object, ...more) => scene.detect({ continuous: true, ...options }, ...more),
    near: ['tolerence', 'tolerance'],
    wrong: ['want', 'any'],
  },
  { name: 'async.query', call: (options, ...more) => engine.async.query(a, b, options, ...more), ...query },
  {
    name: 'async.queryMany',
    call: (options, ...more) => engine.async.queryMany(options, ...more),
    near: ['transform', 'transforms'],
    wrong: ['order', 'none'],
    needed: { a, b, transforms: new Float64Array(0) },
  },
  {
    name: 'async.selfQuery',
    call: (options, ...more) => engine.async.selfQuery(a, options, ...more),
    near: ['neighbours', 'neighbors'],
    wrong: ['neighbors', 'none'],
  },
  {
    name: 'async.boxPairs',
    call: (options, ...more) => engine.async.boxPairs(boxes, options, ...more),
    near: ['orde', 'order'],
    wrong: ['forEachChunk', {}],
  },
  {
    name: 'async.detect',
    call: (options, ...more) => engine.async.detect(scene, options, ...more),
    near: ['narow', 'narrow'],
    wrong: ['narrow', 'all'],
  },
  {
    name: 'async.sweep',
    call: (options, ...more) => engine.async.sweep(a, b, options, ...more),
    near: ['to', 'toA'],
    wrong: ['motion', 'fast'],
  },
  {
    name: 'async.sweepVertices',
    call: (options, ...more) => engine.async.sweepVertices(a, ends, ends, options, ...more),
    ...sweep,
  },
  {
    name: 'async.sweepFeatures',
    call: (options, ...more) => engine.async.sweepFeatures('VF', points, options, ...more),
    ...sweep,
  },
  {
    name: 'async.contactTimes',
    call: (options, ...more) => engine.async.contactTimes('VF', points, options, ...more),
    ...sweep,
  },
  {
    name: 'meshFromGeometry',
    call: (options, ...more) => meshFromGeometry(engine, new BoxGeometry(), options, ...more),
    near: ['group', 'groups'],
    wrong: ['deformable', 1],
  },
  {
    name: 'addObject3D',
    call: (options, ...more) => addObject3D(scene, new Group(), options, ...more),
    near: ['filters', 'filter'],
    wrong: ['filter', 5],
  },
  {
    name: 'ContactHelper',
    call: (options, ...more) => new ContactHelper([], options, ...more),
    near: ['colour', 'color'],
    wrong: ['opacity', 'half'],
  },
  {
    name: 'TreeHelper',
    call: (options, ...more) => new TreeHelper(a, options, ...more),
    near: ['dept', 'depth'],
    wrong: ['depth', -1],
  },
  {
    name: 'startNode',
    call: (options, ...more) => startNode(join(), options, ...more),
    near: ['worlds_', 'worlds'],
    wrong: ['threads', 0],
  },
  { name: 'connectNats', call: connectNats, near: ['server', 'servers'], wrong: ['tls', 5] },
  { name: 'startBroker', call: startBroker, near: ['tokens', 'token'], wrong: ['tls', 5] },
  {
    name: 'openJobs',
    call: openJobs,
    near: ['thread', 'threads'],
    wrong: ['where', 'there'],
    needed: { where: 'here' },
  },
  {
    name: 'submitBoxPairs',
    call: (options, ...more) => submitBoxPairs(link, boxes, options, ...more),
    near: ['encodings', 'encoding'],
    wrong: ['merge', 'none'],
  },
  {
    name: 'openBoxPairs',
    call: (options, ...more) => openBoxPairs(link, boxes, options, ...more).close(),
    near: ['subset', 'subsets'],
    wrong: ['nodes', 0],
  },
  {
    name: 'runSwarm',
    call: (options, ...more) => runSwarm(link, options, ...more),
    near: ['step', 'steps'],
    wrong: ['steps', 0],
    needed: { world: 'w', find: () => undefined, steps: 1, nodes: 1 },
  },
  {
    name: 'jobs.submit clash',
    call: (job, ...more) => jobs.submit(job, ...more),
    near: ['bodys', 'bodies'],
    wrong: ['narrow', 'boxes'],
    needed: { kind: 'clash', bodies: [] },
  },
  {
    name: 'jobs.submit meshPairs',
    call: (job, ...more) => jobs.submit(job, ...more),
    near: ['mesh', 'meshes'],
    wrong: ['clearance', -1],
    needed: { kind: 'meshPairs', meshes: [], pairs: [] },
  },
  {
    name: 'jobs.submit boxPairs',
    call: (job, ...more) => jobs.submit(job, ...more),
    near: ['box', 'boxes'],
    wrong: ['nodes', 0],
    needed: { kind: 'boxPairs', boxes },
  },
];

async function errorOf(call: Call, options: unknown, ...more: object[]): Promise<CollisionError> {
  let answer: unknown;
  try {
    answer = await call.call(options as never, ...(more as []));
  } catch (error) {
    assert.instance(error, CollisionError, `${call.name}: ${String((error as Error).stack)}`);
    return error as CollisionError;
  }
  throw new Error(`${call.name} accepted ${JSON.stringify(options)} and returned ${String(answer)}`);
}

for (const call of calls) {
  test(`${call.name}: unknown names are refused, with a suggestion and the valid names`, async () => {
    const [wrong, meant] = call.near;
    const near = await errorOf(call, { ...call.needed, [wrong]: undefined });
    assert.match(near.message, `'${wrong}'`);
    assert.match(near.message, `did you mean '${meant}'?`);
    assert.match(near.fix, meant);
    const unknown = await errorOf(call, { ...call.needed, qwertyuiop: 1 });
    assert.match(unknown.message, "unknown key 'qwertyuiop'");
    assert.not.match(unknown.message, 'did you mean');
    assert.match(unknown.fix, meant);
  });

  test(`${call.name}: invalid values are refused, and the error names the option`, async () => {
    const [name, value] = call.wrong;
    assert.match((await errorOf(call, { ...call.needed, [name]: value })).message, name);
  });

  test(`${call.name}: a value that is not an options object is refused`, async () => {
    const lists = [
      translation([0, 0, 0]),
      { elements: Array(16).fill(0) },
      [1, 2],
      a,
      new Map(),
      Promise.resolve({}),
      new ArrayBuffer(8),
    ];
    if (/continuous/.test(call.name)) return;
    for (const options of [null, 5, 'x', true, ...(call.name === 'scene.setTransforms' ? [] : lists)])
      await errorOf(call, options);
  });

  test(`${call.name}: a second options object is refused`, async () => {
    // openJobs is skipped because it has a second parameter, which only tests use.
    if (/an entry of pairs|openJobs/.test(call.name)) return;
    const error = await errorOf(call, call.needed ?? {}, {});
    assert.match(error.message, /(options|idsOrOptions|job)\) was given an extra argument, a plain object/);
    assert.match(error.message, /(\w+)(,| clash| \w+Pairs|$)/.exec(call.name)![1]);
  });

  test(`${call.name}: options that a class defines as getters are also checked`, async () => {
    const [name, value] = call.wrong;
    const Options = class {};
    if (/continuous/.test(call.name)) return;
    for (const [key, given] of Object.entries({ ...call.needed, [name]: value }))
      Object.defineProperty(Options.prototype, key, { get: () => given });
    assert.match((await errorOf(call, new Options())).message, name);
  });
}

test('calls without options refuse arguments that they do not take', () => {
  const more: [] = [{}] as never;
  const placed = translation([0, 0, 0]);
  for (const call of [
    () => scene.setTransform(body, placed, ...more),
    () => broad.set(boxes, ...more),
    () => broad.move(Uint32Array.of(0), boxes, ...more),
  ]) {
    const error = caught(call) as CollisionError;
    assert.is(error.code, 'Unsupported');
    assert.match(error.message, /was given an extra argument, a plain object/);
  }
});

test('users, nkeys, files and origins of a broker are checked one by one', async () => {
  const ofBroker = async (options: object): Promise<string> =>
    (await caughtLater(() => startBroker(options as never))).message;
  assert.match(
    await ofBroker({
      users: [
        { user: 'a', pass: 'b' },
        { user: 'c', password: 'd' },
      ],
    }),
    "users[1] has an unknown key 'password'",
  );
  assert.match(
    await ofBroker({
      users: [
        { user: 'a', pass: 'b' },
        { user: 'c', passs: 'd' },
      ],
    }),
    "did you mean 'pass'?",
  );
  assert.match(await ofBroker({ users: [{ user: 'a' }] }), 'users[0].pass is null, not a string');
  assert.match(await ofBroker({ users: ['a'] }), "users[0] is 'a', not { user, pass, role }");
  assert.match(await ofBroker({ users: 'a:b' }), "users is 'a:b', not an array");
  assert.match(await ofBroker({ users: [null] }), 'users[0] is null');
  assert.match(await ofBroker({ nkeys: [5] }), 'nkeys[0] is 5, not a string');
  assert.match(await ofBroker({ token: 5 }), 'token is 5, not a string');
  assert.match(await ofBroker({ host: 5 }), 'host is 5, not a string');
  assert.match(await ofBroker({ tls: { certFile: 'a' } }), 'tls.keyFile is null, not a string');
  assert.match(
    await ofBroker({ token: 'secret', webSocket: { origins: [5] } }),
    'webSocket.origins[0] is 5, not a string',
  );
});

test('openJobs refuses options that belong to another value of `where`', async () => {
  const refusedBy = async (options: object): Promise<string> =>
    (await caughtLater(() => openJobs(options as never))).message;
  assert.match(
    await refusedBy({ where: 'here', cluster: 'other' }),
    "the option cluster requires the option where: 'cluster', but where is 'here'",
  );
  assert.match(
    await refusedBy({ where: 'threads', link }),
    "the option link requires the option where: 'cluster', but where is 'threads'",
  );
  for (const options of [{ threads: 2 }, { cacheBytes: 2 ** 20 }])
    assert.match(
      await refusedBy({ where: 'cluster', link, ...options }),
      "requires the option where: 'here' or 'threads', but where is 'cluster'",
    );
});

test('every exported options type has a table of names', () => {
  const root = new URL('../../bindings/', import.meta.url);
  const text = (file: string): string => readFileSync(new URL(file, root), 'utf8');
  const exported = new Set(
    ['index.ts', 'three/index.ts', 'cluster/index.ts'].flatMap(
      file => text(file).match(/\b[A-Z]\w+(Options|Job)\b/g) ?? [],
    ),
  );
  const tables = new Set(
    readdirSync(root, { recursive: true })
      .map(String)
      .filter(name => name.endsWith('.ts'))
      .flatMap(file =>
        [...text(file).matchAll(/: OptionTable<(?:Omit<|Pick<)?(\w+)/g)].map(([, name]) => name!),
      ),
  );
  // The following types have no table of their own. The tables of AnyQueryOptions and AnyQueryManyOptions
  // contain all names of these types.
  for (const name of [
    'QueryOptions',
    'QueryManyOptions',
    'SegmentOptions',
    'ManySegmentOptions',
    'ClearanceOptions',
    'ManyClearanceOptions',
    'CertificateOptions',
  ])
    tables.add(name);
  assert.ok(exported.size > 20, `${exported.size} exported types`);
  assert.equal(
    [...exported].filter(name => !tables.has(name)),
    [],
  );
});

test('detect refuses clearance as an unknown option, and continuous options without continuous: true', () => {
  const refused = (options: object): string => {
    try {
      scene.detect(options);
    } catch (error) {
      return (error as Error).message;
    }
    return 'accepted';
  };
  assert.match(refused({ clearance: 1 }), "unknown key 'clearance'");
  assert.match(refused({ continuous: true, narrow: 'any' }), "unknown key 'narrow'");
  assert.match(refused({ continuous: 1 }), 'continuous is 1, not true or false');
  assert.match(refused({ tolerance: 1 }), "unknown key 'tolerance'");
  assert.is(scene.detect({ continuous: false }).count, 0);
  assert.ok(scene.slotOf(body) >= 0);
});

test('errors for clearance and segments name the module that is missing', async () => {
  const bare = await createEngine({ threads: 1, warmUp: 'off', modules: [] });
  const mesh = bare.createMesh(box());
  for (const options of [{ clearance: 1 }, { want: 'segments' }]) {
    try {
      bare.query(mesh, mesh, options as never);
      assert.unreachable();
    } catch (error) {
      assert.match((error as CollisionError).message, "needs module 'proximity'");
    }
  }
  bare.dispose();
});

test.after(() => jobs.close());

test.run();
