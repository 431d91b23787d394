// Compares the engine's front (the pairs of boxes from which p lists of work start) with the minimal front of
// Algorithm 1 (Zhang and Kim 2014): the smallest front that p lists can share evenly. The algorithm needs the
// true cost of every pair of boxes, which this test measures; the engine only predicts costs.

import * as assert from 'uvu/assert';
import type { Mesh } from '../../dist/index.js';
import { createLaboratory } from '../../dist/papers/laboratory.js';
import { FrontNode, limits, MeshRecord, Node } from '../../dist/records/layout.js';
import { sphere, torus, translation } from '../../dist/samples/index.js';
import { test } from '../support/test.js';

const EVEN = 1.06;
// The engine divides the front by predicted costs: those of the last run, increased if the overlap of the
// boxes predicts a higher cost. The division is therefore less even than with true costs.
const EVEN_AS_PREDICTED = 1.1;
const GRAIN = 32;

interface Pair {
  slotA: number;
  slotB: number;
  cost: number;
}

// Returns the total cost of a pair of boxes and of all pairs below it. Measures this cost with the engine's
// own traversal, from a front that consists only of this pair.
function trueCost(engine: any, slotA: number, slotB: number): number {
  const {
    front,
    context: { arena, pool },
  } = engine;
  const { u32 } = arena;
  front.makeRootFront(1);
  front.lists.reserve(1, 64, 1);
  front.lists.reset(1);
  front.lists.setOrder(0, front.order.at, 1);
  u32[(front.frontAt + FrontNode.at.slotA) / 4] = slotA;
  u32[(front.frontAt + FrontNode.at.slotB) / 4] = slotB;
  pool.kernels.traverse(front.writeJob('off'), 0, 1);
  return front.listCost(0);
}

function childSlots(engine: any, mesh: Mesh, slot: number): number[] | undefined {
  const { u32 } = engine.context.arena;
  const nodesAt = u32[(mesh.recordAt + MeshRecord.at.nodesAt) / 4];
  const child = (s: number): number => u32[(nodesAt + (s >>> 2) * Node.size + Node.at.child) / 4 + (s & 3)];
  const handle = slot === limits.NOTHING ? 0 : child(slot);
  return handle >= limits.LEAF_BIT
    ? undefined
    : [0, 1, 2, 3].map(lane => handle * 4 + lane).filter(s => child(s) !== limits.NOTHING);
}

function children(engine: any, a: Mesh, b: Mesh, { slotA, slotB }: Pair): Pair[] {
  const ofA = childSlots(engine, a, slotA);
  const ofB = childSlots(engine, b, slotB);
  if (!ofA && !ofB) return [];
  const found: Pair[] = [];
  for (const sb of ofB ?? [slotB])
    for (const sa of ofA ?? [slotA]) found.push({ slotA: sa, slotB: sb, cost: trueCost(engine, sa, sb) });
  return found.filter(({ cost }) => cost > 0);
}

// Assigns each node to the list with the smallest load, the most expensive nodes first. Returns the max load
// divided by the mean load.
function imbalance(front: Pair[], parts: number): number {
  const load = new Array<number>(parts).fill(0);
  for (const { cost } of [...front].sort((x, y) => y.cost - x.cost))
    load[load.indexOf(Math.min(...load))] += cost;
  return (Math.max(...load) * parts) / load.reduce((sum, x) => sum + x, 0);
}

// Algorithm 1: replaces the most expensive node of the front by its children, until `parts` lists can share
// the front evenly.
function algorithm1(engine: any, a: Mesh, b: Mesh, parts: number): Pair[] {
  let front: Pair[] = [
    { slotA: limits.NOTHING, slotB: limits.NOTHING, cost: trueCost(engine, limits.NOTHING, limits.NOTHING) },
  ];
  while (imbalance(front, parts) > EVEN) {
    const at = front.reduce((best, node, i) => (node.cost > front[best].cost ? i : best), 0);
    const below = children(engine, a, b, front[at]);
    if (below.length === 0) break;
    front = [...front.slice(0, at), ...front.slice(at + 1), ...below];
  }
  return front;
}

for (const parts of [2, 4, 8]) {
  test(`with ${parts} lists, the front can be divided almost as evenly as the minimal front, and the size of the front is bounded`, async () => {
    const { engine, study } = await createLaboratory({ threads: 1 });
    const a = engine.createMesh(torus(6000));
    const b = engine.createMesh(sphere(6000));
    const transformB = translation([0.7, 0.1, 0]);
    engine.query(a, b, { transformB, parts: 1 });
    const minimal = algorithm1(engine, a, b, parts);
    assert.ok(imbalance(minimal, parts) <= EVEN, 'the reference found no even front');
    let stats = engine.query(a, b, { transformB, parts }).stats;
    study.grain = GRAIN;
    for (let frame = 0; frame < 4; frame++)
      stats = engine.query(a, b, { transformB, parts, stealing: 'off' }).stats;
    assert.ok(
      stats.imbalance <= EVEN_AS_PREDICTED,
      `imbalance ${stats.imbalance} of a static partition with known costs`,
    );
    // No node of the engine's front costs more than total / (g p), so the front has at least g p nodes. It may
    // have a few times as many, because expanding a node adds several nodes at once. The minimal front has at
    // least p nodes.
    assert.ok(
      minimal.length >= parts && stats.frontNodes >= minimal.length,
      `${stats.frontNodes} nodes, minimal ${minimal.length}`,
    );
    assert.ok(stats.frontNodes <= 4 * GRAIN * parts, `${stats.frontNodes} nodes at g = ${GRAIN}`);
    engine.dispose();
  });
}

test.run();
