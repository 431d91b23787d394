// Balances the load of the nodes of a swarm (a simulation of moving bodies on many nodes). Chooses which
// columns of the ground change owners before the next step, given the load of each column (Du, Liu and
// Suzumura, section 4.2).
import type { Columns } from './columns.js';

/** A column that changes its owner. */
export interface Move {
  /** The index of the column; columns are numbered row by row. */
  column: number;
  /** The id of the node that owned the column. */
  from: number;
  /** The id of the node that receives the column. */
  to: number;
}

/**
 * The cost of moving a column includes this penalty for each of its four neighbors that the receiver does not
 * own. The unit of the cost is half the difference between the loads of the giver and the receiver.
 */
const NEIGHBOR_PENALTY = 0.15;
/**
 * At most max(1, floor(nodes / NODES_PER_MOVE)) columns move per step. The paper uses four nodes and moves
 * one column per step. With only one move per step, sixteen nodes never catch up with a moving crowd of
 * bodies.
 */
const NODES_PER_MOVE = 4;

/** Returns the load of each member. owners, loads: for each column, the id of its owner and its load. */
export function memberLoads(
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

/** Returns the maximum load divided by the mean load; 1 if there is no load. */
export function imbalanceOf(sums: Iterable<number>): number {
  const all = [...sums];
  const total = all.reduce((sum, load) => sum + load, 0);
  return total > 0 ? (Math.max(...all) * all.length) / total : 1;
}

/**
 * Chooses moves one after another, each as if the moves before it were already done. threshold: see chooseMove.
 */
export function chooseMoves(
  columns: Columns,
  members: readonly number[],
  owners: Uint32Array,
  loads: Float64Array,
  threshold: number,
): Move[] {
  const after = owners.slice();
  const moves: Move[] = [];
  while (moves.length < Math.max(1, Math.floor(members.length / NODES_PER_MOVE))) {
    const move = chooseMove(columns, members, after, loads, threshold);
    if (!move) break;
    moves.push(move);
    after[move.column] = move.to;
  }
  return moves;
}

/**
 * Chooses a move from the most loaded to the least loaded member, if their loads differ by more than
 * `threshold` times the greater load. Prefers a column whose load is close to half the difference and whose
 * neighbors belong to the receiver. The load of the column is less than the difference, so the loads of the
 * two members always come closer, and no member gives away all its load.
 */
export function chooseMove(
  columns: Columns,
  members: readonly number[],
  owners: Uint32Array,
  loads: Float64Array,
  threshold: number,
): Move | undefined {
  const sums = memberLoads(members, owners, loads);
  const ranked = [...members].sort((a, b) => sums.get(b)! - sums.get(a)! || a - b);
  const from = ranked[0];
  const to = ranked.at(-1)!;
  const difference = sums.get(from)! - sums.get(to)!;
  if (!(difference > threshold * sums.get(from)!)) return undefined;
  let best: Move | undefined;
  let minCost = Infinity;
  for (let column = 0; column < owners.length; column++) {
    const load = loads[column];
    if (owners[column] !== from || !(load > 0 && load < difference)) continue;
    const cost =
      Math.abs(load - difference / 2) / (difference / 2) +
      NEIGHBOR_PENALTY * foreignNeighbors(columns, owners, column, to);
    if (cost < minCost) [minCost, best] = [cost, { column, from, to }];
  }
  return best;
}

// Counts how many of the four neighbors of a column do not belong to the node `to`. Neighbors outside the
// ground count, too.
function foreignNeighbors(
  { width, height }: Columns,
  owners: Uint32Array,
  column: number,
  to: number,
): number {
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
