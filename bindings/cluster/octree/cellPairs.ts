// Finds box pairs on nodes that are not trusted. Each task finds the pairs of one cell, and all its inputs come
// from the caller. So a false result is the fault of the node that returned it.

import { mergePairs, type SortedPairs } from '../../broadphase/incremental/mergePairs.js';
import { bytesOf } from '../bytes.js';
import { boxTasks, checkBoxReport } from '../jobs/boxTasks.js';
import type { NodePool } from '../jobs/jobKind.js';
import { findFalseBoxPairs, MAX_TESTS } from '../jobs/proveBoxPairs.js';
import { areEqual, runUntrusted } from '../jobs/untrustedTasks.js';
import { type BoxCell, boxesOfCell, divideIntoCells, pairsOfCell } from './boxCells.js';
import type { RoundLog } from './roundLog.js';

/**
 * Finds all pairs of boxes, and excludes nodes that return false results. If the pool gives every task to two
 * nodes, a sample of the pairs on which two nodes agree is checked. If the pool gives every task to only one
 * node, the caller also computes every task and compares the results. Such a pool is used here only after a
 * node has returned a false or malformed result. All boxes must be finite. minCells: the approximate minimum
 * number of cells, and thus of tasks.
 * @throws CollisionError 'Cluster' if no node returns correct results
 */
export async function findPairsInCells(
  pool: NodePool,
  boxes: Float32Array,
  minCells: number,
  log: RoundLog,
): Promise<SortedPairs> {
  const startedAt = performance.now();
  const cells = divideIntoCells(boxes, minCells).filter(({ ids }) => ids.length > 1);
  const hashes = await Promise.all(cells.map(cell => pool.share(bytesOf(boxesOfCell(boxes, cell)))));
  const make = (i: number) => ({ count: cells[i].ids.length, hash: hashes[i] });
  try {
    const reports = await runUntrusted(
      pool,
      boxTasks,
      cells.length,
      make,
      (report, i) => checkBoxReport(report, cells[i].ids.length),
      async (found, tasks) => {
        const wrong = [];
        for (const task of tasks) {
          const what = pool.isTwofold
            ? falsePairsOf(boxes, cells[task], found[task], MAX_TESTS / tasks.length)
            : areEqual(found[task], await pool.recompute!(boxTasks, make(task)))
              ? undefined
              : `the result of task ${task} of kind '${boxTasks.name}' differs from the recomputed one`;
          if (what !== undefined) wrong.push({ task, what });
        }
        return wrong;
      },
    );
    return mergePairs(cells.map((cell, i) => pairsOfCell(boxes, cell, reports[i])));
  } finally {
    for (const hash of hashes) pool.unshare(hash);
    log.add('cells', cells.length, startedAt);
  }
}

const falsePairsOf = (
  boxes: Float32Array,
  cell: BoxCell,
  pairs: SortedPairs,
  maxTests: number,
): string | undefined =>
  findFalseBoxPairs(boxesOfCell(boxes, cell), pairs, undefined, maxTests, i => cell.ids[i]);
