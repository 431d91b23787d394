// Sends invalid messages over a real broker, as an attacker could. Tests that each is refused and counted,
// that the next valid message is accepted, and that memory stays bounded.

import * as assert from 'uvu/assert';
import { startBroker } from '../../dist/cluster/broker.js';
import { Channel, messageHandler } from '../../dist/cluster/channel.js';
import { Malformed } from '../../dist/cluster/errors.js';
import { MessageAssembler } from '../../dist/cluster/messageAssembler.js';
import { connectNats } from '../../dist/cluster/natsLink.js';
import { test } from '../support/test.js';
import { until } from '../support/within.js';
import { boundedTest, brokerTest } from './bounded.js';
import { good, heading, hostileKinds, Mesh, RUN } from './hostile.js';
import { hostileWork } from './hostileWork.js';

brokerTest(
  'more than 40 kinds of hostile messages are refused, and the valid ones between them are accepted',
  30,
  async opened => {
    const servers = opened.add(await startBroker()).url;
    const [mine, attacker] = [
      opened.add(await connectNats({ servers })),
      opened.add(await connectNats({ servers })),
    ];
    const channel = new Channel(mine);
    const honest = new Channel(attacker);
    const reasons: Error[] = [];
    const got: number[] = [];
    channel.onRefused = reason => reasons.push(reason);
    const works = new Map(hostileWork.map(({ kind }) => [kind.code, kind]));
    channel.receive('pfront.x.node.1', [
      ...[...works.values()].map(kind => messageHandler(kind, () => {})),
      messageHandler(Mesh, ({ run, step, positions }) => {
        if (run[0] !== RUN[0] || run[1] !== RUN[1])
          throw new Malformed('a mesh of another run', 'it is not for this one');
        got.push(step, positions.length);
      }),
    ]);
    await mine.flush();
    const kinds = [...hostileKinds(), ...hostileWork.flatMap(({ hostile }) => hostile)];
    assert.ok(hostileKinds().length >= 40);
    assert.is(new Set(kinds.map(({ name }) => name)).size, kinds.length);
    for (const [step, { name, packets, reason }] of kinds.entries()) {
      for (const packet of packets) attacker.publish('pfront.x.node.1', packet);
      honest.send('pfront.x.node.1', Mesh, { ...heading, step }, good);
      await until(`the message after '${name}'`, () => got.length === 2 * (step + 1));
      assert.equal(got.slice(-2), [step, 300], name);
      assert.is(
        reasons.length,
        step + 1,
        `${name}: ${reasons.length > step ? 'more than one refusal' : 'accepted'}`,
      );
      const last = reasons.at(-1)!;
      assert.ok(last instanceof Malformed && last.code === 'Cluster', `${name}: ${String(last)}`);
      assert.match(last.message, reason, name);
      assert.is(channel.traffic.refused, step + 1);
    }
    console.log(`\ncounted: ${kinds.length} kinds of hostile messages refused`);

    const before = process.memoryUsage();
    const refusedBefore = channel.traffic.refused;
    for (let round = 0; round < 100; round++) {
      for (const { packets } of kinds)
        for (const packet of packets) attacker.publish('pfront.x.node.1', packet);
      if (round % 10 === 9) await attacker.flush();
    }
    honest.send('pfront.x.node.1', Mesh, { ...heading, step: 1000 }, good);
    await until('the message after all', () => got.at(-2) === 1000);
    assert.is(channel.traffic.refused - refusedBefore, 100 * kinds.length);
    const after = process.memoryUsage();
    const grown = after.arrayBuffers - before.arrayBuffers;
    assert.ok(
      grown < 64e6 && after.rss - before.rss < 200e6,
      `buffers grew by ${grown} bytes, all memory by ${after.rss - before.rss}`,
    );
  },
);

test('valid messages of jobs and swarms are accepted, and changed ones are refused', () => {
  for (const { kind, good: bytes, hostile } of hostileWork) {
    kind.decode(bytes);
    for (const { name, packets, reason } of hostile)
      assert.throws(
        () => kind.decode(new MessageAssembler().addPacket(packets[0])!),
        (error: Error) => error instanceof Malformed && reason.test(error.message),
        name,
      );
  }
});

boundedTest(
  'a valid message in which one byte is changed is either decoded or refused, and causes no other kind of error',
  20,
  async () => {
    const bytes = Mesh.encode(heading, good);
    let refused = 0;
    for (let i = 0; i < bytes.length; i++) {
      for (const flip of [1, 0x80, 0xff]) {
        bytes[i] ^= flip;
        try {
          Mesh.decode(bytes);
        } catch (error) {
          assert.ok(error instanceof Malformed, `byte ${i}: ${String(error)}`);
          refused++;
        }
        bytes[i] ^= flip;
      }
    }
    assert.ok(refused > 300);
  },
);

test.run();
