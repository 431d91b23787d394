// Boxes that move, with endpoints that stay sorted -> the pairs of a plain model, frame by frame, whatever has moved and how far.

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createEngine, Unsupported, type BroadPhase, type Engine } from '../../dist/index.js';
import { boxCrowd } from '../../dist/scenes/index.js';
import { createRandom } from '../../dist/scenes/random.js';
import type { Pair } from '../oracle/bruteForce.js';
import { boxPairsByAll } from '../oracle/boxesOverlap.js';
import { caught, hashInOrder, pairsOf, poolOf, withEngine } from '../support/engines.js';
import { faulty } from '../support/faultyWorkers.js';
import { KINDS, motion, placesFor } from '../support/movingBoxes.js';

const engines: Engine[] = [];
// Lists of events with next to no room at first: they run full, grow, and the sort goes on.
for (const [threads, initialPairCapacity] of [[1, 0], [2, 1], [3, 2], [4, undefined], [16, 3]] as const) engines.push(await createEngine({ threads, initialPairCapacity, warmUp: 'off' }));
engines.push(await createEngine({ memory: 'single', initialPairCapacity: 1, warmUp: 'off' }));
const [alone] = engines as [Engine];

const persistent = (engine: Engine): BroadPhase => engine.createBroadPhase({ method: 'sap-persistent' });
const keyOf = (pair: Pair): string => pair.join();
const without = (pairs: readonly Pair[], others: readonly Pair[]): Pair[] => {
  const keys = new Set(others.map(keyOf));
  return pairs.filter((pair) => !keys.has(keyOf(pair)));
};

/** The pairs of a frame are those of the model, and so is what began and ended. @returns them */
function checkFrame(broad: BroadPhase, boxes: Float32Array, before: readonly Pair[], name: string): Pair[] {
  const expected = boxPairsByAll(boxes);
  assert.equal(pairsOf(broad.pairs()), expected, name);
  assert.equal(pairsOf(broad.began), without(expected, before), `${name}: began`);
  assert.equal(pairsOf(broad.ended), without(before, expected), `${name}: ended`);
  return expected;
}

test('1,400 sequences of setting, moving and asking, of boxes of every kind', () => {
  let frames = 0;
  for (let seed = 0; seed < 1400; seed++) {
    const random = createRandom(seed), kind = KINDS[seed % KINDS.length]!;
    using broad = persistent(engines[random.below(engines.length)]!);
    const places = (count: number): Float32Array => placesFor(kind, random, Uint32Array.from({ length: count }, (_, i) => i), count);
    let boxes = places(random.below(4) === 0 ? random.below(4) : random.below(40)), before: Pair[] = [];
    broad.set(boxes);
    for (let step = 0; step < 8; step++) {
      const moves = random.below(10);
      if (moves === 0) broad.set(boxes = places(random.below(40)));
      // One move before a frame, or several.
      for (let k = moves; k > 0 && k < 9 && boxes.length > 0; k >>= 2) {
        const { ids, places: to } = motion(kind, random, boxes);
        broad.move(ids, to);
        ids.forEach((id, i) => boxes.set(to.subarray(6 * i, 6 * i + 6), 6 * id));
      }
      before = checkFrame(broad, boxes, before, `${kind}, seed ${seed}, step ${step}`);
      frames++;
    }
  }
  assert.is(frames, 11_200);
});

test('hundreds of boxes, on all threads', () => {
  for (const [number, engine] of engines.entries()) {
    const random = createRandom(number);
    for (const kind of ['scattered', 'lattice', 'often empty'] as const) {
      using broad = persistent(engine);
      const all = Uint32Array.from({ length: 500 }, (_, i) => i);
      const boxes = placesFor(kind, random, all, 500);
      broad.set(boxes);
      let before: Pair[] = [];
      for (let step = 0; step < 6; step++) {
        before = checkFrame(broad, boxes, before, `${kind}, ${engine.info.threads} threads, step ${step}`);
        const { ids, places } = motion(kind, random, boxes);
        broad.move(ids, places);
        ids.forEach((id, i) => boxes.set(places.subarray(6 * i, 6 * i + 6), 6 * id));
      }
    }
  }
});

test.after(() => { for (const engine of engines) engine.dispose(); });
test.run();
