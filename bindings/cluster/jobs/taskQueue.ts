// Tasks of one run on a node: from the message that brings them to the word that their results have come.
import { cpuMilliseconds } from '../cpuTime.js';
import { textOf } from './content.js';
import type { Kept, TaskKind } from './jobKind.js';
import { HASH_WORDS } from './messages.js';
import { RoundTrip } from './roundTrip.js';

export interface NodeTask {
  number: number;
  kind: TaskKind<unknown, unknown>;
  task: unknown;
  /** What its kind fetched for it. */
  fetched?: unknown;
  /** Of the content that it keeps from being given up. */
  pinned: string[];
  state: 'waiting' | 'ready' | 'finished' | 'dropped';
  /** What is to be told of it. */
  telling?: Telling;
}

/** A result, or how it failed, told until it is settled. */
interface Telling {
  body: Uint8Array;
  isStored: 0 | 1;
  fail?: () => void /** How often it was told, when the last time, and how long to wait before it is told again. */;
  times: number;
  at: number;
  wait: number;
}

const LEAST_WAIT = 250;
const MOST_WAIT = 1500;
/** Blocks of kept results that are held as bytes: pieces of them will be asked for one after the other. */
const MAX_BLOCKS = 256;
export const telling = (body: Uint8Array, isStored: 0 | 1, fail?: () => void): Telling => ({
  body,
  isStored,
  times: 0,
  at: -Infinity,
  wait: 0,
  ...(fail ? { fail } : {}),
});

export class NodeRun {
  readonly run: readonly [number, number];
  /** Whose it is. */
  coordinator: number;
  heardAt: number;
  /** When it last brought tasks. */
  busyAt = -Infinity;
  /** Of the next message: later ones count, also those of who forgot the run and hears of it again. */
  serial: number;
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
  /** Results that stay here until the run is over, by task. */
  readonly kept = new Map<number, Kept>();
  /** Whether it may leave such. */
  keeps = false;
  private readonly blocks = new Map<string, Uint8Array | Promise<Uint8Array>>();
  private readonly cpuAtFirst = cpuMilliseconds();
  /** In the order in which they are done. */
  private readonly ready: NodeTask[] = [];
  private head = 0;

  constructor(run: readonly [number, number], coordinator: number, now: number) {
    [this.run, this.coordinator, this.heardAt] = [run, coordinator, now];
    this.serial = Math.floor(now);
  }

  /** Milliseconds of this process since it heard of the run. */
  get cpu(): number {
    return cpuMilliseconds() - this.cpuAtFirst;
  }

  get holds(): Uint32Array {
    return Uint32Array.from(this.tasks.keys());
  }

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
      const task = this.ready[this.head++];
      if (this.head === this.ready.length) this.head = this.ready.length = 0;
      if (task.state === 'ready') return task;
    }
    return undefined;
  }

  finish(task: NodeTask, word: Telling): void {
    task.state = 'finished';
    task.telling = word;
    task.fetched = undefined;
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
      word.wait =
        word.times++ === 0
          ? Math.max(LEAST_WAIT, this.roundTrip.patience)
          : Math.min(MOST_WAIT, 2 * word.wait);
      word.at = now;
      yield { number, telling: word };
    }
  }

  /**
   * What others fetch from here: a large result by its hash, of a kept one by its task what a selector says.
   */
  blockOf(name: Uint32Array): Uint8Array | Promise<Uint8Array> | undefined {
    const text = textOf(name);
    if (name.length === HASH_WORDS) return [...this.stored.values()].find(({ hash }) => hash === text)?.bytes;
    let block = this.blocks.get(text);
    if (!block) {
      block = this.kept.get(name[0])?.bytes(name.subarray(1));
      if (!block) return undefined;
      // Made again when it is asked for again.
      if (this.blocks.size >= MAX_BLOCKS) this.blocks.delete(this.blocks.keys().next().value!);
      this.blocks.set(text, block);
    }
    return block;
  }
}
