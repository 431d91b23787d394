// Tests that only nodes with the right token, password, nkey or certificate may join, and that thousands of
// attempts with wrong credentials are refused.

import * as assert from 'uvu/assert';
import { type Broker, startBroker } from '../../dist/cluster/broker.js';
import { Channel, messageHandler } from '../../dist/cluster/channel.js';
import { messageKind } from '../../dist/cluster/message.js';
import { connectNats, makeNkey, type NatsOptions } from '../../dist/cluster/natsLink.js';
import type { CollisionError } from '../../dist/core/errors.js';
import { test } from '../support/test.js';
import { until } from '../support/within.js';
import { sendCredentialsOften, wrongClaims } from './badCredentials.js';
import { brokerTest, type Opened } from './bounded.js';
import { makeCertificates } from './certificates.js';

const Sample = messageKind('sample', 9999, { cell: 'u32' }, { codes: 'u32' });

/** Checks that two nodes with these options can exchange messages through the broker. */
async function letsIn(opened: Opened, options: NatsOptions): Promise<void> {
  const [from, to] = [
    new Channel(opened.add(await connectNats(options))),
    new Channel(opened.add(await connectNats(options))),
  ];
  const got: number[] = [];
  to.receive('a', [messageHandler(Sample, ({ codes }) => got.push(codes.length))]);
  await to.link.flush();
  from.send('a', Sample, { run: [1, 2], step: 0, from: 3 }, { cell: 1, codes: new Uint32Array(600_000) });
  await until('the message', () => got.length === 1);
  assert.equal(got, [600_000]);
}

async function refuses(opened: Opened, options: NatsOptions, message: RegExp): Promise<void> {
  const error = await connectNats(options).then(
    link => {
      opened.add(link);
      return undefined;
    },
    (reason: CollisionError) => reason,
  );
  assert.ok(error, `accepted with ${JSON.stringify(options)}`);
  assert.is(error.code, 'Cluster');
  assert.match(error.message, message);
}

brokerTest('only the right token is accepted', 15, async opened => {
  const servers = opened.add(await startBroker({ token: 'right' })).url;
  await letsIn(opened, { servers, token: 'right' });
  for (const wrong of [
    { token: 'wrong' },
    { token: 'Right' },
    { token: 'righ' },
    { user: 'right', pass: 'right' },
    {},
  ])
    await refuses(opened, { servers, ...wrong }, /Authorization Violation/);
});

brokerTest('only known users with their passwords, and known nkeys, are accepted', 15, async opened => {
  const [known, other] = [await makeNkey(), await makeNkey()];
  const servers = opened.add(
    await startBroker({ users: [{ user: 'me', pass: 'secret' }], nkeys: [known.publicKey] }),
  ).url;
  await letsIn(opened, { servers, user: 'me', pass: 'secret' });
  await letsIn(opened, { servers, nkeySeed: known.seed });
  for (const wrong of [
    { user: 'me', pass: 'other' },
    { user: 'you', pass: 'secret' },
    { nkeySeed: other.seed },
    { token: 'secret' },
    {},
  ])
    await refuses(opened, { servers, ...wrong }, /Authorization Violation/);
  await refuses(opened, { servers, nkeySeed: 'SUnonsense' }, /./);
});

brokerTest(
  'with TLS, a node refuses brokers without TLS, brokers of an unknown authority, and brokers with a certificate for another host',
  20,
  async opened => {
    const { broker, elsewhere, caFile, stranger } = opened.add(makeCertificates());
    const servers = opened.add(await startBroker({ token: 'x', tls: broker })).url;
    await letsIn(opened, { servers, token: 'x', tls: { caFile } });
    await refuses(opened, { servers, token: 'wrong', tls: { caFile } }, /Authorization Violation/);
    await refuses(opened, { servers, token: 'x', tls: { caFile: stranger.caFile } }, /certificate|issuer/);
    await refuses(opened, { servers, token: 'x', tls: true }, /certificate|issuer/);
    await refuses(opened, { servers, token: 'x' }, /certificate|issuer/);
    const wrongHost = opened.add(await startBroker({ token: 'x', tls: elsewhere })).url;
    await refuses(opened, { servers: wrongHost, token: 'x', tls: { caFile } }, /altnames|Hostname|IP/);
    // A node that requires TLS sends nothing to a broker that does not offer TLS.
    const plain = opened.add(await startBroker({ token: 'x' })).url;
    await refuses(opened, { servers: plain, token: 'x', tls: { caFile } }, /tls/);
  },
);

brokerTest.slow(
  'a broker that requires node certificates accepts only nodes with a certificate of its authority',
  20,
  async opened => {
    const { broker, node, caFile, stranger } = opened.add(makeCertificates());
    const servers = opened.add(await startBroker({ token: 'x', tls: { ...broker, caFile } })).url;
    await letsIn(opened, { servers, token: 'x', tls: { caFile, ...node } });
    await refuses(opened, { servers, token: 'wrong', tls: { caFile, ...node } }, /Authorization Violation/);
    // These nodes may notice the refusal only when the connection times out, so both connect at the same
    // time.
    await Promise.all(
      [{ caFile, ...stranger.node }, { caFile }].map(tls =>
        refuses(opened, { servers, token: 'x', tls }, /timeout|certificate|closed|reset/i),
      ),
    );
  },
);

const portOf = (broker: Broker): number => Number(/\d+$/.exec(broker.url)![0]);

brokerTest.slow(
  '10,000 wrong credentials are refused, each with an error, and the correct ones are accepted afterwards',
  60,
  async opened => {
    const right = { token: 'Tq8zzKx0hWqk3', user: 'conductor', pass: 'Lw0x-9plo', nkey: await makeNkey() };
    const brokers = [
      await startBroker({ token: right.token }),
      await startBroker({ users: [{ user: right.user, pass: right.pass }], nkeys: [right.nkey.publicKey] }),
    ].map(broker => opened.add(broker));
    const startedAt = performance.now();
    for (const [seed, broker] of brokers.entries()) {
      const answers = await sendCredentialsOften(
        portOf(broker),
        wrongClaims(seed + 1, { ...right, nkey: right.nkey.publicKey }),
        5000,
      );
      assert.equal([...answers], [["-ERR 'Authorization Violation'", 5000]]);
    }
    console.log(
      `\ncounted: 10000 wrong credentials refused in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
    );
    await letsIn(opened, { servers: brokers[0].url, token: right.token });
    await letsIn(opened, { servers: brokers[1].url, nkeySeed: right.nkey.seed });
  },
);

test.run();
