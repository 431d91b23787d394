// Boxes -> the pairs that overlap, by a linear octree that nodes of a cluster share (Lucchesi s3.4, s4.3,
// s6.2): submitted, and waited for.

import { checkBoxes, refuseInverted } from '../../broadphase/boxSet.js';
import { Unsupported } from '../../core/errors.js';
import {
  anyValue,
  callback,
  copyOptions,
  integer,
  nonNegative,
  type OptionTable,
  object,
  oneOf,
  rejectExtraArgument,
} from '../../core/optionTable.js';
import type { JobKind } from '../jobs/jobKind.js';
import { Run } from '../jobs/run.js';
import { type Submitted, submitted } from '../jobs/submitted.js';
import { type Link, lossOf } from '../link.js';
import type { BoxPairsJob, ClusterBoxPairs, ClusterBoxPairsOptions } from './job.js';
import { lead, MOST_PARTS, SILENCE } from './lead.js';

/** Pairs on their way. */
export type SubmittedBoxPairs = Submitted<ClusterBoxPairs>;

const PARTS = integer(1, MOST_PARTS);
const JOB: OptionTable<Omit<BoxPairsJob, 'boxes'>> = {
  merge: oneOf('ranges', 'tree'),
  nodes: PARTS,
  parts: PARTS,
  wire: oneOf('raw', 'delta', 'deflate'),
  silence: nonNegative,
  forEachChunk: callback,
  chunkPairs: integer(1, 2 ** 32),
};
const CLUSTER_BOX_PAIRS: OptionTable<ClusterBoxPairsOptions> = {
  where: oneOf('caller', 'lists', 'nodes'),
  engine: object,
  cluster: anyValue,
  patience: nonNegative,
  ...JOB,
};
const BOX_PAIRS_JOB: OptionTable<BoxPairsJob & { kind: string }> = {
  kind: anyValue,
  boxes: anyValue,
  ...JOB,
};

// Their results stay on nodes, which say nothing while they compute.
const termsOf = ({ silence = SILENCE }: ClusterBoxPairsOptions) => ({
  keeps: true,
  leaseMilliseconds: silence,
});

/** Of jobs that openJobs has opened: the boxes are copied. */
export const boxPairs: JobKind<BoxPairsJob, ClusterBoxPairs> = {
  name: 'boxPairs',
  open(job) {
    const { boxes, kind, ...options } = copyOptions(
      BOX_PAIRS_JOB,
      job as typeof job & { kind: string },
      'the job',
    );
    checkBoxes('boxes', boxes);
    refuseInverted('boxes', boxes);
    return lead(boxes.slice(), { ...options, where: 'nodes' });
  },
  terms: termsOf,
};

/**
 * Submits boxes, six floats each as `boxPairs` of an engine takes them; they must not change until the job is
 * over.
 * @throws InvalidBoxes, Unsupported
 */
export function submitBoxPairs(
  link: Link,
  boxes: Float32Array,
  given: ClusterBoxPairsOptions = {},
): SubmittedBoxPairs {
  checkBoxes('boxes', boxes);
  refuseInverted('boxes', boxes);
  rejectExtraArgument(arguments[3], 'submitBoxPairs(link, boxes, options)');
  const options = copyOptions(CLUSTER_BOX_PAIRS, given);
  const { where = 'nodes', engine, cluster = 'pfront', patience = 30_000 } = options;
  if (where !== 'nodes' && !engine)
    throw new Unsupported(`where is '${where}' without an engine`, 'pass engine, or let nodes do all');
  const [id] = crypto.getRandomValues(new Uint32Array(1));
  const run = new Run(lead(boxes, options), { ...termsOf(options), link, cluster, patience, id: id! });
  void lossOf(link, 'connect again, and submit again').then(error => run.fail(error));
  return submitted(run);
}
