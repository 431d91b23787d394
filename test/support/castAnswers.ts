// Defines the queries of answers.ts that cast shapes, or find what a shape at rest overlaps.

import type { QueryInputs } from './answers.js';

/**
 * Casts spheres, capsules and meshes at a mesh and at a scene, and finds the triangles that shapes at rest
 * overlap.
 */
export function queryShapes({ engine, scenes, note }: QueryInputs): void {
  const torus = engine.createMesh(scenes.torus(700));
  const crate = engine.createMesh(scenes.box());
  const scene = engine.createScene();
  const matrices = scenes.tumbling(40, 0.3, 5)(0);
  for (let body = 0; body < 40; body++)
    scene.add(body % 2 === 0 ? torus : crate, { transform: matrices.subarray(16 * body, 16 * body + 16) });
  const random = scenes.createRandom(11);
  const point = (): [number, number, number] => [
    random.between(-4, 4),
    random.between(-4, 4),
    random.between(-4, 4),
  ];
  for (const [name, at] of [
    ['a mesh', torus],
    ['a scene', scene],
  ] as const) {
    const numbers: number[] = [];
    for (let i = 0; i < 60; i++) {
      const [start, end, motion] = [point(), point(), point()];
      for (const hit of [
        engine.castSphere(at, { center: start, radius: 0.2 }, motion),
        engine.castCapsule(at, { start, end, radius: 0.1 }, motion),
        engine.castMesh(at, crate, motion, { transform: scenes.translation(start) }),
      ])
        if (hit)
          numbers.push(
            hit.t,
            hit.triangle,
            hit.body ?? -1,
            hit.movingTriangle ?? -1,
            ...hit.point,
            ...hit.normal,
            hit.separation,
          );
      const transform = scenes.rotation([0.6, 0, 0.8], i, start);
      for (const found of [
        engine.overlapSphere(at, { center: start, radius: 0.7 }),
        engine.overlapCapsule(at, { start, end, radius: 0.3 }),
        engine.overlapBox(at, { halfExtents: [0.5, 0.25, 0.75], transform }),
      ])
        numbers.push(found.count, ...found.triangle, ...(found.body ?? []));
    }
    note(name, Float64Array.from(numbers));
  }
  scene.dispose();
  torus.dispose();
  crate.dispose();
}
