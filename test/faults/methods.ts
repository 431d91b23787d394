// Defines small calls of every method of an engine, for tests in which memory allocations fail. A small call
// allocates memory in the same places of the code as a large one.

import type { Engine, Mesh, Scene } from '../../dist/index.js';
import * as scenes from '../../dist/samples/index.js';
import { crackedBox } from '../contact/crackedSolids.js';
import { hashBytes } from '../support/hash.js';

/**
 * Prepares what a call on an engine needs, and returns a function that makes the call and returns a hash of
 * the result. This function may be called any number of times, and its hash is always the same.
 */
export type Method = (engine: Engine) => () => string;

const transformB = scenes.rotation([0.6, 0, 0.8], 1, [0.9, 0.4, 0.3]);
const apart = scenes.translation([4, 0, 0]);
const [torus, sphere] = [scenes.torus(160), scenes.sphere(120)];
const boxes = scenes.boxCrowd('uniform', 300, 3);
const random = scenes.createRandom(4);
const features = Float64Array.from({ length: 24 * 20 }, () => random.between(-1, 1));
const cracked = crackedBox([0, 0, 0], [1, 2, 3]);
const points = Float64Array.from({ length: 3 * 40 }, () => random.between(-2, 2));
const directions = points.map(value => -value);

const pairMethod =
  (
    call: (
      engine: Engine,
      a: ReturnType<Engine['createMesh']>,
      b: ReturnType<Engine['createMesh']>,
    ) => string,
    options: Parameters<Engine['createMesh']>[1] = {},
  ): Method =>
  engine => {
    const [a, b] = [engine.createMesh(torus, options), engine.createMesh(sphere, options)];
    return () => call(engine, a, b);
  };

const text = (value: unknown): string => JSON.stringify(value);

const meshMethod =
  (options: Parameters<Engine['createMesh']>[1]): Method =>
  engine =>
  () => {
    const mesh = engine.createMesh(torus, options);
    const { a, b } = engine.query(mesh, mesh, { transformB });
    const hash = hashBytes(a, b);
    mesh.dispose();
    return hash;
  };

const updateMethod =
  (tree: 'refit' | 'rebuild', builder: 'sah' | 'morton'): Method =>
  engine => {
    const mesh = engine.createMesh(torus, { deformable: true, builder });
    const moved = torus.positions.map((value, i) => (i % 3 === 0 ? 1.1 * value : value));
    // A failed update may dispose of the mesh. If it did, a new mesh is made.
    let current = mesh;
    return () => {
      if (current.isDisposed) current = engine.createMesh(torus, { deformable: true, builder });
      current.update(moved, { tree });
      const { a, b } = engine.query(current, current, { transformB });
      return hashBytes(a, b);
    };
  };

type Detect = (scene: ReturnType<Engine['createScene']>) => { a: Uint32Array; b: Uint32Array };

const sceneMethod =
  (detect: Detect): Method =>
  engine => {
    const mesh = engine.createMesh(torus);
    return () => {
      const scene = engine.createScene();
      try {
        const matricesOf = scenes.tumbling(12, 0.5, 3);
        for (let body = 0; body < 12; body++) scene.add(mesh);
        scene.setTransforms(matricesOf(0));
        const { a, b } = detect(scene);
        const first = hashBytes(a, b);
        scene.setTransforms(matricesOf(1));
        const second = detect(scene);
        return `${first} ${hashBytes(second.a, second.b)}`;
      } finally {
        scene.dispose();
      }
    };
  };

const broadPhaseMethod =
  (method: 'sap' | 'cells' | 'tree' | 'octree' | 'sap-persistent'): Method =>
  engine =>
  () => {
    const broad = engine.createBroadPhase({ method });
    try {
      broad.set(boxes);
      broad.pairs();
      const ids = Uint32Array.from({ length: 20 }, (_, i) => 3 * i);
      const places = new Float32Array(6 * ids.length);
      ids.forEach(
        (id, k) =>
          void places.set(
            boxes.subarray(6 * id, 6 * id + 6).map(value => value + 0.3),
            6 * k,
          ),
      );
      broad.move(ids, places);
      const { a, b } = broad.pairs();
      return hashBytes(a, b, broad.began.a, broad.ended.a);
    } finally {
      broad.dispose();
    }
  };

// Makes a scene with five bodies that overlap.
function fiveBodies(engine: Engine, mesh: Mesh): Scene {
  const scene = engine.createScene();
  for (let body = 0; body < 5; body++) scene.add(mesh, { transform: scenes.translation([body - 2, 0, 0]) });
  return scene;
}

// Defines two calls of a shape cast or of an overlap test of a shape: one against a mesh, one against a scene.
const shapeMethods = (
  name: string,
  call: (engine: Engine, at: Mesh | Scene, mesh: Mesh) => unknown,
): Record<string, Method> => ({
  [name]: pairMethod((engine, a, b) => text(call(engine, a, b))),
  [`${name}, scene`]: engine => {
    const mesh = engine.createMesh(torus);
    const scene = fiveBodies(engine, mesh);
    return () => text(call(engine, scene, mesh));
  },
});

// The ball touches the first vertex of the torus. Only exact arithmetic can tell this. The capsule and the box
// overlap hundreds of triangles of the scene, so that lists grow.
const [x, y, z] = torus.positions;
const ball = { center: [x, y + 0.5, z], radius: 0.5 };
const rod = { start: [-4, 0, 0], end: [4, 0.5, 0], radius: 0.75 };
const crate = { halfExtents: [4, 0.5, 2], transform: scenes.rotation([0.6, 0, 0.8], 0.1) };
const above = [0.1, 5, 0.2] as const;
const down = [0, -9, 0];

const arm = scenes.robotArm(60);
const angles = arm.randomAngles(20, 8);
const poses = arm.place(angles);

/** Defines a call of `boxPairs` for each method. */
export const boxPairMethods = (boxes: Float32Array): Record<string, Method> =>
  Object.fromEntries(
    (['sap', 'cells', 'octree', 'tree'] as const).map(method => [
      `boxPairs, ${method}`,
      engine => () => {
        const { a, b } = engine.boxPairs(boxes, { method });
        return hashBytes(a, b);
      },
    ]),
  );

export const methods: Record<string, Method> = {
  'createMesh, sah': meshMethod({ deformable: true }),
  'createMesh, morton': meshMethod({ builder: 'morton' }),
  'createMesh, spheres': meshMethod({ volume: 's-aabb' }),
  'update, refit': updateMethod('refit', 'sah'),
  'update, rebuild': updateMethod('rebuild', 'morton'),
  'serialize, loadMesh': pairMethod((engine, a, b) => {
    const loaded = engine.loadMesh(a.serialize());
    try {
      const pairs = engine.query(loaded, b, { transformB });
      return hashBytes(pairs.a, pairs.b);
    } finally {
      loaded.dispose();
    }
  }),
  query: pairMethod((engine, a, b) => {
    const pairs = engine.query(a, b, { transformB, parts: 4 });
    return hashBytes(pairs.a, pairs.b);
  }),
  'query, any': pairMethod((engine, a, b) => text(engine.query(a, b, { transformB, want: 'any' }))),
  'query, segments': pairMethod((engine, a, b) => {
    const found = engine.query(a, b, { transformB, want: 'segments' });
    return hashBytes(found.a, found.b, found.points);
  }),
  'query, clearance': pairMethod((engine, a, b) => {
    const found = engine.query(a, b, { transformB, clearance: 0.2 });
    return hashBytes(found.a, found.b, found.distances);
  }),
  'query, certificate': pairMethod((engine, a, b) => {
    const found = engine.query(a, b, { transformB, certificate: true });
    return hashBytes(found.a, found.b);
  }),
  'query, spheres': pairMethod(
    (engine, a, b) => {
      const pairs = engine.query(a, b, { transformB, parts: 2 });
      return hashBytes(pairs.a, pairs.b);
    },
    { volume: 's-aabb' },
  ),
  queryMany: pairMethod((engine, a, b) => {
    const found = engine.queryMany({
      pairs: [
        { a, b, transformB },
        { a, b },
        { a: b, b: a },
      ],
    });
    return hashBytes(found.a, found.b, found.pairsAt);
  }),
  selfQuery: pairMethod((engine, a) => {
    const { a: first, b: second } = engine.selfQuery(a);
    return hashBytes(first, second);
  }),
  distance: pairMethod((engine, a, b) => {
    // The statistics are not hashed, because they depend on what the previous call found.
    const { distance, pointA, triangleB } = engine.distance(a, b, { transformB: apart })!;
    return text([distance, pointA, triangleB]);
  }),
  penetration: pairMethod((engine, a, b) => text(engine.penetration(a, b, { transformB }))),
  contains: pairMethod((engine, a, b) => text(engine.contains(a, b, { transformB }))),
  // closeGaps reserves no memory itself, but the meshes before and after it do.
  closeGaps: engine => () => {
    const open = engine.createMesh(cracked);
    try {
      const { indices, addedArea } = engine.closeGaps(open)!;
      const closed = engine.createMesh({ positions: cracked.positions, indices });
      closed.dispose();
      return `${hashBytes(indices)} ${addedArea}`;
    } finally {
      open.dispose();
    }
  },
  classify: pairMethod((engine, a, b) => text(engine.classify(a, b, { transformB }))),
  'penetration, all figures': pairMethod((engine, a, b) =>
    text(
      engine.penetration(a, b, {
        transformB,
        overlapDepth: true,
        volume: true,
        contactSize: true,
        depthBudget: 300,
      }),
    ),
  ),
  'classify, all figures': pairMethod((engine, a, b) =>
    text(
      engine.classify(a, b, {
        transformB,
        overlapDepth: true,
        volume: true,
        contactSize: true,
        depthBudget: 300,
      }),
    ),
  ),
  castRays: pairMethod((engine, a) => {
    const { offsets, triangle, t } = engine.castRays(a, points, directions, { want: 'all' });
    return hashBytes(offsets, triangle, t);
  }),
  'castRays, scene': engine => {
    const scene = fiveBodies(engine, engine.createMesh(torus));
    return () => {
      const { body, triangle, t } = engine.castRays(scene, points, directions);
      return hashBytes(body!, triangle, t);
    };
  },
  ...shapeMethods('castSphere', (engine, at) =>
    engine.castSphere(at, { center: above, radius: 0.4 }, down, { ignoreSeparating: true }),
  ),
  ...shapeMethods('castCapsule', (engine, at) =>
    engine.castCapsule(at, { start: above, end: [1, 4, 0], radius: 0.2 }, down),
  ),
  ...shapeMethods('castMesh', (engine, at, mesh) =>
    engine.castMesh(at, mesh, down, { transform: scenes.translation(above) }),
  ),
  ...shapeMethods('overlapSphere', (engine, at) => engine.overlapSphere(at, ball)),
  ...shapeMethods('overlapSphere, any', (engine, at) => engine.overlapSphere(at, ball, { want: 'any' })),
  ...shapeMethods('overlapCapsule', (engine, at) => engine.overlapCapsule(at, rod)),
  ...shapeMethods('overlapBox', (engine, at) => engine.overlapBox(at, crate)),
  contacts: pairMethod((engine, a, b) => {
    const { normals, points, depths, features } = engine.contacts(a, b);
    return hashBytes(normals, points, depths, features);
  }),
  closestPoints: pairMethod((engine, a) => {
    const { triangle, position, distance } = engine.closestPoints(a, points, { signed: true });
    return hashBytes(triangle, position, distance);
  }),
  containsPoints: pairMethod((engine, a) => hashBytes(engine.containsPoints(a, points))),
  queryPoses: engine => {
    const meshes = arm.meshes.map(mesh => engine.createMesh(mesh));
    return () => {
      const { hits } = engine.queryPoses({
        meshes,
        moving: arm.movingCount,
        fixed: arm.fixedTransforms,
        allowed: arm.allowed,
        poses,
        want: 'any',
      });
      return hashBytes(hits);
    };
  },
  'queryPoses, distances': engine => {
    const meshes = arm.meshes.map(mesh => engine.createMesh(mesh));
    return () => {
      const { distances, nearest } = engine.queryPoses({
        meshes,
        fixed: arm.fixedTransforms,
        allowed: arm.allowed,
        chain: arm.chain,
        jointValues: angles,
        want: 'distance',
      });
      return hashBytes(distances!, nearest!);
    };
  },
  queryEdges: engine => {
    const meshes = arm.meshes.map(mesh => engine.createMesh(mesh));
    return () => {
      const { times, first } = engine.queryEdges({
        meshes,
        fixed: arm.fixedTransforms,
        allowed: arm.allowed,
        chain: arm.chain,
        from: angles.subarray(0, 60),
        to: angles.subarray(60),
        want: 'first',
      });
      return hashBytes(times!, first!);
    };
  },
  placeChain: engine => () => hashBytes(engine.placeChain(arm.chain, angles)),
  ...boxPairMethods(boxes),
  ...Object.fromEntries(
    (['sap', 'cells', 'tree', 'octree', 'sap-persistent'] as const).map((method): [string, Method] => [
      `createBroadPhase, ${method}`,
      broadPhaseMethod(method),
    ]),
  ),
  'createScene, detect': sceneMethod(scene => scene.detect()),
  'createScene, detect counts': sceneMethod(scene => scene.detect({ narrow: 'counts' })),
  'createScene, detect continuous': sceneMethod(scene => scene.detect({ continuous: true })),
  sweep: pairMethod((engine, a, b) => {
    const { toi, featureA } = engine.sweep(a, b, {
      fromB: scenes.translation([5, 0, 0]),
      toB: scenes.translation([0.4, 0, 0]),
      want: 'all',
    });
    return hashBytes(toi, featureA);
  }),
  'sweep, exact': pairMethod((engine, a, b) => {
    const { toi, featureA } = engine.sweep(a, b, {
      fromB: scenes.translation([5, 0, 0]),
      toB: scenes.translation([0.4, 0, 0]),
      exact: true,
      want: 'all',
    });
    return hashBytes(toi, featureA);
  }),
  'sweep, rigid': pairMethod((engine, a, b) => {
    const { toi, featureA } = engine.sweep(a, b, {
      fromB: scenes.translation([5, 0, 0]),
      toB: scenes.rotation([0.6, 0, 0.8], 1, [0.4, 0, 0]),
      motion: 'rigid',
      tolerance: 1e-3,
      want: 'all',
    });
    return hashBytes(toi, featureA);
  }),
  'createScene, detect rigid': sceneMethod(scene =>
    scene.detect({ continuous: true, motion: 'rigid', tolerance: 1e-3 }),
  ),
  sweepVertices: pairMethod((engine, a) => {
    const { toi, featureA } = engine.sweepVertices(
      a,
      torus.positions,
      torus.positions.map((value, i) => (i % 3 === 2 ? -value : value)),
      { want: 'all' },
    );
    return hashBytes(toi, featureA);
  }),
  sweepFeatures: engine => () => {
    const { verdict, toi } = engine.sweepFeatures('VF', features);
    return hashBytes(verdict, toi);
  },
  edgesOf: pairMethod((engine, a) => hashBytes(engine.edgesOf(a))),
  contactTimes: engine => () => hashBytes(engine.contactTimes('EE', features)),
};
