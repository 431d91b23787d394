// Tests links that reach the broker through a proxy (faultProxy.ts): they work again after the proxy cuts
// connections, and after the broker is killed or suspended. Also tests that a killed node process can be
// started again.

import * as assert from 'uvu/assert';
import { connectNats } from '../../dist/cluster/natsLink.js';
import { test } from '../support/test.js';
import { sleep, until } from '../support/within.js';
import { type Restartable, startBroker, startNodeProcess } from './clusterProcesses.js';
import { startFaultProxy } from './faultProxy.js';

test('links through the proxy work again after cuts, and after the broker was killed or suspended', async () => {
  const broker = await startBroker();
  const proxy = await startFaultProxy({ broker: broker.port });
  const [from, to] = await Promise.all(['from', 'to'].map(name => connectNats({ servers: proxy.url, name })));
  try {
    const got: string[] = [];
    to!.subscribe('a.>', ({ data }) => {
      got.push(new TextDecoder().decode(data));
    });
    await to!.flush();
    const comes = async (text: string): Promise<void> => {
      const again = setInterval(() => {
        from!.publish('a.b', new TextEncoder().encode(text));
      }, 50);
      try {
        await until(text, () => got.includes(text));
      } finally {
        clearInterval(again);
      }
    };
    await comes('first');
    proxy.cut('to', Infinity);
    await until('a refusal', () => proxy.counts.refused > 0);
    proxy.cut('to');
    await comes('after a cut');
    proxy.faults = { cut: 0.5 };
    const { cuts } = proxy.counts;
    const noise = setInterval(() => {
      from!.publish('a.b', new Uint8Array(5000));
    }, 20);
    await until('cuts in messages', () => proxy.counts.cuts > cuts + 1);
    clearInterval(noise);
    proxy.faults = {};
    await comes('after half messages');
    await broker.kill();
    assert.not(broker.isUp);
    await broker.start();
    await comes('after a kill');
    broker.hang();
    await broker.stands();
    from!.publish('a.b', new TextEncoder().encode('held'));
    await sleep(100);
    assert.not(got.includes('held'));
    broker.wake();
    await until('the held message', () => got.includes('held'));
  } finally {
    await Promise.all([from!.close(), to!.close()]);
    await proxy.close();
    await broker.kill();
  }
});

test('a node process starts, dies, and starts again', async () => {
  const broker = await startBroker();
  let node: Restartable | undefined;
  try {
    node = await startNodeProcess({ url: broker.url, cluster: 'c', name: 'one' });
    const { pid } = node;
    node.hang();
    await node.kill();
    assert.throws(() => process.kill(pid!, 0), /ESRCH/);
    await node.start();
    assert.is(node.output.match(/one is ready/g)?.length, 2);
  } finally {
    await node?.kill();
    await broker.kill();
  }
});

test.run();
