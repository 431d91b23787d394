// Implements the swarm service of a node. A swarm simulates a world of moving bodies on many nodes. The service
// takes part in one swarm at a time, and only if the node knows the world of that swarm.
import { Channel, messageHandler, SMALL_MESSAGES } from '../channel.js';
import { subjectsOf } from '../subjects.js';
import type { SwarmHost } from './host.js';
import { Member } from './member.js';
import { Invite, Offer } from './messages.js';
import type { FindWorld } from './world.js';

/** Returns the swarm service. find: returns the world that an invitation names, if it is known. */
export function swarmService(find: FindWorld): (host: SwarmHost) => { close(): Promise<void> } {
  return host => {
    const channel = new Channel(host.link);
    const subjects = subjectsOf(host.cluster);
    const name = new TextEncoder().encode(host.name).subarray(0, 256);
    let member: Member | undefined;
    let isClosed = false;
    const handlers = [
      messageHandler(Invite, ({ run, from, world, patience, retryInterval }) => {
        if (isClosed || (member && (member.run[0] !== run[0] || member.run[1] !== run[1]))) return;
        if (!member) {
          const found = find(new TextDecoder().decode(world));
          if (!found) return;
          const own = (member = new Member({
            host,
            world: found,
            run,
            coordinator: from,
            patience,
            retryInterval,
          }));
          void own.whenEnded.then(() => {
            if (member === own) member = undefined;
          });
        }
        channel.send(subjects.run(run), Offer, { run, step: 0, from: host.id }, { name });
      }),
    ];
    channel.receive(subjects.swarms, handlers, SMALL_MESSAGES);
    return {
      async close() {
        isClosed = true;
        channel.dispose();
        await member?.leave();
      },
    };
  };
}
