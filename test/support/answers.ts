// Runs seeded queries that together run every kernel, and hashes their results. Works in Node and in pages,
// on the CPU or on a GPU. The caller passes the package, so that results of different builds and platforms
// can be compared.

import { treeBoxes } from '../../dist/bvh/treeBoxes.js';
import type * as Pfront from '../../dist/index.js';
import { DecideJob, limits } from '../../dist/records/layout.js';
import type * as Scenes from '../../dist/samples/index.js';
import { isBusyCode, untilAllThreads } from './busyMachine.js';
import { queryShapes } from './castAnswers.js';
import { queryContacts, queryManifolds } from './contactAnswers.js';
import { countSubmits, type Methods, methodsOf, watchGpu } from './queryMethods.js';

export interface Answers {
  hashes: Record<string, string>;
  info: Pfront.EngineInfo;
  /** Sorted names of the kernels that the calling thread ran for these results. */
  kernels: string[];
  /** With the backend 'webgpu': names of the results that the CPU computed without the GPU. */
  withoutGpu?: string[];
}

type Kernels = Record<string, (jobAt: number, begin: number, end: number) => void>;
interface Context {
  pool: { kernels: Kernels };
  arena: { allocate(bytes: number): number; u32: Uint32Array; f64: Float64Array };
}

type Note = (name: string, ...arrays: ArrayBufferView[]) => void;

/** The engine and samples that the queries use, and the function that records results. */
export interface QueryInputs {
  engine: Pfront.Engine;
  /** Methods of `engine` or of `engine.async`. The results of both must be awaited. */
  methods: Methods;
  scenes: typeof Scenes;
  note: Note;
}

/**
 * Returns two 32-bit hashes of the bytes: FNV-1a, and a second hash that is derived from it. SHA-256 is not
 * used, because pages have no synchronous SHA-256.
 */
export function hashOf(...arrays: ArrayBufferView[]): string {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (const array of arrays) {
    for (const byte of new Uint8Array(array.buffer, array.byteOffset, array.byteLength)) {
      low = Math.imul(low ^ byte, 0x01000193);
      high = Math.imul(high ^ low, 0x85ebca6b) ^ (low >>> 15);
    }
  }
  return [low, high].map(word => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

const contextOf = (engine: Pfront.Engine): Context => (engine as unknown as { context: Context }).context;

/**
 * Records the kernels that the calling thread runs. This thread takes part in every job, so no kernel is
 * missed. @returns a set to which the name of each kernel is added when the kernel runs
 */
export function countKernels({ pool }: Context): Set<string> {
  const names = new Set<string>();
  const { kernels } = pool;
  pool.kernels = Object.fromEntries(
    Object.entries(kernels).map(([name, run]): [string, Kernels[string]] => [
      name,
      (jobAt, begin, end) => {
        names.add(name);
        run(jobAt, begin, end);
      },
    ]),
  );
  return names;
}

async function queryPlaced({ engine, methods, scenes, note }: QueryInputs): Promise<void> {
  const torus = scenes.torus(700);
  const meshes = {
    sphere: engine.createMesh(scenes.sphere(2000)),
    torus: engine.createMesh(torus),
    morton: engine.createMesh(torus, { builder: 'morton' }),
  };
  const placements = [
    scenes.translation([0.3, 0.2, 0.1]),
    scenes.translation([0.9, 0, 0]),
    scenes.translation([9, 0, 0]),
  ];
  for (const [i, transformB] of placements.entries()) {
    const pairs = await methods.query(meshes.sphere, meshes.torus, { transformB });
    note(`sphere and torus ${i}`, pairs.a, pairs.b);
    const others = await methods.query(meshes.sphere, meshes.morton, { transformB });
    note(`sphere and torus, morton ${i}`, others.a, others.b);
    const assigned = await methods.query(meshes.sphere, meshes.torus, { transformB, parts: 8 });
    note(`sphere and torus, 8 lists ${i}`, assigned.a, assigned.b);
  }
  const many = placements.map(transformB => ({ a: meshes.sphere, b: meshes.torus, transformB }));
  note('whether there is any', await methods.queryMany({ pairs: many, want: 'any' }));
  const found = await methods.queryMany({ pairs: many });
  note('many pairs', found.pairsAt, found.a, found.b);
}

/**
 * Queries meshes before and after they deform, and after they were stored and loaded. Their trees are built
 * from several subtrees, because they have more than 8,192 triangles.
 */
async function queryLarge({ engine, methods, scenes, note }: QueryInputs): Promise<void> {
  const data = scenes.torus(20_000);
  for (const builder of ['sah', 'morton'] as const) {
    const mesh = engine.createMesh(data, { builder, deformable: true });
    const transformB = scenes.rotation([1, 0, 0], 1, [0.4, 0, 0]);
    const pairs = await methods.query(mesh, mesh, { transformB });
    note(`large mesh, ${builder}`, treeBoxes(mesh, 6), pairs.a, pairs.b);
    mesh.update(data.positions.map((value, i) => (i % 3 === 0 ? 1.1 * value : value)));
    const after = await methods.query(mesh, mesh, { transformB });
    note(`large mesh, ${builder}, stretched`, treeBoxes(mesh, 6), after.a, after.b);
    const bytes = mesh.serialize();
    const loaded = engine.loadMesh(bytes);
    const again = await methods.query(loaded, loaded, { transformB });
    note(`large mesh, ${builder}, stored and loaded`, bytes, treeBoxes(loaded, 6), again.a, again.b);
  }
}

/** Queries the intersection segments of triangle pairs, for crossing and for coplanar surfaces. */
function querySegments({ engine, scenes, note }: QueryInputs): void {
  const torus = engine.createMesh(scenes.torus(2000));
  const plates = scenes.touchingPlates(60).meshes.map(data => engine.createMesh(data));
  for (const [name, a, b, transformB] of [
    ['tori', torus, torus, scenes.rotation([1, 0, 0], 1, [0.4, 0, 0])],
    ['a torus and itself', torus, torus, undefined],
    ['plates', plates[0], plates[1], undefined],
  ] as const) {
    const {
      a: first,
      b: second,
      kind,
      pointsAt,
      points,
    } = engine.query(a, b, { transformB, want: 'segments' });
    note(`segments of ${name}`, first, second, kind, pointsAt, points);
  }
}

async function queryCrowds({ methods, scenes, note }: QueryInputs): Promise<void> {
  for (const kind of ['uniform', 'clustered', 'mixed', 'scaleFree'] as const) {
    const boxes = scenes.boxCrowd(kind, 6000, 7);
    for (const method of ['auto', 'sap', 'cells', 'octree', 'tree'] as const) {
      const pairs = await methods.boxPairs(boxes, { method });
      note(`${kind} boxes, ${method}`, pairs.a, pairs.b);
    }
  }
}

/**
 * Queries the pairs of boxes in four frames. Between frames, one in a hundred boxes moves a little. Before
 * the last frame, one of the moved boxes also becomes larger than the whole scene.
 */
function queryIncremental({ engine, scenes, note }: QueryInputs): void {
  for (const method of ['auto', 'sap', 'cells', 'tree', 'octree', 'sap-persistent'] as const) {
    for (const events of ['on', 'off'] as const) {
      const boxes = scenes.boxCrowd('uniform', 9000, 11);
      const random = scenes.createRandom(5);
      const broad = engine.createBroadPhase({ method, events });
      broad.set(boxes);
      for (let frame = 0; frame < 4; frame++) {
        const pairs = broad.pairs({ order: events === 'on' ? 'sorted' : 'any' });
        const name = `kept boxes, ${method}, events ${events}, frame ${frame}`;
        if (events === 'on')
          note(name, pairs.a, pairs.b, broad.began.a, broad.began.b, broad.ended.a, broad.ended.b);
        else note(name, Float64Array.from(pairs.a, (a, i) => a * 2 ** 20 + pairs.b[i]).sort());
        const ids = Uint32Array.from({ length: 90 }, () => random.below(9000));
        const places = new Float32Array(6 * ids.length);
        ids.forEach((id, k) => {
          for (let axis = 0; axis < 3; axis++) {
            const step = random.between(-0.5, 0.5);
            for (const end of [axis, axis + 3]) boxes[6 * id + end] += step;
          }
          if (frame === 2 && k === 0) boxes.set([-1e3, -1e3, -1e3, 1e3, 1e3, 1e3], 6 * id);
          places.set(boxes.subarray(6 * id, 6 * id + 6), 6 * k);
        });
        broad.move(ids, places);
      }
      broad.dispose();
    }
  }
}

async function queryBodies({ engine, methods, scenes, note }: QueryInputs): Promise<void> {
  const torus = engine.createMesh(scenes.torus(700));
  const scene = engine.createScene();
  for (let body = 0; body < 150; body++) scene.add(torus);
  const matricesOf = scenes.tumbling(150, 0.3, 3);
  for (let frame = 0; frame < 3; frame++) {
    scene.setTransforms(matricesOf(frame));
    const contacts = await methods.detect(scene);
    note(
      `150 bodies, frame ${frame}`,
      contacts.a,
      contacts.b,
      contacts.pairsAt,
      contacts.triangles.a,
      contacts.triangles.b,
      contacts.began.a,
      contacts.ended.a,
    );
  }
  scene.dispose();
}

/** Queries contacts of moving meshes and bodies, and of single pairs of features, and the edges of a mesh. */
async function queryMoving({ engine, methods, scenes, note }: QueryInputs): Promise<void> {
  const data = scenes.torus(700);
  const torus = engine.createMesh(data);
  const noteContacts = (name: string, { kind, featureA, featureB, toi, bound }: Pfront.SweptContacts): void =>
    note(name, kind, featureA, featureB, toi, bound);
  noteContacts(
    'sweep',
    await methods.sweep(torus, torus, {
      toB: scenes.translation([0.4, 0.1, 0.2]),
      fromB: scenes.translation([3, 1, 2]),
      want: 'all',
    }),
  );
  note('edges', engine.edgesOf(torus));
  noteContacts(
    'sweep with a turn',
    await methods.sweep(torus, torus, {
      toA: scenes.rotation([0.6, 0, 0.8], 1),
      toB: scenes.translation([0.4, 0.1, 0.2]),
      fromB: scenes.translation([3, 1, 2]),
      motion: 'rigid',
      want: 'all',
    }),
  );
  noteContacts(
    'sweepVertices',
    await methods.sweepVertices(
      torus,
      data.positions,
      data.positions.map((value, i) => (i % 3 === 2 ? -value : value)),
      { want: 'all' },
    ),
  );
  const scene = engine.createScene();
  const matricesOf = scenes.tumbling(60, 0.3, 3);
  const start = matricesOf(0);
  for (let body = 0; body < 60; body++)
    scene.add(torus, { transform: start.slice(16 * body, 16 * body + 16) });
  scene.setTransforms(matricesOf(1));
  const swept = await methods.detect(scene, { continuous: true });
  noteContacts('bodies on the way', swept);
  note('which bodies', swept.a, swept.b);
  scene.setTransforms(matricesOf(2));
  noteContacts('bodies that turn', await methods.detect(scene, { continuous: true, motion: 'rigid' }));
  scene.dispose();
  const random = scenes.createRandom(4);
  const queries = Float64Array.from({ length: 24 * 500 }, () => random.between(-1, 1));
  for (const kind of ['VF', 'EE'] as const) {
    const { verdict, toi, bound } = await methods.sweepFeatures(kind, queries);
    note(`features ${kind}`, verdict, toi, bound);
    note(`when ${kind}`, await methods.contactTimes(kind, queries));
  }
  torus.dispose();
}

/** Queries a mesh against itself while it folds onto itself, frame by frame. */
async function queryDeforming({ engine, methods, scenes, note }: QueryInputs): Promise<void> {
  const { positions, indices } = scenes.torus(3000);
  const mesh = engine.createMesh({ positions, indices }, { deformable: true });
  for (const neighbors of ['index', 'position'] as const) {
    for (const fold of [0, 0.4, 0.8]) {
      const updated = mesh.update(
        positions.map((value, i) => (i % 3 === 0 ? Math.abs(value) - fold * value : value)),
        { tree: fold < 0.8 ? 'auto' : 'rebuild' },
      );
      for (const parts of [1, 8]) {
        const pairs = await methods.selfQuery(mesh, { neighbors, parts });
        note(
          `folded, neighbors by ${neighbors}, ${fold}, ${parts} lists`,
          pairs.a,
          pairs.b,
          Float64Array.of(updated.quality),
        );
      }
      note(
        `folded, any, neighbors by ${neighbors}, ${fold}`,
        Uint8Array.of(Number(await methods.selfQuery(mesh, { neighbors, want: 'any' }))),
      );
    }
  }
  mesh.dispose();
}

/** Queries poses of a robot arm, and many placements of one mesh; some results are bitsets. */
function testPoses({ engine, scenes, note }: QueryInputs): void {
  const arm = scenes.robotArm(300);
  const meshes = arm.meshes.map(mesh => engine.createMesh(mesh));
  const poses = arm.place(arm.randomAngles(150, 8));
  for (const want of ['any', 'first', 'pairs-any'] as const) {
    const { hits, first, each } = engine.queryPoses({
      meshes,
      moving: arm.movingCount,
      fixed: arm.fixedTransforms,
      allowed: arm.allowed,
      poses,
      want,
    });
    note(`poses of an arm, ${want}`, hits, first ?? hits, each ?? hits);
  }
  const robot = { meshes, fixed: arm.fixedTransforms, allowed: arm.allowed, chain: arm.chain };
  const jointValues = arm.randomAngles(80, 8);
  note('placements of a chain', engine.placeChain(arm.chain, jointValues));
  for (const clearance of [0, 0.05]) {
    const { distances, nearest } = engine.queryPoses({ ...robot, jointValues, want: 'distance', clearance });
    note(`distances of poses, ${clearance}`, distances!, nearest!);
    for (const want of ['any', 'first'] as const) {
      const [from, to] = [jointValues.subarray(0, 240), jointValues.subarray(240)];
      const found = engine.queryEdges({ ...robot, from, to, want, clearance });
      note(`edges, ${want}, ${clearance}`, found.hits, found.times ?? found.hits, found.first ?? found.hits);
    }
  }
  const transforms = poses.subarray(0, 16 * 200);
  for (const want of ['any', 'bitset'] as const)
    note(
      `many placements, ${want}`,
      want === 'any'
        ? engine.queryMany({ a: meshes[7], b: meshes[2], transforms, want })
        : engine.queryMany({ a: meshes[7], b: meshes[2], transforms, want }),
    );
  for (const mesh of meshes) mesh.dispose();
}

/** Queries meshes whose tree nodes have a sphere as well as a box. */
function querySpheres({ engine, scenes, note }: QueryInputs): void {
  const placements = [
    scenes.translation([0.3, 0.2, 0.1]),
    scenes.rotation([0.6, 0, 0.8], 1, [0.9, 0, 0]),
    scenes.translation([9, 0, 0]),
  ];
  for (const thresholds of [[2], [0.9, 3, Infinity]]) {
    const [a, b] = [scenes.sphere(2000), scenes.torus(2000)].map(data =>
      engine.createMesh(data, { volume: 's-aabb', thresholds }),
    );
    for (const [i, transformB] of placements.entries()) {
      for (const parts of [1, 8]) {
        const pairs = engine.query(a, b, { transformB, parts });
        note(`spheres, ${thresholds.length} thresholds, placement ${i}, ${parts} lists`, pairs.a, pairs.b);
      }
      note(
        `spheres, ${thresholds.length} thresholds, any ${i}`,
        Uint8Array.of(Number(engine.query(a, b, { transformB, want: 'any' }))),
      );
    }
  }
}

/**
 * Queries distances, and pairs within a clearance. For the concentric spheres, nearly all triangles are about
 * equally far from the other sphere.
 */
function queryDistances({ engine, scenes, note }: QueryInputs): void {
  const [torus, sphere] = [engine.createMesh(scenes.torus(6000)), engine.createMesh(scenes.sphere(9000))];
  const around = Float64Array.of(1.5, 0, 0, 0, 0, 1.5, 0, 0, 0, 0, 1.5, 0, 0, 0, 0, 1);
  const rotated = scenes.rotation([1, 2, 3], 1, [2.5, 0.4, 0.3]);
  for (const [i, [mesh, transformB]] of (
    [
      [torus, rotated],
      [sphere, around],
      [torus, scenes.translation([0.5, 0, 0])],
    ] as const
  ).entries()) {
    const { distance, pointA, pointB, triangleA, triangleB } = engine.distance(sphere, mesh, { transformB })!;
    note(`distance ${i}`, Float64Array.of(distance, ...pointA, ...pointB, triangleA, triangleB));
  }
  for (const clearance of [0.01, 0.5]) {
    for (const parts of [1, 8, 256]) {
      const { a, b, distances } = engine.query(sphere, torus, {
        transformB: scenes.translation([1.9, 0, 0]),
        clearance,
        parts,
      });
      note(`within ${clearance}, ${parts} lists`, a, b, distances);
    }
    note(
      `any within ${clearance}`,
      Uint8Array.of(Number(engine.query(sphere, torus, { transformB: rotated, clearance, want: 'any' }))),
    );
  }
  torus.dispose();
  sphere.dispose();
}

/**
 * Runs only the kernel that decides triangle pairs exactly, on triangles whose corners are on a small
 * lattice. Many of the triangles touch, coincide or have no area.
 */
function queryExact({ engine, scenes, note }: QueryInputs): void {
  const { pool, arena } = contextOf(engine);
  const pairCount = 2000;
  const random = scenes.createRandom(9);
  const jobAt = arena.allocate(DecideJob.size);
  const pointsAt = arena.allocate(144 * pairCount);
  const verdictsAt = arena.allocate(4 * pairCount);
  const scratchAt = arena.allocate(limits.EXACT_SCRATCH_BYTES);
  for (const [name, value] of Object.entries({ pointsAt, pairCount, verdictsAt, scratchAt, sliceCount: 1 }))
    arena.u32[(jobAt + DecideJob.at[name as keyof typeof DecideJob.at]) / 4] = value;
  for (let i = 0; i < 18 * pairCount; i++) arena.f64[pointsAt / 8 + i] = random.below(4);
  pool.kernels.decideTriangles!(jobAt, 0, 1);
  note('exact stage', arena.u32.slice(verdictsAt / 4, verdictsAt / 4 + pairCount));
}

/**
 * Queries closest points of a mesh, and whether the mesh contains a point, for random points and for points to
 * which many triangles are equally near.
 */
function queryPoints({ engine, scenes, note }: QueryInputs): void {
  const random = scenes.createRandom(6);
  const points = Float64Array.from({ length: 3000 }, (_, i) =>
    i % 9 < 3 ? Math.round(random.between(-4, 4)) / 2 : random.between(-2, 2),
  );
  for (const [name, data] of [
    ['torus', scenes.torus(3000)],
    ['box', scenes.box(1, 1, 1)],
  ] as const) {
    const mesh = engine.createMesh(data);
    const { triangle, distance, position } = engine.closestPoints(mesh, points, { signed: true });
    note(`points, ${name}`, triangle, distance, position, engine.containsPoints(mesh, points));
    mesh.dispose();
  }
}

/** Casts rays at a mesh and at a scene. */
function castRays({ engine, scenes, note }: QueryInputs): void {
  const random = scenes.createRandom(5);
  const mesh = engine.createMesh(scenes.torus(700));
  const scene = engine.createScene();
  for (let i = 0; i < 8; i++)
    scene.add(mesh, { transform: scenes.rotation(random.direction(), i, [random.between(-4, 4), 0, i]) });
  const numbers = (span: number): Float32Array =>
    Float32Array.from({ length: 1500 }, () => random.between(-span, span));
  const [origins, directions] = [numbers(4), numbers(1)];
  for (const at of [mesh, scene]) {
    const { triangle, t } = engine.castRays(at, origins, directions);
    note(`closest hits, ${at === mesh ? 'mesh' : 'scene'}`, triangle, t);
    const all = engine.castRays(at, origins, directions, { want: 'all' });
    note(`all hits, ${at === mesh ? 'mesh' : 'scene'}`, all.offsets, all.triangle, all.t);
  }
  scene.dispose();
  mesh.dispose();
}

/**
 * The query functions. The key of a function names the methods or options that the function uses; the names
 * of its results begin with this key.
 */
const queries: Record<string, (inputs: QueryInputs) => void | Promise<void>> = {
  'query, queryMany': queryPlaced,
  'createMesh, update': queryLarge,
  boxPairs: queryCrowds,
  createBroadPhase: queryIncremental,
  createScene: queryBodies,
  'sweep, sweepVertices, sweepFeatures': queryMoving,
  selfQuery: queryDeforming,
  'queryPoses, queryEdges, placeChain': testPoses,
  castRays,
  'meshes with spheres': querySpheres,
  "want: 'segments'": querySegments,
  'distance, clearance': queryDistances,
  'closestPoints, containsPoints': queryPoints,
  'contains, penetration, classify, closeGaps': queryContacts,
  contacts: queryManifolds,
  'casts and overlaps of shapes': queryShapes,
  'exact arithmetic': queryExact,
};
export const queryNames = Object.keys(queries);
/** The queries that `engine.async` can run on a GPU. They use `methods`. */
export const gpuQueryNames = [
  'query, queryMany',
  'createMesh, update',
  'boxPairs',
  'createScene',
  'sweep, sweepVertices, sweepFeatures',
  'selfQuery',
];

/** Runs one of the query functions. @param methods By default, the engine's synchronous methods. */
export async function runQueries(
  name: string,
  engine: Pfront.Engine,
  scenes: typeof Scenes,
  note: Note,
  methods = methodsOf(engine),
): Promise<void> {
  await queries[name]!({ engine, methods, scenes, note });
}

/**
 * Runs all queries on an engine with these options. With the backend 'webgpu', runs the queries that a GPU
 * can run, on the device of `options.gpu` or of the page. If the engine has a note that `isRepeated` accepts,
 * by default because the machine is so busy that the engine gives up a worker, runs the queries again on
 * another engine. leftOut: the names of queries that are not run.
 */
export const answers = (
  pfront: typeof Pfront,
  scenes: typeof Scenes,
  options: Pfront.EngineOptions = {},
  leftOut: readonly string[] = [],
  isRepeated = isBusyCode,
): Promise<Answers> =>
  untilAllThreads(
    () => answersOfOneEngine(pfront, scenes, options, leftOut),
    ({ info }) => info.notes.some(({ code }) => isRepeated(code)),
  );

async function answersOfOneEngine(
  pfront: typeof Pfront,
  scenes: typeof Scenes,
  options: Pfront.EngineOptions,
  leftOut: readonly string[],
): Promise<Answers> {
  const gpu = options.backend === 'webgpu' ? countSubmits((options.gpu ?? navigator.gpu) as GPU) : undefined;
  const engine = await pfront.createEngine({ ...options, ...(gpu && { gpu: gpu.source as GPU }) });
  const kernels = countKernels(contextOf(engine));
  const watch = gpu && watchGpu(engine, gpu);
  const withoutGpu: string[] = [];
  try {
    const hashes: Record<string, string> = {};
    for (const queryName of gpu ? gpuQueryNames : queryNames) {
      if (leftOut.includes(queryName)) continue;
      const note: Note = (name, ...arrays) => {
        hashes[`${queryName}: ${name}`] = hashOf(...arrays);
        if (watch && !watch.usedGpu()) withoutGpu.push(`${queryName}: ${name}`);
      };
      await runQueries(queryName, engine, scenes, note, watch?.methods);
    }
    return {
      hashes,
      info: structuredClone(engine.info),
      kernels: [...kernels].sort(),
      ...(gpu && { withoutGpu }),
    };
  } finally {
    engine.dispose();
  }
}
