// Computes the statistics that reports print for samples.

export interface Summary {
  n: number;
  median: number;
  p95: number;
  mean: number;
  max: number;
}

/**
 * Summarizes samples. Quantiles are not interpolated, so each is one of the samples. Exception: the median of
 * an even number of samples is the mean of the two middle ones.
 */
export function summarize(samples: ArrayLike<number>): Summary {
  const sorted = Float64Array.from(samples).sort();
  const n = sorted.length;
  const at = (index: number): number => sorted[Math.min(n - 1, Math.max(0, index))];
  return {
    n,
    median: (at((n - 1) >> 1) + at(n >> 1)) / 2,
    p95: at(Math.ceil(0.95 * n) - 1),
    mean: sorted.reduce((sum, value) => sum + value, 0) / n,
    max: at(n - 1),
  };
}

export const median = (samples: ArrayLike<number>): number => summarize(samples).median;
export const sum = (samples: ArrayLike<number>): number =>
  Array.from(samples).reduce((total, value) => total + value, 0);

/**
 * Fits weights w by least squares, without a constant term, so that sum_j columns[j][i] * w[j] approximates
 * values[i]. The equation for each i is divided by values[i], so that large and small values have equal weight.
 * @returns w, and the root mean square of the relative errors
 */
export function fitLeastSquares(
  columns: readonly ArrayLike<number>[],
  values: ArrayLike<number>,
): { weights: number[]; error: number } {
  const rows = Array.from(values, (value, i) => columns.map(column => column[i] / value));
  const size = columns.length;
  const matrix = columns.map((_, j) => [
    ...columns.map((__, k) => sum(rows.map(row => row[j] * row[k]))),
    sum(rows.map(row => row[j])),
  ]);
  for (let j = 0; j < size; j++) {
    for (let i = 0; i < size; i++) {
      if (i === j) continue;
      const factor = matrix[i][j] / matrix[j][j];
      for (let k = j; k <= size; k++) matrix[i][k] -= factor * matrix[j][k];
    }
  }
  const weights = matrix.map((row, j) => row[size] / row[j]);
  const errors = rows.map(row => (sum(row.map((value, j) => value * weights[j])) - 1) ** 2);
  return { weights, error: Math.sqrt(sum(errors) / errors.length) };
}
