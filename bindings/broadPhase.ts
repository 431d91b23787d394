// Boxes that move -> from frame to frame, which of them overlap, and what has begun and ended.
import { compare, PairTable, type BodyPairs } from './contacts.js';
import { Disposed, InvalidBoxes } from './errors.js';
import { oneOf } from './options.js';
import { BoxPairs, type Clock } from './results.js';
import { checkKeptMethod, ORDERS, type BoxPairsOptions } from './systems/boxPairs.js';
import { checkBoxes } from './systems/boxSet.js';
import { ChoosingKeeper } from './systems/choosingKeeper.js';
import { Movers } from './systems/movers.js';
import { OctreeKeeper } from './systems/octreeKeeper.js';
import type { KeeperHost, PairKeeper } from './systems/pairKeeper.js';
import { PersistentSweep } from './systems/persistentSweep.js';
import { TreeKeeper } from './systems/treeKeeper.js';

/** What a broad phase needs of its engine. */
export interface BroadPhaseHost extends KeeperHost {
  clock: Clock;
  /** A computing call begins. @throws Disposed */
  tick(): void;
}

export interface BroadPhaseOptions {
  /** How pairs are found; they are the same. 'sap-persistent' keeps sorted lists of endpoints: for motion by small steps. Default 'auto'. */
  method?: BoxPairsOptions['method'] | 'sap-persistent';
  /** Whether `began` and `ended` are kept. 'off' lets pairs() leave them unsorted. Default 'on'. */
  events?: 'on' | 'off';
}

function makeKeeper(host: KeeperHost, method: NonNullable<BroadPhaseOptions['method']>): PairKeeper {
  if (method === 'sap-persistent') return new PersistentSweep(host);
  if (method === 'tree') return new TreeKeeper(host);
  if (method === 'octree') return new OctreeKeeper(host);
  return method === 'auto' ? new ChoosingKeeper(host) : new Movers(host, method);
}

/** Boxes kept between frames. Made by createBroadPhase. */
export class BroadPhase {
  private readonly host: BroadPhaseHost;
  private readonly hasEvents: boolean;
  private readonly keeper: PairKeeper;
  private readonly last = new PairTable();
  private readonly begun = new PairTable();
  private readonly kept = new PairTable();
  private readonly over = new PairTable();
  private isDisposed = false;

  constructor(host: BroadPhaseHost, { method = 'auto', events = 'on' }: BroadPhaseOptions) {
    checkKeptMethod(method);
    oneOf('events', events, ['on', 'off']);
    this.host = host;
    this.hasEvents = events === 'on';
    this.keeper = makeKeeper(host, method);
  }

  /** Boxes that are there. */
  get count(): number { return this.keeper.count; }

  /** Replaces all boxes, six floats each: least x, y, z, then greatest. Box i keeps its number. @throws InvalidBoxes, Capacity, with nothing changed */
  set(boxes: Float32Array): void {
    this.open();
    checkBoxes('boxes', boxes);
    this.keeper.set(boxes);
  }

  /** Moves boxes ids[k] to boxes[6 k .. 6 k + 5]. @throws InvalidBoxes, with nothing changed */
  move(ids: Uint32Array, boxes: Float32Array): void {
    this.open();
    checkBoxes('boxes', boxes);
    if (!(ids instanceof Uint32Array) || 6 * ids.length !== boxes.length) {
      throw new InvalidBoxes(`ids is ${ids instanceof Uint32Array ? `of length ${ids.length}` : String(ids)} for ${boxes.length / 6} boxes`, 'pass a Uint32Array with one number a box');
    }
    this.keeper.move(ids, boxes);
  }

  /** Pairs that overlap now: views that hold until the engine's next call. @throws Unsupported, Capacity, Disposed */
  pairs({ order = 'sorted' }: Pick<BoxPairsOptions, 'order'> = {}): BoxPairs {
    this.open();
    oneOf('order', order, ORDERS);
    const { backend: { arena }, clock } = this.host;
    const { list, stats, changes } = this.keeper.pairs(this.hasEvents ? 'sorted' : order);
    const found = list.count;
    if (this.hasEvents && changes) changes(this.begun, this.over);
    else if (this.hasEvents) {
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

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.keeper.dispose();
  }

  [Symbol.dispose](): void { this.dispose(); }

  private open(): void {
    if (this.isDisposed) throw new Disposed('the broad phase was disposed', 'create another with createBroadPhase()');
    this.host.tick();
  }
}
