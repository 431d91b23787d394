// What nodes tell of themselves, every second -> who is there now, and how busy.
import { Channel, taker } from '../../cluster/channel.js';
import type { Link } from '../../cluster/link.js';
import { pick } from '../../cluster/pick.js';
import { Here } from '../../cluster/presence.js';
import { subjectsOf } from '../../cluster/subjects.js';

/** A node that tells nothing for so many milliseconds is gone. */
const PATIENCE = 4000;

/** What a row has as its node tells it. */
const TOLD = [
  ...(['threads', 'held', 'tasks', 'failures', 'tests', 'cpuSeconds', 'upSeconds'] as const),
  ...(['sentMessages', 'sentBytes', 'receivedMessages', 'receivedBytes'] as const),
];

export interface NodeRow extends Record<(typeof TOLD)[number], number> {
  id: number;
  name: string;
  /** The GPU that it asks, too; '' where it computes on its CPU alone. */
  gpu: string;
  /** Of one core, since it told before; 0 at first. */
  load: number;
  memoryBytes: number;
}

interface NodeWatch {
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
      nodes.set(from, {
        id: from,
        name: new TextDecoder().decode(name),
        gpu: new TextDecoder().decode(gpu),
        load: Math.max(0, load),
        memoryBytes: told.residentBytes,
        ...pick(told, TOLD),
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
