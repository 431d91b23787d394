// Tests pairs of features (vertices, edges or faces) of moving meshes, and collects the contacts with their
// times.

import type { PairList } from '../broadphase/pairSort.js';
import { StageClock } from '../core/stageClock.js';
import type { SweepStage, SweepStats } from '../core/stats.js';
import { continuousLimits, SweepFeaturesJob } from '../records/continuousLayout.js';
import { setWords } from '../records/record.js';
import { Contact, SweepPairsJob, SweepQuery, sweptLimits } from '../records/sweptLayout.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { type Arena, GrowableBlock } from '../runtime/memory.js';
import { runStep } from '../runtime/steps.js';
import { ContactBuffer } from './contactBuffer.js';
import { ContactLists, NO_COUNTS, type SweepCounts, sumOfCounts } from './contactLists.js';
import { facesIntersectAtStart } from './facesIntersectAtStart.js';
import type { FeatureKinds } from './featureBoxes.js';
import type { MovingMesh } from './movingMesh.js';
import type { SweepSettings } from './sweepOptions.js';

const { VERTEX_FACE, FACE_VERTEX, EDGE_EDGE, START } = sweptLimits;
/** A sweep of a mesh against itself omits the last kind, which would repeat the pairs of VERTEX_FACE. */
const KINDS: readonly FeatureKinds[] = [
  { kind: EDGE_EDGE, cornersA: 2, cornersB: 2 },
  { kind: VERTEX_FACE, cornersA: 1, cornersB: 3 },
  { kind: FACE_VERTEX, cornersA: 3, cornersB: 1 },
];
/**
 * Pairs of triangles at the start. Tests of these pairs also find intersections in which no vertex touches a
 * face and no edge touches an edge.
 */
export const AT_START: FeatureKinds = { kind: START, cornersA: 3, cornersB: 3 };
export const kindsOf = (isSelf: boolean): readonly FeatureKinds[] => (isSelf ? KINDS.slice(0, 2) : KINDS);

/**
 * One substep of the sweep of a rotation. `bodyA`, `bodyB`: byte addresses of the RotatingBody records.
 * `substep`: index of the substep; the points of the meshes are given at its start and at its end. If points
 * move linearly, all three fields are 0.
 */
export interface RotationSubstep {
  bodyA: number;
  bodyB: number;
  substep: number;
}
const NO_ROTATION: RotationSubstep = { bodyA: 0, bodyB: 0, substep: 0 };

export class FeaturePairSweep {
  readonly lists: ContactLists;
  readonly clock = new StageClock<SweepStage>();
  /** Sums of the counters of all runs since `reset`. */
  counts: SweepCounts = NO_COUNTS;
  readonly #context: EngineContext;
  readonly #job: GrowableBlock;

  constructor(context: EngineContext) {
    this.#context = context;
    this.lists = new ContactLists(context);
    this.#job = new GrowableBlock(context.arena);
  }

  /**
   * Tests pairs of a feature of `a` and a feature of `b`, and appends the contacts to the lists. Without `b`,
   * both features belong to `a`. If `lists.grow` later returns true, a list was too short, and all calls
   * since `lists.reset` must be repeated.
   * @throws WorkerLost, Capacity
   */
  sweepPairs(
    kind: number,
    a: MovingMesh,
    b: MovingMesh | undefined,
    { aAt, bAt, count: pairCount }: PairList,
    options: SweepSettings,
    rotation = NO_ROTATION,
  ): void {
    const { arena, pool } = this.#context;
    const jobAt = this.#job.reserve(SweepPairsJob.size + SweepQuery.size);
    const sweepQueryAt = jobAt + SweepPairsJob.size;
    writeSweepQuery(arena, sweepQueryAt, options, !b);
    setWords(arena.u32, jobAt, SweepPairsJob, {
      sweepQueryAt,
      kind,
      sweptA: a.at,
      sweptB: (b ?? a).at,
      pairsAAt: aAt,
      pairsBAt: bAt,
      pairCount,
      cursor: 0,
      listsAt: this.lists.at,
      ...rotation,
    });
    runStep(
      this.#context,
      'sweepPairs',
      jobAt,
      Math.max(1, Math.min(pool.threadCount, Math.ceil(pairCount / sweptLimits.PAIR_CHUNK))),
    );
    this.clock.end('features');
  }

  /** Adds the lists' counters to `counts`. */
  addCounts(): void {
    this.counts = sumOfCounts(this.counts, this.lists.counts);
  }

  /**
   * Returns copies of those contacts in the lists whose two triangles share a point at the start. An exact test
   * decides the contacts that the kernel left undecided. Afterwards the lists can be reused.
   */
  takeStartContacts(a: MovingMesh, b: MovingMesh | undefined): ContactBuffer {
    const { arena } = this.#context;
    const starts = new ContactBuffer();
    starts.append(
      arena,
      this.lists.contacts.filter(
        address =>
          arena.u32[(address + Contact.at.verdict) / 4] === continuousLimits.REACHED ||
          facesIntersectAtStart(arena, address, a, b ?? a),
      ),
    );
    return starts;
  }

  /** Resets the clock and the counters. */
  reset(): void {
    this.clock.start();
    this.counts = NO_COUNTS;
  }

  /** Returns the statistics since `reset`, including the time for collecting the contacts. */
  summarize(startedAt: number): SweepStats {
    this.clock.end('collect');
    return { ...this.counts, milliseconds: this.clock.last - startedAt, stages: this.clock.stages };
  }

  dispose(): void {
    this.lists.dispose();
    this.#job.dispose();
  }
}

/** The time interval of a proven contact is not narrowed below this fraction of the step. */
const RESOLUTION = 2 ** -24;

/** Writes a SweepQuery record, which holds the options of a sweep, at byte address `at`. */
export function writeSweepQuery(
  { u32, f64 }: Arena,
  at: number,
  { separation, margin, tolerance, isFirst, isExact }: SweepSettings,
  isSelf: boolean,
): void {
  setWords(u32, at, SweepQuery, {
    isSelf: isSelf ? 1 : 0,
    isFirst: isFirst ? 1 : 0,
    isExact: isExact ? 1 : 0,
    atStart: 0,
  });
  f64[(at + SweepQuery.at.margin) / 8] = margin;
  for (const [field, isFace] of [
    ['faceOptions', 1],
    ['edgeOptions', 0],
  ] as const) {
    const options = at + SweepQuery.at[field];
    u32[(options + SweepFeaturesJob.at.isFace) / 4] = isFace;
    f64[(options + SweepFeaturesJob.at.separation) / 8] = separation;
    f64[(options + SweepFeaturesJob.at.tolerance) / 8] = tolerance;
    f64[(options + SweepFeaturesJob.at.resolution) / 8] = RESOLUTION;
  }
}
