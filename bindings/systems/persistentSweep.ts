// Boxes that move -> their pairs by lists of endpoints that stay sorted from frame to frame: pairs begin and end as endpoints
// pass one another (Avril, Gouranton and Arnaldi s3.1.1; I-COLLIDE).
import { compare, PairTable } from '../contacts.js';
import { MergeEventsJob } from '../layout.js';
import { Buffer } from '../memory.js';
import { setWords } from '../record.js';
import type { BoxPairsStats } from '../stats.js';
import { LostSlice, retry } from '../steps.js';
import { EndpointLists } from './endpointLists.js';
import { KeptBoxes } from './keptBoxes.js';
import { PairBuffer } from './pairBuffer.js';
import type { KeeperHost, KeptPairs, PairKeeper } from './pairKeeper.js';
import type { PairList } from './pairSort.js';

/** Of an axis: where endpoints pass more others than this, in the mean, finding all pairs anew is quicker, and the sort is given up. */
const SWAPS_AN_ENDPOINT = 2;
/** Given up no sooner than this: few boxes are sorted in no time. */
const FEW_SWAPS = 1024;
/** Frames without lists after one that was given up; twice as many after the next. */
const MOST_RESTS = 15;
const NONE: PairList = { aAt: 0, bAt: 0, count: 0 };
const TOO_FAR = 'endpoints passed too many others: all pairs were found anew';

export class PersistentSweep implements PairKeeper {
  private readonly host: KeeperHost;
  private readonly swapsAnEndpoint: number;
  private readonly boxes: KeptBoxes;
  private readonly job: Buffer;
  private lists: EndpointLists;
  // The last frame's pairs, sorted, and those of the one before.
  private last: PairBuffer;
  private former: PairBuffer;
  // Why the lists hold nothing, if so.
  private reason: string | undefined = 'boxes were set';
  /** Frames to come without lists, and how many there were after the last sort that was given up. */
  private restsLeft = 0;
  private rests = 0;
  private readonly persisted = new PairTable();

  constructor(host: KeeperHost, swapsAnEndpoint = SWAPS_AN_ENDPOINT) {
    const { backend } = host;
    this.host = host;
    this.swapsAnEndpoint = swapsAnEndpoint;
    this.boxes = new KeptBoxes(backend);
    this.job = new Buffer(backend.arena);
    this.lists = new EndpointLists(backend, host.pairCapacity);
    this.last = new PairBuffer(backend);
    this.former = new PairBuffer(backend);
  }

  get count(): number { return this.boxes.count; }

  set(boxes: Float32Array): void {
    this.boxes.set(boxes);
    this.reason = 'boxes were set';
    this.restsLeft = this.rests = 0;
  }

  move(ids: Uint32Array, boxes: Float32Array): void { this.boxes.move(ids, boxes); }

  // Sorted, whatever the order: they are kept so.
  pairs(): KeptPairs {
    const startedAt = performance.now();
    const kept = retry(() => {
      try {
        return this.reason === undefined ? this.follow() : this.findAnew(this.reason, 0);
      } catch (error) {
        // Half sorted; and a lost worker may still write to them.
        this.lists.dispose();
        this.lists = new EndpointLists(this.host.backend, this.host.pairCapacity);
        this.reason = error instanceof LostSlice ? 'a worker was lost: all pairs were found anew' : 'the last call did not end: all pairs were found anew';
        throw error;
      }
    });
    kept.stats.milliseconds = performance.now() - startedAt;
    return kept;
  }

  dispose(): void { for (const part of [this.boxes, this.job, this.lists, this.last, this.former]) part.dispose(); }

  // With new lists for the next frame, unless it is likely to give them up.
  private findAnew(reason: string, swaps: number): KeptPairs {
    const { host, boxes, lists } = this;
    if (this.restsLeft === 0) lists.list(boxes);
    const { list, stats } = host.boxPairs(boxes.at, boxes.count, {});
    this.former.take(list);
    this.exchange();
    boxes.settle();
    this.reason = this.restsLeft > 0 ? TOO_FAR : undefined;
    this.restsLeft = Math.max(0, this.restsLeft - 1);
    return {
      list: this.last.place, stats: { ...stats, method: 'sap-persistent', reason, swaps },
      changes: (began, ended) => compare(this.view(this.former), this.view(this.last), began, this.persisted, ended),
    };
  }

  private follow(): KeptPairs {
    const { host, boxes, lists } = this;
    if (boxes.movedCount === 0) return this.followed('nothing has moved', NONE, { tests: 0, places: 0, swaps: 0 });
    const { events, swaps, tests, isOver } = lists.sort(boxes, Math.max(FEW_SWAPS, this.swapsAnEndpoint * 2 * boxes.count));
    if (isOver) {
      this.restsLeft = this.rests = Math.min(MOST_RESTS, 2 * this.rests + 1);
      return this.findAnew(TOO_FAR, swaps);
    }
    this.rests = 0;
    const changes = events.some(({ count }) => count > 0) ? host.sort(events, 2 * boxes.count) : NONE;
    if (changes.count > 0) this.merge(changes);
    lists.settle(boxes);
    return this.followed('endpoints stayed sorted from the last frame', changes, { tests, places: 6 * boxes.count, swaps });
  }

  private followed(reason: string, changes: PairList, counts: Pick<BoxPairsStats, 'tests' | 'places' | 'swaps'>): KeptPairs {
    return { list: this.last.place, changes: (began, ended) => this.tell(changes, began, ended), stats: { method: 'sap-persistent', reason, ...counts, milliseconds: 0, stages: {} } };
  }

  private merge({ aAt, bAt, count }: PairList): void {
    const { last, former, host: { backend: { arena, pool } } } = this;
    former.makeRoom(last.count + count, 0);
    const jobAt = this.job.reserve(MergeEventsJob.size);
    setWords(arena.u32, jobAt, MergeEventsJob, { ...last.place, eventsAAt: aAt, eventsBAt: bAt, eventCount: count, toAAt: former.aAt, toBAt: former.bAt });
    pool.kernels.mergeEvents(jobAt, 0, 1);
    former.count = arena.u32[(jobAt + MergeEventsJob.at.toCount) / 4]!;
    this.exchange();
  }

  private exchange(): void { [this.last, this.former] = [this.former, this.last]; }

  private tell({ aAt, bAt, count }: PairList, began: PairTable, ended: PairTable): void {
    const { u32 } = this.host.backend.arena;
    began.clear();
    ended.clear();
    for (let i = 0; i < count; i++) {
      const a = u32[aAt / 4 + i]!, code = u32[bAt / 4 + i]!;
      (code & 1 ? ended : began).add(a, code >>> 1);
    }
  }

  private view({ aAt, bAt, count }: PairList): { count: number; a: Uint32Array; b: Uint32Array } {
    const { u32 } = this.host.backend.arena;
    return { count, a: u32.subarray(aAt / 4, aAt / 4 + count), b: u32.subarray(bAt / 4, bAt / 4 + count) };
  }
}
