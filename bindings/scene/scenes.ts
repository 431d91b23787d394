// The engine module for boxes and bodies: adds `boxPairs`, `createBroadPhase` and `createScene` to an engine.

import { BoxPairFinder, type BoxPairsOptions } from '../broadphase/boxPairs.js';
import { BroadPhase } from '../broadphase/broadPhase.js';
import type { IncrementalHost } from '../broadphase/incremental/incrementalBroadPhase.js';
import { warmUpBoxes } from '../broadphase/warmUpBoxes.js';
import { copyOptions, rejectExtraArgument } from '../core/checkOptions.js';
import type { EngineHost, EngineModule } from '../core/module.js';
import { BOX_PAIRS, type BroadPhaseOptions } from '../core/moduleOptions.js';
import { BoxPairs } from '../core/results.js';
import { Scene } from './scene.js';
import type { SceneOptions } from './sceneOptions.js';
import { nameLength, wasmGzipBase64 } from '../wasm/scenes.wasm.js';

/** The methods that the module adds to an engine. */
export class ScenesMethods {
  readonly #host: EngineHost;
  readonly #finder: BoxPairFinder;
  readonly #incrementalHost: IncrementalHost;

  /** @internal */
  constructor(host: EngineHost) {
    const { context, pairCapacity } = host;
    const finder = (this.#finder = new BoxPairFinder(context, host.initialPairCapacity));
    this.#host = host;
    this.#incrementalHost = {
      context,
      inverted: 'empty',
      pairCapacity,
      finder,
    };
  }

  /**
   * Finds the pairs of boxes that overlap or touch, within one set of boxes or between two sets (see the
   * option `against`). A box whose minimum is above its maximum on some axis is an error. Source: Avril,
   * Gouranton and Arnaldi 2014, section 4 (sweep and prune from scratch); for other methods, see `Method`.
   * @param boxes six floats per box, in any frame and unit: minimum x, y, z, then maximum x, y, z
   * @throws InvalidBoxes, Unsupported, Disposed, Capacity
   */
  boxPairs(boxes: Float32Array, options?: BoxPairsOptions): BoxPairs;
  boxPairs(boxes: Float32Array, given: BoxPairsOptions = {}, surplus?: unknown): BoxPairs {
    const {
      context: { arena, pool },
      clock,
      beginCall,
    } = this.#host;
    const options = copyOptions(BOX_PAIRS, given);
    rejectExtraArgument(surplus, 'boxPairs(boxes, options)');
    beginCall();
    pool.chooseThreads('boxPairs', boxes?.length);
    const pairs = this.#finder.find(boxes, options);
    pool.endCall();
    const { aAt, bAt, count } = pairs.list;
    return new BoxPairs({ arena, aAt, bAt, count }, clock, pairs.readStats, pairs.found);
  }

  /**
   * Creates a broad phase, which keeps boxes between frames and reports the pairs of boxes that overlap, that
   * begin to overlap, and that cease to overlap. Source: see `Method` and `BroadPhaseMethod`.
   * @throws Unsupported, Disposed
   */
  createBroadPhase(options?: BroadPhaseOptions): BroadPhase;
  createBroadPhase(options: BroadPhaseOptions = {}, surplus?: unknown): BroadPhase {
    rejectExtraArgument(surplus, 'createBroadPhase(options)');
    return new BroadPhase({ ...this.#host, ...this.#incrementalHost, inverted: 'refused' }, options);
  }

  /**
   * Creates an empty scene, which stores moving bodies and reports their contacts from frame to frame.
   * @throws Unsupported, Disposed
   */
  createScene(options?: SceneOptions): Scene;
  createScene(options: SceneOptions = {}, surplus?: unknown): Scene {
    rejectExtraArgument(surplus, 'createScene(options)');
    return new Scene({ ...this.#host, ...this.#incrementalHost }, options);
  }
}

export const scenes: EngineModule<ScenesMethods> = {
  inlined: { nameLength, wasmGzipBase64 },
  makeMethods: host => new ScenesMethods(host),
  warmUp: warmUpBoxes,
};
