// Tests the port link: the link of a worker thread, which forwards everything to a link in another thread.
// Its `flush` must pass on the caller's time limit, and must pass on the errors of the link in the other
// thread.

import * as assert from 'uvu/assert';
import { ClusterError } from '../../dist/cluster/errors.js';
import type { Link } from '../../dist/cluster/link.js';
import { makeHub } from '../../dist/cluster/localLink.js';
import { makePortLink, servePort } from '../../dist/cluster/portLink.js';
import { test } from '../support/test.js';

type Flush = Link['flush'];

// Opens a port link to a link with the given methods.
function openPortLink(flush: Flush, others: Partial<Link> = {}): { link: Link; stop: () => void } {
  const { port1, port2 } = new MessageChannel();
  const served = { ...makeHub()(), flush, ...others };
  const stopServing = servePort(port1, served);
  return {
    link: makePortLink(port2, served.packetBytes),
    stop: () => {
      stopServing();
      port1.close();
    },
  };
}

const errorOf = (promise: Promise<unknown>): Promise<ClusterError> =>
  promise.then(
    () => assert.unreachable('the promise was not rejected'),
    error => error,
  );

test('a port link passes the time limit of flush() to the link behind it, and returns its error', async () => {
  const waits: (number | undefined)[] = [];
  const { link, stop } = openPortLink(async patience => {
    waits.push(patience);
    if (patience === 5) throw new ClusterError('the broker did not confirm the messages', 'check the broker');
  });
  await link.flush();
  await link.flush(70);
  const error = await errorOf(link.flush(5));
  assert.equal(waits, [undefined, 70, 5]);
  assert.equal(
    [error.code, error.message, error.fix],
    ['Cluster', 'the broker did not confirm the messages', 'check the broker'],
  );
  stop();
});

test('a port link passes on why the link behind it was closed, or why it refused a packet', async () => {
  const flush = async (): Promise<void> => {};
  const lost = openPortLink(flush, { closed: Promise.resolve(new Error('the broker ended')) });
  assert.is((await lost.link.closed)?.message, 'the broker ended');
  const refusing = openPortLink(flush, {
    publish() {
      throw new Error('the packet is too large');
    },
  });
  refusing.link.publish('subject', new Uint8Array(9));
  assert.is((await refusing.link.closed)?.message, 'the packet is too large');
  for (const { stop } of [lost, refusing]) stop();
});

test('flush() of a port link fails if the link was closed before, or is closed while flush() waits', async () => {
  const { link, stop } = openPortLink(() => new Promise(() => {}));
  const pending = errorOf(link.flush());
  await link.close();
  for (const error of [await pending, await errorOf(link.flush())]) {
    assert.is(error.code, 'Cluster');
    assert.is(error.message, 'the link is closed');
  }
  stop();
});

test.run();
