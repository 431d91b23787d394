// Meshes in motion -> contacts of their features: boxes of vertices, edges and faces over the whole motion, the pairs of them
// that meet, and of those the ones that touch.
import type { Backend } from '../backend.js';
import { SweepFeaturesJob } from '../continuousLayout.js';
import { Buffer, type Arena } from '../memory.js';
import { setWords } from '../record.js';
import { StageClock } from '../stageClock.js';
import type { SweepStage, SweepStats } from '../stats.js';
import { runStep } from '../steps.js';
import type { SweepHow } from '../sweepOptions.js';
import { BoundSweptJob, SweepPairsJob, SweepQuestion, sweptLimits } from '../sweptLayout.js';
import { BOX_BYTES } from './boxSet.js';
import { ContactLists, NO_COUNTS, sumOfCounts, type SweepCounts } from './contactLists.js';
import type { MovingMesh } from './sweptMesh.js';
import type { PairList } from './pairSort.js';

const FEATURES_A_SLICE = 8192;

/** Corners of a vertex, an edge and a face. */
type Corners = 1 | 2 | 3;
const { VERTEX_FACE, FACE_VERTEX, EDGE_EDGE } = sweptLimits;
/** What may meet what; of one mesh with itself all but the last. */
const KINDS: readonly { kind: number; cornersA: Corners; cornersB: Corners }[] = [
  { kind: EDGE_EDGE, cornersA: 2, cornersB: 2 }, { kind: VERTEX_FACE, cornersA: 1, cornersB: 3 }, { kind: FACE_VERTEX, cornersA: 3, cornersB: 1 },
];

/** TurningBodies, and of which coarse piece of their step points are the ends; nothing where points move straight. */
export interface TurningPiece { bodyA: number; bodyB: number; piece: number }
const STRAIGHT: TurningPiece = { bodyA: 0, bodyB: 0, piece: 0 };

/** Boxes that lie in engine memory -> pairs that meet: of one set, or of the boxes before secondFrom with those from there on. */
export type FindBoxPairs = (boxesAt: number, count: number, secondFrom: number | undefined) => PairList;

export class FaceSweep {
  readonly lists: ContactLists;
  readonly clock = new StageClock<SweepStage>();
  /** Of the runs since `start`. */
  counts: SweepCounts = NO_COUNTS;
  private readonly backend: Backend;
  private readonly findPairs: FindBoxPairs;
  private readonly boxes: Buffer;
  private readonly job: Buffer;

  constructor(backend: Backend, findPairs: FindBoxPairs) {
    this.backend = backend;
    this.findPairs = findPairs;
    this.lists = new ContactLists(backend);
    this.boxes = new Buffer(backend.arena);
    this.job = new Buffer(backend.arena);
  }

  /** Contacts stay in the lists. b: another mesh; undefined: a against itself. @throws LostSlice, Capacity */
  run(a: MovingMesh, b: MovingMesh | undefined, options: SweepHow, turning = STRAIGHT): void {
    this.lists.prepare(this.backend.pool.threadCount);
    do {
      this.lists.reset();
      for (const { kind, cornersA, cornersB } of b ? KINDS : KINDS.slice(0, 2)) {
        const pairs = this.findMeeting(a, cornersA, b ?? (cornersA === cornersB ? undefined : a), cornersB, options.margin);
        this.clock.end('pairs');
        this.sweepPairs(kind, a, b, pairs, options, turning);
        this.clock.end('features');
      }
    } while (this.lists.grow());
    this.counts = sumOfCounts(this.counts, this.lists.counts);
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
    for (const buffer of [this.boxes, this.job]) buffer.dispose();
  }

  // Features of a, and of b or, it being undefined, of the same kind, whose boxes meet.
  private findMeeting(a: MovingMesh, cornersA: Corners, b: MovingMesh | undefined, cornersB: Corners, margin: number): PairList {
    const countA = a.countOf(cornersA), count = countA + (b?.countOf(cornersB) ?? 0), boxesAt = this.boxes.reserve(BOX_BYTES * count + 16);
    this.bound(a, cornersA, boxesAt, margin);
    if (b) this.bound(b, cornersB, boxesAt + BOX_BYTES * countA, margin);
    this.clock.end('bound');
    return this.findPairs(boxesAt, count, b ? countA : undefined);
  }

  private bound(swept: MovingMesh, corners: Corners, boxesAt: number, margin: number): void {
    const { backend, backend: { arena, pool } } = this;
    const sliceCount = Math.max(1, Math.min(pool.threadCount, Math.floor(swept.countOf(corners) / FEATURES_A_SLICE)));
    const jobAt = this.job.reserve(BoundSweptJob.size);
    setWords(arena.u32, jobAt, BoundSweptJob, { sweptAt: swept.at, corners, boxesAt, sliceCount });
    arena.f64[(jobAt + BoundSweptJob.at.margin) / 8] = margin;
    runStep(backend, 'boundSwept', jobAt, sliceCount);
  }

  private sweepPairs(kind: number, a: MovingMesh, b: MovingMesh | undefined, { aAt, bAt, count }: PairList, options: SweepHow, turning: TurningPiece): void {
    const { arena, pool } = this.backend, jobAt = this.job.reserve(SweepPairsJob.size + SweepQuestion.size), questionAt = jobAt + SweepPairsJob.size;
    writeQuestion(arena, questionAt, options, !b);
    setWords(arena.u32, jobAt, SweepPairsJob, {
      ...turning, questionAt, kind, sweptA: a.at, sweptB: (b ?? a).at, pairsAAt: aAt, pairsBAt: bAt, pairCount: count, cursor: 0, listsAt: this.lists.at,
    });
    runStep(this.backend, 'sweepPairs', jobAt, Math.max(1, Math.min(pool.threadCount, Math.ceil(count / sweptLimits.PAIRS_A_TURN))));
  }
}

/** A proven contact's time is not bounded more closely than this. */
const RESOLUTION = 2 ** -24;

/** A SweepQuestion at `at`. */
export function writeQuestion({ u32, f64 }: Arena, at: number, { separation, margin, tolerance, isFirst, isExact }: SweepHow, isSelf: boolean): void {
  setWords(u32, at, SweepQuestion, { isSelf: isSelf ? 1 : 0, isFirst: isFirst ? 1 : 0, isExact: isExact ? 1 : 0 });
  f64[(at + SweepQuestion.at.margin) / 8] = margin;
  for (const [field, isFace] of [['faceOptions', 1], ['edgeOptions', 0]] as const) {
    const options = at + SweepQuestion.at[field];
    u32[(options + SweepFeaturesJob.at.isFace) / 4] = isFace;
    f64[(options + SweepFeaturesJob.at.separation) / 8] = separation;
    f64[(options + SweepFeaturesJob.at.tolerance) / 8] = tolerance;
    f64[(options + SweepFeaturesJob.at.resolution) / 8] = RESOLUTION;
  }
}
