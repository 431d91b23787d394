// Submits jobs that find overlapping box pairs with a linear octree that is distributed over the nodes of a
// cluster (Lucchesi, sections 3.4, 4.3 and 6.2).

import { checkBoxes, refuseInverted } from '../../broadphase/boxSet.js';
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
  trueOrFalse,
} from '../../core/checkOptions.js';
import { Unsupported } from '../../core/errors.js';
import type { JobKind, RunTerms } from '../jobs/jobKind.js';
import { Recomputer } from '../jobs/recomputer.js';
import { Run } from '../jobs/run.js';
import { makeSubmitted, type Submitted } from '../jobs/submitted.js';
import { type Link, onLinkEnd } from '../link.js';
import { randomId } from '../subjects.js';
import {
  coordinateBoxPairs,
  DEFAULT_SILENCE,
  MAX_SILENCE,
  MAX_SUBSETS,
  SILENCE,
} from './coordinateBoxPairs.js';
import type { BoxPairsJob, ClusterBoxPairs, ClusterBoxPairsOptions } from './job.js';

/** A submitted box-pair job. */
export type SubmittedBoxPairs = Submitted<ClusterBoxPairs>;

const SUBSETS = integer(1, MAX_SUBSETS);
const JOB: OptionTable<Omit<BoxPairsJob, 'boxes'>> = {
  merge: oneOf('ranges', 'tree'),
  nodes: SUBSETS,
  subsets: SUBSETS,
  encoding: oneOf('raw', 'delta', 'deflate'),
  silence: SILENCE,
  forEachChunk: callback,
  chunkPairs: integer(1, 2 ** 32),
};
const CLUSTER_BOX_PAIRS: OptionTable<ClusterBoxPairsOptions> = {
  where: oneOf('caller', 'lists', 'nodes'),
  verify: trueOrFalse,
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

// Results stay on the nodes (`keeps`). A node is silent while it computes, so a lease lasts as long as the
// silence that the job allows.
const termsOf = (leaseMilliseconds: number): RunTerms => ({ keeps: true, leaseMilliseconds });

/**
 * Rejects options that have no effect if every task is given to two nodes, because the nodes then exchange
 * nothing.
 * @throws Unsupported
 */
export function rejectUnverified({
  where = 'nodes',
  merge,
  encoding,
}: Pick<ClusterBoxPairsOptions, 'where' | 'merge' | 'encoding'>): void {
  const what =
    where !== 'nodes'
      ? `where is '${where}'`
      : merge !== undefined
        ? `merge is '${merge}'`
        : encoding !== undefined && `encoding is '${encoding}'`;
  if (what)
    throw new Unsupported(
      `${what}, but with verify each task finds the pairs of one cell of space, and nodes exchange nothing`,
      'omit this option, or omit verify: a sample of the pairs is always checked',
    );
}

/**
 * Rejects options that have no effect, because they concern work that the caller's engine does: all work if
 * `where` is 'caller', or merging the lists if `where` is 'lists'.
 * @throws Unsupported
 */
function rejectUnused(options: ClusterBoxPairsOptions): void {
  const { where = 'nodes' } = options;
  const unused = { nodes: [], lists: ['merge'], caller: ['merge', 'nodes', 'subsets', 'encoding'] } as const;
  for (const name of unused[where])
    if (options[name] !== undefined)
      throw new Unsupported(
        `where is '${where}', so ${name} has no effect`,
        `omit ${name}, or use where: '${where === 'caller' && name !== 'merge' ? 'lists' : 'nodes'}'`,
      );
}

/** The job kind 'boxPairs' of `openJobs`. It copies the boxes. */
export const boxPairs: JobKind<BoxPairsJob, ClusterBoxPairs> = {
  name: 'boxPairs',
  open(job, isTwofold, { leaseMilliseconds = DEFAULT_SILENCE }) {
    const { boxes, kind, ...options } = copyOptions(
      BOX_PAIRS_JOB,
      job as typeof job & { kind: string },
      'the job',
    );
    checkBoxes('boxes', boxes);
    refuseInverted('boxes', boxes);
    if (isTwofold) rejectUnverified(options);
    // Unlike a lease, the silence is sent to nodes, as a 32-bit word.
    const { silence = Math.min(Math.ceil(leaseMilliseconds), MAX_SILENCE) } = options;
    return {
      coordinate: coordinateBoxPairs(boxes.slice(), { ...options, silence, where: 'nodes' }),
      terms: termsOf(options.silence ?? leaseMilliseconds),
    };
  },
};

/**
 * Submits a job that finds the pairs of boxes that overlap. Source: Lucchesi 2002, sections 3.4, 4.3 and 6.2.
 * @param boxes six floats per box, in any frame and unit: minimum x, y, z, then maximum x, y, z. The boxes are
 * copied
 * @throws InvalidBoxes, Unsupported
 */
export function submitBoxPairs(
  link: Link,
  boxes: Float32Array,
  given: ClusterBoxPairsOptions = {},
): SubmittedBoxPairs {
  checkBoxes('boxes', boxes);
  refuseInverted('boxes', boxes);
  // Copied before the options are read, because an option may be a getter that changes the boxes.
  const ownBoxes = boxes.slice();
  rejectExtraArgument(arguments[3], 'submitBoxPairs(link, boxes, options)');
  const options = copyOptions(CLUSTER_BOX_PAIRS, given);
  const { where = 'nodes', engine, cluster = 'pfront', patience = 30_000, verify = false } = options;
  if (verify) rejectUnverified(options);
  rejectUnused(options);
  if (where !== 'nodes' && !engine)
    throw new Unsupported(
      `where is '${where}', but no engine was passed`,
      "pass engine, or use where: 'nodes'",
    );
  const recomputer = new Recomputer();
  const run = new Run(coordinateBoxPairs(ownBoxes, options), {
    ...termsOf(options.silence ?? DEFAULT_SILENCE),
    link,
    cluster,
    patience,
    id: randomId(link),
    // Nodes are not trusted: the pairs are checked.
    recomputer,
    isTwofold: verify,
  });
  const removeListener = onLinkEnd(link, 'connect again, and submit again', error => run.fail(error));
  const dispose = (): void => {
    removeListener();
    recomputer.dispose();
  };
  run.answer.then(dispose, dispose);
  return makeSubmitted(run);
}
