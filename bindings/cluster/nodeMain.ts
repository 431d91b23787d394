// The main module of a node process. The process runs until a signal or a message tells it to leave, its
// parent process ends, or its link closes and will not reconnect.
import { parseArgs } from 'node:util';
import { CollisionError } from '../core/errors.js';
import { Channel, messageHandler, SMALL_MESSAGES } from './channel.js';
import { credentialOptions, readCredentials } from './credentials.js';
import { ClusterError } from './errors.js';
import { Leave } from './leave.js';
import { connectNats } from './natsLink.js';
import { startNode } from './node.js';
import { subjectsOf } from './subjects.js';
import { findWorld } from './worlds.js';

/** The maximum duration of an orderly shutdown, in milliseconds. */
const SHUTDOWN_MILLISECONDS = 3000;
const backends = ['auto', 'wasm', 'webgpu'] as const;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        servers: { type: 'string' },
        cluster: { type: 'string' },
        name: { type: 'string' },
        threads: { type: 'string' },
        backend: { type: 'string' },
        ...credentialOptions,
      },
    });
    const threads = values.threads === undefined ? 1 : Number(values.threads);
    if (!Number.isInteger(threads) || threads < 1 || threads > 256)
      throw new ClusterError(
        `--threads ${values.threads} is not a whole number from 1 to 256`,
        'write --threads 2, or omit it',
      );
    const backend = backends.find(name => name === (values.backend ?? 'wasm'));
    if (!backend)
      throw new ClusterError(
        `--backend ${values.backend} is not one of ${backends.join(', ')}`,
        'write --backend auto, or omit it',
      );
    return {
      ...values,
      threads,
      backend,
      servers: (values.servers ?? 'nats://127.0.0.1:4222').split(','),
      cluster: values.cluster ?? 'pfront',
    };
  } catch (error) {
    if (error instanceof CollisionError) throw error;
    throw new ClusterError(
      (error as Error).message,
      'write nodeMain.js --servers nats://host:4222 --cluster NAME [--name NAME] [--threads N] [--backend auto|wasm|webgpu]',
    );
  }
}

/** Runs the node until it has left the cluster. @returns the exit code */
async function run(): Promise<number> {
  const { servers, cluster, name, threads, backend, ...files } = readOptions();
  const endSignal = new Promise<undefined>(resolve => {
    // The timer ends the process after SHUTDOWN_MILLISECONDS, even if the node is still connecting or
    // closing.
    const end = (): void => {
      setTimeout(() => process.exit(0), SHUTDOWN_MILLISECONDS).unref();
      resolve(undefined);
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end);
    // If a parent process has opened a channel to this process, the channel disconnects when the parent ends.
    if (process.connected) process.once('disconnect', end);
  });
  const link = await connectNats({ servers, name: name ?? 'pfront node', ...readCredentials(files) });
  const node = await startNode(link, {
    cluster,
    threads,
    backend,
    worlds: findWorld,
    ...(name === undefined ? {} : { name }),
  });
  const channel = new Channel(link);
  const leaveMessage = new Promise<undefined>(resolve => {
    channel.receive(
      subjectsOf(cluster).leave,
      [messageHandler(Leave, () => resolve(undefined))],
      SMALL_MESSAGES,
    );
  });
  await link.flush();
  console.log(`${node.name} is ready`);
  const reason = await Promise.race([endSignal, leaveMessage, link.closed]);
  setTimeout(() => process.exit(reason ? 1 : 0), SHUTDOWN_MILLISECONDS).unref();
  if (reason) console.error(`pfront: ${node.name} lost its link: ${reason.message}`);
  channel.dispose();
  await node.close();
  await link.close();
  return reason ? 1 : 0;
}

try {
  process.exit(await run());
} catch (error) {
  console.error(error instanceof CollisionError ? `pfront: ${error.message}\nfix: ${error.fix}` : error);
  process.exit(2);
}
