// Lists the nodes of a cluster that are present, and how busy each node is. The list is made from the
// announcements that every node sends.
import { Channel, messageHandler, SMALL_MESSAGES } from '../../cluster/channel.js';
import type { Link } from '../../cluster/link.js';
import { pick } from '../../cluster/pick.js';
import { Presence } from '../../cluster/presence.js';
import { subjectsOf } from '../../cluster/subjects.js';

/** Milliseconds of silence after which a node is presumed gone. */
const SILENCE_LIMIT = 4000;
/** The maximum number of nodes in the list. Announcements of further nodes are ignored. */
const MAX_NODES = 4096;

/** The fields of an announcement that are copied to the row of the node. */
const ANNOUNCED = [
  'threads',
  'held',
  'tasks',
  'failures',
  'tests',
  'cpuSeconds',
  'upSeconds',
  'sentMessages',
  'sentBytes',
  'receivedMessages',
  'receivedBytes',
] as const;

export interface NodeRow extends Record<(typeof ANNOUNCED)[number], number> {
  id: number;
  name: string;
  /** The GPU that the node uses in addition to its CPU; '' if there is none. */
  gpu: string;
  /**
   * CPU load since the node's previous announcement, where 1 is one busy core. The load is 0 until the second
   * announcement arrives.
   */
  load: number;
  memoryBytes: number;
}

interface NodeWatch {
  /** Returns the nodes that are present, sorted by name. */
  rows(): NodeRow[];
  close(): void;
}

export function watchNodes(link: Link, cluster: string): NodeWatch {
  const channel = new Channel(link);
  // at: when the last announcement of the node arrived. sample: the processor time of an earlier announcement,
  // from which the load is computed, and when that announcement arrived.
  const nodes = new Map<number, NodeRow & { at: number; sample: { at: number; cpuSeconds: number } }>();
  const handlers = [
    messageHandler(Presence, ({ from, name, gpu, isLeaving, ...fields }) => {
      if (isLeaving) return void nodes.delete(from);
      if (nodes.size >= MAX_NODES && !nodes.has(from)) return;
      const last = nodes.get(from);
      const at = performance.now();
      const { cpuSeconds } = fields;
      const isLong = last !== undefined && at - last.sample.at > 100;
      const load = isLong
        ? (1000 * (cpuSeconds - last.sample.cpuSeconds)) / (at - last.sample.at)
        : (last?.load ?? 0);
      nodes.set(from, {
        id: from,
        name: new TextDecoder().decode(name),
        gpu: new TextDecoder().decode(gpu),
        load: Math.max(0, load),
        memoryBytes: fields.residentBytes,
        ...pick(fields, ANNOUNCED),
        at,
        sample: last && !isLong ? last.sample : { at, cpuSeconds },
      });
    }),
  ];
  channel.receive(subjectsOf(cluster).presence, handlers, SMALL_MESSAGES);
  return {
    rows() {
      const now = performance.now();
      for (const [id, { at }] of nodes) if (now - at > SILENCE_LIMIT) nodes.delete(id);
      return [...nodes.values()]
        .map(({ at: _, sample: __, ...row }) => row)
        .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id));
    },
    close: () => channel.dispose(),
  };
}
