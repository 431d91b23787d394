// All kinds of jobs: what may be submitted, and what comes of it.

import { boxPairs } from '../octree/boxPairs.js';
import type { BoxPairsJob, ClusterBoxPairs } from '../octree/job.js';
import { type ClashAnswer, type ClashJob, clash } from './clash.js';
import type { JobKind } from './jobKind.js';
import { type MeshPairsAnswer, type MeshPairsJob, meshPairs } from './meshPairs.js';

export const jobKinds = { meshPairs, clash, boxPairs } as const;

/** Jobs by their kind. */
export interface Jobs {
  /** Many placed pairs of meshes. */
  meshPairs: MeshPairsJob;
  /** A scene of placed meshes, each against every other. */
  clash: ClashJob;
  /** Boxes of which pairs overlap. */
  boxPairs: BoxPairsJob;
}
/** What comes of them. */
export interface Answers {
  /** Triangle pairs of each pair of meshes. */
  meshPairs: MeshPairsAnswer;
  /** Pairs of bodies that touch. */
  clash: ClashAnswer;
  /** Pairs of boxes that overlap. */
  boxPairs: ClusterBoxPairs;
}
/** Names of kinds of jobs. */
export type JobName = keyof Jobs;

/** The kind of a job. */
export const kindOf = <Name extends JobName>(name: Name): JobKind<Jobs[Name], Answers[Name]> | undefined =>
  Object.hasOwn(jobKinds, name)
    ? (jobKinds[name as keyof typeof jobKinds] as unknown as JobKind<Jobs[Name], Answers[Name]>)
    : undefined;
