// Tasks of one run on a node: from the message that brings them to the word that their results have come.
import type { TaskKind } from './jobKind.js';
import { RoundTrip } from './roundTrip.js';

export interface NodeTask {
  number: number;
  kind: TaskKind<unknown, unknown>;
  task: unknown;
  /** Of the content that it keeps from being given up. */
  pinned: string[];
  state: 'waiting' | 'ready' | 'finished' | 'dropped';
  /** What is to be told of it. */
  telling?: Telling;
}

/** A result, or how it failed, told until it is settled. */
export interface Telling { body: Uint8Array; isStored: 0 | 1; fail?: () => void; /** How often it was told, when the last time, and how long to wait before it is told again. */ times: number; at: number; wait: number }

const LEAST_WAIT = 250, MOST_WAIT = 1500;
export const telling = (body: Uint8Array, isStored: 0 | 1, fail?: () => void): Telling => ({ body, isStored, times: 0, at: -Infinity, wait: 0, ...(fail ? { fail } : {}) });

export class NodeRun {
  readonly run: readonly [number, number];
  /** Whose it is. */
  coordinator: number;
  heardAt: number;
  /** When it last brought tasks. */
  busyAt = -Infinity;
  serial = 0;
  /** The last message that brought tasks, by its number. */
  heard = 0;
  readonly tasks = new Map<number, NodeTask>();
  /** How many of them are not finished. */
  unfinished = 0;
  /** From telling a result until it is settled. */
  private readonly roundTrip = new RoundTrip();
  private timedAt = -Infinity;
  /** Results that are fetched from here, by task. */
  readonly stored = new Map<number, { hash: string; bytes: Uint8Array }>();
  /** In the order in which they are done. */
  private readonly ready: NodeTask[] = [];
  private head = 0;

  constructor(run: readonly [number, number], coordinator: number, now: number) {
    [this.run, this.coordinator, this.heardAt] = [run, coordinator, now];
  }

  get holds(): Uint32Array { return Uint32Array.from(this.tasks.keys()); }

  add(task: NodeTask): void {
    this.tasks.set(task.number, task);
    this.unfinished++;
  }

  isReady(task: NodeTask): void {
    task.state = 'ready';
    this.ready.push(task);
  }

  nextReady(): NodeTask | undefined {
    while (this.head < this.ready.length) {
      const task = this.ready[this.head++]!;
      if (this.head === this.ready.length) this.head = this.ready.length = 0;
      if (task.state === 'ready') return task;
    }
    return undefined;
  }

  finish(task: NodeTask, word: Telling): void {
    task.state = 'finished';
    task.telling = word;
    this.unfinished--;
  }

  settle(task: NodeTask, now: number): void {
    // Many results that were told together are one sample.
    if (task.telling?.times === 1 && task.telling.at > this.timedAt) {
      this.timedAt = task.telling.at;
      this.roundTrip.add(now - task.telling.at);
    }
    this.drop(task);
  }

  drop(task: NodeTask): void {
    if (task.state !== 'finished') this.unfinished--;
    task.state = 'dropped';
    this.tasks.delete(task.number);
    this.stored.delete(task.number);
  }

  /** What was never told, or so long ago that it was lost. Marked as told now. */
  *due(now: number): Generator<{ number: number; telling: Telling }> {
    for (const { number, telling: word } of this.tasks.values()) {
      if (!word || now - word.at < word.wait) continue;
      word.wait = word.times++ === 0 ? Math.max(LEAST_WAIT, this.roundTrip.patience) : Math.min(MOST_WAIT, 2 * word.wait);
      word.at = now;
      yield { number, telling: word };
    }
  }

  contentOf(hash: string): Uint8Array | undefined {
    for (const stored of this.stored.values()) if (stored.hash === hash) return stored.bytes;
    return undefined;
  }
}
