// Stores the placements at which the next continuous motion of a scene's bodies starts: the placements at the
// last detect, or the placements that the caller set. The motion of a body that was added later starts at the
// placement with which it was added.
import { readTransform, type Transforms } from '../core/transform.js';

const NUMBERS = 12;

export class BodyStarts {
  /** Three rows of four numbers per slot. */
  rows = new Float64Array(NUMBERS * 64);
  /** Whether the caller set the rows. They may then differ from the placements at the last detect. */
  areOverridden = false;

  /** Copies the 12 numbers of a slot from `rows`, beginning at index `at`. */
  copyRows(slot: number, rows: Float64Array, at: number): void {
    if (this.rows.length < NUMBERS * (slot + 1)) {
      const grown = new Float64Array(2 * NUMBERS * (slot + 1));
      grown.set(this.rows);
      this.rows = grown;
    }
    for (let i = 0; i < NUMBERS; i++) this.rows[NUMBERS * slot + i] = rows[at + i];
  }

  /**
   * Converts the caller's matrices, 16 numbers per slot, to rows for `set`. Empty slots are skipped. @throws
   * InvalidTransform that names the matrix
   */
  read(matrices: Transforms, isPresent: (slot: number) => boolean): Float64Array {
    const rows = new Float64Array((NUMBERS * matrices.length) / 16);
    for (let slot = 0; slot < matrices.length / 16; slot++)
      if (isPresent(slot))
        readTransform(
          `from, slot ${slot}: matrix`,
          matrices.subarray(16 * slot, 16 * slot + 16),
          rows,
          NUMBERS * slot,
        );
    return rows;
  }

  set(rows: Float64Array): void {
    this.rows.set(rows);
    this.areOverridden = true;
  }
}
