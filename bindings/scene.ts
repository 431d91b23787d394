// Bodies that move -> from frame to frame, which of them touch, where, and what has begun and ended.
import { BodyAsker } from './askBodies.js';
import { compare, PairTable } from './contacts.js';
import { Disposed, missing, Stale, Unsupported } from './errors.js';
import type { EngineHost } from './feature.js';
import { Frame, type Narrow } from './frame.js';
import type { Mesh, MeshData, MeshOptions } from './mesh.js';
import { checkObject, checkQueryOptions, oneOf, wholeNumber, type PartitionOptions } from './options.js';
import type { SceneStats } from './stats.js';
import type { BodyOptions, Contacts, DetectOptions, SceneOptions } from './sceneOptions.js';
import type { BodySweeper, ContinuousOptions, SweptBodies } from './bodySweeper.js';
import { Bodies } from './systems/bodies.js';
import { checkKeptMethod } from './systems/boxPairs.js';
import { NearBodies } from './systems/nearBodies.js';
import type { KeeperHost, KeptPairs } from './systems/pairKeeper.js';
import type { PairList } from './systems/pairSort.js';
import { Pruner } from './systems/prune.js';
import type { Transform } from './transform.js';

/** What a scene needs of its engine. */
export interface SceneHost extends EngineHost, KeeperHost {}

/** Bodies, each a mesh and a placement. Made by createScene. */
export class Scene {
  private readonly host: SceneHost;
  private readonly near: NearBodies;
  private readonly bodies: Bodies;
  private readonly asker: BodyAsker;
  private readonly pruner: Pruner;
  private last = new Frame();
  private current = new Frame();
  /** Of each candidate: its place among those asked plus one, or 0 where the last frame knows. */
  private askedOf = new Uint32Array(64);
  private readonly began = new PairTable();
  private readonly persisted = new PairTable();
  private readonly ended = new PairTable();
  private sweeper: BodySweeper | undefined;
  private frame = 0;
  private lastStats: SceneStats | undefined;
  private isDetecting = false;
  private isDisposed = false;

  /** @internal */
  constructor(host: SceneHost, options: SceneOptions) {
    checkObject('options', options);
    const { broadPhase = 'auto' } = options;
    checkKeptMethod('broadPhase', broadPhase);
    this.host = host;
    this.near = new NearBodies(host, broadPhase);
    this.bodies = new Bodies(host.backend);
    this.asker = new BodyAsker(host);
    this.pruner = new Pruner(host.backend);
  }

  /** Slots of bodies: as many placements setTransforms takes. `slotOf` tells a body's. */
  get slotCount(): number { return this.bodies.slots.length; }

  /** The place of a body's matrix in setTransforms. @throws Unsupported */
  slotOf(id: number): number { return this.bodies.find(id); }

  /**
   * Adds a body; bodies may share a mesh. @returns its number; once removed, it does not come back for the next 4,095 bodies in
   * its place. @throws Unsupported, InvalidTransform, Disposed, Capacity
   */
  add(mesh: Mesh, options: BodyOptions = {}): number {
    this.open();
    checkObject('options', options);
    const { transform, group = 1, mask = 0xffffffff } = options;
    // 32 bits, signed or not.
    wholeNumber('group', group, -(2 ** 31), 2 ** 32 - 1);
    wholeNumber('mask', mask, -(2 ** 31), 2 ** 32 - 1);
    if (!this.host.owns(mesh)) throw new Unsupported('the mesh is missing, or is not of this engine', 'pass a mesh that createMesh of the engine of the scene has made');
    return this.bodies.add(mesh, group >>> 0, mask >>> 0, transform);
  }

  /** A mesh of the engine of the scene, as its createMesh makes it. @throws InvalidMesh, Disposed, Capacity */
  createMesh(data: MeshData, options?: MeshOptions): Mesh {
    this.open();
    return this.host.createMesh(data, options);
  }

  /** Takes a body away: its contacts end. @throws Unsupported, Disposed */
  remove(id: number): void {
    this.open();
    this.bodies.remove(id);
  }

  /** Moves one body: 16 numbers, column-major. @throws Unsupported, InvalidTransform, Disposed */
  setTransform(id: number, transform: Transform): void {
    this.open();
    this.bodies.place(id, transform);
  }

  /**
   * Moves all bodies: 16 numbers a slot, column-major, in the order in which bodies were added; those of empty slots are not
   * looked at. Bodies whose numbers stay the same have not moved. With numbers of bodies, moves these only, in their order;
   * with `from`, 16 numbers a slot, a continuous detect has them begin there.
   * @throws Unsupported, InvalidTransform, Disposed, with nothing changed
   */
  setTransforms(matrices: Transform, how?: ArrayLike<number> | { from: Transform }): void {
    this.open();
    if (how && isStart(how)) this.bodies.placeFrom(how.from, matrices);
    else if (how) this.bodies.placeSome(how, matrices);
    else this.bodies.placeAll(matrices);
  }

  /**
   * Room for setTransforms in engine memory, 16 float32 a slot: what is written there is not copied. Holds until a body is added;
   * with `memory: 'single'` also until anything else takes memory, so ask anew after creating meshes.
   */
  transformView(): Float32Array {
    this.open();
    return this.bodies.matrixView();
  }

  /** Finds what touches now; with `continuous: true`, what touches on the way there. @throws Unsupported, Disposed, Capacity */
  detect(options: ContinuousOptions): SweptBodies;
  detect(options?: DetectOptions): Contacts;
  detect(options: DetectOptions | ContinuousOptions = {}): Contacts | SweptBodies {
    checkObject('options', options);
    return 'continuous' in options && options.continuous ? this.sweep(options) : this.touch(options as DetectOptions);
  }

  private touch(options: DetectOptions): Contacts {
    checkQueryOptions(options);
    const { narrow = 'pairs', onProgress = () => {} } = options;
    oneOf('narrow', narrow, ['boxes', 'any', 'counts', 'pairs']);
    if (typeof onProgress !== 'function') throw new Unsupported(`onProgress is ${String(onProgress)}, not a function`, 'pass a function, or leave it out');
    this.open();
    this.isDetecting = true;
    try {
      return this.show(this.find(narrow, options, onProgress));
    } finally {
      this.isDetecting = false;
    }
  }

  /** Gives its memory back; its meshes stay. @throws Unsupported from onProgress */
  dispose(): void {
    if (this.isDisposed) return;
    this.refuseMidway();
    this.isDisposed = true;
    this.bodies.dispose();
    this.asker.dispose();
    this.pruner.dispose();
    this.near.dispose();
    this.sweeper?.dispose();
  }

  /** As dispose, for `using`. */
  [Symbol.dispose](): void { this.dispose(); }

  private open(): void {
    if (this.isDisposed) throw new Disposed('the scene was disposed', 'create another with createScene()');
    this.refuseMidway();
    this.host.tick();
  }

  private refuseMidway(): void {
    if (this.isDetecting) throw new Unsupported('the scene is detecting', 'call it when detect has returned, not from onProgress');
  }

  // Bodies then are where they have come to; what they touched when they stood stays the last frame.
  private sweep(options: ContinuousOptions): SweptBodies {
    this.open();
    const { bodies, pruner } = this;
    bodies.refresh();
    this.sweeper ??= this.host.makeBodySweeper();
    if (!this.sweeper) throw missing('detect({ continuous: true })', 'continuous');
    const swept = this.sweeper.sweep(bodies, bodies.starts.rows, options, (near) => pruner.prune(bodies, near, false));
    bodies.startHere();
    return swept;
  }

  // What touches now becomes the last frame.
  private find(narrow: Narrow, options: PartitionOptions, onProgress: (done: number) => void): SceneStats {
    const { bodies, asker, current, last } = this;
    const startedAt = performance.now();
    this.frame++;
    bodies.refresh();
    if (narrow === last.narrow && this.lastStats && !bodies.haveMoved()) return this.stay(this.lastStats, startedAt);
    const [near, pairs] = this.findNear(narrow);
    const nearAt = performance.now();
    current.clear(narrow);
    this.choose(pairs, narrow);
    const chosenAt = performance.now();
    const { queries, result } = asker.ask(bodies, narrow, options, (done) => {
      onProgress(done);
      this.host.tick();
      bodies.checkMeshes();
    });
    current.takeFronts(this.askedOf, asker.fronts);
    current.list(last, this.askedOf, asker.found, result);
    compare(last.contacts, current.contacts, this.began, this.persisted, this.ended);
    bodies.settle();
    // The frame is whole: only now is it the last one. Fronts of pairs that have parted end with the one before.
    [this.last, this.current] = [current, last];
    last.fronts.length = asker.fronts.length = 0;
    return this.lastStats = {
      bodies: this.slotCount, boxPairs: near.list.count, candidates: current.candidates.count, asked: asker.count, queries, keptBytes: current.frontBytes, broadPhase: near.stats,
      milliseconds: { broad: nearAt - startedAt, choose: chosenAt - nearAt, narrow: performance.now() - chosenAt },
    };
  }

  // Nobody has moved: the last frame stands, and the next motion begins here.
  private stay(stats: SceneStats, startedAt: number): SceneStats {
    const { contacts } = this.last;
    this.bodies.settle();
    compare(contacts, contacts, this.began, this.persisted, this.ended);
    return {
      ...stats, asked: 0, queries: [], broadPhase: { ...stats.broadPhase, reason: 'no body has moved since the last frame', tests: 0, places: 0, milliseconds: 0 },
      milliseconds: { broad: performance.now() - startedAt, choose: 0, narrow: 0 },
    };
  }

  // Near pairs, and those of them that may touch.
  private findNear(narrow: Narrow): [KeptPairs, PairList] {
    const near = this.near.pairs(this.bodies);
    return [near, this.pruner.prune(this.bodies, near.list, narrow !== 'boxes')];
  }

  // Pairs of two bodies that have not moved are known from the last frame; the others are asked.
  private choose(list: PairList, narrow: Narrow): void {
    const { bodies, current, last, asker } = this;
    const { u32 } = this.host.backend.arena;
    if (this.askedOf.length < list.count) this.askedOf = new Uint32Array(2 * list.count);
    asker.begin(list.count);
    const hasFronts = last.fronts.length > 0;
    let known = 0;
    for (let i = 0, a = list.aAt / 4, b = list.bAt / 4; i < list.count; i++) {
      const slotA = u32[a + i]!, slotB = u32[b + i]!, bodyA = bodies.slots[slotA]!, bodyB = bodies.slots[slotB]!;
      known = last.find(known, bodyA.id, bodyB.id);
      const wasNear = last.has(known, bodyA.id, bodyB.id);
      const isKnown = wasNear && narrow === last.narrow && !bodies.hasMoved(slotA) && !bodies.hasMoved(slotB);
      const front = hasFronts && wasNear && last.fronts[known]?.isCurrent ? last.fronts[known] : undefined;
      current.candidates.add(bodyA.id, bodyB.id);
      if (hasFronts) current.fronts.push(front);
      if (isKnown || narrow === 'boxes') { this.askedOf[i] = 0; continue; }
      asker.add(slotA, slotB);
      if (hasFronts) asker.fronts.push(front);
      this.askedOf[i] = asker.count;
    }
  }

  private show(stats: SceneStats): Contacts {
    const { last, began, persisted, ended } = this;
    const madeAt = this.frame, counts = last.counts.subarray(0, last.contacts.count), pairsAt = last.pairsAt.subarray(0, last.contacts.count + 1);
    return {
      ...last.contacts.view(), counts, pairsAt, triangles: last.triangles.view(), began: began.view(), persisted: persisted.view(), ended: ended.view(), stats,
      copy: () => {
        if (madeAt !== this.frame) throw new Stale('contacts were copied after the scene detected again', 'copy them before the next detect');
        return {
          ...last.contacts.copy(), counts: counts.slice(), pairsAt: pairsAt.slice(), triangles: last.triangles.copy(), began: began.copy(), persisted: persisted.copy(), ended: ended.copy(), stats,
        };
      },
    };
  }
}

const isStart = (how: ArrayLike<number> | { from: Transform }): how is { from: Transform } => typeof how === 'object' && !('length' in how);
