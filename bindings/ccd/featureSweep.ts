// Tests pairs of moving features: a vertex and a face, or two edges. Each pair is given by 24 doubles and
// need not belong to a mesh. A WebAssembly kernel tests the pairs on all threads. Exact sweeps, and
// `contactTimes` without a minimum separation, then use integer arithmetic to decide the pairs that the kernel
// cannot decide.

import { printAs } from '../core/printing.js';
import { continuousLimits as limits, SweepFeaturesJob, SweptFeatures } from '../records/continuousLayout.js';
import { setWords } from '../records/record.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { retry } from '../runtime/retry.js';
import { sliceCountOf } from '../runtime/sliceCount.js';
import { runStep } from '../runtime/steps.js';
import { type ExactContact, exactContact, exactCrossing } from './exactContact.js';
import { checkSweepOptions, DEFAULT_TOLERANCE, type SweepOptions } from './sweepOptions.js';

/**
 * The kind of a pair of features, and the order of its four points. 'VF': a vertex p and the corners f0, f1, f2
 * of a face. 'EE': the ends a0, a1 and b0, b1 of two edges.
 */
export type FeatureKind = 'VF' | 'EE';

/** Options of a sweep of features. */
export type FeatureSweepOptions = Pick<SweepOptions, 'minSeparation' | 'tolerance' | 'exact'>;

/** Results of a sweep of features: one entry per pair. */
export interface FeatureContacts {
  /**
   * 0 (CLEAR): there is no contact. 1 (NEAR): a contact could not be ruled out. In this case, if `bound` is
   * 0, the distance at `toi` exceeds the minimum separation by at most the tolerance; otherwise nothing is
   * known about the time from `toi` to the end. 2 (REACHED): a contact occurs at a time in toi..toi + bound.
   * Exact sweeps never return 1.
   */
  verdict: Uint8Array;
  /**
   * For each pair, a time before which there is no contact: a fraction of the step, in 0..1; 1 if there is no
   * contact at all.
   */
  toi: Float64Array;
  /** The length of the interval that contains the contact, as a fraction of the step: see `verdict`. */
  bound: Float64Array;
  /** The number of moments at which a separating direction was computed. */
  moments: Uint32Array;
}

// Fewer queries than this do not justify another thread.
const QUERIES_PER_SLICE = 64;
// The kernel does not narrow the time interval of a proven contact below this fraction of the step.
const RESOLUTION = 2 ** -24;
const QUERY_DOUBLES = 24;

/** The prototype of FeatureContacts, which defines how they are printed. */
export const printedContacts = printAs({} as FeatureContacts, 'FeatureContacts');

/**
 * Tests pairs of features.
 * @param queries 24 finite doubles per pair: four points at time 0, then the same points at time 1. Every
 * point moves linearly.
 * @throws Unsupported if `exact` is combined with a separation; Capacity
 */
export function sweepFeatures(
  context: EngineContext,
  kind: FeatureKind,
  queries: Float64Array,
  options: FeatureSweepOptions = {},
): FeatureContacts {
  checkSweepOptions(options);
  const { minSeparation: separation = 0, tolerance = DEFAULT_TOLERANCE, exact = false } = options;
  const contacts = retry(() => sweepOnce(context, kind, queries, separation, tolerance));
  if (exact) decideExactly(contacts, queries, kind === 'VF', verdict => verdict !== limits.CLEAR);
  return contacts;
}

/**
 * Returns, for each pair, a time before which there is no contact, as in `toi` of `sweepFeatures`; Infinity if
 * there is no contact at all. If no minimum separation is set, pairs that the kernel cannot decide are decided
 * with integer arithmetic.
 * @throws as sweepFeatures
 */
export function contactTimes(
  context: EngineContext,
  kind: FeatureKind,
  queries: Float64Array,
  options: FeatureSweepOptions = {},
): Float64Array {
  const contacts = sweepFeatures(context, kind, queries, options);
  if (!options.minSeparation && !options.exact)
    decideExactly(contacts, queries, kind === 'VF', verdict => verdict === limits.NEAR);
  return contacts.toi.map((time, i) => (contacts.verdict[i] === limits.CLEAR ? Infinity : time));
}

function sweepOnce(
  context: EngineContext,
  kind: FeatureKind,
  queries: Float64Array,
  separation: number,
  tolerance: number,
): FeatureContacts {
  const { arena, pool } = context;
  const blocks = new BlockGroup(arena);
  const queryCount = queries.length / QUERY_DOUBLES;
  const sliceCount = sliceCountOf(pool.threadCount, queryCount, QUERIES_PER_SLICE);
  try {
    const queriesAt = blocks.take(queries.byteLength);
    const resultsAt = blocks.take(queryCount * SweptFeatures.size);
    const scratchAt = blocks.take(sliceCount * (limits.SWEEP_SCRATCH_BYTES + limits.QUERY_BLOCK_BYTES));
    const jobAt = blocks.take(SweepFeaturesJob.size);
    arena.f64.set(queries, queriesAt / 8);
    setWords(arena.u32, jobAt, SweepFeaturesJob, {
      queriesAt,
      queryCount,
      sliceCount,
      isFace: Number(kind === 'VF'),
      resultsAt,
      scratchAt,
    });
    arena.f64.set([separation, tolerance, RESOLUTION], (jobAt + SweepFeaturesJob.at.separation) / 8);
    runStep(context, 'sweepFeatures', jobAt, sliceCount);
    return readResults(arena, resultsAt, queryCount);
  } finally {
    blocks.releaseAll();
  }
}

function readResults(
  { u32, f64 }: EngineContext['arena'],
  resultsAt: number,
  queryCount: number,
): FeatureContacts {
  const contacts = {
    __proto__: printedContacts,
    verdict: new Uint8Array(queryCount),
    toi: new Float64Array(queryCount),
    bound: new Float64Array(queryCount),
    moments: new Uint32Array(queryCount),
  } as FeatureContacts;
  for (let i = 0, at = resultsAt; i < queryCount; i++, at += SweptFeatures.size) {
    contacts.verdict[i] = u32[(at + SweptFeatures.at.verdict) / 4];
    contacts.toi[i] = f64[(at + SweptFeatures.at.toi) / 8];
    contacts.bound[i] = f64[(at + SweptFeatures.at.bound) / 8];
    contacts.moments[i] = u32[(at + SweptFeatures.at.moments) / 4];
  }
  return contacts;
}

// Replaces each result for which `isSelected(verdict)` is true. If the kernel could not decide the pair,
// decides it exactly. If the kernel proved a contact, computes the exact time of this contact.
function decideExactly(
  { verdict, toi, bound }: FeatureContacts,
  queries: Float64Array,
  isFace: boolean,
  isSelected: (verdict: number) => boolean,
): void {
  verdict.forEach((kernelVerdict, i) => {
    if (!isSelected(kernelVerdict)) return;
    const query = queries.subarray(i * QUERY_DOUBLES, (i + 1) * QUERY_DOUBLES);
    const contact: ExactContact | undefined =
      kernelVerdict === limits.NEAR ? exactContact(query, isFace) : exactCrossing(query, isFace, toi[i]);
    verdict[i] = contact ? limits.REACHED : limits.CLEAR;
    toi[i] = contact ? contact.toi : 1;
    bound[i] = contact ? contact.bound : 0;
  });
}
