// Runs tasks in the process of the caller, to check the results of nodes.
import type { Engine } from '../../engine/engine.js';
import { ClusterError } from '../errors.js';
import { textOf } from './content.js';
import { ContentCache } from './contentCache.js';
import type { SharedContents, TaskContext, TaskKind } from './jobKind.js';

/** The maximum total size, in bytes, of the meshes that are kept for later checks. */
const CACHE_BYTES = 2 ** 28;

export class Recomputer {
  private made: Promise<{ engine: Engine; cache: ContentCache }> | undefined;
  private isDisposed = false;
  /** Settles when the last task has ended. */
  private last: Promise<unknown> = Promise.resolve();

  /** Runs a task. contents: the content that the task needs, by hash. Tasks run one after another. */
  run<Task, Report>(kind: TaskKind<Task, Report>, task: Task, contents: SharedContents): Promise<Report> {
    const result = this.last.then(() => this.runNow(kind, task, contents));
    this.last = result.catch(() => {});
    return result;
  }

  /** Disposes of the engine once the running task has ended. Tasks that have not started are rejected. */
  dispose(): void {
    this.isDisposed = true;
    // If the engine could not be created, the error is ignored here: the tasks were already rejected with it.
    void this.last.then(() => this.made?.then(({ engine }) => engine.dispose()).catch(() => {}));
  }

  private async runNow<Task, Report>(
    kind: TaskKind<Task, Report>,
    task: Task,
    contents: SharedContents,
  ): Promise<Report> {
    if (this.isDisposed)
      throw new ClusterError('the job server was closed', 'open a new one with openJobs()');
    this.made ??= make();
    const { engine, cache } = await this.made.catch((error: unknown) => {
      this.made = undefined;
      throw error;
    });
    const needs = kind.needs(task);
    const hashes = Array.from({ length: needs.length / 8 }, (_, i) =>
      textOf(needs.subarray(8 * i, 8 * i + 8)),
    );
    for (const hash of hashes) {
      const content = contents.get(hash);
      if (!cache.pin(hash) && content) {
        cache.put(hash, typeof content === 'function' ? content() : content);
        cache.pin(hash);
      }
    }
    try {
      return await kind.run(task, contextOf(engine, cache), undefined);
    } finally {
      for (const hash of hashes) cache.release(hash);
    }
  }
}

const contextOf = (engine: Engine, cache: ContentCache): TaskContext => ({
  engine,
  bytes: (hashes, at = 0) => cache.bytesOf(hashes, at),
  mesh: (hashes, at = 0) => cache.meshOf(hashes, at),
  countTests() {},
  keep() {
    throw new RangeError('keep() is not available when a result is checked');
  },
  dropBefore() {},
  sharedTool() {
    throw new RangeError('sharedTool() is not available when a result is checked');
  },
});

// The engine is loaded at the first check. A caller whose jobs run on its own threads checks no results, so
// it never loads this engine.
async function make(): Promise<{ engine: Engine; cache: ContentCache }> {
  const { createEngine } = await import('../../engine/createEngine.js');
  const engine = await createEngine({ threads: 1 });
  return { engine, cache: new ContentCache(engine, CACHE_BYTES) };
}
