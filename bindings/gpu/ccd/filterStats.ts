// Counters of the GPU's filters for pairs of moving features.

/** Counters of a sweep in which the GPU filtered the pairs of moving features. */
export interface FeatureFilterStats {
  /**
   * Number of pairs of features that the GPU filtered. In a sweep of meshes, these are the pairs of features
   * whose boxes overlap during the motion, except pairs that share a vertex. The number is 0 if only the first
   * contact was wanted, and the meshes intersect at the start.
   */
  pairs: number;
  /** Number of these pairs that were dropped, because they certainly stay apart. */
  apart: number;
  /** Number of the other pairs. The GPU's floats could not decide them, so the CPU swept them. */
  undecided: number;
}

/** An answer for which the GPU filtered pairs of features. */
export interface Filtered<Answer> {
  answer: Answer;
  stats: FeatureFilterStats;
}

export const filterStats = (pairs: number, undecided: number): FeatureFilterStats => ({
  pairs,
  apart: pairs - undecided,
  undecided,
});
