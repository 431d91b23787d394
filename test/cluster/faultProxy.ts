// Simulates a faulty network between clients and a NATS broker on this machine: it loses, duplicates and
// delays messages, cuts connections, and separates clients from the broker for a time.
import net, { type AddressInfo, type Socket } from 'node:net';
import { FaultPipe } from './faultPipe.js';
import { createFates, type Direction, type Fate, type Faults } from './faultPlan.js';
import type { Frame } from './natsFrames.js';

/** Counts of messages in both directions. late: delayed copies; passed: copies that arrive. */
export interface FaultCounts {
  messages: number;
  dropped: number;
  doubled: number;
  late: number;
  passed: number;
  cuts: number;
  refused: number;
  connections: number;
}

export interface FaultProxy {
  readonly port: number;
  readonly url: string;
  /** The faults of all messages from now on. */
  faults: Faults;
  readonly counts: FaultCounts;
  /** Restarts the sequence of faults with this seed, and sets the counts to 0. */
  begin(seed: number, faults: Faults): void;
  /**
   * Cuts a client's connections, and refuses new ones for the given time, by default 0. client: the name that
   * the client sends to the broker.
   */
  cut(client: string, milliseconds?: number): void;
  /**
   * Partitions a client: holds its data in both directions for this time, without closing a connection, and
   * then delivers all of it.
   */
  partition(client: string, milliseconds: number): void;
  close(): Promise<void>;
}

interface Connection {
  client: string;
  pipes: FaultPipe[];
  end(): void;
}

/**
 * Starts a proxy. broker: the broker's port on loopback. seed: if two proxies have the same seed, the same
 * faults happen to the messages of a client.
 */
export async function startFaultProxy({
  broker,
  seed: firstSeed = 1,
  faults = {},
}: {
  broker: number;
  seed?: number;
  faults?: Faults;
}): Promise<FaultProxy> {
  let seed = firstSeed;
  const connections = new Set<Connection>();
  const fates = new Map<string, (faults: Faults) => Fate>();
  const refusedUntil = new Map<string, number>();
  const partitionedUntil = new Map<string, number>();
  const timers = new Set<NodeJS.Timeout>();
  const counts: FaultCounts = {
    messages: 0,
    dropped: 0,
    doubled: 0,
    late: 0,
    passed: 0,
    cuts: 0,
    refused: 0,
    connections: 0,
  };

  function fateOf(client: string, direction: Direction): Fate {
    const key = `${direction} ${client}`;
    if (!fates.has(key)) fates.set(key, createFates(seed, client, direction));
    const fate = fates.get(key)!(proxy.faults);
    counts.messages++;
    if (fate.cutsConnection) counts.cuts++;
    else {
      if (fate.delays.length === 0) counts.dropped++;
      if (fate.delays.length === 2) counts.doubled++;
      counts.late += fate.delays.filter(delay => delay > 0).length;
      counts.passed += fate.delays.length;
    }
    return fate;
  }

  function accept(from: Socket): void {
    const to = net.connect(broker, '127.0.0.1');
    const connection: Connection = { client: '', pipes: [], end };
    counts.connections++;
    connections.add(connection);
    const pipe = (source: Socket, sink: Socket, direction: Direction): FaultPipe =>
      new FaultPipe({
        from: source,
        to: sink,
        cut: end,
        onFrame: frame => greet(connection, frame),
        fateOf: () => fateOf(connection.client, direction),
        bytesPerSecond: () => proxy.faults.bytesPerSecond,
      });
    for (const socket of [from, to]) socket.setNoDelay(true).on('error', end).on('close', end);
    connection.pipes.push(pipe(from, to, 'up'), pipe(to, from, 'down'));
    function end(): void {
      connections.delete(connection);
      for (const each of connection.pipes) each.end();
      // Sends the data that was already written, so that half a message may arrive, as after a real cut.
      for (const socket of [from, to]) socket.destroySoon();
    }
  }

  // Reads the client's name from CONNECT, the first frame that a client sends. If the client is refused, ends
  // the connection; if the client is partitioned, holds all data.
  function greet(connection: Connection, { operation, words }: Frame): void {
    if (operation !== 'CONNECT') return;
    connection.client = (JSON.parse(words) as { name?: string }).name ?? '';
    const now = performance.now();
    if ((refusedUntil.get(connection.client) ?? 0) > now) {
      counts.refused++;
      connection.end();
    } else if ((partitionedUntil.get(connection.client) ?? 0) > now)
      for (const pipe of connection.pipes) pipe.hold(true);
  }

  const of = (client: string): Connection[] =>
    [...connections].filter(connection => connection.client === client);
  const server = net.createServer(accept);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const proxy: FaultProxy = {
    port,
    url: `nats://127.0.0.1:${port}`,
    faults,
    counts,
    begin(newSeed, newFaults) {
      seed = newSeed;
      proxy.faults = newFaults;
      fates.clear();
      Object.assign(counts, {
        messages: 0,
        dropped: 0,
        doubled: 0,
        late: 0,
        passed: 0,
        cuts: 0,
        refused: 0,
        connections: 0,
      });
    },
    cut(client, milliseconds = 0) {
      refusedUntil.set(client, performance.now() + milliseconds);
      for (const connection of of(client)) {
        counts.cuts++;
        connection.end();
      }
    },
    partition(client, milliseconds) {
      partitionedUntil.set(client, performance.now() + milliseconds);
      for (const { pipes } of of(client)) for (const pipe of pipes) pipe.hold(true);
      const timer = setTimeout(() => {
        timers.delete(timer);
        for (const { pipes } of of(client)) for (const pipe of pipes) pipe.hold(false);
      }, milliseconds);
      timers.add(timer);
    },
    async close() {
      for (const timer of timers) clearTimeout(timer);
      for (const connection of connections) connection.end();
      await new Promise<void>(resolve => {
        server.close(() => resolve());
      });
    },
  };
  return proxy;
}
