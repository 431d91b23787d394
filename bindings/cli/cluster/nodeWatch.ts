// What nodes tell of themselves, every second -> who is there now, and how busy.
import { Channel, taker } from '../../cluster/channel.js';
import type { Link } from '../../cluster/link.js';
import { Here } from '../../cluster/presence.js';
import { subjectsOf } from '../../cluster/subjects.js';

/** A node that tells nothing for so many milliseconds is gone. */
const PATIENCE = 4000;

export interface NodeRow {
  id: number;
  name: string;
  threads: number;
  /** The GPU that it asks, too; '' where it computes on its CPU alone. */
  gpu: string;
  /** Tasks that it has now, that it has done, and that it could not do. */
  held: number;
  tasks: number;
  failures: number;
  tests: number;
  cpuSeconds: number;
  /** Of one core, since it told before; 0 at first. */
  load: number;
  memoryBytes: number;
  upSeconds: number;
  sentMessages: number;
  sentBytes: number;
  receivedMessages: number;
  receivedBytes: number;
}

export interface NodeWatch {
  /** By name. */
  rows(): NodeRow[];
  close(): void;
}

export function watchNodes(link: Link, cluster: string): NodeWatch {
  const channel = new Channel(link);
  const nodes = new Map<number, NodeRow & { at: number }>();
  channel.receive(subjectsOf(cluster).here, [
    taker(Here, ({ from, name, gpu, isLeaving, ...told }) => {
      if (isLeaving) return void nodes.delete(from);
      const last = nodes.get(from);
      const at = performance.now();
      const load =
        last && at - last.at > 100
          ? (1000 * (told.cpuSeconds - last.cpuSeconds)) / (at - last.at)
          : (last?.load ?? 0);
      const {
        threads,
        held,
        tasks,
        failures,
        tests,
        cpuSeconds,
        residentBytes: memoryBytes,
        upSeconds,
        sentMessages,
        sentBytes,
        receivedMessages,
        receivedBytes,
      } = told;
      nodes.set(from, {
        id: from,
        name: new TextDecoder().decode(name),
        threads,
        gpu: new TextDecoder().decode(gpu),
        held,
        tasks,
        failures,
        tests,
        cpuSeconds,
        upSeconds,
        load: Math.max(0, load),
        memoryBytes,
        sentMessages,
        sentBytes,
        receivedMessages,
        receivedBytes,
        at,
      });
    }),
  ]);
  return {
    rows() {
      const now = performance.now();
      for (const [id, { at }] of nodes) if (now - at > PATIENCE) nodes.delete(id);
      return [...nodes.values()]
        .map(({ at: _, ...row }) => row)
        .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id));
    },
    close: () => channel.dispose(),
  };
}
