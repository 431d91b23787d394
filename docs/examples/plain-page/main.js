// Finds the intersecting triangles of two three.js geometries and shows their number on the page.
import { createEngine } from 'pfront';
import { meshFromGeometry } from 'pfront/three';
import { Matrix4, SphereGeometry, TorusGeometry } from 'three';

const engine = await createEngine();
const ball = meshFromGeometry(engine, new SphereGeometry(1, 32, 16));
const ring = meshFromGeometry(engine, new TorusGeometry(1, 0.3, 16, 48));
const { count } = engine.query(ball, ring, { transformB: new Matrix4().makeTranslation(0.9, 0, 0) });

const answer = document.querySelector('#answer');
if (answer) answer.textContent = `${count} pairs; threads: ${engine.info.threads}`;
for (const { message, fix } of engine.info.notes) console.info(`${message}; ${fix}`);
