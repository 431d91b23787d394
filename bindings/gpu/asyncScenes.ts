// Implements `detect` of `engine.async`: finds pairs of near bodies, then their contacts. Each of these two
// steps runs on the GPU or the CPU. For contacts during a motion, the GPU only drops pairs that stay apart,
// and the CPU finds the contacts. If a mesh of the scene changes between the call and the answer, an error is
// thrown.

import type { ContinuousOptions } from '../ccd/bodySweeper.js';
import type { BodySweepRun } from '../ccd/bodySweepRun.js';
import type { EngineHost } from '../core/module.js';
import { triangleCountOf } from '../core/querySizes.js';
import type { BodyPairResults } from '../scene/bodyPairTester.js';
import type { Detection } from '../scene/detection.js';
import type { PrecomputedPairs } from '../scene/nearBodies.js';
import type { Scene } from '../scene/scene.js';
import type { Contacts, DetectOptions } from '../scene/sceneOptions.js';
import type { AsyncContacts, AsyncSweptBodies } from './asyncResults.js';
import type { AsyncAnswer, AsyncRunner, AsyncStats } from './asyncRunner.js';
import { MeshWatch } from './meshWatch.js';

const NO_QUERY: Pick<AsyncStats, 'backend' | 'reason' | 'gpu'> = {
  backend: 'wasm',
  reason: 'no pair of bodies had to be tested',
};
const CONTACT_POINTS: typeof NO_QUERY = {
  backend: 'wasm',
  reason: 'contact points are computed on the CPU only',
};
/** The device that ran a step of a scene, and why. */
export type StepStats = AsyncStats | typeof NO_QUERY;

/** The search for pairs of near bodies, in a frame (time step) of a scene or during a motion of bodies. */
interface Step {
  watch: MeshWatch;
  /** Number of bodies. */
  size: number;
  /** Returns the boxes of the bodies, six floats each. */
  boxes(): Float32Array;
  /**
   * Chooses the pairs to test. found: pairs of bodies whose boxes overlap; if missing, the CPU finds these
   * pairs.
   */
  choose(found?: PrecomputedPairs): void;
}

export class AsyncScenes {
  readonly #host: EngineHost;
  readonly #runner: AsyncRunner;

  constructor(host: EngineHost, runner: AsyncRunner) {
    this.#host = host;
    this.#runner = runner;
  }

  async detect(scene: Scene, options: DetectOptions): Promise<AsyncContacts> {
    const frame = scene.beginDetect(options);
    try {
      const { tester, bodies, isUnchanged } = frame;
      const size = bodies.slots.length;
      const watch = new MeshWatch(bodies.slots.map(({ mesh }) => mesh));
      const step: Step = {
        watch,
        size,
        boxes: () => bodies.copyBoxes(),
        choose: found => frame.choose(found),
      };
      // If fewer than half of the bodies have moved, the CPU is faster, because it only updates the pairs of
      // the last frame.
      const isForGpu = !isUnchanged && 2 * bodies.movedSlots().length >= size;
      const pendingStats = isForGpu ? this.#near(step) : this.#nearOnCpu(step);
      const nearStats = pendingStats && (await pendingStats);
      // If there is no pair to test, or if only the CPU can answer, nothing is awaited from here on, so no mesh
      // can change before the answer.
      const {
        answer: contacts,
        stats: { backend, reason, gpu },
      } =
        tester.count === 0
          ? { answer: finish(frame, frame.test()), stats: nearStats ?? NO_QUERY }
          : frame.request.narrow === 'contacts'
            ? { answer: this.#findContactPoints(frame, watch), stats: CONTACT_POINTS }
            : await this.#testBodies(frame, watch);
      return Object.assign(contacts, { stats: { ...contacts.stats, backend, reason, gpu } });
    } finally {
      scene.finishDetect();
    }
  }

  async sweep(scene: Scene, options: ContinuousOptions): Promise<AsyncSweptBodies> {
    const motion = scene.beginMotion(options);
    try {
      const {
        answer,
        stats: { backend, reason, gpu },
      } = await this.sweepBodies(motion);
      const swept = scene.endMotion(answer);
      return { ...swept, stats: { ...swept.stats, backend, reason, gpu } };
    } finally {
      scene.finishDetect();
    }
  }

  /** See AsyncEngine.sweepBodies. */
  async sweepBodies<Found>(motion: BodySweepRun<Found>): Promise<{ answer: Found; stats: StepStats }> {
    const { slots } = motion.query.bodies;
    const watch = new MeshWatch(slots.map(({ mesh }) => mesh));
    const pendingStats = this.#near({
      watch,
      size: slots.length,
      boxes: () => motion.copyBoxes(),
      choose: found => motion.findPairs(found),
    });
    const nearStats = pendingStats && (await pendingStats);
    const {
      pairs: { a, b, count },
    } = motion;
    if (count === 0) return { answer: motion.findContacts(), stats: nearStats ?? NO_QUERY };
    return this.#runner.run({
      kind: 'sweepBodies',
      size: a.reduce(
        (sum, slot, i) => sum + triangleCountOf({ a: slots[slot].mesh!, b: slots[b[i]].mesh! }),
        0,
      ),
      watch,
      onCpu: () => motion.findContacts(),
      onGpu: async ({ bodyPairFilter }) => {
        const { remaining, stats } = await bodyPairFilter.filter(motion);
        return { answer: () => motion.findContacts(remaining), stats };
      },
    });
  }

  // Contact points are computed on the CPU only.
  #findContactPoints(frame: Detection, watch: MeshWatch): ReturnType<typeof finish> {
    watch.check();
    return this.#testOnCpu(frame);
  }

  #testOnCpu(frame: Detection): ReturnType<typeof finish> {
    this.#host.beginCall();
    return finish(frame, frame.test());
  }

  #testBodies(frame: Detection, watch: MeshWatch): Promise<AsyncAnswer<ReturnType<typeof finish>>> {
    const runner = this.#runner;
    const host = this.#host;
    const {
      tester,
      request: { narrow, onProgress },
      bodies,
    } = frame;
    return runner.run({
      kind: 'query',
      size: tester.countTriangles(bodies.slots),
      watch,
      onCpu: () => this.#testOnCpu(frame),
      onGpu: async systems => {
        const { answer, stats } = await systems.bodies.test(frame, runner.isGpuOnly, watch);
        return {
          stats,
          answer: () => {
            host.checkOpen();
            if (narrow === 'counts') {
              onProgress(1);
              // The callback may have disposed of the engine or changed meshes, as in Detection.test.
              host.checkOpen();
              bodies.checkMeshes();
            }
            return finish(frame, answer);
          },
        };
      },
    });
  }

  // Chooses pairs of near bodies. @returns a promise of statistics, or undefined if the CPU has already
  // chosen the pairs
  #near(step: Step): Promise<StepStats> | undefined {
    const { size, watch } = step;
    if (!this.#runner.considersGpu('boxPairs', size)) return this.#nearOnCpu(step);
    return this.#runner
      .run({
        kind: 'boxPairs',
        size,
        watch,
        onCpu: () => this.#nearOnCpu(step),
        onGpu: async ({ boxPairs }) => {
          const { answer, stats } = await boxPairs(step.boxes(), {});
          return {
            stats,
            answer: () => {
              // The pairs come from the GPU, so the results of the last call, which are in engine memory, are
              // not overwritten. These results stay valid after `checkOpen`; `beginCall` would make them stale.
              this.#host.checkOpen();
              step.choose({ ...answer, milliseconds: stats.milliseconds });
            },
          };
        },
      })
      .then(({ stats }) => (stats.backend === 'gpu' ? stats : NO_QUERY));
  }

  #nearOnCpu(step: Step): undefined {
    this.#host.beginCall();
    step.choose();
  }
}

/** Completes a frame. The next frame of the scene continues from it. @returns a copy of the frame's contacts */
const finish = (frame: Detection, results: BodyPairResults): ReturnType<Contacts['copy']> =>
  frame.end(results).copy();
