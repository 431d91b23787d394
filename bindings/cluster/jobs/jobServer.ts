// Where jobs are submitted: one interface for this thread, for a thread beside it, and for a cluster.
import { Unsupported } from '../../core/errors.js';
import {
  anyValue,
  checkOptions,
  checkValue,
  copyOptions,
  integer,
  nonNegative,
  type OptionTable,
  object,
  oneOf,
  rejectExtraArgument,
} from '../../core/optionTable.js';
import { ENGINE } from '../../engine/engineOptions.js';
import { ClusterError } from '../errors.js';
import { type Link, lossOf } from '../link.js';
import { makeHub } from '../localLink.js';
import type { JobKind } from './jobKind.js';
import { type Answers, type JobName, type Jobs, jobKinds, kindOf } from './jobKinds.js';
import type { LedgerOptions } from './ledger.js';
import { Run } from './run.js';
import { type Submitted, submitted } from './submitted.js';

/** Where jobs are done; all but `where` may be left out. */
export interface JobServerOptions {
  /**
   * 'here': in this thread, between its other work. 'threads': on all threads of this machine, which leave
   * this one free. 'cluster': on all nodes that a link reaches.
   */
  where: 'here' | 'threads' | 'cluster';
  /** Of 'cluster': what reaches the nodes. It stays the caller's to close. */
  link?: Link;
  /** Of 'cluster': which one, of those that share a broker. Default 'pfront'. */
  cluster?: string;
  /** Of 'here' and 'threads': threads that compute. Default 1 of 'here', all of 'threads'. */
  threads?: number | 'auto';
  /**
   * Milliseconds without a word of any node after which jobs end with an error. It must be longer than the
   * longest task takes. Default 60,000.
   */
  patience?: number;
  /** Of 'here' and 'threads': most bytes of meshes that are kept for later jobs. Default 512 MiB. */
  cacheBytes?: number;
}

const COUNT = integer(1, 2 ** 31);
const JOB_SERVER: OptionTable<JobServerOptions> = {
  where: oneOf('here', 'threads', 'cluster'),
  link: object,
  cluster: anyValue,
  threads: ENGINE.threads,
  patience: COUNT,
  cacheBytes: integer(0, Number.MAX_SAFE_INTEGER),
};
const LEDGER: OptionTable<LedgerOptions> = {
  leaseMilliseconds: nonNegative,
  mostLeases: COUNT,
  tries: COUNT,
  losses: COUNT,
};

/** Takes jobs. Made by openJobs. */
export interface JobServer {
  /**
   * Hands a job over and returns at once: what it holds is copied. @throws what is wrong with it:
   * InvalidMesh, InvalidBoxes, InvalidTransform, Unsupported
   */
  submit<Name extends JobName>(job: Jobs[Name] & { kind: Name }): Submitted<Answers[Name]>;
  /** Cancels what is not finished, and ends what openJobs has started. */
  close(): Promise<void>;
}

/** What it takes to reach nodes. */
interface Reach {
  link: Link;
  cluster: string /** Tells of an error after which no job can end. */;
  onLost?: (listener: (error: Error) => void) => void;
  close(): Promise<void>;
}

/** @throws CollisionError 'Cluster' where no thread can be started, Unsupported for wrong options */
export async function openJobs(given: JobServerOptions, ledger: LedgerOptions = {}): Promise<JobServer> {
  rejectExtraArgument(arguments[2], 'openJobs(options, ledger)');
  const options = copyOptions(JOB_SERVER, given);
  const { where, patience = 60_000 } = options;
  checkOptions(LEDGER, ledger, 'ledger');
  checkValue('where', where ?? '', JOB_SERVER.where);
  refuseOthers(options);
  const reach = await ways[where](options);
  const id = crypto.getRandomValues(new Uint32Array(1))[0];
  const runs = new Set<Run<unknown>>();
  let lost: Error | undefined;
  const fail = (error: Error): void => {
    lost ??= error;
    for (const run of runs) run.fail(error);
  };
  reach.onLost?.(fail);
  return {
    submit(job, surplus?: unknown) {
      rejectExtraArgument(surplus, 'submit(job)');
      if (lost) throw lost;
      checkValue('job', job ?? null, object);
      const kind = kindOf(job.kind) as JobKind<unknown, unknown> | undefined;
      if (!kind) checkValue('kind', job.kind ?? '', oneOf(...Object.keys(jobKinds)));
      const run = new Run(kind!.open(job), {
        ...ledger,
        ...kind!.terms?.(job),
        link: reach.link,
        cluster: reach.cluster,
        id,
        patience,
      });
      const forget = (): void => {
        runs.delete(run);
      };
      runs.add(run);
      run.answer.then(forget, forget);
      return submitted(run) as never;
    },
    async close() {
      fail(new ClusterError('the jobs were closed', 'open them again with openJobs()'));
      // Who is gone need not hear it.
      await reach.link.flush(1000).catch(() => {});
      await reach.close();
    },
  };
}

// Options that do nothing would be taken for options that do something.
function refuseOthers(options: JobServerOptions): void {
  const [others, owner] =
    options.where === 'cluster'
      ? [['threads', 'cacheBytes'] as const, "'here' and 'threads'"]
      : [['link', 'cluster'] as const, "'cluster'"];
  for (const name of others)
    if (options[name] !== undefined)
      throw new Unsupported(
        `${name} is an option of where: ${owner}, and where is '${options.where}'`,
        `leave ${name} out, or change where`,
      );
}

const ways: Record<JobServerOptions['where'], (options: JobServerOptions) => Promise<Reach>> = {
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
    return {
      link,
      cluster,
      onLost: tell => {
        void lossOf(link, 'connect anew, and open jobs again').then(tell);
      },
      close: async () => {},
    };
  },
};
