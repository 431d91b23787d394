// Tests that jobs of box pairs detect nodes that return false results, name only these nodes, and still give
// the right pairs. Without `verify`, this requires that the check of a sample finds false or missing pairs.
import * as assert from 'uvu/assert';
import {
  type JobStats,
  type Link,
  openBoxPairs,
  openJobs,
  type Submitted,
  submitBoxPairs,
} from '../../dist/cluster/index.js';
import { boxesOfCell, divideIntoCells, pairsOfCell } from '../../dist/cluster/octree/boxCells.js';
import { createEngine, type PairsCopy } from '../../dist/index.js';
import { sphereBoxes } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { boundedTest, type Opened } from './bounded.js';
import {
  cutsBoxPairs,
  honest,
  inventsBoxPair,
  type Lies,
  losesBoxPair,
  replaysBoxPairs,
  startCluster,
  tampering,
} from './liars.js';
import { octreeScenes } from './octreeScenes.js';

const engine = await createEngine({ threads: 1 });
test.after(() => engine.dispose());

// With so few boxes, the caller checks all pairs of a job. In a frame of a session, the caller takes a sample
// of the boxes, and searches for missing pairs of these boxes only.
const boxes = sphereBoxes(2000, { radius: 0.5, side: 14 }, 1);
const truthOf = (given: Float32Array): PairsCopy => engine.boxPairs(given).copy();
const truth = truthOf(boxes);
const pairsIn = ({ count, a, b }: PairsCopy): unknown => [count, a, b];

/** Asserts that only nodes named 'liar' are excluded. @returns the number of excluded nodes */
function liarsIn(
  { excluded }: Pick<JobStats, 'excluded'>,
  what = /^the result of task \d+ of kind 'box pairs' differs from the recomputed one$/,
): number {
  for (const { node, what: found } of excluded) {
    assert.match(node, /^liar \([\da-f]+\)$/);
    assert.match(found, what);
  }
  return excluded.length;
}

/**
 * Repeats a job until a node is excluded. One job may not suffice, because honest nodes may take all tasks.
 * @returns the number of excluded nodes
 */
async function untilExcluded<Answer extends PairsCopy>(submit: () => Submitted<Answer>): Promise<number> {
  for (;;) {
    const job = submit();
    assert.equal(pairsIn(await job.wait()), pairsIn(truth));
    if (liarsIn(job.stats) > 0) return job.stats.excluded.length;
  }
}

test('every pair belongs to one cell, and the boxes of this cell suffice to find it', () => {
  for (const [name, scene] of Object.entries(octreeScenes)) {
    if (scene.length === 0) continue;
    for (const minCells of [1, 2, 7, 64]) {
      const cells = divideIntoCells(scene, minCells);
      if (name === 'spheres') assert.ok(cells.length >= Math.min(7, minCells), `${cells.length} cells`);
      const found = cells.flatMap(cell => {
        const { a, b } = pairsOfCell(scene, cell, truthOf(boxesOfCell(scene, cell)));
        return Array.from(a, (first, k) => first * 2 ** 20 + b[k]!);
      });
      const { a, b } = truthOf(scene);
      assert.equal(
        found.sort((p, q) => p - q),
        Array.from(a, (first, k) => first * 2 ** 20 + b[k]!),
        `${name}, ${minCells} cells`,
      );
    }
  }
});

async function openVerified(opened: Opened, lies: Lies[]) {
  const link = (await startCluster(opened, 2, lies))();
  return opened.add(await openJobs({ where: 'cluster', link, patience: 20_000, verify: true }));
}

boundedTest(
  'with verify, a node that omits a pair, invents a pair or repeats an earlier result is named, but no other node is',
  60,
  async opened => {
    for (const lies of [losesBoxPair, inventsBoxPair, replaysBoxPairs]) {
      const jobs = await openVerified(opened, [lies]);
      const submit = () => jobs.submit({ kind: 'boxPairs', boxes, nodes: 3, subsets: 12 });
      assert.is(await untilExcluded(submit), 1);
      await jobs.close();
    }
  },
);

boundedTest(
  'with verify, a result with lists of different lengths does not count, and no node is excluded',
  30,
  async opened => {
    const jobs = await openVerified(opened, [cutsBoxPairs]);
    const job = jobs.submit({ kind: 'boxPairs', boxes, nodes: 3, subsets: 12 });
    assert.equal(pairsIn(await job.wait()), pairsIn(truth));
    assert.equal(job.stats.excluded, []);
  },
);

boundedTest(
  'with verify, honest nodes find the same pairs as one engine, also in chunks, and conflicting options are refused',
  60,
  async opened => {
    const link = (await startCluster(opened, 2, []))();
    for (const [name, scene] of Object.entries(octreeScenes)) {
      const job = submitBoxPairs(link, scene, { nodes: 2, verify: true });
      assert.equal(pairsIn(await job.wait()), pairsIn(truthOf(scene)), name);
      assert.equal(job.stats.excluded, []);
    }
    const chunks: number[] = [];
    await submitBoxPairs(link, boxes, {
      nodes: 2,
      verify: true,
      chunkPairs: 100,
      forEachChunk: ({ a, b }) => chunks.push(...Array.from(a, (first, k) => first * 2 ** 20 + b[k]!)),
    }).wait();
    assert.equal(
      chunks,
      Array.from(truth.a, (first, k) => first * 2 ** 20 + truth.b[k]!),
    );
    for (const [options, message] of [
      [{ where: 'lists', engine }, /where is 'lists', but with verify/],
      [{ merge: 'tree' }, /merge is 'tree', but with verify/],
    ] as const)
      assert.throws(() => submitBoxPairs(link, boxes, { ...options, verify: true }), message);
  },
);

/** Moves each box by a different distance, less than its size. */
const movedBoxes = (step: number): Float32Array =>
  boxes.map((value, i) => value + 0.4 * Math.sin(step * Math.floor(i / 6)));

async function checkFrames(opened: Opened, link: Link, verify: boolean): Promise<number> {
  const session = openBoxPairs(link, boxes, { nodes: 3, subsets: 6, verify });
  opened.add({ close: async () => session.close() });
  const ids = Uint32Array.from({ length: session.count }, (_, i) => i);
  let excluded = 0;
  for (let step = 0; step < 4; step++) {
    const places = movedBoxes(step);
    session.move(ids, places);
    const frame = await session.pairs();
    assert.equal(pairsIn(frame), pairsIn(truthOf(places)), `frame ${step}`);
    excluded = liarsIn(frame.stats);
  }
  return excluded;
}

boundedTest(
  'frames have the right pairs although a node lies, and the statistics of the frames name this node',
  60,
  async opened => {
    const join = await startCluster(opened, 2, [losesBoxPair], tampering);
    assert.is(await checkFrames(opened, join(), true), 1);
    // Without `verify`, the caller detects that the liar has changed pairs. The pairs of the frame are then
    // computed again in cells.
    assert.is(await checkFrames(opened, join(), false), 1);
  },
);

boundedTest(
  'by default, a false pair is detected, all pairs are computed again, and a node that lies again is named',
  60,
  async opened => {
    const link = (await startCluster(opened, 1, [losesBoxPair], tampering))();
    assert.is(await untilExcluded(() => submitBoxPairs(link, boxes, { nodes: 2, subsets: 4 })), 1);
  },
);

boundedTest(
  'by default, the pairs are right even if all nodes send false lists, because all pairs are then computed again in cells',
  60,
  async opened => {
    const link = (await startCluster(opened, 0, [honest, honest], tampering))();
    for (const merge of ['ranges', 'tree'] as const) {
      const job = submitBoxPairs(link, boxes, { nodes: 2, merge });
      const answer = await job.wait();
      assert.equal(pairsIn(answer), pairsIn(truth));
      assert.is(answer.stats.rounds.at(-1)!.name, 'cells');
      assert.equal(job.stats.excluded, []);
    }
    const chunks: number[] = [];
    await submitBoxPairs(link, boxes, {
      nodes: 2,
      chunkPairs: 200,
      forEachChunk: ({ a, b }) => chunks.push(...Array.from(a, (first, k) => first * 2 ** 20 + b[k]!)),
    }).wait();
    assert.equal(
      chunks,
      Array.from(truth.a, (first, k) => first * 2 ** 20 + truth.b[k]!),
    );
    const lists = await submitBoxPairs(link, boxes, { nodes: 2, where: 'lists', engine }).wait();
    assert.equal(pairsIn(lists), pairsIn(truth));
  },
);

test.run();
