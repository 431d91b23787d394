// Boxes that move -> from frame to frame, which of them overlap, and what has begun and ended.
import type { Backend } from './backend.js';
import { compare, PairTable, type BodyPairs } from './contacts.js';
import { Disposed, InvalidBoxes } from './errors.js';
import { oneOf } from './options.js';
import { BoxPairs, type Clock } from './results.js';
import { METHODS, ORDERS, type BoxPairsOptions, type FindOptions, type FoundPairs } from './systems/boxPairs.js';
import { checkBoxes } from './systems/boxSet.js';
import { Movers } from './systems/movers.js';
import type { PairList } from './systems/pairSort.js';

/** What a broad phase needs of its engine. */
export interface BroadPhaseHost {
  backend: Backend;
  clock: Clock;
  /** A computing call begins. @throws Disposed */
  tick(): void;
  boxPairs(boxesAt: number, count: number, options: FindOptions): FoundPairs;
  sort(list: PairList, boxCount: number): PairList;
}

export interface BroadPhaseOptions {
  /** How pairs are found; they are the same. Default 'auto'. */
  method?: BoxPairsOptions['method'];
  /** Whether `began` and `ended` are kept. 'off' lets pairs() leave them unsorted. Default 'on'. */
  events?: 'on' | 'off';
}

/** Boxes kept between frames. Made by createBroadPhase. */
export class BroadPhase {
  private readonly host: BroadPhaseHost;
  private readonly method: BoxPairsOptions['method'];
  private readonly hasEvents: boolean;
  private readonly movers: Movers;
  private readonly last = new PairTable();
  private readonly begun = new PairTable();
  private readonly kept = new PairTable();
  private readonly over = new PairTable();
  private isDisposed = false;

  constructor(host: BroadPhaseHost, { method = 'auto', events = 'on' }: BroadPhaseOptions) {
    oneOf('method', method, METHODS);
    oneOf('events', events, ['on', 'off']);
    this.host = host;
    this.method = method;
    this.hasEvents = events === 'on';
    this.movers = new Movers(host.backend);
  }

  /** Boxes that are there. */
  get count(): number { return this.movers.count; }

  /** Replaces all boxes, six floats each: least x, y, z, then greatest. Box i keeps its number. @throws InvalidBoxes, Capacity, with nothing changed */
  set(boxes: Float32Array): void {
    this.open();
    checkBoxes('boxes', boxes);
    this.movers.set(boxes);
  }

  /** Moves boxes ids[k] to boxes[6 k .. 6 k + 5]. @throws InvalidBoxes, with nothing changed */
  move(ids: Uint32Array, boxes: Float32Array): void {
    this.open();
    checkBoxes('boxes', boxes);
    if (!(ids instanceof Uint32Array) || 6 * ids.length !== boxes.length) {
      throw new InvalidBoxes(`ids is ${ids instanceof Uint32Array ? `of length ${ids.length}` : String(ids)} for ${boxes.length / 6} boxes`, 'pass a Uint32Array with one number a box');
    }
    this.movers.move(ids, boxes);
  }

  /** Pairs that overlap now: views that hold until the engine's next call. @throws Unsupported, Capacity, Disposed */
  pairs({ order = 'sorted' }: Pick<BoxPairsOptions, 'order'> = {}): BoxPairs {
    this.open();
    oneOf('order', order, ORDERS);
    const { backend: { arena }, clock } = this.host;
    const { list, stats } = this.find(this.hasEvents ? 'sorted' : order);
    const found = list.count;
    if (this.hasEvents) {
      const now = { count: found, a: arena.u32.subarray(list.aAt / 4, list.aAt / 4 + found), b: arena.u32.subarray(list.bAt / 4, list.bAt / 4 + found) };
      compare(this.last, now, this.begun, this.kept, this.over);
      this.last.clear();
      this.last.append(arena.u32, list.aAt / 4, list.bAt / 4, 0, found);
    }
    return new BoxPairs({ ...list, arena }, clock, () => stats, found);
  }

  /** Pairs of the last pairs() that the one before had not: views that hold until the next. */
  get began(): BodyPairs { return this.begun.view(); }
  /** Pairs of the one before that the last had not. */
  get ended(): BodyPairs { return this.over.view(); }

  // Few movers: only they are looked at. Else all pairs anew, and kept for the next frame.
  private find(order: 'sorted' | 'any'): Pick<FoundPairs, 'list' | 'stats'> {
    const { host, movers, method } = this;
    if (method !== 'octree' && movers.isWorthKeeping) {
      const startedAt = performance.now();
      let part: FoundPairs | undefined;
      const list = movers.update((boxesAt, count, bystandersFrom) => (part = host.boxPairs(boxesAt, count, { method: 'sap', order: 'any', bystandersFrom })).list);
      const sorted = order === 'sorted' ? host.sort(list, movers.count) : list;
      const milliseconds = performance.now() - startedAt;
      const stages = { ...part!.stats.stages, keep: milliseconds - part!.stats.milliseconds };
      return { list: sorted, stats: { ...part!.stats, reason: 'few boxes moved: the others\' pairs were kept', milliseconds, stages } };
    }
    const { list, stats } = host.boxPairs(movers.boxesAt, movers.count, { method, order });
    movers.remember(list);
    return { list, stats };
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.movers.dispose();
  }

  [Symbol.dispose](): void { this.dispose(); }

  private open(): void {
    if (this.isDisposed) throw new Disposed('the broad phase was disposed', 'create another with createBroadPhase()');
    this.host.tick();
  }
}
