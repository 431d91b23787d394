// Holds the state of one range of octant codes. A node of the cluster keeps this state from one time step
// (frame) to the next: the range's own boxes, copies of the other ranges' boxes that reach into this range, and
// the sorted octants of both (Lucchesi, section 6.2, item 4).

import { BoxSet } from '../../broadphase/boxSet.js';
import { MAX_CHANGED } from '../../broadphase/incremental/incrementalOctree.js';
import { mergePairs, type SortedPairs } from '../../broadphase/incremental/mergePairs.js';
import { LinearOctree } from '../../broadphase/octree/octree.js';
import type { EngineHost } from '../../core/module.js';
import { StageClock } from '../../core/stageClock.js';
import { GrowableBlock } from '../../runtime/memory.js';
import { Malformed, SAME_VERSION } from '../errors.js';
import type { BoxesWithIds } from './boxBytes.js';
import type { Halo, HaloChange } from './halo.js';
import type { KeyedList } from './listEncoding.js';
import { type Grid, PairScan } from './pairScan.js';
import { ancestorsBefore, LAST, lowerBoundOf } from './ranges.js';

export interface RangeStateOptions {
  /** The index of this range. */
  subset: number;
  /** The key at which each range begins, except the first. */
  borders: Uint32Array;
  grid: Grid;
  /** All box numbers are less than this. */
  idLimit: number;
}

/**
 * The costs of one task of a frame. A task either updates the range's own boxes, or updates the copies and
 * finds pairs.
 */
export interface StepCosts {
  /** Number of octants that were removed, plus the number of octants that were inserted. */
  changed: number;
  /** Whether all octants were sorted. */
  isSorted: boolean;
  tests: number;
}

/**
 * Marks of this range's boxes while `halos` examines another range. BEFORE: the box reached into the other
 * range in the last frame. NOW: the box reaches into the other range now.
 */
const BEFORE = 1;
const NOW = 2;
/** The number of unused bytes after the marks of moved boxes. Vector loads may read these bytes. */
const PADDING = 64;

export class RangeState {
  readonly clock = new StageClock();
  costs: StepCosts = { changed: 0, isSorted: false, tests: 0 };
  private readonly host: EngineHost;
  private readonly options: RangeStateOptions;
  private readonly octree: LinearOctree;
  private readonly boxes: BoxSet;
  private readonly scan: PairScan;
  /** One byte per box: 1 if it has moved since the octants were updated. */
  private readonly moved: GrowableBlock;
  private ownedCount = 0;
  /** Number of boxes in memory: first own boxes, then copies and unused boxes. Unused boxes are empty. */
  private capacity = 0;
  private unused: number[] = [];
  /** For every other range: maps the ids of its copied boxes to their indices in `boxes`. */
  private readonly copies: Map<number, number>[];
  /**
   * For every other range: the indices of this range's boxes that reached into that range in the last frame.
   */
  private readonly lastHalos: Uint32Array[];
  private isMoved = false;
  /** Whether a box has changed since `lastPairs` were found. */
  private isStale = true;
  /** The pairs that were found last, if any. */
  lastPairs: SortedPairs | undefined;

  constructor(host: EngineHost, options: RangeStateOptions) {
    this.host = host;
    this.options = options;
    const { context } = host;
    this.octree = new LinearOctree(context, this.clock);
    this.boxes = new BoxSet(context);
    this.scan = new PairScan(context, this.octree, this.boxes);
    this.moved = new GrowableBlock(context.arena);
    const rangeCount = options.borders.length + 1;
    this.copies = Array.from({ length: rangeCount }, () => new Map());
    this.lastHalos = Array.from({ length: rangeCount }, () => new Uint32Array(0));
  }

  /**
   * Sets the range's own boxes and lists their octants from scratch. @throws InvalidBoxes, WorkerLost, Capacity
   */
  load(own: BoxesWithIds): void {
    this.begin();
    this.ownedCount = own.ids.length;
    this.placeBoxes([own], 0);
  }

  /**
   * Moves some of the range's own boxes and updates the octants. places: the indices of these boxes.
   * @throws Malformed, WorkerLost, Capacity
   */
  moveOwned(places: Uint32Array, boxes: Float32Array): void {
    this.begin();
    for (const place of places)
      if (place >= this.ownedCount)
        throw new Malformed(
          `box ${place} does not exist: the range has ${this.ownedCount} boxes`,
          SAME_VERSION,
        );
    this.setBoxes(places, boxes);
    this.updateOctants();
  }

  /**
   * Returns, for every other range, the boxes of this range that reach into that range now, and what has
   * changed since the last frame. The entry of this range itself has no boxes. moved: the indices of this
   * range's boxes that have moved; undefined if all of them are new.
   */
  halos(moved: Uint32Array | undefined): Halo[] {
    const list = this.list;
    const marks = new Uint8Array(this.ownedCount);
    const hasMoved = new Uint8Array(this.ownedCount);
    for (const place of moved ?? []) hasMoved[place] = 1;
    return this.lastHalos.map((before, range) => {
      const now = range === this.options.subset ? before : this.ownedBoxesIn(list, range, marks);
      for (const place of before) marks[place] |= BEFORE;
      const removed = before.filter(place => marks[place] === BEFORE);
      const changed = now.filter(place => marks[place] === NOW || hasMoved[place] === 1);
      for (const place of before) marks[place] = 0;
      for (const place of now) marks[place] = 0;
      this.lastHalos[range] = now;
      return {
        all: this.scan.copyOf(now),
        isWhole: moved === undefined,
        removed: this.scan.copyOf(removed).ids,
        changed: this.scan.copyOf(changed),
      };
    });
  }

  /**
   * Whether the range has received copies. If so, the next halos that it receives from other ranges need to
   * contain only the changes.
   */
  hasCopies = false;

  /**
   * Updates the copies of other ranges' boxes. halos: for each range, the changes of its boxes that reach
   * into this range. @throws WorkerLost, Capacity
   */
  setCopies(halos: readonly HaloChange[]): void {
    this.begin();
    this.hasCopies = true;
    for (const [range, { isWhole, removed, changed }] of halos.entries()) {
      const copies = this.copies[range];
      const kept = isWhole ? new Set(changed.ids) : undefined;
      this.remove(copies, kept ? [...copies.keys()].filter(id => !kept.has(id)) : removed);
      this.reserve(changed.ids.length);
      const places = changed.ids.map(id => {
        const place = copies.get(id) ?? this.unused.pop()!;
        copies.set(id, place);
        return place;
      });
      this.setBoxes(places, changed.boxes, changed.ids);
    }
    this.updateOctants();
  }

  /**
   * Returns the sorted pairs whose later octant lies in the range. A pair has two octants, one of each box (see
   * pairScan.ts). @throws WorkerLost, Capacity
   */
  findPairs(): SortedPairs {
    if (this.lastPairs && !this.isStale) return this.lastPairs;
    this.clock.skip();
    const {
      scan,
      octree: { octants },
      options: { grid, idLimit, subset },
    } = this;
    const [start, end] = this.borderIndices(this.list, subset);
    scan.tests = 0;
    const pairs = mergePairs(scan.find(octants.all, start, end, this.capacity, grid, idLimit));
    this.costs.tests = scan.tests;
    this.clock.end('search');
    this.isStale = false;
    this.lastPairs = pairs;
    return pairs;
  }

  /** Number of octants of own boxes and copies. */
  get octantCount(): number {
    return this.octree.octants.count;
  }
  /** Number of copies of boxes of other ranges. */
  get copyCount(): number {
    return this.copies.reduce((sum, { size }) => sum + size, 0);
  }

  dispose(): void {
    for (const resource of [this.octree, this.boxes, this.scan, this.moved]) resource.dispose();
  }

  private begin(): void {
    this.host.beginCall();
    this.clock.start();
    this.costs = { changed: 0, isSorted: false, tests: 0 };
  }

  private get list(): KeyedList {
    const { u32 } = this.host.context.arena;
    const { keysAt, idsAt, octantCount } = this.octree.octants.all;
    return {
      keys: u32.subarray(keysAt / 4, keysAt / 4 + octantCount),
      ids: u32.subarray(idsAt / 4, idsAt / 4 + octantCount),
    };
  }

  // Returns the indices of the first octants of a range and of the next range.
  private borderIndices(list: KeyedList, range: number): [start: number, end: number] {
    const { borders } = this.options;
    const start = range === 0 ? 0 : lowerBoundOf(list, { key: borders[range - 1], id: 0 });
    const end =
      range === borders.length ? list.keys.length : lowerBoundOf(list, { key: borders[range], id: 0 });
    return [start, Math.max(start, end)];
  }

  // Returns the boxes of this range that reach into another range, and marks them NOW. Such a box has an octant
  // in the other range, or an earlier octant that contains the octant at which the other range begins.
  private ownedBoxesIn(list: KeyedList, range: number, marks: Uint8Array): Uint32Array {
    const { borders } = this.options;
    const found: number[] = [];
    const add = (place: number): void => {
      if (place >= this.ownedCount || marks[place] !== 0) return;
      marks[place] = NOW;
      found.push(place);
    };
    const [start, end] = this.borderIndices(list, range);
    const key = range === 0 ? 0 : borders[range - 1];
    if (key !== LAST.key) for (const i of ancestorsBefore(list, key, start)) add(list.ids[i]);
    for (let i = start; i < end; i++) add(list.ids[i]);
    return Uint32Array.from(found);
  }

  // Loads all boxes again, places them on the grid, and sorts their octants. minSpare: the minimum number of
  // unused boxes.
  private placeBoxes(subsets: readonly BoxesWithIds[], minSpare: number): void {
    const { scan, octree, moved } = this;
    const used = subsets.reduce((sum, { ids }) => sum + ids.length, 0);
    const spare = Math.max(minSpare, 256 + (used >>> 2));
    this.capacity = scan.loadBoxes(
      [...subsets.map(({ boxes }) => boxes), emptyBoxes(spare)],
      [...subsets.map(({ ids }) => ids), new Uint32Array(spare)],
    );
    this.unused = Array.from({ length: spare }, (_, i) => this.capacity - 1 - i);
    moved.reserve(this.capacity + PADDING);
    this.clearMoved();
    scan.placeOnGrid(this.options.grid, this.capacity);
    this.clock.skip();
    octree.list();
    this.costs.isSorted = true;
    this.costs.changed += octree.octants.count;
    this.isStale = true;
  }

  // Ensures that there are unused boxes for `count` more copies.
  private reserve(count: number): void {
    if (this.unused.length >= count) return;
    const own = this.scan.copyOf(Uint32Array.from({ length: this.ownedCount }, (_, i) => i));
    const copies = this.copies.map(own => this.scan.copyOf(Uint32Array.from(own.values())));
    this.placeBoxes([own, ...copies], count);
    let place = this.ownedCount;
    for (const [range, { ids }] of copies.entries())
      for (const id of ids) this.copies[range].set(id, place++);
  }

  private remove(copies: Map<number, number>, ids: Iterable<number>): void {
    const places: number[] = [];
    for (const id of ids) {
      const place = copies.get(id);
      if (copies.delete(id)) places.push(place!);
    }
    this.setBoxes(Uint32Array.from(places), emptyBoxes(places.length));
    for (const place of places) this.unused.push(place);
  }

  private setBoxes(places: Uint32Array, boxes: Float32Array, ids?: Uint32Array): void {
    if (places.length === 0) return;
    this.scan.setBoxes(places, boxes, ids);
    const { u8 } = this.host.context.arena;
    for (const place of places) u8[this.moved.at + place] = 1;
    this.isMoved = this.isStale = true;
  }

  private updateOctants(): void {
    if (!this.isMoved) return;
    const { scan, octree, options } = this;
    scan.placeOnGrid(options.grid, this.capacity);
    this.clock.skip();
    if (octree.updateList(this.moved.at, MAX_CHANGED) === 'sorted') this.costs.isSorted = true;
    this.costs.changed += octree.octants.changed;
    this.clearMoved();
  }

  private clearMoved(): void {
    const { at } = this.moved;
    this.host.context.arena.u8.fill(0, at, at + this.capacity + PADDING);
    this.isMoved = false;
  }
}

const emptyBoxes = (count: number): Float32Array =>
  new Float32Array(6 * count).map((_, i) => (i % 6 < 3 ? 1 : 0));
