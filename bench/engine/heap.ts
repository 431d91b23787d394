// Repeats queries many times. Measures how many bytes of the JavaScript heap each query leaves in use after
// garbage collection (the goal is 0), and how many bytes each query allocates.

import { createEngine, type Engine, type PlacedPair } from '../../dist/index.js';
import { wormGear } from '../../dist/samples/index.js';
import { coreCount, threadsText } from '../support/machine.js';
import { Placed, runQuery } from '../support/motion.js';
import { isQuick, Report } from '../support/report.js';
import { summarize } from '../support/statistics.js';

const QUERIES = isQuick ? 1_000 : 10_000;
const BLOCKS = 3;
const FRESH_QUERIES = 100;
const report = new Report('heap');

// Collects garbage, then returns the bytes in use. Collects twice, because finalizers may run after the
// first collection.
function collectGarbage(): { heap: number; outside: number } {
  const { gc } = globalThis as { gc?: () => void };
  if (!gc) throw new Error('gc is missing: run node with --expose-gc, as npm run bench does');
  gc();
  gc();
  const { heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed, outside: external };
}

function measure(variant: string, what: string, run: (index: number) => unknown): void {
  const heap = new Float64Array(BLOCKS);
  const outside = new Float64Array(BLOCKS);
  for (let block = -1; block < BLOCKS; block++) {
    const before = collectGarbage();
    for (let i = 0; i < QUERIES; i++) run(i);
    const after = collectGarbage();
    if (block < 0) continue;
    heap[block] = (after.heap - before.heap) / QUERIES;
    outside[block] = (after.outside - before.outside) / QUERIES;
  }
  const made = allocatedBy(run);
  const note = `${BLOCKS} blocks of ${QUERIES}; outside the heap ${summarize(outside).median.toFixed(2)}`;
  report.add({
    scene: 'worm gear 4K',
    measure: `memory retained per query: ${what}`,
    variant,
    unit: 'bytes',
    ...summarize(heap),
    limit: '0',
    note: `${note}; allocated ${Math.round(made)}`,
  });
}

// Returns the bytes that a query allocates. Runs only a few queries, so that no garbage collection happens
// during the measurement.
function allocatedBy(run: (index: number) => unknown): number {
  const before = collectGarbage().heap;
  for (let i = 0; i < FRESH_QUERIES; i++) run(i);
  return (process.memoryUsage().heapUsed - before) / FRESH_QUERIES;
}

function measureEngine(variant: string, engine: Engine): void {
  const placed = new Placed(engine, {
    name: 'worm gear 4K',
    scene: wormGear({ triangles: 4_000 }),
    firstFrame: 0,
  });
  const frames = placed.frames(64);
  const at = (i: number): PlacedPair[] => frames[i % frames.length];
  const many = frames.slice(0, 4).flat();
  measure(variant, 'pairs, any order', i => runQuery(engine, at(i), { order: 'any' }).count);
  measure(variant, 'pairs, sorted', i => runQuery(engine, at(i), { order: 'sorted' }).a.length);
  measure(
    variant,
    'pairs, coherence off',
    i => runQuery(engine, at(i), { order: 'any', coherence: 'off' }).count,
  );
  measure(variant, 'first hit', i => {
    const [{ a, b, transformA, transformB }] = at(i);
    return engine.query(a, b, { transformA, transformB, want: 'any' });
  });
  measure(variant, 'queryMany of 4', () => engine.queryMany({ pairs: many, order: 'any' }).count);
  placed.dispose();
}

// Measures an empty loop, to get the heap that the measurement itself leaves behind.
measure('no engine', 'an empty loop', i => i);
for (const threads of new Set([1, coreCount])) {
  const engine = await createEngine({ threads });
  measureEngine(threadsText(threads), engine);
  engine.dispose();
}
report.save();
