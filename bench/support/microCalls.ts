// Prepares small calls of the public interface, which programs make many times per frame. Their inputs are so
// small that the overhead outside of the kernels matters.

import { mat4d } from 'wgpu-matrix';
import type { Engine, Mesh } from '../../dist/index.js';
import { boxCrowd, sphere, torus, tumbling } from '../../dist/samples/index.js';
import type { Call } from './callTimes.js';

const TRIANGLES = 1000;
const BOXES = 100;
const BODIES = 100;
/** Bodies per unit volume. */
const DENSITY = 0.022;

/**
 * Returns the calls. Their inputs, and the last mesh that a call creates, stay in memory until the engine is
 * disposed.
 */
export function publicCalls(engine: Engine, seed: number): Call[] {
  const [a, b] = [engine.createMesh(sphere(TRIANGLES)), engine.createMesh(torus(TRIANGLES))];
  return [
    ...pairCalls(engine, a, b),
    ...meshCalls(engine),
    boxCall(engine, seed),
    ...sceneCalls(engine, seed),
  ];
}

function pairCalls(engine: Engine, a: Mesh, b: Mesh): Call[] {
  const scene = 'sphere and torus, 1K each';
  const meet = { transformB: mat4d.translation([0.9, 0.1, 0.05]) };
  const apart = { transformB: mat4d.translation([2.3, 2.3, 0.05]) };
  const far = { transformB: mat4d.translation([4, 0, 0]) };
  const motion = { fromB: mat4d.translation([4, 0, 0]), toB: mat4d.translation([-4, 0, 0]) };
  const pairs = engine.query(a, b, meet).count;
  const calls: [measure: string, run: () => unknown, note?: string][] = [
    ['query any, intersecting', () => engine.query(a, b, { ...meet, want: 'any' })],
    ['query any, disjoint', () => engine.query(a, b, { ...apart, want: 'any' })],
    ['query, all pairs', () => engine.query(a, b, meet), `${pairs} pairs`],
    ['distance', () => engine.distance(a, b, far), `${engine.distance(a, b, far)!.distance.toFixed(3)}`],
    ['contains', () => engine.contains(a, b, far)],
    ['sweep', () => engine.sweep(a, b, motion), `contact at ${engine.sweep(a, b, motion)!.toi.toFixed(3)}`],
  ];
  return calls.map(([measure, run, note]) => ({ scene, measure, unit: 'us', run, note }));
}

function meshCalls(engine: Engine): Call[] {
  const data = torus(TRIANGLES);
  const made: Mesh[] = [];
  const dispose = (): void => {
    while (made.length > 0) made.pop()!.dispose();
  };
  const soft = engine.createMesh(data, { deformable: true, builder: 'morton' });
  const create = (builder: 'sah' | 'morton') => (): void => {
    made.push(engine.createMesh(data, { builder }));
  };
  const calls: [measure: string, run: () => unknown, prepare?: () => void][] = [
    ['createMesh, sah', create('sah'), dispose],
    ['createMesh, morton', create('morton'), dispose],
    ['update, refitted', () => soft.update(data.positions, { tree: 'refit' })],
    ['selfQuery any', () => engine.selfQuery(soft, { want: 'any' })],
  ];
  return calls.map(([measure, run, prepare]) => ({ scene: 'torus 1K', measure, unit: 'us', run, prepare }));
}

function boxCall(engine: Engine, seed: number): Call {
  const boxes = boxCrowd('uniform', BOXES, seed);
  return {
    scene: `${BOXES} boxes`,
    measure: 'boxPairs',
    unit: 'us',
    run: () => engine.boxPairs(boxes),
    note: `${engine.boxPairs(boxes).count} pairs`,
  };
}

function sceneCalls(engine: Engine, seed: number): Call[] {
  const mesh = engine.createMesh(torus(128));
  const matricesOf = tumbling(BODIES, DENSITY, seed);
  const scene = engine.createScene();
  for (let i = 0; i < BODIES; i++) scene.add(mesh);
  const frames = Array.from({ length: 64 }, (_, frame) => matricesOf(frame));
  let frame = 0;
  const move = (): void => scene.setTransforms(frames[frame++ % frames.length]);
  move();
  const name = `${BODIES} tumbling tori of 128`;
  return [
    { scene: name, measure: 'setTransforms', unit: 'us', run: move },
    {
      scene: name,
      measure: 'detect any',
      unit: 'us',
      prepare: move,
      run: () => scene.detect({ narrow: 'any' }),
    },
  ];
}
