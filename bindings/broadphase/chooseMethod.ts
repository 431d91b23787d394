// Chooses the faster of two methods for a set of boxes. The default is sweep and prune in slabs, which are
// divided into columns. The other method, sweep and prune in cells, is chosen if a sample of the boxes shows
// that slabs and columns would be too crowded.
import type { SampleEstimate } from './boxSample.js';
import type { BoxStats } from './boxSet.js';

/** If there are fewer boxes than this, both methods are fast, so slabs are used and no sample is taken. */
const FEW_BOXES = 1024;
/**
 * Costs in nanoseconds, measured by `npm run bench -- methods`. Sweep and prune in slabs: per box, per test,
 * and per test that quantized coordinates cannot decide. Sweep and prune in cells: per box, and per pair
 * found.
 */
const SLAB_BOX = 36;
const SLAB_TEST = 0.18;
const SLAB_CLOSE = 3;
const CELL_BOX = 66;
const CELL_PAIR = 3;
/**
 * Long boxes in different directions overlap many cells. The estimated cost per box of sweep and prune in cells
 * is therefore multiplied by the mixture (see SampleEstimate), raised to this power.
 */
const MIXTURE_POWER = 0.12;

export interface Choice {
  method: 'sap' | 'cells';
  readonly reason: string;
}

/** Chooses the method. sample: takes a sample of the boxes; called only if it is needed. */
export function chooseMethod(
  { count, hasSimilarSizes }: Pick<BoxStats, 'count' | 'hasSimilarSizes'>,
  sample: () => SampleEstimate,
): Choice {
  if (count < FEW_BOXES) return { method: 'sap', reason: `fewer than ${FEW_BOXES} boxes` };
  return hasSimilarSizes ? ALIKE : new ByCost(sample());
}

const ALIKE: Choice = {
  method: 'sap',
  reason: 'boxes have similar sizes, and slabs and columns can be narrow enough',
};

/**
 * The choice of the method with the lower estimated cost. The text of `reason` is formatted only when it is
 * read.
 */
class ByCost implements Choice {
  readonly method: Choice['method'];
  readonly #sampled: SampleEstimate;
  readonly #inSlabs: number;
  readonly #inCells: number;

  constructor(sampled: SampleEstimate) {
    const { tests, pairs, close, mixture } = (this.#sampled = sampled);
    this.#inSlabs = SLAB_BOX + SLAB_TEST * tests + SLAB_CLOSE * close;
    this.#inCells = CELL_BOX * mixture ** MIXTURE_POWER + CELL_PAIR * pairs;
    this.method = this.#inSlabs > this.#inCells ? 'cells' : 'sap';
  }

  get reason(): string {
    const inSlabs = this.#inSlabs;
    const inCells = this.#inCells;
    const { tests, pairs, close } = this.#sampled;
    return `estimated from a sample: ${inSlabs.toFixed(0)} ns per box in slabs (${tests.toFixed(0)} tests, ${close.toFixed(1)} of them compared as floats), ${inCells.toFixed(0)} ns in cells (${pairs.toFixed(1)} pairs)`;
  }
}
