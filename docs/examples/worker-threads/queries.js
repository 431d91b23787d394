// A worker with its own engine: receives transforms and posts the pairs of intersecting triangles.
import { parentPort } from 'node:worker_threads';
import { createEngine } from 'pfront';
import { sphere, torus } from 'pfront/samples';

const engine = await createEngine({ threads: 2 });
const ball = engine.createMesh(sphere(1000));
const ring = engine.createMesh(torus(2000));

parentPort?.on('message', transformB => {
  // Results are views into the engine's memory, which the next query overwrites: a copy is posted instead.
  const { count, a, b } = engine.query(ball, ring, { transformB }).copy();
  parentPort?.postMessage({ count, a, b });
});
