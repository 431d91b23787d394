// Tests how a receiver assembles messages from packets, which any sender may send: memory stays bounded, no
// sender blocks the others, and invalid packets never become a message.

import * as assert from 'uvu/assert';
import { Malformed } from '../../dist/cluster/errors.js';
import {
  MAX_FRAGMENTS,
  MAX_MESSAGE_BYTES,
  MessageAssembler,
  splitMessage,
} from '../../dist/cluster/messageAssembler.js';
import { test } from '../support/test.js';

const bytesOf = (length: number, seed = 1): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => (i * 31 + seed * 17) & 255);
const PACKET = 256;

/**
 * Copies a packet and changes words of the header; the keys of `words` are indices of words. Words 0 to 7 are
 * the id (two words), index, count, bytes, fragmentBytes, from, and an unused word.
 */
function changed(packet: Uint8Array, words: Record<number, number>): Uint8Array {
  const copy = packet.slice();
  const view = new DataView(copy.buffer);
  for (const [at, word] of Object.entries(words)) view.setUint32(4 * Number(at), word, true);
  return copy;
}

test('messages of any size are assembled from packets, even at unaligned addresses', () => {
  for (const length of [0, 1, 223, 224, 225, 448, 5000]) {
    const message = bytesOf(length);
    const assembler = new MessageAssembler();
    const shifted = splitMessage(message, PACKET).map(packet => {
      const padded = new Uint8Array(packet.length + 3);
      padded.set(packet, 3);
      return padded.subarray(3);
    });
    assert.equal(
      shifted.map(packet => assembler.addPacket(packet)).filter(Boolean),
      [message],
      String(length),
    );
  }
});

test('a message that is complete is not started again by late fragments', () => {
  const assembler = new MessageAssembler({ messages: 1 });
  const packets = splitMessage(bytesOf(1000), PACKET);
  assert.is(
    [...packets, ...packets, ...packets].map(packet => assembler.addPacket(packet)).filter(Boolean).length,
    1,
  );
  // The assembler may hold only one incomplete message. If the late fragments had started a message, it would
  // be dropped to make room for the next message.
  assert.is(
    splitMessage(bytesOf(500), PACKET)
      .map(packet => assembler.addPacket(packet))
      .filter(Boolean).length,
    1,
  );
  assert.is(assembler.dropped, 0);
});

test('a fragment that arrives again with other bytes changes nothing', () => {
  const message = bytesOf(1000);
  const packets = splitMessage(message, PACKET);
  const assembler = new MessageAssembler();
  assembler.addPacket(packets[0]);
  const forged = packets[0].slice();
  forged[40] ^= 1;
  assert.throws(
    () => assembler.addPacket(forged),
    (error: Error) => error instanceof Malformed && /second time/.test(error.message),
  );
  assert.equal(
    packets
      .slice(1)
      .map(packet => assembler.addPacket(packet))
      .filter(Boolean),
    [message],
  );
});

test('headers that contradict themselves or earlier fragments are refused', () => {
  const packets = splitMessage(bytesOf(1000), PACKET);
  const wrong: [string, Uint8Array][] = [
    ['nothing', new Uint8Array(0)],
    ['a short header', packets[0].subarray(0, 31)],
    ['an index beyond the count', changed(packets[0], { 2: 5 })],
    ['no fragments', changed(packets[0], { 3: 0 })],
    ['more fragments than its bytes need', changed(packets[0], { 3: 6 })],
    ['4 GiB', changed(packets[0], { 4: 2 ** 32 - 1 })],
    ['more bytes than the max', changed(packets[0], { 4: MAX_MESSAGE_BYTES + 1 })],
    ['a fragment for every byte', changed(packets[0], { 3: MAX_MESSAGE_BYTES, 4: MAX_MESSAGE_BYTES, 5: 1 })],
    [
      'more fragments than the max',
      changed(packets[0], { 3: MAX_FRAGMENTS + 1, 4: (MAX_FRAGMENTS + 1) * 224 }),
    ],
    ['fragments of no bytes', changed(packets[0], { 5: 0 })],
    ['a truncated fragment', packets[0].subarray(0, 100)],
    ['a fragment with one byte too many', Uint8Array.of(...packets[0], 0)],
    ['a value in the unused word', changed(packets[0], { 7: 1 })],
    ['a last fragment as long as the others', changed(packets[0], { 2: 4 })],
  ];
  const assembler = new MessageAssembler();
  for (const [name, packet] of wrong)
    assert.throws(
      () => assembler.addPacket(packet),
      (error: Error) => error instanceof Malformed,
      name,
    );
  // A fragment is refused if earlier fragments with the same id belong to a message of another size.
  assembler.addPacket(packets[0]);
  const others = splitMessage(bytesOf(900), PACKET);
  const view = new DataView(packets[0].buffer);
  assert.throws(
    () => assembler.addPacket(changed(others[1], { 0: view.getUint32(0, true), 1: view.getUint32(4, true) })),
    (error: Error) => /earlier fragments gave 1000 bytes/.test(error.message),
  );
  assert.is(
    packets
      .slice(1)
      .map(packet => assembler.addPacket(packet))
      .filter(Boolean).length,
    1,
  );
});

test('a message without progress is dropped after its time limit, and one with progress is not', () => {
  let time = 0;
  const assembler = new MessageAssembler({ patience: 1000, now: () => time });
  const slow = splitMessage(bytesOf(1000), PACKET);
  const stuck = splitMessage(bytesOf(1000), PACKET);
  assembler.addPacket(stuck[0]);
  const whole = slow
    .map(packet => {
      time += 600;
      return assembler.addPacket(packet);
    })
    .filter(Boolean);
  assert.is(whole.length, 1);
  assert.is(assembler.dropped, 1);
  assert.is(
    stuck
      .slice(1)
      .map(packet => assembler.addPacket(packet))
      .filter(Boolean).length,
    0,
  );
});

test('two hundred thousand incomplete messages use bounded memory, and a valid message still arrives', () => {
  const assembler = new MessageAssembler({ messages: 100, bytes: 100_000 });
  const message = bytesOf(20_000);
  const honest = splitMessage(message, PACKET, 7);
  const whole: Uint8Array[] = [];
  const flood = splitMessage(bytesOf(400), PACKET, 666)[0];
  const before = process.memoryUsage().rss;
  let sent = 0;
  for (const packet of honest) {
    for (let i = 0; i < 2200; i++) assembler.addPacket(changed(flood, { 0: sent++, 1: i }));
    const done = assembler.addPacket(packet);
    if (done) whole.push(done);
  }
  assert.equal(whole, [message]);
  assert.ok(sent >= 190_000);
  assert.ok(process.memoryUsage().rss - before < 100e6, `${process.memoryUsage().rss - before} bytes`);
});

test('if the messages of one sender fill the memory for incomplete messages, a message of another sender still arrives', () => {
  const assembler = new MessageAssembler({ messages: 1000, bytes: 50_000 });
  const large = splitMessage(bytesOf(60_000), PACKET, 1);
  const small = bytesOf(2000);
  let refused = 0;
  for (const packet of large.slice(0, -1)) {
    try {
      assembler.addPacket(packet);
    } catch {
      refused++;
    }
  }
  assert.ok(refused > 0, 'a message larger than the capacity was accepted');
  for (let i = 0; i < 300; i++) assembler.addPacket(splitMessage(bytesOf(400, i), PACKET, 1)[0]);
  assert.equal(
    splitMessage(small, PACKET, 2)
      .map(packet => assembler.addPacket(packet))
      .filter(Boolean),
    [small],
  );
});

test('a message that is too large is not split', () => {
  assert.throws(() => splitMessage(new Uint8Array(MAX_MESSAGE_BYTES + 1), 1 << 20), RangeError);
  assert.throws(() => splitMessage(new Uint8Array(MAX_FRAGMENTS * 33), 64), RangeError);
});

test.run();
