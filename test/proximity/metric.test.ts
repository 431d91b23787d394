// Tests `weightsOf`, whose weights give a lower bound of the length of a vector from its stored coordinates.
// The placements are nearly singular, or have very different scales. The oracle inverts them in fractions.
import * as assert from 'uvu/assert';
import { rowsToStored, weightsOf } from '../../dist/proximity/metric.js';
import { PairRecord } from '../../dist/records/layout.js';
import type { Arena } from '../../dist/runtime/memory.js';
import { createRandom, rotation } from '../../dist/samples/index.js';
import { compare, divide, type Fraction, fraction, minus, plus, times } from '../oracle/fractions.js';
import { splitDouble } from '../oracle/integers.js';
import { test } from '../support/test.js';

type Row = [number, number, number];
type ExactRow = readonly [Fraction, Fraction, Fraction];
const AXES = [0, 1, 2] as const;

// Returns three rows. If `height` is small, the rows are close to one plane (seeds 0, 3, ...) or to one line
// (seeds 1, 4, ...), or they are perpendicular and one of them is short (seeds 2, 5, ...).
function rowsOf(seed: number, height: number): Row[] {
  const random = createRandom(seed);
  if (seed % 3 === 2) {
    // One coordinate of `short` has at most the magnitude `height`, so a row of the inverse is inaccurate.
    const [angle, otherAngle] = [random.between(0, 6), random.between(0, 6)];
    const short: Row = [Math.cos(angle), Math.sin(angle), random.between(-height, height)];
    const along: Row = [-short[1], short[0], 0];
    const [c, s] = [Math.cos(otherAngle), Math.sin(otherAngle)];
    const up: Row = [-short[0] * short[2], -short[1] * short[2], 1];
    return [
      AXES.map(i => c * along[i] + s * up[i]) as Row,
      AXES.map(i => c * up[i] - s * along[i]) as Row,
      AXES.map(i => height * short[i]) as Row,
    ];
  }
  const any = (): Row => [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)];
  const [x, y, off] = [any(), any(), any()];
  const [p, q] = [random.between(-1, 1), random.between(-1, 1)];
  if (seed % 3 === 0) return [x, y, AXES.map(i => p * x[i] + q * y[i] + height * off[i]) as Row];
  const root = Math.sqrt(height);
  return [x, AXES.map(i => p * x[i] + root * y[i]) as Row, AXES.map(i => q * x[i] + root * off[i]) as Row];
}

// Returns the memory of a pair record in which mesh A is placed by these rows.
function arenaOf(rows: readonly Row[]): Arena {
  const buffer = new ArrayBuffer(Math.ceil(PairRecord.size / 8) * 8);
  const f64 = new Float64Array(buffer);
  const u32 = new Uint32Array(buffer);
  rows.forEach((row, i) => {
    f64.set([...row, 0], PairRecord.at.placementA / 8 + 4 * i);
  });
  u32[PairRecord.at.placedA / 4] = 1;
  return { f64, u32 } as unknown as Arena;
}

function exact(value: number): Fraction {
  const { mantissa, exponent } = splitDouble(value);
  return exponent < 0 ? fraction(mantissa, 1n << BigInt(-exponent)) : fraction(mantissa << BigInt(exponent));
}
const exactRow = (row: Row): ExactRow => row.map(exact) as unknown as ExactRow;
const cross = (a: ExactRow, b: ExactRow): ExactRow =>
  AXES.map(i =>
    minus(times(a[(i + 1) % 3], b[(i + 2) % 3]), times(a[(i + 2) % 3], b[(i + 1) % 3])),
  ) as unknown as ExactRow;
const dot = (a: ExactRow, b: ExactRow): Fraction =>
  AXES.reduce((sum, i) => plus(sum, times(a[i], b[i])), fraction(0n));

// Returns the stored coordinates of a vector of the common frame: the inverse of the rows, times the vector.
function storedOf(rows: readonly Row[], vector: ExactRow): ExactRow {
  const [x, y, z] = rows.map(exactRow);
  const columns = [cross(y, z), cross(z, x), cross(x, y)];
  const determinant = dot(x, columns[0]);
  return AXES.map(row =>
    divide(
      AXES.reduce((sum, i) => plus(sum, times(columns[i][row], vector[i])), fraction(0n)),
      determinant,
    ),
  ) as unknown as ExactRow;
}

test('weights give a lower bound of lengths, even if a placement is nearly singular', () => {
  let useful = 0;
  for (let seed = 0; seed < 600; seed++) {
    const rows = rowsOf(seed, 2 ** -(4 + (seed % 43)));
    const inverse = rowsToStored(arenaOf(rows), 0, 'A', 1, false);
    const weights = exactRow(weightsOf(inverse));
    if (!inverse) continue;
    useful++;
    // Vectors that are parallel to a row of the inverse are hardest: their bound is nearest to their length.
    for (const vector of inverse.map(exactRow)) {
      const weighted = storedOf(rows, vector).map((value, i) =>
        times(weights[i], value),
      ) as unknown as ExactRow;
      assert.ok(compare(dot(weighted, weighted), dot(vector, vector)) <= 0, `seed ${seed}`);
    }
  }
  assert.ok(useful > 200, `${useful} placements have weights`);
});

test('different scales of the axes do not make the bound useless', () => {
  const rotated = rotation([0.6, 0, 0.8], 1);
  const scales = [2 ** -16, 2 ** -16, 1];
  const rows = AXES.map(i => AXES.map(j => rotated[4 * j + i] * scales[j]) as Row);
  const weights = weightsOf(rowsToStored(arenaOf(rows), 0, 'A', 1, false));
  assert.ok(
    weights.every((weight, i) => weight > 0.99 * scales[i]),
    `${weights}`,
  );
});

test.run();
