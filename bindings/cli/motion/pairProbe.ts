// Measures the distance of two moving parts at one time, and proves that they stay apart during an interval.
import type { Mesh } from '../../index.js';
import type { ClashEngine } from '../clashEngine.js';
import type { PairMotion } from './pairMotion.js';

/**
 * Where in an interval a sweep found that a contact is possible: from `toi` on, for a duration of `bound`. Both
 * are fractions of the interval.
 */
export interface Approach {
  toi: number;
  bound: number;
}

/** Counts of the work of a search. */
export interface ProbeCounts {
  distances: number;
  sweeps: number;
}

export class PairProbe {
  /** Created by the first sweep. */
  #scene: ReturnType<ClashEngine['createScene']> | undefined;

  constructor(
    private readonly engine: ClashEngine,
    private readonly motion: PairMotion,
    private readonly a: Mesh,
    private readonly b: Mesh,
    /** The tolerance of sweeps, in the unit of the scene. */
    private readonly tolerance: number,
    private readonly counts: ProbeCounts,
  ) {}

  dispose(): void {
    this.#scene?.[Symbol.dispose]();
  }

  /**
   * Returns the distance at a time; 0 if the parts share a point, and Infinity if the distance exceeds `max`.
   * `inside`: see KeyedValue.
   */
  distance(time: number, inside: number, max: number): number {
    this.counts.distances++;
    const [transformA, transformB] = this.motion.place(time, inside);
    // If the parts intersect, an any-hit query is faster than a distance query.
    if (this.engine.query(this.a, this.b, { transformA, transformB, want: 'any' })) return 0;
    return this.engine.distance(this.a, this.b, { transformA, transformB, max })?.distance ?? Infinity;
  }

  /**
   * Returns undefined if this method proves that the parts are farther apart than `separation` during the whole
   * interval. Otherwise, returns where in the interval the proof failed. The motion must be smooth during the
   * interval.
   *
   * The sweep moves each point in a straight line. A point whose acceleration is at most g is never farther
   * than g h^2 / 8 from this line during an interval of length h, so the sweep uses a separation that is larger
   * by the sum of these distances for both parts.
   */
  sweep(from: number, to: number, separation: number): Approach | undefined {
    this.counts.sweeps++;
    const middle = (from + to) / 2;
    const { acceleration } = this.motion.boundsOver(from, to);
    const deviation = (acceleration * (to - from) ** 2) / 8;
    const flat = (time: number): Float64Array =>
      Float64Array.from(this.motion.place(time, middle).flatMap(matrix => [...matrix]));
    this.#scene ??= this.#makeScene();
    this.#scene.setTransforms(flat(to), { from: flat(from) });
    const { count, toi, bound } = this.#scene.detect({
      continuous: true,
      minSeparation: separation + deviation,
      tolerance: this.tolerance,
    });
    return count === 0 ? undefined : { toi: toi[0], bound: bound[0] };
  }

  #makeScene(): ReturnType<ClashEngine['createScene']> {
    const { times } = this.motion;
    const [transformA, transformB] = this.motion.place(times[0], times[0]);
    const scene = this.engine.createScene();
    scene.add(this.a, { transform: transformA });
    scene.add(this.b, { transform: transformB });
    return scene;
  }
}
