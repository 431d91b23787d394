// What boxes are like -> the method that finds their pairs soonest: sweep and prune in slabs, unless a sample
// says that slabs and columns would be so crowded that cells are quicker.
import type { Sampled } from './boxSample.js';
import type { BoxStats } from './boxSet.js';

/** Fewer boxes than this cost little either way. */
const FEW_BOXES = 1024;
/**
 * Nanoseconds by sweep and prune in slabs: a box, a pair of boxes tested, and one that has to ask their
 * floats; in cells: a box, and a pair found. Measured by `npm run bench -- methods`.
 */
const SLAB_BOX = 36;
const SLAB_TEST = 0.18;
const SLAB_CLOSE = 3;
const CELL_BOX = 66;
const CELL_PAIR = 3;
/**
 * How cells suffer from long boxes of different directions, which reach many of them: power of their mixture.
 */
const MIXTURE_POWER = 0.12;

export interface Choice {
  method: 'sap' | 'cells';
  readonly reason: string;
}

/** sample: looks at some of the boxes. */
export function chooseMethod(
  { count, isAlike }: Pick<BoxStats, 'count' | 'isAlike'>,
  sample: () => Sampled,
): Choice {
  if (count < FEW_BOXES) return { method: 'sap', reason: `${count} boxes are few` };
  return isAlike ? ALIKE : new ByCost(sample());
}

const ALIKE: Choice = {
  method: 'sap',
  reason: 'boxes are alike in size, and slabs and columns can be as narrow as they need',
};

/** What is less by a sample; the reason is put into words when it is read. */
class ByCost implements Choice {
  readonly method: Choice['method'];
  readonly #sampled: Sampled;
  readonly #inSlabs: number;
  readonly #inCells: number;

  constructor(sampled: Sampled) {
    const { tests, pairs, close, mixture } = (this.#sampled = sampled);
    this.#inSlabs = SLAB_BOX + SLAB_TEST * tests + SLAB_CLOSE * close;
    this.#inCells = CELL_BOX * mixture ** MIXTURE_POWER + CELL_PAIR * pairs;
    this.method = this.#inSlabs > this.#inCells ? 'cells' : 'sap';
  }

  get reason(): string {
    const inSlabs = this.#inSlabs;
    const inCells = this.#inCells;
    const { tests, pairs, close } = this.#sampled;
    return `by a sample, a box takes ${inSlabs.toFixed(0)} ns of sweep and prune in slabs (${tests.toFixed(0)} tests, ${close.toFixed(1)} of them close), ${inCells.toFixed(0)} ns in cells (${pairs.toFixed(1)} pairs)`;
  }
}
