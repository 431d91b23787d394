// Layouts of the records of sphere trees, which store a sphere beside each box of a tree.
import { record } from './record.js';

/**
 * Bounding spheres of a node's children, in the mesh's stored frame; missing children are infinitely far
 * away. One cache line. The Node tells which children use their boxes, too.
 */
export const SphereNode = /* @__PURE__ */ record({
  centerX: ['f32', 4],
  centerY: ['f32', 4],
  centerZ: ['f32', 4],
  radius: ['f32', 4],
});

/**
 * The job of `fillSpheres`: slice s processes every sliceCount-th node from s on. thresholds: f32 by level.
 * scratchAt: scratchBytes per slice.
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
 * Sphere data of a placed pair; PairRecord.pairingAt points here. spheresA, spheresB: 0 if a mesh has no
 * spheres: then only its boxes are tested. stretch: maximum factor by which a length of B's frame grows in
 * A's frame. slack: added to a radius of B's in A's frame. backStretch, backSlack: the same from A to B; if
 * there is no inverse, the slack is infinite. countsAt: SphereCounts by level, list after list. listBytes:
 * bytes per list.
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
 * Counters of a level: pairs of nodes tested, pairs whose spheres overlap, and these by the test that
 * follows. 64-bit integers, two words each.
 */
export const SphereCounts = /* @__PURE__ */ record({
  tests: ['u32', 2],
  passed: ['u32', 2],
  boxBox: ['u32', 2],
  boxSphere: ['u32', 2],
  sphereBox: ['u32', 2],
});

/** The job of `computeSphereStretch`: slices are pairs. */
export const RelateSpheresJob = /* @__PURE__ */ record({ pairsAt: 'u32' });

/**
 * The job of `runFrontRound`: its tasks, three arrays of words (pair, slot of A, slot of B), and the output
 * for the tasks of the next round. Slice i processes an equal share of the tasks, and has the i-th part of
 * the output, with a capacity of `capacity` tasks. nextCountsAt: one word per slice, which also counts tasks
 * that did not fit. tasksStride, nextStride: bytes from one array to the next. hitsAt: one word per pair, set
 * to 1 at its first hit; 0: all pairs are reported.
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
