// Tests the proxy with which other tests simulate a faulty network. Without faults, the proxy changes
// nothing; with faults, the seed determines exactly which faults happen.
import { createHash } from 'node:crypto';
import net, { type AddressInfo, type Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { createRandom } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { scaledTimeout, until, within } from '../support/within.js';
import { createFates, type Faults } from './faultPlan.js';
import { type FaultProxy, startFaultProxy } from './faultProxy.js';
import { NatsFrames } from './natsFrames.js';

const message = (operation: string, subject: string, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${operation} ${subject} ${payload.length}\r\n`), payload, Buffer.from('\r\n')]);
const hello = (name: string): Buffer =>
  Buffer.from(`CONNECT ${JSON.stringify({ verbose: false, name })}\r\n`);

/** Makes messages of various sizes, with line ends and operations inside that could confuse a parser. */
function oddMessages(operation: string, bytes: number, seed: number): Buffer {
  const random = createRandom(seed);
  const frames: Buffer[] = [Buffer.from('PING\r\n'), Buffer.from('+OK\r\n')];
  for (let made = 0; made < bytes; ) {
    const payload = Buffer.alloc(random.below(5) === 0 ? random.below(300_000) : random.below(200));
    for (let at = 0; at < payload.length; at++) payload[at] = random.below(256);
    payload.write('\r\nPUB a 3\r\n');
    const words = operation.endsWith('MSG') ? 'a.b 17' : 'a.b';
    frames.push(
      message(operation, words, payload),
      ...(random.below(4) === 0 ? [Buffer.from('PONG\r\n')] : []),
    );
    made += payload.length;
  }
  return Buffer.concat(frames);
}

const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Connects a client through a proxy to a listener that stands in for the broker. Records in `got` the data
 * that the client and the listener receive, and closes everything when `use` has ended.
 */
async function withPair(
  faults: Faults,
  use: (ends: {
    proxy: FaultProxy;
    client: Socket;
    broker: Socket;
    got: { client: Buffer[]; broker: Buffer[] };
  }) => Promise<void>,
  seed = 1,
): Promise<void> {
  const sockets: Socket[] = [];
  const got = { client: [] as Buffer[], broker: [] as Buffer[] };
  const server = net.createServer();
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const proxy = await startFaultProxy({ broker: (server.address() as AddressInfo).port, faults, seed });
  try {
    const client = net.connect(proxy.port, '127.0.0.1');
    const broker = await within(
      5000,
      'a connection',
      new Promise<Socket>(resolve => {
        server.once('connection', resolve);
      }),
    );
    sockets.push(client, broker);
    for (const socket of sockets) socket.on('error', () => {});
    client.on('data', bytes => got.client.push(bytes));
    broker.on('data', bytes => got.broker.push(bytes));
    client.write(hello('a'));
    await use({ proxy, client, broker, got });
  } finally {
    for (const socket of sockets) socket.destroy();
    await proxy.close();
    server.close();
  }
}

const size = (chunks: Buffer[]): number => chunks.reduce((sum, { length }) => sum + length, 0);

function writeInChunks(socket: Socket, bytes: Buffer, seed: number): void {
  const random = createRandom(seed);
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + random.below(random.below(3) === 0 ? 7 : 100_000);
    socket.write(bytes.subarray(at, end));
    at = end;
  }
}

test('frames are found wherever the stream of bytes is split', () => {
  const stream = Buffer.concat([
    Buffer.from('INFO {"a":1}\r\n'),
    hello('x'),
    message('PUB', 'a.b', Buffer.from('one\r\ntwo')),
    Buffer.from('HPUB a r 4 6\r\nhhhhpp\r\n'),
    message('MSG', 'a 1', Buffer.alloc(0)),
    Buffer.from('ping\r\nHMSG a 1 r 2 3\r\nabc\r\nSUB a.* q 4\r\n'),
  ]);
  const operations = ['INFO', 'CONNECT', 'PUB', 'HPUB', 'MSG', 'PING', 'HMSG', 'SUB'];
  for (let first = 0; first <= stream.length; first++) {
    for (const second of [first, Math.min(first + 3, stream.length), stream.length]) {
      const frames = new NatsFrames();
      const found = [
        stream.subarray(0, first),
        stream.subarray(first, second),
        stream.subarray(second),
      ].flatMap(part => frames.add(part));
      assert.equal(
        found.map(({ operation }) => operation),
        operations,
      );
      assert.equal(Buffer.concat(found.map(({ bytes }) => bytes)), stream);
    }
  }
  assert.equal(
    new NatsFrames().add(message('PUB', 'a.b', Buffer.from('x'))).map(({ subject }) => subject),
    ['a.b'],
  );
  assert.throws(() => new NatsFrames().add(Buffer.from('PUB a x\r\n')), /no length/);
  assert.throws(() => new NatsFrames().add(Buffer.from('PUB a 1\r\nxyz\r\n')), /more bytes/);
});

test('without faults, 10 MB pass unchanged in each direction', async () => {
  await withPair({}, async ({ proxy, client, broker, got }) => {
    const up = oddMessages('PUB', 10e6, 1);
    const down = oddMessages('MSG', 10e6, 2);
    writeInChunks(client, up, 3);
    writeInChunks(broker, down, 4);
    const greeting = hello('a').length;
    await until(
      'both streams',
      () => size(got.broker) === greeting + up.length && size(got.client) === down.length,
      20_000,
    );
    assert.is(sha(Buffer.concat(got.broker).subarray(greeting)), sha(up));
    assert.is(sha(Buffer.concat(got.client)), sha(down));
    const messages = [...new NatsFrames().add(up), ...new NatsFrames().add(down)].filter(
      ({ subject }) => subject !== undefined,
    ).length;
    assert.equal(proxy.counts, {
      messages,
      dropped: 0,
      doubled: 0,
      late: 0,
      passed: messages,
      cuts: 0,
      refused: 0,
      connections: 1,
    });
  });
});

const numbered = (count: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, i) => message('PUB', 'a', Buffer.from(String(i)))));
const numbersIn = (chunks: Buffer[]): number[] =>
  new NatsFrames()
    .add(Buffer.concat(chunks))
    .filter(({ subject }) => subject)
    .map(({ bytes }) => Number(bytes.toString().split('\r\n')[1]));

test('the proxy loses, duplicates and delays messages as configured, but never control lines; the same seed causes the same faults', async () => {
  const faults: Faults = { drop: 0.2, double: 0.2, late: 0.5, delay: [1, 60] };
  const count = 4000;
  const runs: number[][] = [];
  for (const seed of [7, 7, 8]) {
    await withPair(
      faults,
      async ({ proxy, client, got }) => {
        client.write(Buffer.concat([numbered(count), Buffer.from('PING\r\n')]));
        await until(
          'all copies',
          () => proxy.counts.messages === count && numbersIn(got.broker).length === proxy.counts.passed,
        );
        const { dropped, doubled, late, passed } = proxy.counts;
        const numbers = numbersIn(got.broker);
        const copies = new Uint8Array(count);
        for (const number of numbers) copies[number]++;
        assert.is(passed, count - dropped + doubled);
        assert.equal(
          [0, 1, 2].map(times => copies.filter(copy => copy === times).length),
          [dropped, count - dropped - doubled, doubled],
        );
        for (const share of [dropped / count, doubled / count, (0.4 * late) / passed])
          assert.ok(share > 0.17 && share < 0.23, `${share}`);
        assert.ok(
          numbers.some((number, i) => i > 0 && number < numbers[i - 1]),
          'no message overtook another',
        );
        assert.is(Buffer.concat(got.broker).toString().split('PING\r\n').length, 2);
        runs.push([...copies]);
      },
      seed,
    );
  }
  assert.equal(runs[0], runs[1]);
  assert.not.equal(runs[0], runs[2]);
});

test('delayed messages do not arrive before the configured delay', async () => {
  await withPair({ late: 1, delay: [100, 150] }, async ({ client, got }) => {
    const began = performance.now();
    client.write(numbered(100));
    await until('the first', () => size(got.broker) > hello('a').length);
    const first = performance.now() - began;
    await until('the last', () => numbersIn(got.broker).length === 100);
    assert.ok(first >= 99 && performance.now() - began >= 135, `${first} ms`);
  });
});

test('whether a message is dropped depends on its client and its direction, but not on other kinds of faults', () => {
  const fates = (client: string, direction: 'up' | 'down', faults: Faults): boolean[] => {
    const next = createFates(3, client, direction);
    return Array.from({ length: 300 }, () => next(faults).delays.length === 0);
  };
  const plain = fates('a', 'up', { drop: 0.3 });
  assert.equal(plain, fates('a', 'up', { drop: 0.3, double: 0.3, late: 1, delay: [0, 10], cut: 0.2 }));
  assert.not.equal(plain, fates('b', 'up', { drop: 0.3 }));
  assert.not.equal(plain, fates('a', 'down', { drop: 0.3 }));
});

test('a connection is cut after half a message, and cut() refuses new connections for the given time', async () => {
  await withPair({}, async ({ proxy, client, broker, got }) => {
    let ended = 0;
    for (const socket of [client, broker])
      socket.on('close', () => {
        ended++;
      });
    client.write(numbered(1));
    await until('a message', () => proxy.counts.messages === 1);
    proxy.faults = { cut: 1 };
    client.write(message('PUB', 'a', Buffer.alloc(1000, 'x')));
    await until('both ends', () => ended === 2);
    const rest = size(got.broker) - hello('a').length - numbered(1).length;
    assert.ok(rest > 400 && rest < 600, `${rest} bytes of the last message`);
    const dial = async (): Promise<boolean> => {
      const again = net.connect(proxy.port, '127.0.0.1');
      again.on('error', () => {});
      again.write(Buffer.concat([hello('a'), numbered(1)]));
      await until('an answer', () => again.closed || proxy.counts.messages === 3);
      again.destroy();
      return proxy.counts.messages === 3;
    };
    proxy.cut('a', Infinity);
    assert.not(await dial());
    assert.ok(proxy.counts.refused > 0);
    const cutAt = performance.now();
    proxy.cut('a', 150);
    while (!(await dial())) {
      /* Dials again. */
    }
    assert.ok(performance.now() - cutAt > 149);
  });
});

test('data of a partitioned client arrives when the partition ends, and other clients are not affected', async () => {
  await withPair({}, async ({ proxy, client, broker, got }) => {
    await until('the greeting', () => size(got.broker) === hello('a').length);
    const startedAt = performance.now();
    proxy.partition('a', 200);
    client.write(numbered(50));
    broker.write(numbered(50));
    await until(
      'the held data',
      () => numbersIn(got.broker).length === 50 && numbersIn(got.client).length === 50,
    );
    assert.ok(performance.now() - startedAt >= 195);
    proxy.partition('b', 1e6);
    client.write(numbered(1));
    await until('messages of other clients', () => numbersIn(got.broker).length === 51, 1000);
  });
});

test('at a limit of 1 MB/s, 300 KB take at least 0.27 s', async () => {
  await withPair({}, async ({ proxy, client, got }) => {
    await until('the greeting', () => size(got.broker) === hello('a').length);
    proxy.faults = { bytesPerSecond: 1e6 };
    const began = performance.now();
    for (let i = 0; i < 30; i++) client.write(message('PUB', 'a', Buffer.alloc(10_000)));
    await until('300 KB', () => proxy.counts.messages === 30 && size(got.broker) > 300_000);
    const took = performance.now() - began;
    assert.ok(took > 270 && took < scaledTimeout(2000), `${took} ms`);
  });
});

test.run();
