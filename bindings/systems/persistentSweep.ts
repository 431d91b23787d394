// Boxes that move -> their pairs by lists of endpoints that stay sorted from frame to frame: pairs begin and end as endpoints
// pass one another (Avril, Gouranton and Arnaldi s3.1.1; I-COLLIDE).
import { compare, PairTable } from '../contacts.js';
import { MergeEventsJob } from '../layout.js';
import { Buffer } from '../memory.js';
import { setWords } from '../record.js';
import { LostSlice, retry } from '../steps.js';
import { EndpointLists } from './endpointLists.js';
import { KeptBoxes } from './keptBoxes.js';
import { PairBuffer } from './pairBuffer.js';
import type { KeeperHost, KeptPairs, PairKeeper } from './pairKeeper.js';
import type { PairList } from './pairSort.js';

/** Insertion costs more, where boxes jump, than sorting anew: on an axis with more swaps than this an endpoint, in the mean, it is given up. */
const SWAPS_AN_ENDPOINT = 32;

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
        this.reason = error instanceof LostSlice ? 'a worker was lost: sorted anew' : 'the last call did not end: sorted anew';
        throw error;
      }
    });
    kept.stats.milliseconds = performance.now() - startedAt;
    return kept;
  }

  dispose(): void { for (const part of [this.boxes, this.job, this.lists, this.last, this.former]) part.dispose(); }

  private findAnew(reason: string, swaps: number): KeptPairs {
    const { host, boxes, lists } = this;
    lists.list(boxes);
    const { list, stats } = host.boxPairs(boxes.at, boxes.count, { method: 'sap' });
    this.former.take(list);
    this.exchange();
    boxes.settle();
    this.reason = undefined;
    return {
      list: this.last.place, stats: { ...stats, method: 'sap-persistent', reason, swaps },
      changes: (began, ended) => compare(this.view(this.former), this.view(this.last), began, new PairTable(), ended),
    };
  }

  private follow(): KeptPairs {
    const { host, boxes, lists } = this;
    const { events, swaps, tests, isOver } = lists.sort(boxes, this.swapsAnEndpoint * 2 * boxes.count);
    if (isOver) return this.findAnew(`more than ${this.swapsAnEndpoint} swaps an endpoint: sorted anew`, swaps);
    const changes = events.some(({ count }) => count > 0) ? host.sort(events, 2 * boxes.count) : { aAt: 0, bAt: 0, count: 0 };
    if (changes.count > 0) this.merge(changes);
    lists.settle(boxes);
    return {
      list: this.last.place, changes: (began, ended) => this.tell(changes, began, ended),
      stats: { method: 'sap-persistent', reason: 'endpoints stayed sorted from the last frame', tests, places: 6 * boxes.count, swaps, milliseconds: 0 },
    };
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
