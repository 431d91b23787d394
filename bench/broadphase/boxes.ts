// Measures the time in which pfront, box-intersect and three-mesh-bvh find all overlapping pairs of boxes from
// scratch. The boxes have several distributions and counts. pfront runs on one thread and on all cores. Also
// measures the cost of sorting the pairs, and the number of tests per box.

import boxIntersect from 'box-intersect';
import { boxCrowd, type CrowdKind } from '../../dist/samples/index.js';
import { countByTree } from '../support/boxTree.js';
import { createEngines, disposeEngines } from '../support/engines.js';
import { coreCount, threadsText } from '../support/machine.js';
import { isQuick, Report } from '../support/report.js';
import { RIVAL as TREE } from '../support/rival.js';
import { type Contender, interleave } from '../support/timing.js';

const SEED = 1;
const RIVAL = 'box-intersect';
/**
 * Max number of boxes for which three-mesh-bvh is measured. box-intersect is measured for every number of
 * boxes, although it takes ten seconds for a million boxes.
 */
const MAX_FOR_TREE = 100_000;
const report = new Report('boxes', SEED, [RIVAL, TREE, 'three']);
const engines = await createEngines(1, coreCount);
const [singleThreaded, multiThreaded] = [engines[0].engine, engines.at(-1)!.engine];

type Boxes = { flat: Float32Array; nested: number[][] };

function countByRival(nested: number[][]): number {
  let count = 0;
  boxIntersect(nested, () => {
    count++;
  });
  return count;
}

const rival: Contender<Boxes> = { name: RIVAL, run: ({ nested }) => countByRival(nested) };

const tree: Contender<Boxes> = { name: `${TREE}, build and cast`, run: ({ flat }) => countByTree(flat) };

const contenders: Contender<Boxes>[] = [
  {
    name: 'sap, any order',
    run: ({ flat }) => singleThreaded.boxPairs(flat, { method: 'sap', order: 'any' }),
  },
  { name: 'sap, sorted', run: ({ flat }) => singleThreaded.boxPairs(flat, { method: 'sap' }) },
  {
    name: `sap, sorted, ${threadsText(coreCount)}`,
    run: ({ flat }) => multiThreaded.boxPairs(flat, { method: 'sap' }),
  },
  {
    name: `sap, any order, ${threadsText(coreCount)}`,
    run: ({ flat }) => multiThreaded.boxPairs(flat, { method: 'sap', order: 'any' }),
  },
  {
    name: 'octree, any order',
    run: ({ flat }) => singleThreaded.boxPairs(flat, { method: 'octree', order: 'any' }),
  },
];

function measure(kind: CrowdKind, count: number): void {
  const flat = boxCrowd(kind, count, SEED);
  const nested = Array.from({ length: count }, (_, i) => Array.from(flat.subarray(6 * i, 6 * i + 6)));
  const scene = `${kind} ${count >= 1e6 ? `${count / 1e6}M` : `${count / 1e3}K`}`;
  const compared = [...contenders, rival, ...(count <= MAX_FOR_TREE ? [tree] : [])];
  const timings = interleave(
    [{ flat, nested }],
    compared,
    isQuick ? 1 : count <= 10_000 ? 51 : count <= 100_000 ? 7 : 3,
  );
  const { stats, count: pairs } = singleThreaded.boxPairs(flat, { countOnly: true });
  const base = timings.find(({ name }) => name === RIVAL)!;
  if (countByRival(nested) !== pairs) throw new Error(`${scene}: ${RIVAL} finds a different number of pairs`);
  if (count <= MAX_FOR_TREE && countByTree(flat) !== pairs)
    throw new Error(`${scene}: ${TREE} finds a different number of pairs`);
  for (const { name, n, median } of timings) {
    report.add({
      scene,
      measure: 'all pairs from scratch',
      variant: name,
      unit: 'ms',
      n,
      median,
      rival: RIVAL,
      ratio: base.median / median,
      limit: name === 'sap, any order' ? '>= 100 x' : undefined,
      note: name.startsWith('sap, any')
        ? `${pairs} pairs; ${(stats.tests / count).toFixed(1)} tests per box`
        : undefined,
    });
  }
}

for (const count of isQuick ? [10_000] : [10_000, 100_000, 1_000_000]) {
  for (const kind of ['uniform', 'clustered', 'mixed'] as const) measure(kind, count);
}
disposeEngines(engines);
report.save();
