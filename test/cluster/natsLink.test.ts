// Tests links over NATS while brokers end and restart: packets arrive in order, the number of waiting packets
// is bounded, and closing a link ends within its time limit.
import { createServer, type Server, type Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { type Broker, startBroker } from '../../dist/cluster/broker.js';
import type { Link } from '../../dist/cluster/link.js';
import { connectNats, type NatsOptions } from '../../dist/cluster/natsLink.js';
import { Outbox } from '../../dist/cluster/outbox.js';
import type { CollisionError } from '../../dist/core/errors.js';
import { test } from '../support/test.js';
import { scaledTimeout, sleep, until } from '../support/within.js';
import { boundedTest, brokerTest, type Opened } from './bounded.js';

const portOf = (broker: Broker): number => Number(/\d+$/.exec(broker.url)![0]);
const packet = (number: number): Uint8Array => new Uint8Array(Uint32Array.of(number).buffer);
const numberOf = (data: Uint8Array): number => new DataView(data.buffer, data.byteOffset).getUint32(0, true);
const kill = async (broker: Broker): Promise<void> => {
  process.kill(broker.pid, 'SIGKILL');
  await broker.closed;
};

/** Connects a link to a broker, and records the link's states. */
async function connect(
  opened: Opened,
  broker: Broker,
  options: NatsOptions = {},
): Promise<{ link: Link; states: string[] }> {
  const states: string[] = [];
  const link = opened.add(
    await connectNats({ servers: broker.url, onState: state => states.push(state), ...options }),
  );
  return { link, states };
}

brokerTest(
  'after the broker is killed and restarts, both links reconnect, and packets arrive in order',
  20,
  async opened => {
    const first = opened.add(await startBroker());
    const [from, to] = [await connect(opened, first), await connect(opened, first)];
    const got: number[] = [];
    to.link.subscribe('numbers', ({ data }) => got.push(numberOf(data)));
    await to.link.flush();
    from.link.publish('numbers', packet(0));
    await until('the first', () => got.length === 1);
    await kill(first);
    await until('both links are reconnecting', () =>
      [from, to].every(({ states }) => states.at(-1) === 'reconnecting'),
    );
    // NATS delivers at most once, so packets are lost if they arrive before the receiving link has subscribed
    // again.
    const second = opened.add(await startBroker({ port: portOf(first) }));
    await until('the receiver is back', () => to.states.at(-1) === 'connected');
    await to.link.flush();
    for (let i = 1; i <= 1000; i++) from.link.publish('numbers', packet(i));
    await until('all', () => got.length === 1001);
    assert.equal(
      got,
      Array.from({ length: 1001 }, (_, i) => i),
    );
    assert.ok(second.pid !== first.pid);
  },
);

brokerTest(
  'without a broker, the number of waiting packets is bounded, flush() fails, and close() ends within two seconds',
  20,
  async opened => {
    const broker = opened.add(await startBroker());
    const { link, states } = await connect(opened, broker, { unsentBytes: 1 << 20 });
    await kill(broker);
    await until('the link is reconnecting', () => states.at(-1) === 'reconnecting');
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 2000; i++) link.publish('x', new Uint8Array(100_000));
    assert.equal(
      states.filter(state => state === 'full'),
      ['full'],
    );
    assert.ok(process.memoryUsage().rss - before < 100e6);
    const flushed = link.flush().then(
      () => undefined,
      (error: CollisionError) => error,
    );
    const startedAt = performance.now();
    await link.close();
    assert.ok(performance.now() - startedAt < scaledTimeout(2000));
    assert.is((await flushed)!.code, 'Cluster');
    assert.is(await link.closed, undefined);
    link.publish('x', packet(1));
    assert.is(states.at(-1), 'closed');
  },
);

brokerTest(
  'if the broker hangs, the number of waiting packets is bounded, and close() ends within two seconds',
  20,
  async opened => {
    const broker = opened.add(await startBroker());
    const { link, states } = await connect(opened, broker, { unsentBytes: 32 << 20 });
    process.kill(broker.pid, 'SIGSTOP');
    try {
      for (let i = 0; i < 100; i++) link.publish('x', new Uint8Array(1 << 20));
      assert.ok(states.includes('full'));
      const startedAt = performance.now();
      await link.close();
      assert.ok(performance.now() - startedAt < scaledTimeout(2000), `${performance.now() - startedAt} ms`);
    } finally {
      process.kill(broker.pid, 'SIGCONT');
    }
  },
);

brokerTest(
  'if the broker restarts with other credentials, the link ends with an error and stops reconnecting',
  20,
  async opened => {
    const first = opened.add(await startBroker({ token: 'one' }));
    const { link } = await connect(opened, first, { token: 'one' });
    await kill(first);
    opened.add(await startBroker({ token: 'other', port: portOf(first) }));
    const reason = (await link.closed) as CollisionError;
    assert.is(reason.code, 'Cluster');
    assert.match(reason.message, /Authorization/);
    assert.match(reason.fix, /credentials/);
  },
);

brokerTest('an error in the receiver of a packet is not caught, and the link continues', 10, async opened => {
  const broker = opened.add(await startBroker());
  const { link } = await connect(opened, broker);
  const got: number[] = [];
  const thrown: string[] = [];
  const listeners = process.listeners('uncaughtException');
  process
    .removeAllListeners('uncaughtException')
    .on('uncaughtException', ({ message }) => thrown.push(message));
  try {
    link.subscribe('x', ({ data }) => {
      got.push(numberOf(data));
      if (numberOf(data) === 1) throw new Error('a mistake');
    });
    for (let i = 0; i < 3; i++) link.publish('x', packet(i));
    await until('all', () => got.length === 3);
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const listener of listeners) process.on('uncaughtException', listener);
  }
  assert.equal(thrown, ['a mistake']);
});

brokerTest(
  'without a broker, the error names a fix and reveals no secret; with patience, the link waits for a broker',
  20,
  async opened => {
    const free = createServer();
    const port = await new Promise<number>(resolve => {
      free.listen(0, '127.0.0.1', () => {
        resolve((free.address() as { port: number }).port);
      });
    });
    await new Promise(resolve => {
      free.close(resolve);
    });
    for (const user of [
      'nats://me:secret@',
      'me:secret@',
      'nats://me:secret@secret@',
      'nats://me:/secret@',
    ]) {
      const error = await connectNats({ servers: `${user}127.0.0.1:${port}` }).then(
        () => undefined,
        (reason: CollisionError) => reason,
      );
      assert.is(error!.code, 'Cluster', user);
      assert.not.match(`${error!.message} ${error!.fix}`, 'secret', user);
      assert.match(error!.message, '127.0.0.1', user);
      assert.match(error!.fix, 'pfront cluster up', user);
    }
    const late = connectNats({ servers: `nats://127.0.0.1:${port}`, patience: 10_000 });
    await sleep(300);
    opened.add(await startBroker({ port }));
    opened.add(await late);
  },
);

boundedTest('a server that is not a broker gives an error', 20, async () => {
  const sockets = new Set<Socket>();
  const server: Server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const error = await connectNats({
    servers: `nats://127.0.0.1:${(server.address() as { port: number }).port}`,
  }).then(
    () => undefined,
    (reason: CollisionError) => reason,
  );
  for (const socket of sockets) socket.destroy();
  server.close();
  assert.is(error!.code, 'Cluster');
});

test('waiting packets are sent in order, packets beyond the capacity are counted, and confirmed ones free capacity', async () => {
  const sent: number[] = [];
  const confirmed: (() => void)[] = [];
  const reported: string[] = [];
  const outbox = new Outbox(
    {
      send: (_, data) => {
        sent.push(data[0]);
      },
      confirm: () =>
        new Promise(resolve => {
          confirmed.push(resolve);
        }),
    },
    3 << 20,
    what => reported.push(what),
  );
  const large = (first: number): Uint8Array => {
    const data = new Uint8Array(1 << 20);
    data[0] = first;
    return data;
  };
  outbox.pause();
  for (const number of [1, 2, 3, 4, 5]) outbox.publish('x', large(number));
  assert.equal([sent, outbox.dropped, reported.length], [[], 2, 1]);
  outbox.resume();
  assert.equal([sent, outbox.unsentBytes], [[1, 2, 3], 3 << 20]);
  outbox.publish('x', large(6));
  for (const confirm of confirmed) confirm();
  await Promise.resolve();
  await Promise.resolve();
  outbox.publish('x', large(7));
  assert.equal([sent, outbox.dropped, reported.length], [[1, 2, 3, 7], 3, 1]);
});

test.run();
