// Fits the costs of operations to measured times and counted operations.

/** Number of steps. After so many steps, the costs have converged to the precision of recorded rows. */
const ITERATIONS = 20_000;

/**
 * Returns the costs c >= 0 that minimize the sum of (counts[i] · c / times[i] - 1)^2. Uses coordinate descent:
 * each step finds the best value of one cost while the other costs are fixed.
 * @param counts One row per measurement: how often each operation was run.
 * @param times The time of each measurement.
 */
export function fitCosts(counts: readonly (readonly number[])[], times: readonly number[]): number[] {
  const rows = counts.map((row, i) => row.map(count => count / times[i]!));
  const costs = rows[0]!.map(() => 0);
  const errors = rows.map(() => -1);
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const k = iteration % costs.length;
    let [slope, square] = [0, 0];
    for (const [i, row] of rows.entries()) {
      slope += row[k]! * errors[i]!;
      square += row[k]! ** 2;
    }
    const change = Math.max(-costs[k]!, square > 0 ? -slope / square : 0);
    costs[k]! += change;
    for (const [i, row] of rows.entries()) errors[i]! += row[k]! * change;
  }
  return costs;
}
