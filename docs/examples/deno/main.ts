// Finds the intersecting triangles of a ball and a ring in Deno.
import { createEngine } from 'pfront';
import { sphere, torus } from 'pfront/samples';
import { mat4d } from 'wgpu-matrix';

const engine = await createEngine({ threads: 2 });
const ball = engine.createMesh(sphere(1000));
const ring = engine.createMesh(torus(2000));
const { count } = engine.query(ball, ring, { transformB: mat4d.translation([0.9, 0, 0]) });
console.log(`${count} pairs on ${engine.info.threads} threads`);
engine.dispose();
