// Finds weights of obstacles for the bound of boundBalls.ts. Each corner stands for the center of a ball, and
// all these balls have the same radius. The gap of an obstacle at a corner is the distance of the obstacle from
// this center, minus the radius. The weighted mean of the gaps differs from corner to corner, and the weights
// minimize its largest value. This is a matrix game, which the simplex method solves.

/** Max number of steps of the simplex method. This is more than any of the small games has needed. */
const MAX_PIVOTS = 64;
/** Coefficients that are at most this large count as 0. The scaled gaps are from 1 to 2 at first. */
const ZERO = 2 ** -40;

/** The solution of a game. Weights and shares are 0 or more, and each list sums to 1, up to rounding. */
export interface Weighing {
  /** The weighted mean of the gaps at the corner where this mean is largest. */
  value: number;
  /** The weight of each obstacle. */
  weights: number[];
  /**
   * The share of each corner in a mean of all corners. At this mean, the interpolated gaps of all obstacles
   * with a weight above 0 are equal.
   */
  shares: number[];
}

/**
 * Weighs obstacles. The value holds for the returned weights, even if they are not the best ones.
 * @param gaps For each obstacle, the gap at each corner.
 */
export function weighObstacles(gaps: readonly (readonly number[])[]): Weighing {
  const count = gaps.length;
  const corners = gaps[0].length;
  let [min, max] = [Infinity, -Infinity];
  for (const row of gaps) for (const gap of row) [min, max] = [Math.min(min, gap), Math.max(max, gap)];
  const range = max - min || 1;
  // Maximizes the sum of all q_i >= 0, where sum(q_i M_ic) <= 1 for each corner c. M_ic is the gap of obstacle
  // i at corner c, scaled to the range from 1 to 2, and q_i becomes the weight of obstacle i. The tableau has a
  // row for each corner, then the row of costs. It is one plain array, because typed arrays this small are slow
  // to allocate.
  const width = count + corners + 1;
  const costs = corners * width;
  const tableau = new Array<number>(costs + width).fill(0).fill(-1, costs, costs + count);
  const basis = new Array<number>(corners);
  for (let corner = 0; corner < corners; corner++) {
    const row = corner * width;
    for (let i = 0; i < count; i++) tableau[row + i] = 1 + (gaps[i][corner] - min) / range;
    tableau[row + count + corner] = 1;
    tableau[row + width - 1] = 1;
    basis[corner] = count + corner;
  }
  for (let step = 0; step < MAX_PIVOTS; step++) {
    let column = 0;
    for (let i = 1; i < width - 1; i++) if (tableau[costs + i] < tableau[costs + column]) column = i;
    if (tableau[costs + column] >= -ZERO) break;
    let pivot = -1;
    let minRatio = Infinity;
    for (let corner = 0; corner < corners; corner++) {
      const row = corner * width;
      if (tableau[row + column] <= ZERO) continue;
      const ratio = tableau[row + width - 1] / tableau[row + column];
      if (ratio < minRatio) [minRatio, pivot] = [ratio, corner];
    }
    if (pivot < 0) break;
    const chosen = pivot * width;
    const factor = 1 / tableau[chosen + column];
    for (let i = 0; i < width; i++) tableau[chosen + i] *= factor;
    for (let row = 0; row <= costs; row += width) {
      const share = tableau[row + column];
      if (row === chosen || share === 0) continue;
      for (let i = 0; i < width; i++) tableau[row + i] -= share * tableau[chosen + i];
    }
    basis[pivot] = column;
  }
  const weights = new Array<number>(count).fill(0);
  basis.forEach((column, corner) => {
    if (column < count) weights[column] = Math.max(0, tableau[corner * width + width - 1]);
  });
  const shares = tableau.slice(costs + count, costs + width - 1).map(share => Math.max(0, share));
  normalize(weights);
  normalize(shares);
  let value = -Infinity;
  for (let corner = 0; corner < corners; corner++) {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += weights[i] * gaps[i][corner];
    value = Math.max(value, sum);
  }
  return { value, weights, shares };
}

function normalize(values: number[]): void {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  for (let i = 0; i < values.length; i++) values[i] = sum > 0 ? values[i] / sum : 1 / values.length;
}
