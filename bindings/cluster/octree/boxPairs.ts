// Boxes -> the pairs that overlap, by a linear octree that nodes of a cluster share (Lucchesi s3.4, s4.3, s6.2): submitted, and waited for.
import { CollisionError, Unsupported } from '../../errors.js';
import { checkBoxes } from '../../systems/boxSet.js';
import type { JobKind } from '../jobs/jobKind.js';
import { Run } from '../jobs/run.js';
import { submitted, type Submitted } from '../jobs/submitted.js';
import type { Link } from '../link.js';
import type { BoxPairsJob, ClusterBoxPairs, ClusterBoxPairsOptions } from './job.js';
import { lead, MOST_PARTS, SILENCE } from './lead.js';

/** Pairs on their way. */
export type SubmittedBoxPairs = Submitted<ClusterBoxPairs>;

const checkOptions = ({ where = 'nodes', engine, nodes, parts, merge, wire }: ClusterBoxPairsOptions): void => {
  const choices: [name: string, value: string | undefined, of: string[]][] = [['where', where, ['caller', 'lists', 'nodes']], ['merge', merge, ['ranges', 'tree']], ['wire', wire, ['raw', 'delta', 'deflate']]];
  for (const [name, value, of] of choices) if (value !== undefined && !of.includes(value)) throw new Unsupported(`${name} is '${value}'`, `choose among ${of.join(', ')}`);
  if (where !== 'nodes' && !engine) throw new Unsupported(`where is '${where}' without an engine`, 'pass engine, or let nodes do all');
  for (const [name, value] of Object.entries({ nodes, parts })) {
    if (value !== undefined && (!Number.isInteger(value) || value < 1 || value > MOST_PARTS)) throw new Unsupported(`${name} is ${value}`, `give a whole number from 1 to ${MOST_PARTS}, or leave it out`);
  }
};

// Their results stay on nodes, which say nothing while they compute.
const termsOf = ({ silence = SILENCE }: ClusterBoxPairsOptions) => ({ keeps: true, leaseMilliseconds: silence });

/** Of jobs that openJobs has opened: the boxes are copied. */
export const boxPairs: JobKind<BoxPairsJob, ClusterBoxPairs> = {
  name: 'boxPairs',
  open({ boxes, ...options }) {
    checkBoxes('boxes', boxes);
    checkOptions(options);
    return lead(boxes.slice(), { ...options, where: 'nodes' });
  },
  terms: termsOf,
};

/**
 * Submits boxes, six floats each as `boxPairs` of an engine takes them; they must not change until the job is over.
 * @throws InvalidBoxes, Unsupported
 */
export function submitBoxPairs(link: Link, boxes: Float32Array, options: ClusterBoxPairsOptions = {}): SubmittedBoxPairs {
  checkBoxes('boxes', boxes);
  checkOptions(options);
  const { cluster = 'pfront', patience = 30_000 } = options, [id] = crypto.getRandomValues(new Uint32Array(1));
  const run = new Run(lead(boxes, options), { ...termsOf(options), link, cluster, patience, id: id! });
  void link.closed.then((reason) => run.fail(new CollisionError('Cluster', `the link closed${reason ? `: ${reason.message}` : ''}`, 'connect again, and submit again')));
  return submitted(run);
}
