// Invites nodes to become members of a swarm (a simulation of moving bodies on many nodes) while the
// coordinator wants more members. Collects the offers of the nodes.
import { Channel, messageHandler, SMALL_MESSAGES } from '../channel.js';
import { subjectsOf } from '../subjects.js';
import { Invite, Offer } from './messages.js';
import type { Settings } from './settings.js';

interface MembershipOptions
  extends Pick<Settings, 'link' | 'cluster' | 'worldName' | 'patience' | 'retryInterval'> {
  run: readonly [number, number];
  id: number;
}

/** The maximum number of nodes whose names and offers are remembered. */
const MAX_OFFERS = 4096;

export class Membership {
  readonly names = new Map<number, string>();
  /**
   * When each node last offered to take part, by id. An entry is deleted when its node becomes a member or is
   * lost.
   */
  readonly offers = new Map<number, number>();
  /** Whether the coordinator wants more members. */
  wantsMembers = true;
  private readonly options: MembershipOptions;
  private readonly channel: Channel;
  private readonly timer: ReturnType<typeof setInterval>;

  constructor(options: MembershipOptions) {
    const { link, cluster, run, retryInterval } = options;
    this.options = options;
    this.channel = new Channel(link);
    const handlers = [
      messageHandler(Offer, ({ from, name }) => {
        if (this.names.size >= MAX_OFFERS && !this.names.has(from)) return;
        this.names.set(from, new TextDecoder().decode(name));
        this.offers.set(from, performance.now());
      }),
    ];
    this.channel.receive(subjectsOf(cluster).run(run), handlers, SMALL_MESSAGES);
    this.timer = setInterval(() => this.invite(), retryInterval);
    this.invite();
  }

  /** Returns the nodes that have recently offered to take part and are not in `known`. */
  newNodes(known: readonly number[]): number[] {
    const since = performance.now() - this.options.patience;
    return [...this.offers].filter(([id, at]) => at >= since && !known.includes(id)).map(([id]) => id);
  }

  close(): void {
    clearInterval(this.timer);
    this.channel.dispose();
  }

  private invite(): void {
    const { cluster, run, id, worldName, patience, retryInterval } = this.options;
    if (this.wantsMembers)
      this.channel.send(
        subjectsOf(cluster).swarms,
        Invite,
        { run, step: 0, from: id },
        { patience, retryInterval, world: new TextEncoder().encode(worldName) },
      );
  }
}
