// Where bodies of a scene were at the last detect, or where the user has them begin.
import { readTransform, type Transforms } from '../core/transform.js';

const NUMBERS = 12;

export class BodyStarts {
  /** Three rows of four a slot. */
  rows = new Float64Array(NUMBERS * 64);
  /** Whether they are not where bodies were. */
  areElsewhere = false;

  /** Takes over a slot's rows from rows[at ..]. */
  take(slot: number, rows: Float64Array, at: number): void {
    if (this.rows.length < NUMBERS * (slot + 1)) {
      const grown = new Float64Array(2 * NUMBERS * (slot + 1));
      grown.set(this.rows);
      this.rows = grown;
    }
    for (let i = 0; i < NUMBERS; i++) this.rows[NUMBERS * slot + i] = rows[at + i];
  }

  /**
   * The user's matrices, 16 numbers a slot, of slots that are there: rows for `set`. @throws InvalidTransform
   * naming the entry
   */
  read(matrices: Transforms, isThere: (slot: number) => boolean): Float64Array {
    const rows = new Float64Array((NUMBERS * matrices.length) / 16);
    for (let slot = 0; slot < matrices.length / 16; slot++)
      if (isThere(slot))
        readTransform(
          `matrix ${slot} of from`,
          matrices.subarray(16 * slot, 16 * slot + 16),
          rows,
          NUMBERS * slot,
        );
    return rows;
  }

  set(rows: Float64Array): void {
    this.rows.set(rows);
    this.areElsewhere = true;
  }
}
