// Sends tasks and acknowledgments of results to the nodes that take part in a run (the execution of one job).
// Combines them into few messages.
import type { SentValues } from '../message.js';
import type { TaskKind } from './jobKind.js';
import { Bodies, type Grant } from './messages.js';

/** An encoded task; undefined if the task is already done. */
type Encoded = { kind: TaskKind<unknown, unknown>; lease: number; body: Uint8Array } | undefined;
type Encode = (task: number, node: number) => Encoded;
/** What is queued for a node: acknowledgments (settled tasks), and tasks to assign. */
interface Outgoing {
  settled: Set<number>;
  tasks: number[];
}

/** The maximum size of all encoded tasks in one message, in bytes. A single task may be larger. */
const MAX_BODY_BYTES = 2 ** 18;

export class GrantSender {
  private readonly outgoing = new Map<number, Outgoing>();
  private readonly encode: Encode;
  private readonly send: (node: number, values: Omit<SentValues<typeof Grant>, 'membership'>) => void;
  private readonly maxBytes: number;
  private readonly patience: number;
  private isScheduled = false;
  private flushedAt = 0;

  /** patience: milliseconds for which acknowledgments wait for tasks that go to the same node. */
  constructor(
    packetBytes: number,
    patience: number,
    encode: Encode,
    send: (node: number, values: Omit<SentValues<typeof Grant>, 'membership'>) => void,
  ) {
    this.maxBytes = Math.min(MAX_BODY_BYTES, packetBytes / 2);
    [this.patience, this.encode, this.send] = [patience, encode, send];
  }

  /** Queues the acknowledgment of a result. It is sent with the next tasks, or alone after `patience`. */
  acknowledge(node: number, task: number): void {
    this.outgoingOf(node).settled.add(task);
  }

  /**
   * Queues tasks for a node. Tasks that are queued before the next microtask are sent in as few messages as
   * possible.
   */
  assign(node: number, tasks: readonly number[]): void {
    const outgoing = this.outgoingOf(node).tasks;
    for (const task of tasks) outgoing.push(task);
    if (this.isScheduled) return;
    this.isScheduled = true;
    queueMicrotask(() => {
      this.isScheduled = false;
      for (const [other, outgoing] of this.outgoing)
        if (outgoing.tasks.length > 0) this.flush(other, outgoing);
    });
  }

  /** Immediately sends a message without tasks, to give the node the secret that its reports must contain. */
  greet(node: number): void {
    this.grant(node, { settled: new Set(), tasks: [] });
  }

  tick(now: number): void {
    if (now - this.flushedAt < this.patience) return;
    this.flushedAt = now;
    for (const [node, outgoing] of this.outgoing) this.flush(node, outgoing);
  }

  clear(): void {
    this.outgoing.clear();
  }

  private outgoingOf(node: number): Outgoing {
    let outgoing = this.outgoing.get(node);
    if (!outgoing) this.outgoing.set(node, (outgoing = { settled: new Set(), tasks: [] }));
    return outgoing;
  }

  private flush(node: number, outgoing: Outgoing): void {
    this.outgoing.delete(node);
    this.grant(node, outgoing);
  }

  // Starts a new message whenever the kind of the tasks changes or the message would become too large.
  private grant(node: number, { settled, tasks }: Outgoing): void {
    let code = 0;
    let bodies = new Bodies();
    let isSent = false;
    const send = (): void => {
      this.send(node, {
        taskKind: code,
        settled: Uint32Array.from(isSent ? [] : settled),
        ...bodies.values(),
      });
      [bodies, isSent] = [new Bodies(), true];
    };
    for (const task of tasks) {
      const encoded = this.encode(task, node);
      if (!encoded) continue;
      if (
        bodies.tasks.length > 0 &&
        (encoded.kind.code !== code || bodies.bytes + encoded.body.length > this.maxBytes)
      )
        send();
      code = encoded.kind.code;
      bodies.add(task, encoded.lease, encoded.body);
    }
    if (bodies.tasks.length > 0 || !isSent) send();
  }
}
