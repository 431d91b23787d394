// Opens job servers, which run jobs in this thread, on other threads or on a cluster, all with the same
// interface.

import {
  anyValue,
  checkValue,
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
import { ENGINE } from '../../engine/engineOptions.js';
import { ClusterError } from '../errors.js';
import { type Link, onLinkEnd } from '../link.js';
import { makeHub } from '../localLink.js';
import { randomId } from '../subjects.js';
import type { JobKind } from './jobKind.js';
import { type Answers, type JobName, type Jobs, jobKinds, kindOf } from './jobKinds.js';
import type { LedgerOptions } from './ledger.js';
import { Recomputer } from './recomputer.js';
import { Run } from './run.js';
import { makeSubmitted, type Submitted } from './submitted.js';

/** Options of `openJobs`; only `where` is required. */
export interface JobServerOptions {
  /**
   * Where jobs run. 'here': in this thread, between its other work. 'threads': on other threads of
   * this machine, so that this thread stays free. 'cluster': on all nodes that a link reaches.
   */
  where: 'here' | 'threads' | 'cluster';
  /** For 'cluster': the link to the nodes. The caller remains responsible for closing it. */
  link?: Link;
  /** For 'cluster': the name of the cluster; several clusters may share a broker. Default 'pfront'. */
  cluster?: string;
  /**
   * For 'here' and 'threads': the number of computing threads. Default 1 for 'here', and 'auto' for 'threads'
   * (see the option `threads` of createEngine).
   */
  threads?: number | 'auto';
  /**
   * A job ends with an error if no node has sent a message for this many milliseconds. This must be longer than
   * the longest task, because a node may be silent while it computes. Time in which this process is blocked or
   * suspended does not count. Default 60,000.
   */
  patience?: number;
  /**
   * For 'cluster': whether every task is given to two nodes, whose results must be equal. This doubles the
   * work and needs at least two nodes. Default false: the process that called openJobs checks a sample of the
   * results itself. In both cases, a node that returns a false result is excluded.
   */
  verify?: boolean;
  /**
   * For 'here' and 'threads': the maximum total size, in bytes, of the meshes that are cached for later jobs.
   * Default 512 MiB.
   */
  cacheBytes?: number;
}

const COUNT = integer(1, 2 ** 31);
const JOB_SERVER: OptionTable<JobServerOptions> = {
  where: oneOf('here', 'threads', 'cluster'),
  link: object,
  cluster: anyValue,
  threads: ENGINE.threads,
  patience: COUNT,
  verify: trueOrFalse,
  cacheBytes: integer(0, Number.MAX_SAFE_INTEGER),
};
const LEDGER: OptionTable<LedgerOptions> = {
  leaseMilliseconds: nonNegative,
  maxLeases: COUNT,
  maxFailures: COUNT,
  maxSilentNodes: COUNT,
};

/** Accepts jobs. Made by `openJobs`. */
export interface JobServer {
  /**
   * Submits a job and returns at once; the contents of the job are copied.
   * @throws InvalidMesh, InvalidBoxes, InvalidTransform, Unsupported for an invalid job; CollisionError
   * 'Cluster' if the server is closed or its nodes cannot be reached any more
   */
  submit<Name extends JobName>(job: Jobs[Name] & { kind: Name }): Submitted<Answers[Name]>;
  /** Cancels unfinished jobs, and stops the node or the thread that openJobs started, if any. */
  close(): Promise<void>;
}

/** A link to nodes, and how to close it. */
interface JobLink {
  link: Link;
  cluster: string;
  /** Registers a listener, which is called with an error when no job can be completed any more. */
  onLost?: (listener: (error: Error) => void) => void;
  close(): Promise<void>;
}

/**
 * Opens a job server. Source: Lucchesi 2002, section 4.4.3 (the interface: submit, finished, wait).
 * @throws CollisionError 'Cluster' if no thread can be started or if `link` is missing; Unsupported for
 * invalid options
 */
export async function openJobs(given: JobServerOptions, givenLedger: LedgerOptions = {}): Promise<JobServer> {
  rejectExtraArgument(arguments[2], 'openJobs(options, ledger)');
  const options = copyOptions(JOB_SERVER, given);
  const { where, patience = 60_000 } = options;
  const ledger = copyOptions(LEDGER, givenLedger, 'ledger');
  checkValue('where', where ?? '', JOB_SERVER.where);
  rejectUnusedOptions(options);
  const opened = await openers[where](options);
  const id = randomId(opened.link);
  const runs = new Set<Run<unknown>>();
  const recomputer = new Recomputer();
  let lost: Error | undefined;
  const fail = (error: Error): void => {
    lost ??= error;
    for (const run of runs) run.fail(error);
  };
  opened.onLost?.(fail);
  return {
    submit(job, surplus?: unknown) {
      rejectExtraArgument(surplus, 'submit(job)');
      if (lost) throw lost;
      checkValue('job', job ?? null, object);
      const kind = kindOf(job.kind) as JobKind<unknown, unknown> | undefined;
      if (!kind) checkValue('kind', job.kind ?? '', oneOf(...Object.keys(jobKinds)));
      const { coordinate, terms } = kind!.open(job, options.verify === true, ledger);
      const run = new Run(coordinate, {
        ...ledger,
        ...terms,
        link: opened.link,
        cluster: opened.cluster,
        id,
        patience,
        ...(where === 'cluster' ? { recomputer, isTwofold: options.verify === true } : {}),
      });
      const forget = (): void => {
        runs.delete(run);
      };
      runs.add(run);
      run.answer.then(forget, forget);
      return makeSubmitted(run) as never;
    },
    async close() {
      fail(new ClusterError('the job server was closed', 'open a new one with openJobs()'));
      // Waits until the messages that end the runs are sent. This fails if the link is broken.
      await opened.link.flush(1000).catch(() => {});
      await opened.close();
      recomputer.dispose();
    },
  };
}

// Rejects options that would have no effect.
function rejectUnusedOptions(options: JobServerOptions): void {
  const [others, owner] =
    options.where === 'cluster'
      ? [['threads', 'cacheBytes'] as const, "'here' or 'threads'"]
      : [['link', 'cluster', 'verify'] as const, "'cluster'"];
  for (const name of others)
    if (options[name] !== undefined)
      throw new Unsupported(
        `the option ${name} requires the option where: ${owner}, but where is '${options.where}'`,
        `omit ${name}, or change where`,
      );
}

const openers: Record<JobServerOptions['where'], (options: JobServerOptions) => Promise<JobLink>> = {
  async here({ threads = 1, cacheBytes }) {
    const { startNode } = await import('../node.js');
    const join = makeHub();
    const link = join();
    const nodeLink = join();
    const node = await startNode(nodeLink, { cluster: 'here', threads, cacheBytes });
    return {
      link,
      cluster: 'here',
      close: async () => {
        await node.close();
        await link.close();
        await nodeLink.close();
      },
    };
  },
  async threads({ threads = 'auto', cacheBytes }) {
    const { startThread } = await import('./threadNode.js');
    const join = makeHub();
    const link = join();
    const thread = await startThread(join(), { cluster: 'threads', threads, cacheBytes });
    return {
      link,
      cluster: 'threads',
      onLost: thread.onLost,
      close: async () => {
        await thread.close();
        await link.close();
      },
    };
  },
  async cluster({ link, cluster = 'pfront' }) {
    if (!link)
      throw new ClusterError('no link to the cluster was given', 'pass link: await connectNats({ servers })');
    let removeListener = (): void => {};
    return {
      link,
      cluster,
      onLost: listener => {
        removeListener = onLinkEnd(link, 'connect again, and open a new job server', listener);
      },
      close: async () => removeListener(),
    };
  },
};
