// Places a rotating body at a fraction of its step.
import { cosine, sine } from '../mesh/trigonometry';
import { RotatingBody } from '../records';

/** Bytes of a placement: three rows of four. */
export const ROWS: usize = 96;

/**
 * Writes the placement at time substep / 2^level of the step. Only basic arithmetic is used, which rounds in
 * the same way everywhere, so the result has the same bits on every machine.
 */
export function placeRotated(body: usize, substep: u32, level: u32, rows: usize): void {
  if (substep == 0) return memory.copy(rows, body + RotatingBody.from, ROWS);
  if (substep >> level != 0) return memory.copy(rows, body + RotatingBody.to, ROWS);
  const time = <f64>substep / <f64>(1 << level);
  const half = 0.5 * time * load<f64>(body, RotatingBody.angle);
  const w = cosine(half);
  const s = sine(half);
  const x = s * load<f64>(body, RotatingBody.axis);
  const y = s * load<f64>(body, RotatingBody.axis + 8);
  const z = s * load<f64>(body, RotatingBody.axis + 16);
  writeRow(body, time, 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (z * x + w * y), rows, 0);
  writeRow(body, time, 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), rows, 32);
  writeRow(body, time, 2 * (z * x - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), rows, 64);
}

// Writes one row of the placement: the row (x, y, z) of the rotation times the body's linear part, then the
// origin's coordinate. row: byte offset of the row.
// @ts-ignore: decorator
@inline
function writeRow(body: usize, time: f64, x: f64, y: f64, z: f64, rows: usize, row: usize): void {
  for (let column: usize = 0; column < 24; column += 8)
    store<f64>(
      rows + row + column,
      x * linear(body, time, 0, column) +
        y * linear(body, time, 1, column) +
        z * linear(body, time, 2, column),
    );
  const start = load<f64>(body + row, RotatingBody.from + 24);
  const end = load<f64>(body + row, RotatingBody.to + 24);
  store<f64>(rows + row, start + time * (end - start), 24);
}

function linear(body: usize, time: f64, row: usize, column: usize): f64 {
  return (
    load<f64>(body + (row << 5) + column, RotatingBody.from) +
    time * load<f64>(body + row * 24 + column, RotatingBody.change)
  );
}
