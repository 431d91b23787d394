// Defines the queries of answers.ts about how two solids touch or penetrate each other, and about contact
// points for physics solvers.

import type * as Pfront from '../../dist/index.js';
import type { QueryInputs } from './answers.js';

/**
 * Queries whether a mesh contains another mesh, how deeply two meshes penetrate each other, and the class of
 * their contact. Closes the gaps of a mesh.
 */
export function queryContacts({ engine, scenes, note }: QueryInputs): void {
  const [torus, sphere, crate] = [scenes.torus(700), scenes.sphere(600), scenes.box()].map(data =>
    engine.createMesh(data),
  );
  for (const [name, a, b, transformB] of [
    ['apart', torus, sphere, scenes.translation([9, 0, 0])],
    ['contained', sphere, crate, scenes.rotation([0, 0.6, 0.8], 0.4, [0.2, 0.3, -0.1])],
    ['hard', torus, crate, scenes.rotation([0.6, 0, 0.8], 1, [0.9, 0.4, 0.3])],
    ['touching', crate, crate, scenes.translation([2, 0.25, 0])],
    ['rotated', torus, torus, scenes.rotation([1, 0, 0], 1.3, [0.4, 0, 0])],
  ] as const) {
    const found = {
      contains: [engine.contains(a, b, { transformB }), engine.contains(b, a, { transformA: transformB })],
      penetration: engine.penetration(a, b, { transformB }),
      class: engine.classify(a, b, { transformB }),
    };
    note(name, new TextEncoder().encode(JSON.stringify(found)));
  }
  // Each third triangle is moved a little, so that there are gaps around it.
  const { positions, indices } = scenes.torus(700);
  const cracked = Float32Array.from(
    { length: 3 * indices!.length },
    (_, i) =>
      positions[3 * indices![Math.floor(i / 3)] + (i % 3)] + (Math.floor(i / 9) % 3 === 0 ? 2 ** -12 : 0),
  );
  const closed = engine.closeGaps(engine.createMesh({ positions: cracked }));
  note('gaps', closed!.indices, Float64Array.of(closed!.openEdges, closed!.addedArea));
}

/** Computes contact points of meshes and of the bodies of a scene. */
export function queryManifolds({ engine, scenes, note }: QueryInputs): void {
  const torus = engine.createMesh(scenes.torus(700));
  const crate = engine.createMesh(scenes.box());
  const noteManifolds = (name: string, found: Pfront.Manifolds): void =>
    note(name, found.manifoldsAt, found.pointsAt, found.normals, found.points, found.depths, found.features);
  noteManifolds(
    'two meshes',
    engine.contacts(torus, crate, { transformA: scenes.translation([1, 0.2, 0.1]) }),
  );
  const scene = engine.createScene();
  const matricesOf = scenes.tumbling(60, 0.3, 3);
  for (let body = 0; body < 60; body++) scene.add(body % 2 === 0 ? torus : crate);
  for (let frame = 0; frame < 2; frame++) {
    scene.setTransforms(matricesOf(frame));
    noteManifolds('a scene', scene.detect({ narrow: 'contacts' }).manifolds);
  }
  scene.dispose();
  torus.dispose();
  crate.dispose();
}
