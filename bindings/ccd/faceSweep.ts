// Pairs of features of meshes in motion -> those that touch, with their times.

import type { PairList } from '../broadphase/pairSort.js';
import { StageClock } from '../core/stageClock.js';
import type { SweepStage, SweepStats } from '../core/stats.js';
import { continuousLimits, SweepFeaturesJob } from '../records/continuousLayout.js';
import { setWords } from '../records/record.js';
import { Contact, SweepPairsJob, SweepQuestion, sweptLimits } from '../records/sweptLayout.js';
import type { Backend } from '../runtime/backend.js';
import { type Arena, Buffer } from '../runtime/memory.js';
import { runStep } from '../runtime/steps.js';
import { ContactLists, NO_COUNTS, type SweepCounts, sumOfCounts } from './contactLists.js';
import type { FeatureKinds } from './featureBoxes.js';
import { KeptContacts } from './keptContacts.js';
import { meetAtStart } from './meetAtStart.js';
import type { SweepHow } from './sweepOptions.js';
import type { MovingMesh } from './sweptMesh.js';

const { VERTEX_FACE, FACE_VERTEX, EDGE_EDGE, START } = sweptLimits;
/** Of one mesh with itself all but the last. */
const KINDS: readonly FeatureKinds[] = [
  { kind: EDGE_EDGE, cornersA: 2, cornersB: 2 },
  { kind: VERTEX_FACE, cornersA: 1, cornersB: 3 },
  { kind: FACE_VERTEX, cornersA: 3, cornersB: 1 },
];
/**
 * Triangles where they are at the start: the pairs that meet there without a vertex on a face or an edge on
 * an edge, too.
 */
export const AT_START: FeatureKinds = { kind: START, cornersA: 3, cornersB: 3 };
export const kindsOf = (isSelf: boolean): readonly FeatureKinds[] => (isSelf ? KINDS.slice(0, 2) : KINDS);

/**
 * TurningBodies, and of which coarse piece of their step points are the ends; nothing where points move
 * straight.
 */
export interface TurningPiece {
  bodyA: number;
  bodyB: number;
  piece: number;
}
const STRAIGHT: TurningPiece = { bodyA: 0, bodyB: 0, piece: 0 };

export class FaceSweep {
  readonly lists: ContactLists;
  readonly clock = new StageClock<SweepStage>();
  /** Of the runs since `start`. */
  counts: SweepCounts = NO_COUNTS;
  readonly #backend: Backend;
  readonly #job: Buffer;

  constructor(backend: Backend) {
    this.#backend = backend;
    this.lists = new ContactLists(backend);
    this.#job = new Buffer(backend.arena);
  }

  /**
   * Appends to the lists the contacts among pairs of features of `a` and of `b`, or, it being undefined, of `a`.
   * They are whole once `lists.grow` says false. @throws WorkerLost, Capacity
   */
  sweepPairs(
    kind: number,
    a: MovingMesh,
    b: MovingMesh | undefined,
    { aAt, bAt, count }: PairList,
    options: SweepHow,
    turning = STRAIGHT,
  ): void {
    const { arena, pool } = this.#backend;
    const jobAt = this.#job.reserve(SweepPairsJob.size + SweepQuestion.size);
    const questionAt = jobAt + SweepPairsJob.size;
    writeQuestion(arena, questionAt, options, !b);
    setWords(arena.u32, jobAt, SweepPairsJob, {
      ...turning,
      questionAt,
      kind,
      sweptA: a.at,
      sweptB: (b ?? a).at,
      pairsAAt: aAt,
      pairsBAt: bAt,
      pairCount: count,
      cursor: 0,
      listsAt: this.lists.at,
    });
    runStep(
      this.#backend,
      'sweepPairs',
      jobAt,
      Math.max(1, Math.min(pool.threadCount, Math.ceil(count / sweptLimits.PAIRS_A_TURN))),
    );
    this.clock.end('features');
  }

  /** Adds what the lists counted to the counts. */
  count(): void {
    this.counts = sumOfCounts(this.counts, this.lists.counts);
  }

  /**
   * Returns those contacts in the lists, of triangles whose boxes meet at the start, that share a point there,
   * decided exactly. They are copies: the lists are free.
   */
  takeStarts(a: MovingMesh, b: MovingMesh | undefined): KeptContacts {
    const { arena } = this.#backend;
    const kept = new KeptContacts();
    kept.take(
      arena,
      this.lists.contacts.filter(
        address =>
          arena.u32[(address + Contact.at.verdict) / 4] === continuousLimits.REACHED ||
          meetAtStart(arena, address, a, b ?? a),
      ),
    );
    return kept;
  }

  /** Counts anew. */
  start(): void {
    this.clock.start();
    this.counts = NO_COUNTS;
  }

  /** What has been done since, with collecting the contacts. */
  summarise(startedAt: number): SweepStats {
    this.clock.end('collect');
    return { ...this.counts, milliseconds: this.clock.last - startedAt, stages: this.clock.stages };
  }

  dispose(): void {
    this.lists.dispose();
    this.#job.dispose();
  }
}

/** A proven contact's time is not bounded more closely than this. */
const RESOLUTION = 2 ** -24;

/** A SweepQuestion at `at`. */
export function writeQuestion(
  { u32, f64 }: Arena,
  at: number,
  { separation, margin, tolerance, isFirst, isExact }: SweepHow,
  isSelf: boolean,
): void {
  setWords(u32, at, SweepQuestion, {
    isSelf: isSelf ? 1 : 0,
    isFirst: isFirst ? 1 : 0,
    isExact: isExact ? 1 : 0,
    atStart: 0,
  });
  f64[(at + SweepQuestion.at.margin) / 8] = margin;
  for (const [field, isFace] of [
    ['faceOptions', 1],
    ['edgeOptions', 0],
  ] as const) {
    const options = at + SweepQuestion.at[field];
    u32[(options + SweepFeaturesJob.at.isFace) / 4] = isFace;
    f64[(options + SweepFeaturesJob.at.separation) / 8] = separation;
    f64[(options + SweepFeaturesJob.at.tolerance) / 8] = tolerance;
    f64[(options + SweepFeaturesJob.at.resolution) / 8] = RESOLUTION;
  }
}
