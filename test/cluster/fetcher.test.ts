// Tests the Fetcher, with which nodes fetch content by its hash, in chunks. Lost chunks are requested again,
// and content that does not match the hash is refused.

import * as assert from 'uvu/assert';
import { Channel, messageHandler } from '../../dist/cluster/channel.js';
import { makeHub, type PacketFaults } from '../../dist/cluster/index.js';
import { hashOf } from '../../dist/cluster/jobs/content.js';
import { Fetcher, sendChunks } from '../../dist/cluster/jobs/fetcher.js';
import { Chunk, ChunkRequest } from '../../dist/cluster/jobs/messages.js';
import { createRandom } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { within } from '../support/within.js';

const content = Uint8Array.from({ length: 50_000 }, (_, i) => i * i);
const source = { subject: 'has', run: [1, 2], viaRun: false } as const;

/**
 * Fetches `content` by its hash over a network. given: the content that the sender has, if any. wrong: the
 * number of answers in which the sender changes a byte. @returns the content, and the number of chunks that
 * were requested
 */
async function fetchOver(
  networkFaults: PacketFaults | undefined,
  given: Uint8Array | undefined,
  wrong = 0,
  giveUp = 10_000,
): Promise<{ bytes: Uint8Array; requestedChunks: number }> {
  const join = makeHub(2048, networkFaults);
  const has = new Channel(join());
  const wants = new Channel(join());
  const fetcher = new Fetcher(wants, 7, giveUp);
  let requestedChunks = 0;
  let left = wrong;
  has.receive('has', [
    messageHandler(ChunkRequest, request => {
      requestedChunks += request.count;
      const isWrong = given && request.first === 0 && left-- > 0;
      const bytes = isWrong ? given.map((byte, i) => (i === 5 ? byte ^ 1 : byte)) : given;
      sendChunks(has, 'wants', 1, bytes, request);
    }),
  ]);
  wants.receive('wants', [messageHandler(Chunk, chunk => fetcher.receiveChunk(chunk, performance.now()))]);
  const timer = setInterval(() => fetcher.tick(performance.now()), 10);
  try {
    return {
      bytes: await within(
        15_000,
        'the content',
        fetcher.fetch(await hashOf(content), source, performance.now()),
      ),
      requestedChunks,
    };
  } finally {
    clearInterval(timer);
  }
}

async function refused(promise: Promise<unknown>, text: RegExp): Promise<void> {
  let error: Error | undefined;
  await promise.catch((reason: Error) => {
    error = reason;
  });
  assert.match(error?.message ?? 'the content arrived', text);
}

test('a run that is canceled, or whose source lacks the content, does not end the transfer of another run', async () => {
  const name = await hashOf(content);
  for (const isCanceled of [true, false]) {
    const join = makeHub(2048);
    const has = new Channel(join());
    const wants = new Channel(join());
    const fetcher = new Fetcher(wants, 7);
    for (const subject of ['has', 'lacks'])
      has.receive(subject, [
        messageHandler(ChunkRequest, request => {
          if (subject === 'has') sendChunks(has, 'wants', 1, content, request);
          else if (!isCanceled) sendChunks(has, 'wants', 1, undefined, request);
        }),
      ]);
    wants.receive('wants', [messageHandler(Chunk, chunk => fetcher.receiveChunk(chunk, performance.now()))]);
    const [lost, found] = [
      { subject: 'lacks', run: [1, 2], viaRun: false } as const,
      { subject: 'has', run: [3, 4], viaRun: false } as const,
    ].map(from => fetcher.fetch(name, from, performance.now()));
    if (isCanceled) fetcher.cancel([1, 2]);
    await refused(lost, isCanceled ? /because the run has ended/ : /is no longer available/);
    assert.equal(await within(15_000, 'the content of the other run', found), content);
  }
});

test('content arrives in chunks, and each chunk is requested once', async () => {
  const { bytes, requestedChunks } = await fetchOver(undefined, content);
  assert.equal(bytes, content);
  assert.is(requestedChunks, Math.ceil(50_000 / (2048 - 256)));
});

test.slow(
  'content arrives over a network that loses a third of the messages and duplicates and delays others',
  async () => {
    const random = createRandom(5);
    const late = (): number => random.between(0, 20);
    const { bytes, requestedChunks } = await fetchOver(
      () => (random.between(0, 1) < 0.33 ? [] : random.below(5) === 0 ? [late(), late()] : [late()]),
      content,
    );
    assert.equal(bytes, content);
    assert.ok(requestedChunks > 40);
  },
);

test('content that does not match its hash is fetched at most three times', async () => {
  assert.equal((await fetchOver(undefined, content, 2)).bytes, content);
  await refused(fetchOver(undefined, content, 3), /did not match its hash/);
});

test('content that the sender does not have, or that does not arrive, is reported', async () => {
  await refused(fetchOver(undefined, undefined), /is no longer available/);
  await refused(
    fetchOver(() => [], content, 0, 300),
    /did not arrive/,
  );
});

test.run();
