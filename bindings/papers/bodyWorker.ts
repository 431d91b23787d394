// A worker thread that tests moving bodies for collisions with its own engine. The thread is a rank, or belongs
// to a stage of a pipeline (see bodyThreads.ts). It shares no memory with other threads. It gets a copy of the
// bodies when it starts, and a copy of the placements in each step. It sends copies of its results.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { BroadPhase } from '../broadphase/broadPhase.js';
import { createEngine, type Engine } from '../index.js';
import { limits } from '../records/layout.js';
import type { BodyAnswer, BodyTask, NearBodiesTask, PlacementTask } from './bodyMessages.js';
import { pairCountOf, pairOfIndex } from './bodyPairs.js';

/** Enlargement of boxes, relative to |center| + radius. It exceeds the error of rounding a box to float32. */
const PADDING = 1e-6;

const task = workerData as BodyTask;
const { bodies } = task;
const count = bodies.meshOf.length;

// Returns a function that finds the intersecting triangles of pairs of bodies and sends them to the caller.
function makeAnswer(engine: Engine): (task: NearBodiesTask) => void {
  const meshes = bodies.shapes.map(({ data, options }) => engine.createMesh(data, options));
  return ({ step, placements, bodiesA: a, bodiesB: b }) => {
    const at = (body: number): Float32Array => placements.subarray(16 * body, 16 * body + 16);
    const found = engine.queryMany({
      pairs: Array.from(a, (i, k) => ({
        a: meshes[bodies.meshOf[i]],
        b: meshes[bodies.meshOf[b[k]]],
        transformA: at(i),
        transformB: at(b[k]),
      })),
    });
    const [{ boxTests, leafPairs }] = found.stats.threads;
    const pairs = found.copy();
    const message: BodyAnswer = {
      step,
      bodiesA: a,
      bodiesB: b,
      pairsAt: pairs.pairsAt,
      a: pairs.a,
      b: pairs.b,
      cost: boxTests + limits.LEAF_PAIR_COST * leafPairs,
    };
    parentPort!.postMessage(message);
  };
}

// Starts a rank. It tests the body pairs whose numbers are rank, rank + ranks, rank + 2 * ranks, and so on.
function startRank(engine: Engine, rank: number, ranks: number): void {
  const own = Array.from({ length: Math.ceil(Math.max(0, pairCountOf(count) - rank) / ranks) }, (_, k) =>
    pairOfIndex(rank + k * ranks, count),
  );
  const a = Uint32Array.from(own, ([i]) => i);
  const b = Uint32Array.from(own, ([, j]) => j);
  const answer = makeAnswer(engine);
  parentPort!.on('message', (task: PlacementTask) => answer({ ...task, bodiesA: a, bodiesB: b }));
}

// Starts the first stage of the pipeline, which finds the pairs of bodies whose boxes overlap. The box of a
// body encloses a sphere around the body's origin that contains the body. The pairs of step t are sent to
// port t mod n, where n is the number of ports.
function startBoxes(engine: Engine, ports: readonly MessagePort[]): void {
  const radii = bodies.shapes.map(({ data: { positions } }) => {
    let square = 0;
    for (let at = 0; at < positions.length; at += 3)
      square = Math.max(square, positions[at] ** 2 + positions[at + 1] ** 2 + positions[at + 2] ** 2);
    return Math.sqrt(square);
  });
  const broadPhase: BroadPhase = engine.createBroadPhase({ events: 'off' });
  const boxes = new Float32Array(6 * count);
  const ids = Uint32Array.from({ length: count }, (_, i) => i);
  broadPhase.set(boxes);
  parentPort!.on('message', ({ step, placements }: PlacementTask) => {
    for (let body = 0; body < count; body++)
      for (let axis = 0; axis < 3; axis++) {
        const center = placements[16 * body + 12 + axis];
        const half = radii[bodies.meshOf[body]] + PADDING * (Math.abs(center) + radii[bodies.meshOf[body]]);
        boxes[6 * body + axis] = center - half;
        boxes[6 * body + axis + 3] = center + half;
      }
    broadPhase.move(ids, boxes);
    const { a, b } = broadPhase.pairs().copy();
    const message: NearBodiesTask = { step, placements, bodiesA: a, bodiesB: b };
    ports[step % ports.length].postMessage(message);
  });
}

async function main(): Promise<void> {
  const engine = await createEngine({ threads: 1, memory: 'single' });
  if (task.role === 'rank') startRank(engine, task.rank, task.ranks);
  else if (task.role === 'boxes') startBoxes(engine, task.ports);
  else task.port.on('message', makeAnswer(engine));
  parentPort!.postMessage('ready');
}

void main();
