// Fetches the inputs of a node's tasks: content, which is fetched by its hash and cached on the node, and
// results that other nodes keep. Also sends results that this node keeps to the processes that request them.
import type { Channel } from '../channel.js';
import type { ReceivedMessage } from '../message.js';
import type { NodeHost } from '../nodeHost.js';
import { subjectsOf } from '../subjects.js';
import { textOf } from './content.js';
import { ContentCache } from './contentCache.js';
import { MissingResult } from './failure.js';
import { Fetcher, sendChunks } from './fetcher.js';
import type { ResultStore } from './jobKind.js';
import type { ChunkRequest } from './messages.js';
import type { NodeRun, NodeTask } from './nodeRun.js';

export class TaskInputs {
  readonly cache: ContentCache;
  readonly fetcher: Fetcher;
  private readonly channel: Channel;
  private readonly id: number;
  private readonly subjects: ReturnType<typeof subjectsOf>;

  constructor(channel: Channel, { engine, id, cluster, cacheBytes }: NodeHost) {
    [this.channel, this.id, this.subjects] = [channel, id, subjectsOf(cluster)];
    this.cache = new ContentCache(engine, cacheBytes);
    this.fetcher = new Fetcher(channel, id);
  }

  /**
   * Fetches those inputs of a task that are not on the node yet. Until `release` is called, the content that
   * the task needs is protected from eviction.
   * @throws MissingResult if a result cannot be fetched, CollisionError 'Cluster' if content cannot be
   * fetched
   */
  async fetchInputs(run: NodeRun, task: NodeTask): Promise<void> {
    const needs = task.kind.needs(task.task);
    const arrivals = await Promise.allSettled(
      Array.from({ length: needs.length / 8 }, (_, i) =>
        this.fetchContent(run, task, needs.subarray(8 * i, 8 * i + 8)),
      ),
    );
    const missing = arrivals.find(arrival => arrival.status === 'rejected');
    if (missing) throw missing.reason;
    if (task.kind.fetch && task.state !== 'dropped')
      task.fetched = await task.kind.fetch(task.task, this.resultStoreOf(run));
  }

  release(task: NodeTask): void {
    for (const hash of task.pinned.splice(0)) this.cache.release(hash);
  }

  /** Answers a request for chunks of a block: a large result, or a field of a result that this node keeps. */
  async serveBlock(run: NodeRun | undefined, request: ReceivedMessage<typeof ChunkRequest>): Promise<void> {
    const subject = request.viaRun ? this.subjects.run(request.run) : this.subjects.blocks(request.from);
    sendChunks(this.channel, subject, this.id, await run?.blockOf(request.name), request);
  }

  private async fetchContent(run: NodeRun, task: NodeTask, words: Uint32Array): Promise<void> {
    const hash = textOf(words);
    if (!this.cache.pin(hash)) {
      const bytes = await this.fetchShared(run, words);
      if (task.state === 'dropped') return;
      this.cache.put(hash, bytes);
      this.cache.pin(hash);
    }
    task.pinned.push(hash);
  }

  private fetchShared({ run }: NodeRun, name: ArrayLike<number>): Promise<Uint8Array> {
    return this.fetcher.fetch(
      name,
      { subject: this.subjects.run(run), run, viaRun: false },
      performance.now(),
    );
  }

  private resultStoreOf(run: NodeRun): ResultStore {
    const bytesRead = { caller: 0, nodes: 0, self: 0 };
    const count = (from: keyof typeof bytesRead, bytes: Uint8Array): Uint8Array => {
      bytesRead[from] += bytes.length;
      return bytes;
    };
    return {
      bytesRead,
      own: task => run.keptResult(task),
      cpuMilliseconds: () => run.cpu,
      fetchShared: async name => count('caller', await this.fetchShared(run, name)),
      fetch: async (holder, task, selector, patience) => {
        const name = Uint32Array.of(task, ...selector);
        const own = holder === this.id ? await run.blockOf(name) : undefined;
        if (own) return count('self', own);
        const source = {
          subject: this.subjects.blocks(holder),
          run: run.run,
          viaRun: false,
          holder,
          patience,
        };
        return count(
          'nodes',
          await this.fetcher.fetch(name, source, performance.now()).catch(() => {
            throw new MissingResult(task);
          }),
        );
      },
    };
  }
}
