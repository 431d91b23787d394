// Loads of columns -> those that change hands before the next step (Du, Liu and Suzumura s4.2).
import type { Columns } from './columns.js';

/** A column that changes hands. */
export interface Move {
  /** Its number, row by row. */
  column: number;
  /** The id of the node that had it. */
  from: number;
  /** The id of the node that gets it. */
  to: number;
}

/** How much a neighbor of another node counts against a column, in parts of half the difference of loads. */
const STRAY = 0.15;
/**
 * Nodes for each of which one column may change hands in a step: the paper's four have one, and with one
 * alone sixteen never catch up with a crowd that moves.
 */
const NODES_A_MOVE = 4;

/** Load of each member. loads: of each column; owners: ids. */
export function loadsOf(
  members: readonly number[],
  owners: Uint32Array,
  loads: Float64Array,
): Map<number, number> {
  const sums = new Map(members.map(id => [id, 0]));
  owners.forEach((id, column) => {
    if (sums.has(id)) sums.set(id, sums.get(id)! + loads[column]);
  });
  return sums;
}

/** Greatest load over the mean; 1 where there is none. */
export function imbalanceOf(sums: Iterable<number>): number {
  const all = [...sums];
  const total = all.reduce((sum, load) => sum + load, 0);
  return total > 0 ? (Math.max(...all) * all.length) / total : 1;
}

/** One move after the other, each as if those before were done. */
export function chooseMoves(
  columns: Columns,
  members: readonly number[],
  owners: Uint32Array,
  loads: Float64Array,
  threshold: number,
): Move[] {
  const after = owners.slice();
  const moves: Move[] = [];
  while (moves.length < Math.max(1, Math.floor(members.length / NODES_A_MOVE))) {
    const move = chooseMove(columns, members, after, loads, threshold);
    if (!move) break;
    moves.push(move);
    after[move.column] = move.to;
  }
  return moves;
}

/**
 * From the most loaded to the least loaded, where their loads differ by more than `threshold` of the greater
 * one: the column whose load is nearest to half the difference, rather where the taker has neighbors. It is
 * less than the difference: the two come nearer to each other, never the other way round, and none gives away
 * all it has.
 */
export function chooseMove(
  columns: Columns,
  members: readonly number[],
  owners: Uint32Array,
  loads: Float64Array,
  threshold: number,
): Move | undefined {
  const sums = loadsOf(members, owners, loads);
  const ranked = [...members].sort((a, b) => sums.get(b)! - sums.get(a)! || a - b);
  const from = ranked[0];
  const to = ranked.at(-1)!;
  const difference = sums.get(from)! - sums.get(to)!;
  if (!(difference > threshold * sums.get(from)!)) return undefined;
  let best: Move | undefined;
  let least = Infinity;
  for (let column = 0; column < owners.length; column++) {
    const load = loads[column];
    if (owners[column] !== from || !(load > 0 && load < difference)) continue;
    const price =
      Math.abs(load - difference / 2) / (difference / 2) + STRAY * strays(columns, owners, column, to);
    if (price < least) [least, best] = [price, { column, from, to }];
  }
  return best;
}

// How many of a column's four neighbors are not `to`'s.
function strays({ width, height }: Columns, owners: Uint32Array, column: number, to: number): number {
  const x = column % width;
  const y = Math.floor(column / width);
  return [
    [x - 1, y],
    [x + 1, y],
    [x, y - 1],
    [x, y + 1],
  ].filter(([i, j]) => i! < 0 || j! < 0 || i! >= width || j! >= height || owners[j! * width + i!] !== to)
    .length;
}
