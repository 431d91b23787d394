// Boxes that move -> from frame to frame, which of them overlap, and what has begun and ended.
import type { Backend } from './backend.js';
import { compare, PairTable, type BodyPairs } from './contacts.js';
import { Disposed, InvalidBoxes, Unsupported } from './errors.js';
import { Buffer } from './memory.js';
import { BoxPairs, type Clock } from './results.js';
import type { BoxPairsOptions, FoundPairs } from './systems/boxPairs.js';
import { BOX_BYTES, checkBoxes } from './systems/boxSet.js';

/** What a broad phase needs of its engine. */
export interface BroadPhaseHost {
  backend: Backend;
  clock: Clock;
  /** A computing call begins. @throws Disposed */
  tick(): void;
  boxPairs(boxesAt: number, count: number, options: BoxPairsOptions): FoundPairs;
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
  private readonly boxes: Buffer;
  private boxCount = 0;
  private readonly last = new PairTable();
  private readonly begun = new PairTable();
  private readonly kept = new PairTable();
  private readonly over = new PairTable();
  private isDisposed = false;

  constructor(host: BroadPhaseHost, { method = 'auto', events = 'on' }: BroadPhaseOptions) {
    if (!['auto', 'sap', 'octree'].includes(method)) throw new Unsupported(`method is ${String(method)}, not 'auto', 'sap' or 'octree'`, 'leave method out');
    if (events !== 'on' && events !== 'off') throw new Unsupported(`events is ${String(events)}, not 'on' or 'off'`, 'leave events out');
    this.host = host;
    this.method = method;
    this.hasEvents = events === 'on';
    this.boxes = new Buffer(host.backend.arena);
  }

  /** Boxes that are there. */
  get count(): number { return this.boxCount; }

  /** Replaces all boxes, six floats each: least x, y, z, then greatest. Box i keeps its number. @throws InvalidBoxes, Capacity */
  set(boxes: Float32Array): void {
    this.open();
    checkBoxes('boxes', boxes);
    checkFinite(boxes);
    const at = this.boxes.reserve(boxes.byteLength + 16);
    this.host.backend.arena.f32.set(boxes, at / 4);
    this.boxCount = boxes.length / 6;
  }

  /** Moves boxes ids[k] to boxes[6 k .. 6 k + 5]. @throws InvalidBoxes, with nothing changed */
  move(ids: Uint32Array, boxes: Float32Array): void {
    this.open();
    checkBoxes('boxes', boxes);
    if (!(ids instanceof Uint32Array) || 6 * ids.length !== boxes.length) {
      throw new InvalidBoxes(`ids is ${ids instanceof Uint32Array ? `of length ${ids.length}` : String(ids)} for ${boxes.length / 6} boxes`, 'pass a Uint32Array with one number a box');
    }
    const wrong = ids.findIndex((id) => id >= this.boxCount);
    if (wrong >= 0) throw new InvalidBoxes(`ids[${wrong}] is ${ids[wrong]}, but there are ${this.boxCount} boxes`, 'pass numbers of boxes that set gave');
    checkFinite(boxes);
    const { f32 } = this.host.backend.arena;
    for (let k = 0, from = 0; k < ids.length; k++) {
      for (let to = (this.boxes.at + ids[k]! * BOX_BYTES) / 4, end = to + 6; to < end; to++, from++) f32[to] = boxes[from]!;
    }
  }

  /** Pairs that overlap now: views that hold until the engine's next call. @throws Unsupported, Capacity, Disposed */
  pairs({ order = 'sorted' }: Pick<BoxPairsOptions, 'order'> = {}): BoxPairs {
    this.open();
    const { backend: { arena }, clock } = this.host;
    const { list, found, stats } = this.host.boxPairs(this.boxes.at, this.boxCount, { method: this.method, order: this.hasEvents ? 'sorted' : order });
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

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.boxes.dispose();
  }

  [Symbol.dispose](): void { this.dispose(); }

  private open(): void {
    if (this.isDisposed) throw new Disposed('the broad phase was disposed', 'create another with createBroadPhase()');
    this.host.tick();
  }
}

// Of boxes that are not empty every value; of empty ones only NaN is refused.
function checkFinite(boxes: Float32Array): void {
  for (let i = 0; i < boxes.length; i++) {
    const value = boxes[i]!;
    if (value - value === 0) continue;
    const first = i - (i % 6);
    const isEmpty = [0, 1, 2].some((axis) => boxes[first + axis]! > boxes[first + axis + 3]!);
    if (!isEmpty || Number.isNaN(value)) throw new InvalidBoxes(`boxes[${i}] is ${value}, not a finite number`, `correct box ${first / 6}, or leave it out`);
  }
}
