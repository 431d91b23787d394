// Records of spheres beside the boxes of a tree: what bindings/records/layout.ts is for queries.
import { record } from './record.js';

/**
 * Spheres of a node's children: they hold the children's triangles, in the mesh's stored frame; those that
 * are missing are infinitely far away. One cache line. Which children use their boxes, too, stands in the
 * Node.
 */
export const SphereNode = /* @__PURE__ */ record({
  centerX: ['f32', 4],
  centerY: ['f32', 4],
  centerZ: ['f32', 4],
  radius: ['f32', 4],
});

/**
 * The job of `fillSpheres`: slice s does every sliceCount-th node from s on. thresholds: f32 by level.
 * scratchAt: scratchBytes a slice.
 */
export const FillSpheresJob = /* @__PURE__ */ record({
  meshAt: 'u32',
  spheresAt: 'u32',
  thresholdsAt: 'u32',
  thresholdCount: 'u32',
  scratchAt: 'u32',
  scratchBytes: 'u32',
  sliceCount: 'u32',
});

/**
 * Of a placed pair, beside its PairRecord, whose pairingAt leads here. spheresA and spheresB are 0 where a
 * mesh has none: its boxes alone are tested. stretch: what a length of B's frame may become in A's, at most;
 * slack: added to a radius of B's in A's frame. backStretch, backSlack: the other way round; where there is
 * no inverse the slack is infinite. countsAt: SphereCounts by level, a list's after the other's; listBytes:
 * of a list.
 */
export const SpherePair = /* @__PURE__ */ record({
  spheresA: 'u32',
  spheresB: 'u32',
  countsAt: 'u32',
  listBytes: 'u32',
  stretch: 'f32',
  slack: 'f32',
  backStretch: 'f32',
  backSlack: 'f32',
});

/**
 * Pairs of nodes tested at a level, those whose spheres meet, and of these by what is tested then. Whole
 * numbers of 64 bits, two words each.
 */
export const SphereCounts = /* @__PURE__ */ record({
  tests: ['u32', 2],
  met: ['u32', 2],
  boxBox: ['u32', 2],
  boxSphere: ['u32', 2],
  sphereBox: ['u32', 2],
});

/** The job of `relateSpheres`: slices are pairs. */
export const RelateSpheresJob = /* @__PURE__ */ record({ pairsAt: 'u32' });

/**
 * The job of `walkRound`: its tasks, three arrays of words (pair, slot of A, slot of B), and where those of
 * the next round go. Slice i does its even share of the tasks, and has the i-th part of the next ones:
 * `capacity` tasks, of which there is room for no more; nextCounts has a word a slice, and counts on. Each
 * array is `stride` bytes after the one before. hitsAt: a word a pair that turns 1 at its first hit, 0: all
 * pairs are wanted.
 */
export const RoundJob = /* @__PURE__ */ record({
  pairsAt: 'u32',
  listsAt: 'u32',
  packTableAt: 'u32',
  hitsAt: 'u32',
  tasksAt: 'u32',
  tasksStride: 'u32',
  taskCount: 'u32',
  nextAt: 'u32',
  nextStride: 'u32',
  nextCountsAt: 'u32',
  capacity: 'u32',
  sliceCount: 'u32',
});
