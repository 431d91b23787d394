// Tests that messages of the cluster arrive complete, once and in order: their encoding, their assembly from
// packets, and their delivery over a hub, which connects nodes within one process.

import * as assert from 'uvu/assert';
import { Channel, messageHandler } from '../../dist/cluster/channel.js';
import { makeHub } from '../../dist/cluster/localLink.js';
import { messageKind } from '../../dist/cluster/message.js';
import { MessageAssembler, splitMessage } from '../../dist/cluster/messageAssembler.js';
import { test } from '../support/test.js';

const Sample = messageKind(
  'sample',
  9999,
  { time: 'f64', cell: 'u32', hash: ['u32', 8] },
  { boxes: 'f32', codes: 'u32', bytes: 'u8' },
);
const heading = { run: [1, 2], step: 3, from: 4 } as const;
const values = {
  time: 0.25,
  cell: 7,
  hash: [1, 2, 3, 4, 5, 6, 7, 8],
  boxes: Float32Array.of(1, 2, 3),
  codes: Uint32Array.of(9),
  bytes: Uint8Array.of(1, 2, 3, 4, 5),
};

test('a message is received as it was sent', () => {
  const { run, step, from, ...rest } = Sample.decode(Sample.encode(heading, values));
  assert.equal({ run, step, from }, { run: [1, 2], step: 3, from: 4 });
  assert.equal(rest, values);
});

test('a message is decoded from a Buffer that is an unaligned view of a larger block', () => {
  const { run, step, from, ...rest } = Sample.decode(
    Buffer.concat([Buffer.alloc(3, 7), Sample.encode(heading, values), Buffer.alloc(900, 7)]).subarray(
      3,
      -900,
    ),
  );
  assert.equal(rest, values);
});

test('a message is assembled once from packets that arrive out of order, most of them twice', () => {
  const message = Sample.encode(heading, {
    ...values,
    codes: Uint32Array.from({ length: 1000 }, (_, i) => i),
  });
  const packets = splitMessage(message, 256);
  const assembler = new MessageAssembler();
  assert.ok(packets.length > 10 && packets.every(({ length }) => length <= 256));
  const wholes = [...packets.slice(1).reverse(), ...packets.slice(1), packets[0]]
    .map(packet => assembler.addPacket(packet))
    .filter(Boolean);
  assert.equal(wholes, [message]);
});

test('channels of a hub deliver large messages in order', async () => {
  const join = makeHub(1024);
  const [from, to] = [new Channel(join()), new Channel(join())];
  const got: number[] = [];
  await new Promise<void>(resolve => {
    to.receive('a.*.c', [
      messageHandler(Sample, ({ cell, codes }) => {
        got.push(cell, codes.length);
        if (cell === 2) resolve();
      }),
    ]);
    for (let cell = 0; cell < 3; cell++)
      from.send('a.b.c', Sample, heading, { ...values, cell, codes: new Uint32Array(1000 * cell) });
  });
  assert.equal(got, [0, 0, 1, 1000, 2, 2000]);
  assert.is(to.traffic.receivedBytes, from.traffic.sentBytes);
});

test.run();
