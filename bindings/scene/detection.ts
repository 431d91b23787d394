// Detects which bodies of a scene intersect in a frame (a time step), where they intersect, and which
// contacts began and ended. The work is split into several methods, so that an asynchronous caller can wait
// between their calls.

import type { BroadPhaseMethod } from '../broadphase/incremental/createIncrementalBroadPhase.js';
import type { IncrementalHost } from '../broadphase/incremental/incrementalBroadPhase.js';
import type { PairList } from '../broadphase/pairSort.js';
import { comparePairs, PairTable } from '../core/bodyPairs.js';
import { missingModule, Stale } from '../core/errors.js';
import type { EngineHost } from '../core/module.js';
import { printAs } from '../core/printing.js';
import type { BoxPairsStats, SceneStats } from '../core/stats.js';
import type { ManifoldFinder } from '../manifolds/manifoldFinder.js';
import type { ManifoldMethods } from '../manifolds/manifolds.js';
import type { ManifoldTable } from '../manifolds/manifoldTable.js';
import { Pruner } from '../narrowphase/pruner.js';
import type { Bodies } from './bodies.js';
import { type BodyPairResults, BodyPairTester } from './bodyPairTester.js';
import { Frame } from './frame.js';
import { NearBodies, type PrecomputedPairs } from './nearBodies.js';
import type { Contacts, DetectOptions } from './sceneOptions.js';

/** The parts of an engine that a scene uses. */
export interface SceneHost extends EngineHost, IncrementalHost {}

/** Options of one frame, with the defaults filled in. */
export type DetectRequest = DetectOptions & Required<Pick<DetectOptions, 'narrow' | 'onProgress'>>;

const printedContacts = printAs({} as Contacts, 'Contacts', [
  'count',
  'a',
  'b',
  'counts',
  'pairsAt',
  'triangles',
  'manifolds',
  'began',
  'persisted',
  'ended',
  'stats',
]);

export class Detection {
  readonly host: SceneHost;
  readonly bodies: Bodies;
  /** Tests the pairs of bodies that `choose` has listed for this frame. */
  readonly tester: BodyPairTester;
  /** Options of this frame. */
  request!: DetectRequest;
  /**
   * Whether the last frame's contacts are still valid: there is a last frame, `narrow` is the same, and since
   * then no body was moved, added or removed, and no mesh changed.
   */
  isUnchanged = false;
  readonly #near: NearBodies;
  readonly #pruner: Pruner;
  #last = new Frame();
  #current = new Frame();
  /**
   * For each candidate (a pair of bodies whose boxes overlap and that `prune` kept): one plus its index in the
   * list of tested pairs, or 0 if it is not tested. It is not tested if its result is known from the last
   * frame, or if narrow is 'boxes'.
   */
  #testedIndex = new Uint32Array(64);
  readonly #began = new PairTable();
  readonly #persisted = new PairTable();
  readonly #ended = new PairTable();
  /** Finds manifolds; undefined until a detect with narrow 'contacts'. */
  #finder: ManifoldFinder | undefined;
  /** The manifolds of this frame's tested pairs, if narrow is 'contacts'. */
  #testedManifolds: ManifoldTable | undefined;
  #frame = 0;
  #lastStats: SceneStats | undefined;
  /**
   * Times of this frame: when it began, when the near pairs were found and pruned, and when the pairs to test
   * were chosen.
   */
  #times: [number, number, number] = [0, 0, 0];
  /** Statistics of this frame's broad phase, for `end`. */
  #broadPhaseStats: { boxPairs: number; broadPhase: BoxPairsStats } | undefined;

  constructor(host: SceneHost, bodies: Bodies, broadPhase: BroadPhaseMethod) {
    this.host = host;
    this.bodies = bodies;
    this.#near = new NearBodies(host, broadPhase);
    this.tester = new BodyPairTester(host);
    this.#pruner = new Pruner(host.context);
  }

  /** Begins a frame with the current placements and shapes of the bodies. @throws Disposed */
  begin(request: DetectRequest): void {
    if (request.narrow === 'contacts') this.#prepareManifolds();
    this.#times[0] = performance.now();
    this.request = request;
    this.#frame++;
    this.bodies.refresh();
    this.isUnchanged =
      request.narrow === this.#last.narrow && this.#lastStats !== undefined && !this.bodies.haveMoved();
  }

  /**
   * Chooses the pairs to test. A pair is skipped if its result is known from the last frame: the pair was a
   * candidate, `narrow` is the same, and neither body has moved or changed its mesh since. If `narrow` is
   * 'boxes', no pair is tested, because all candidates are contacts. precomputed: pairs of slots whose boxes
   * overlap, if another device has found them.
   * @throws Capacity
   */
  choose(precomputed?: PrecomputedPairs): void {
    const {
      bodies,
      tester,
      request: { narrow },
    } = this;
    const current = this.#current;
    const times = this.#times;
    if (this.isUnchanged) return tester.begin(0);
    const near = precomputed ? this.#near.takePrecomputed(precomputed) : this.#near.pairs(bodies);
    const pairs = this.prune(near.list, narrow !== 'boxes');
    times[1] = performance.now();
    current.clear(narrow);
    this.#listPairs(pairs);
    this.#broadPhaseStats = { boxPairs: near.list.count, broadPhase: near.stats };
    times[2] = performance.now();
  }

  /** Tests all chosen pairs on the CPU. @throws Capacity */
  test(): BodyPairResults {
    const { bodies, tester, host, request } = this;
    const results = tester.test(bodies, request.narrow, request, done => {
      request.onProgress(done);
      host.beginCall();
      bodies.checkMeshes();
    });
    if (request.narrow === 'contacts' && results.result)
      this.#finder!.find(
        {
          result: results.result,
          recordsAt: results.recordsAt!,
          swapped: tester.pairs.swapped,
          secondTriangles: tester.maxSecondTriangles(bodies.slots),
        },
        this.#testedManifolds!,
      );
    return results;
  }

  /**
   * Ends the frame: compares its contacts with the contacts of the last frame. This frame then becomes the
   * last frame.
   */
  end({ queries, result }: BodyPairResults): Contacts {
    const { bodies, tester } = this;
    const current = this.#current;
    const last = this.#last;
    const [startedAt, nearAt, chosenAt] = this.#times;
    if (this.isUnchanged) return this.#repeatLast(this.#lastStats!, startedAt);
    current.takeFronts(this.#testedIndex, tester.fronts);
    current.listContacts(last, this.#testedIndex, tester.triangleCounts, result, this.#testedManifolds);
    comparePairs(last.contacts, current.contacts, this.#began, this.#persisted, this.#ended);
    bodies.markUnmoved();
    // This frame is complete and becomes the last frame. The fronts of the frame before it are cleared, which
    // drops the fronts of pairs that are no longer candidates.
    [this.#last, this.#current] = [current, last];
    last.fronts.length = tester.fronts.length = 0;
    return this.#makeContacts(
      (this.#lastStats = {
        bodies: bodies.slots.length,
        candidates: current.candidates.count,
        tested: tester.count,
        queries,
        cachedBytes: current.frontBytes,
        milliseconds: {
          broad: nearAt - startedAt,
          choose: chosenAt - nearAt,
          narrow: performance.now() - chosenAt,
        },
        ...this.#broadPhaseStats!,
      }),
    );
  }

  /**
   * Returns the pairs in `near` that may intersect. Drops the pairs that collision groups exclude and, if
   * `oriented` is true, also the pairs whose oriented boxes do not overlap, and the pairs that a plane
   * separates (see areSeparated in assembly/bvh/supports.ts).
   * @throws Capacity
   */
  prune(near: PairList, oriented: boolean): PairList {
    return this.#pruner.prune(this.bodies, near, oriented);
  }

  dispose(): void {
    for (const resource of [this.tester, this.#pruner, this.#near]) resource.dispose();
  }

  // Prepares the tables of manifolds. @throws Unsupported if the module was left out
  #prepareManifolds(): void {
    const methods = this.host.methodsOf('manifolds') as ManifoldMethods | undefined;
    if (!methods) throw missingModule("detect({ narrow: 'contacts' })", 'manifolds');
    const { finder } = methods;
    this.#finder = finder;
    this.#testedManifolds ??= finder.makeTable();
    for (const frame of [this.#last, this.#current]) frame.manifolds ??= finder.makeTable();
  }

  // Returns the contacts of the last frame, because no body has moved. Also records the current placements as
  // the start of the next continuous motion.
  #repeatLast(stats: SceneStats, startedAt: number): Contacts {
    const { contacts } = this.#last;
    const { method, swaps, changed } = stats.broadPhase;
    this.bodies.markUnmoved();
    comparePairs(contacts, contacts, this.#began, this.#persisted, this.#ended);
    return this.#makeContacts({
      ...stats,
      tested: 0,
      queries: [],
      broadPhase: {
        method,
        reason: 'no body has moved since the last frame',
        tests: 0,
        places: 0,
        ...(swaps === undefined ? {} : { swaps: 0 }),
        ...(changed === undefined ? {} : { changed: 0 }),
        milliseconds: 0,
        stages: {},
      },
      milliseconds: { broad: performance.now() - startedAt, choose: 0, narrow: 0 },
    });
  }

  #listPairs(list: PairList): void {
    const {
      bodies,
      tester,
      request: { narrow },
    } = this;
    const current = this.#current;
    const last = this.#last;
    const { u32 } = this.host.context.arena;
    if (this.#testedIndex.length < list.count) this.#testedIndex = new Uint32Array(2 * list.count);
    tester.begin(list.count);
    const hasFronts = last.fronts.length > 0;
    let lastIndex = 0;
    for (let i = 0, a = list.aAt / 4, b = list.bAt / 4; i < list.count; i++) {
      const slotA = u32[a + i];
      const slotB = u32[b + i];
      const bodyA = bodies.slots[slotA];
      const bodyB = bodies.slots[slotB];
      lastIndex = last.find(lastIndex, bodyA.id, bodyB.id);
      const wasNear = last.has(lastIndex, bodyA.id, bodyB.id);
      const isKnown = wasNear && narrow === last.narrow && !bodies.hasMoved(slotA) && !bodies.hasMoved(slotB);
      const front =
        hasFronts && wasNear && last.fronts[lastIndex]?.isCurrent ? last.fronts[lastIndex] : undefined;
      current.candidates.add(bodyA.id, bodyB.id);
      if (hasFronts) current.fronts.push(front);
      if (isKnown || narrow === 'boxes') {
        this.#testedIndex[i] = 0;
        continue;
      }
      tester.add(slotA, slotB);
      if (hasFronts) tester.fronts.push(front);
      this.#testedIndex[i] = tester.count;
    }
  }

  #makeContacts(stats: SceneStats): Contacts {
    const last = this.#last;
    const began = this.#began;
    const persisted = this.#persisted;
    const ended = this.#ended;
    const madeAt = this.#frame;
    const counts = last.counts.subarray(0, last.contacts.count);
    const pairsAt = last.pairsAt.subarray(0, last.contacts.count + 1);
    return {
      __proto__: printedContacts,
      ...last.contacts.view(),
      counts,
      pairsAt,
      triangles: last.triangles.view(),
      manifolds: last.narrow === 'contacts' ? last.manifolds!.view() : undefined,
      began: began.view(),
      persisted: persisted.view(),
      ended: ended.view(),
      stats,
      copy: () => {
        if (madeAt !== this.#frame)
          throw new Stale(
            'the contacts were overwritten by a later detect',
            'call copy() before the next detect',
          );
        return {
          __proto__: printedContacts,
          ...last.contacts.copy(),
          counts: counts.slice(),
          pairsAt: pairsAt.slice(),
          triangles: last.triangles.copy(),
          manifolds: last.narrow === 'contacts' ? last.manifolds!.copy() : undefined,
          began: began.copy(),
          persisted: persisted.copy(),
          ended: ended.copy(),
          stats,
        } as Omit<Contacts, 'copy'>;
      },
    } as Contacts;
  }
}
