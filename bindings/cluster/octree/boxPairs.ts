// Boxes -> the pairs that overlap, by a linear octree that nodes of a cluster share (Lucchesi s3.4, s4.3, s6.2): submitted, and waited for.
import { CollisionError, Unsupported } from '../../errors.js';
import { checkBoxes } from '../../systems/boxSet.js';
import type { Link } from '../link.js';
import type { JobStats, Submitted } from '../jobs/submitted.js';
import type { ClusterBoxPairs, ClusterBoxPairsOptions } from './job.js';
import { lead, MOST_PARTS, type Watch } from './lead.js';

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

/**
 * Submits boxes, six floats each as `boxPairs` of an engine takes them; they must not change until the job is over.
 * @throws InvalidBoxes, Unsupported
 */
export const submitBoxPairs = (link: Link, boxes: Float32Array, options: ClusterBoxPairsOptions = {}): SubmittedBoxPairs => startBoxPairs(link, boxes, options).submitted;

/** The same, for who knows why it must end. */
export function startBoxPairs(link: Link, boxes: Float32Array, options: ClusterBoxPairsOptions): { submitted: SubmittedBoxPairs; fail(reason: Error): void } {
  checkBoxes('boxes', boxes);
  checkOptions(options);
  let finished = false, fail = (_: Error): void => {};
  const ended = new Promise<never>((_, reject) => { fail = reject; }), watch: Watch = { done: 0, total: 0 };
  ended.catch(() => {});
  const answer = lead(link, boxes, options, watch, ended).finally(() => { finished = true; });
  // Whoever does not wait is not told.
  answer.catch(() => {});
  return {
    fail,
    submitted: {
      get finished() { return finished; },
      get progress() { return { done: watch.done, total: watch.total }; },
      get stats() { return statsOf(watch); },
      wait: () => answer,
      cancel: () => fail(new CollisionError('Cluster', 'the job was cancelled', 'submit it anew')),
    },
  };
}

function statsOf({ total, coordinator }: Watch): JobStats {
  const { sentBytes = 0, sentMessages = 0, receivedBytes = 0, receivedMessages = 0 } = coordinator?.channel.traffic ?? {};
  return { tasks: total, nodes: coordinator?.met.size ?? 0, reissued: coordinator?.ledger.again ?? 0, doubled: 0, sentBytes, sentMessages, receivedBytes, receivedMessages, contentBytes: coordinator?.servedBytes ?? 0 };
}
