// Layouts of the records of sphere trees, which store a sphere beside each box of a tree.
import { record } from './record.js';

/**
 * Bounding spheres of a node's children, in the mesh's normalized frame. The spheres of missing children are
 * infinitely far away. A SphereNode is one cache line. Node.sphereBoxes tells for which children the box is
 * tested, too.
 */
export const SphereNode = /* @__PURE__ */ record({
  centerX: ['f32', 4],
  centerY: ['f32', 4],
  centerZ: ['f32', 4],
  radius: ['f32', 4],
});

/**
 * The job of `fillSpheres`: slice s processes every sliceCount-th node from node s on. thresholdsAt: one f32
 * per level. scratchAt: scratchBytes bytes per slice.
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
 * Sphere data of a placed pair; PairRecord.pairingAt is the address of this record. spheresA, spheresB:
 * addresses of the SphereNodes of each mesh. If either mesh has no spheres, both are 0, and only boxes are
 * tested. stretch: maximum factor by which a length of B's frame grows in A's frame. slack: a length that is
 * added to the radius of a sphere of B in A's frame. backStretch, backSlack: the same from A's frame to B's;
 * backSlack is infinite if the transform has no inverse. countsAt: address of the SphereCounts of all work
 * lists: for each list, one per tree level. listBytes: the size of one list's SphereCounts in bytes.
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
 * Counters of a tree level, 64-bit integers. tests: pairs of nodes that are tested. passed: pairs whose
 * spheres overlap. The other counters split these pairs by their second test, if there is one. boxBox: box
 * against box. boxSphere: box of A against sphere of B. sphereBox: sphere of A against box of B.
 */
export const SphereCounts = /* @__PURE__ */ record({
  tests: ['u32', 2],
  passed: ['u32', 2],
  boxBox: ['u32', 2],
  boxSphere: ['u32', 2],
  sphereBox: ['u32', 2],
});

/** The job of `computeSphereStretch`: each slice is one pair. */
export const RelateSpheresJob = /* @__PURE__ */ record({ pairsAt: 'u32' });

/**
 * The job of `runFrontRound`, which processes the tasks of one round and writes the tasks of the next round.
 * Tasks are three arrays of words: pair, slot of A, slot of B. tasksStride, nextStride: bytes from the start
 * of one array to the start of the next. Each slice processes an equal share of the tasks, and writes to its
 * own range of the output, which has capacity for `capacity` tasks. nextCountsAt: address of one word per
 * slice: the number of its new tasks, including tasks that did not fit. hitsAt: address of one word per pair,
 * set to 1 at the pair's first hit; the address is 0 if all intersecting triangle pairs are reported.
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
