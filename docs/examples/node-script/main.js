// Finds the intersecting triangles of a ball and a ring, and their distance when they are apart.
import { createEngine } from 'pfront';
import { sphere, torus } from 'pfront/samples';
import { mat4d } from 'wgpu-matrix';

const engine = await createEngine();
const ball = engine.createMesh(sphere(1000));
const ring = engine.createMesh(torus(2000));

const pairs = engine.query(ball, ring, { transformB: mat4d.translation([0.9, 0, 0]) });
console.log(`${pairs.count} pairs of triangles intersect`);
console.log(`the first pair: triangle ${pairs.a[0]} of the ball, triangle ${pairs.b[0]} of the ring`);

const nearest = engine.distance(ball, ring, { transformB: mat4d.translation([4, 0, 0]) });
console.log(`the distance after the ring is moved away: ${nearest?.distance.toFixed(3)}`);
engine.dispose();
