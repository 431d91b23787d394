// Announces a node to the cluster every second: its name and hardware, the work it has done, and its load.
import type { Engine } from '../engine/engine.js';
import { Channel } from './channel.js';
import { messageKind } from './message.js';
import type { StartService } from './nodeHost.js';
import { subjectsOf } from './subjects.js';

const NAME_BYTES = 256;
const INTERVAL = 1000;

/**
 * A node's announcement on the subject `here`.
 * - isLeaving: 1 in the last announcement;
 * - held: the number of tasks that the node has now;
 * - tests: the number of tests of boxes, spheres and triangles;
 * - cpuSeconds, residentBytes: the CPU time and the resident memory of the node's process; 0 in a browser;
 * - sentMessages, sentBytes, receivedMessages, receivedBytes: packets of all services of the node, and the
 *   bytes of these packets;
 * - gpu: the name of the GPU that the node uses; empty if it uses none.
 */
export const Presence = messageKind(
  'Here',
  1,
  {
    threads: 'u32',
    isLeaving: 'u32',
    held: 'u32',
    tasks: 'f64',
    failures: 'f64',
    tests: 'f64',
    cpuSeconds: 'f64',
    residentBytes: 'f64',
    upSeconds: 'f64',
    sentMessages: 'f64',
    sentBytes: 'f64',
    receivedMessages: 'f64',
    receivedBytes: 'f64',
  },
  { name: 'u8', gpu: 'u8' },
  values => {
    const numbers = [
      values.tasks,
      values.failures,
      values.tests,
      values.cpuSeconds,
      values.residentBytes,
      values.upSeconds,
      values.sentMessages,
      values.sentBytes,
      values.receivedMessages,
      values.receivedBytes,
    ];
    for (const text of [values.name, values.gpu])
      if (text.length > NAME_BYTES) return `a name has ${text.length} bytes, more than ${NAME_BYTES}`;
    return numbers.every(value => value >= 0 && value < Infinity)
      ? undefined
      : `a number is negative or not finite: ${numbers.join(', ')}`;
  },
);

export const startPresence: StartService = ({ id, name, cluster, link, engine, gpu, work, traffic }) => {
  const channel = new Channel(link);
  const subject = subjectsOf(cluster).presence;
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text).slice(0, NAME_BYTES);
  const startedAt = performance.now();
  let step = 0;
  const announce = (isLeaving: number): void => {
    const { tasks, failures, tests, held } = work;
    channel.send(
      subject,
      Presence,
      { run: [0, 0], step: step++, from: id },
      {
        threads: engine.info.threads,
        isLeaving,
        held,
        tasks,
        failures,
        tests,
        ...processLoad(),
        ...traffic,
        upSeconds: (performance.now() - startedAt) / 1000,
        name: encode(name),
        gpu: encode(gpu ? gpuText(engine.info) : ''),
      },
    );
  };
  announce(0);
  const timer = setInterval(() => announce(0), INTERVAL);
  return {
    async close() {
      clearInterval(timer);
      announce(1);
      channel.dispose();
    },
  };
};

function processLoad(): { cpuSeconds: number; residentBytes: number } {
  if (typeof process === 'undefined' || typeof process.cpuUsage !== 'function')
    return { cpuSeconds: 0, residentBytes: 0 };
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6, residentBytes: process.memoryUsage.rss() };
}

// Returns the name of the GPU; 'GPU' if its name is unknown; empty if the GPU is lost.
function gpuText({ gpu }: Engine['info']): string {
  if (!gpu) return '';
  const { vendor, architecture, description } = gpu;
  const name = description || architecture;
  return (name.toLowerCase().includes(vendor.toLowerCase()) ? name : `${vendor} ${name}`).trim() || 'GPU';
}
