// Lists all job kinds, with the types of their jobs and answers.

import { boxPairs } from '../octree/boxPairs.js';
import type { BoxPairsJob, ClusterBoxPairs } from '../octree/job.js';
import { type ClashAnswer, type ClashJob, clash } from './clash.js';
import type { JobKind } from './jobKind.js';
import { type MeshPairsAnswer, type MeshPairsJob, meshPairs } from './meshPairs.js';

export const jobKinds = { meshPairs, clash, boxPairs } as const;

/** The jobs by kind. */
export interface Jobs {
  /** Many placed pairs of meshes. */
  meshPairs: MeshPairsJob;
  /** A scene of placed meshes, each of which is tested against every other. */
  clash: ClashJob;
  /** Boxes; the job finds all pairs that overlap. */
  boxPairs: BoxPairsJob;
}
/** The answers by kind of job. */
export interface Answers {
  /** Triangle pairs of each pair of meshes. */
  meshPairs: MeshPairsAnswer;
  /** Pairs of bodies that intersect. */
  clash: ClashAnswer;
  /** Pairs of boxes that overlap. */
  boxPairs: ClusterBoxPairs;
}
/** The names of the job kinds. */
export type JobName = keyof Jobs;

/** Returns the job kind with the given name, or undefined if there is none. */
export const kindOf = <Name extends JobName>(name: Name): JobKind<Jobs[Name], Answers[Name]> | undefined =>
  Object.hasOwn(jobKinds, name)
    ? (jobKinds[name as keyof typeof jobKinds] as unknown as JobKind<Jobs[Name], Answers[Name]>)
    : undefined;
