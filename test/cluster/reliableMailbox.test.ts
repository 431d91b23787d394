// Tests the mailbox through which the nodes of a swarm exchange messages. Each message arrives complete and
// once, even if packets are lost, duplicated or reordered. Messages of another epoch or run, or of an unknown
// sender, are refused.

import * as assert from 'uvu/assert';
import { Channel } from '../../dist/cluster/channel.js';
import { type Link, makeHub } from '../../dist/cluster/index.js';
import { Fragment, Round } from '../../dist/cluster/swarm/messages.js';
import { ReliableMailbox, Superseded } from '../../dist/cluster/swarm/reliableMailbox.js';
import { createRandom } from '../../dist/samples/index.js';
import { lossyNetwork } from '../support/swarmHub.js';
import { test } from '../support/test.js';
import { until, within } from '../support/within.js';

const run = [1, 2] as const;
const subjectOf = (id: number): string => `post.${id}`;
const at = (step: number, round = 1, epoch = 1) => ({ epoch, step, round });

function pair(join: () => Link): ReliableMailbox[] {
  return [1, 2].map(id => {
    const post = new ReliableMailbox({ link: join(), run, id, subjectOf, retryInterval: 10 });
    post.isKnown = other => other === 1 || other === 2;
    post.begin(1, 0);
    return post;
  });
}

test('messages of many fragments arrive over a faulty network', async () => {
  const [from, to] = pair(makeHub(1024, lossyNetwork(3)));
  const random = createRandom(1);
  const letters = Array.from({ length: 12 }, () =>
    Uint8Array.from({ length: random.below(20_000) }, () => random.below(256)),
  );
  for (const [step, letter] of letters.entries()) {
    for (const post of [from!, to!]) post.advance(step);
    from!.send(2, at(step), letter);
    assert.equal(await within(10_000, `letter ${step}`, to!.take(1, at(step))), letter);
  }
  for (const post of [from!, to!]) post.close();
});

test('a new epoch ends the wait for messages of the previous epoch, and such messages are refused', async () => {
  const [from, to] = pair(makeHub());
  const waits = to!.take(1, at(1)).then(
    () => 'came',
    (error: unknown) => error,
  );
  to!.begin(2, 1);
  assert.instance(await waits, Superseded);
  from!.send(2, at(1), Uint8Array.of(1));
  const late = to!.take(1, at(1, 1, 2));
  from!.begin(2, 1);
  from!.send(2, at(1, 1, 2), Uint8Array.of(2));
  assert.equal(await within(5000, 'the letter', late), Uint8Array.of(2));
  await to!.take(1, at(1)).then(
    () => assert.unreachable(),
    (error: unknown) => assert.instance(error, Superseded),
  );
  assert.throws(
    () => from!.send(2, at(1), Uint8Array.of(1)),
    (error: unknown) => error instanceof Superseded,
  );
  for (const post of [from!, to!]) post.close();
});

test('invalid fragments, and messages of unknown senders, other runs and steps far ahead, are refused', async () => {
  const join = makeHub();
  const [from, to] = pair(join);
  const outsider = new Channel(join());
  const send = (values: {
    run?: readonly [number, number];
    from?: number;
    step?: number;
    index?: number;
    count?: number;
    byte: number;
  }): void => {
    const { run: of = run, from: sender = 1, step = 1, index = 0, count = 1, byte } = values;
    outsider.send(
      subjectOf(2),
      Fragment,
      { run: of, step, from: sender },
      { epoch: 1, round: Round.crossing, index, count, bytes: Uint8Array.of(byte) },
    );
  };
  send({ from: 3, byte: 3 });
  send({ run: [9, 9], byte: 4 });
  send({ step: 50, byte: 5 });
  send({ index: 1, count: 2, byte: 6 });
  // A second fragment with the same index is ignored: it does not count as the missing fragment.
  send({ index: 1, count: 2, byte: 60 });
  // This fragment claims that the message has three fragments; the earlier fragments claimed two.
  send({ index: 2, count: 3, byte: 7 });
  send({ index: 0, count: 2, byte: 8 });
  send({ index: 0, count: 2, byte: 9 });
  assert.equal(await within(5000, 'the letter', to!.take(1, at(1))), Uint8Array.of(8, 6));
  assert.not(to!.peers.has(3));
  // Malformed fragments are refused when they are read.
  for (const [index, count] of [
    [2, 2],
    [0, 0],
    [0, 70_000],
  ])
    send({ index: index!, count: count!, byte: 1 });
  await until('refusals', () => to!.traffic.refused === 3);
  for (const post of [from!, to!]) post.close();
});

test('a reported failure counts until the end of its epoch, even if fragments of earlier messages follow', async () => {
  const [from, to] = pair(makeHub());
  const failure = (): string => to!.peers.get(1)!.failure;
  const letter = Uint8Array.of(1);
  from!.failure = 'no memory';
  from!.sendAlive(2);
  from!.send(2, at(1), letter);
  assert.equal(await within(5000, 'the letter', to!.take(1, at(1))), letter);
  assert.is(failure(), 'no memory');
  to!.begin(2, 1);
  assert.is(failure(), '');
  // A late sign of life of the earlier epoch does not count in the new epoch. When the sender begins the new
  // epoch, too, it no longer reports its failure.
  from!.sendAlive(2);
  from!.begin(2, 1);
  from!.sendAlive(2);
  from!.send(2, at(1, 1, 2), letter);
  await within(5000, 'the letter', to!.take(1, at(1, 1, 2)));
  assert.equal([from!.failure, failure()], ['', '']);
  for (const post of [from!, to!]) post.close();
});

test.run();
