// Meshes in motion -> contacts of their features: boxes of faces over the whole motion, the pairs of them that meet, and of
// those the features that do.
import type { Backend } from '../backend.js';
import { SweepFeaturesJob } from '../continuousLayout.js';
import { Buffer, type Arena } from '../memory.js';
import { setWords } from '../record.js';
import { StageClock } from '../stageClock.js';
import type { SweepStage, SweepStats } from '../stats.js';
import { runStep } from '../steps.js';
import type { SweepHow } from '../sweepOptions.js';
import { BoundSweptJob, SweepFacesJob, SweepQuestion, sweptLimits, SweptMesh } from '../sweptLayout.js';
import { BOX_BYTES } from './boxSet.js';
import { ContactLists } from './contactLists.js';
import type { MovingMesh } from './sweptMesh.js';
import type { PairList } from './pairSort.js';

const FACES_A_SLICE = 8192;

/** TurningBodies, and of which coarse piece of their step points are the ends; nothing where points move straight. */
export interface TurningPiece { bodyA: number; bodyB: number; piece: number }
const STRAIGHT: TurningPiece = { bodyA: 0, bodyB: 0, piece: 0 };

/** Boxes that lie in engine memory -> pairs that meet: of one set, or of the boxes before secondFrom with those from there on. */
export type FindBoxPairs = (boxesAt: number, count: number, secondFrom: number | undefined) => PairList;

export class FaceSweep {
  readonly lists: ContactLists;
  readonly clock = new StageClock<SweepStage>();
  /** Of the runs since `start`: see SweepStats. */
  facePairs = 0;
  featurePairs = 0;
  directions = 0;
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
    const faceCount = a.faceCount + (b?.faceCount ?? 0), boxesAt = this.boxes.reserve(BOX_BYTES * faceCount + 16);
    this.bound(a, boxesAt, options.margin);
    if (b) this.bound(b, boxesAt + BOX_BYTES * a.faceCount, options.margin);
    this.clock.end('bound');
    const { aAt, bAt, count } = this.findPairs(boxesAt, faceCount, b ? a.faceCount : undefined);
    this.facePairs += count;
    this.clock.end('faces');
    const jobAt = this.job.reserve(SweepFacesJob.size + SweepQuestion.size), questionAt = jobAt + SweepFacesJob.size, { arena, pool } = this.backend;
    writeQuestion(arena, questionAt, options, !b);
    const listCount = Math.max(1, Math.min(pool.threadCount, Math.ceil(count / sweptLimits.FACES_A_TURN)));
    this.lists.prepare(listCount);
    do {
      this.lists.reset();
      setWords(arena.u32, jobAt, SweepFacesJob, {
        ...turning, questionAt, sweptA: a.at, sweptB: (b ?? a).at, pairsAAt: aAt, pairsBAt: bAt, pairCount: count, cursor: 0, listsAt: this.lists.at,
      });
      runStep(this.backend, 'sweepFaces', jobAt, listCount);
    } while (this.lists.grow());
    this.featurePairs += this.lists.sum('featureTests');
    this.directions += this.lists.sum('moments');
    this.clock.end('features');
  }

  /** Counts anew. */
  start(): void {
    this.clock.start();
    this.facePairs = this.featurePairs = this.directions = 0;
  }

  /** What has been done since, with collecting the contacts. */
  summarise(startedAt: number): SweepStats {
    this.clock.end('collect');
    const { facePairs, featurePairs, directions } = this;
    return { facePairs, featurePairs, directions, milliseconds: this.clock.last - startedAt, stages: this.clock.stages };
  }

  dispose(): void {
    this.lists.dispose();
    for (const buffer of [this.boxes, this.job]) buffer.dispose();
  }

  private bound(swept: MovingMesh, boxesAt: number, margin: number): void {
    const { backend, backend: { arena, pool } } = this;
    const sliceCount = Math.max(1, Math.min(pool.threadCount, Math.floor(swept.faceCount / FACES_A_SLICE)));
    const jobAt = this.job.reserve(Math.max(BoundSweptJob.size, SweepFacesJob.size + SweepQuestion.size));
    setWords(arena.u32, swept.at, SweptMesh, { boxesAt });
    setWords(arena.u32, jobAt, BoundSweptJob, { sweptAt: swept.at, sliceCount });
    arena.f64[(jobAt + BoundSweptJob.at.margin) / 8] = margin;
    runStep(backend, 'boundSwept', jobAt, sliceCount);
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
