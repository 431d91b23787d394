// Forges messages of nodes, as an attacker could. The attacker can publish to all subjects of a cluster and
// hears which runs are announced, but cannot read the messages to other nodes.
import { Channel, messageHandler } from '../../dist/cluster/channel.js';
import { Finished, Grant, NodeStatus, Open, RunEnded } from '../../dist/cluster/jobs/messages.js';
import { PairReport } from '../../dist/cluster/jobs/pairTasks.js';
import type { Link } from '../../dist/cluster/link.js';
import type { ReceivedMessage } from '../../dist/cluster/message.js';
import { subjectsOf } from '../../dist/cluster/subjects.js';

type RunId = readonly [number, number];
const none = new Uint32Array(0);
/** A result without triangle pairs, for a task with one pair of meshes. */
const EMPTY = { at: Uint32Array.of(0, 0), a: none, b: none, distances: new Float64Array(0) };

export class Forger {
  readonly channel: Channel;
  private readonly subjects = subjectsOf('pfront');
  private serial = 0;

  /** onOpen: called at each announcement of a run. */
  constructor(link: Link, onOpen: (run: RunId) => void) {
    this.channel = new Channel(link);
    this.channel.receive(this.subjects.open, [
      messageHandler(Open, ({ run }) => onOpen(run)),
      messageHandler(RunEnded, () => {}),
    ]);
  }

  /**
   * Calls `take` with each Grant that arrives for `node`, the attacker's node. A Grant is a message that
   * assigns tasks; it may also have no tasks.
   */
  onGrant(node: number, take: (grant: ReceivedMessage<typeof Grant>) => void): void {
    this.channel.receive(this.subjects.node(node), [
      messageHandler(Grant, take),
      messageHandler(RunEnded, () => {}),
    ]);
  }

  /** Sends a status report in the name of `node`. */
  report(
    run: RunId,
    node: number,
    {
      slots = 0,
      isLeaving = 0,
      membership = 0,
      holds = [] as number[],
      step = 2 ** 32 - 1 - this.serial++,
    } = {},
  ): void {
    this.channel.send(
      this.subjects.run(run),
      NodeStatus,
      { run, step, from: node },
      {
        slots,
        heard: 0,
        isLeaving,
        membership,
        holds: Uint32Array.from(holds),
        name: new TextEncoder().encode('forged'),
      },
    );
  }

  /** Sends empty results in the name of `node`, for tasks with one pair of meshes each. */
  finish(
    run: RunId,
    node: number,
    tasks: readonly number[],
    { membership = 0, leases = tasks.map(() => 0) } = {},
  ): void {
    const heading = { run, step: this.serial++, from: node };
    const body = PairReport.encode(heading, EMPTY);
    const bodies = new Uint8Array(tasks.length * body.length);
    tasks.forEach((_, i) => bodies.set(body, i * body.length));
    this.channel.send(this.subjects.run(run), Finished, heading, {
      slots: 0,
      heard: 0,
      membership,
      holds: none,
      tasks: Uint32Array.from(tasks),
      leases: Float64Array.from(leases),
      isStored: new Uint8Array(tasks.length),
      offsets: Uint32Array.from({ length: tasks.length + 1 }, (_, i) => i * body.length),
      bodies,
    });
  }
}
