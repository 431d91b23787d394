// Tests that a web page can join a cluster as a node over the broker's WebSocket, exchange large messages,
// and run the tasks of a job. A page whose origin the broker does not allow is refused. Also tests that
// bundlers for pages accept the cluster entry.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { type Broker, startBroker } from '../../dist/cluster/broker.js';
import { Channel, messageHandler } from '../../dist/cluster/channel.js';
import { connectNats, openJobs } from '../../dist/cluster/index.js';
import { messageKind } from '../../dist/cluster/message.js';
import { createEngine } from '../../dist/index.js';
import { sphere, torus, translation } from '../../dist/samples/index.js';
import { chromiumPath, closeBrowser, root, type Site, withPage } from '../support/pages.js';
import { test } from '../support/test.js';
import { until } from '../support/within.js';
import { brokerTest, type Opened } from './bounded.js';

const Echo = messageKind('echo', 9999, { sum: 'u32' }, { bytes: 'u8' });
const token = 'page secret';

/**
 * NATS's client is a CommonJS module, so it is bundled for pages, as an application's own bundler would do.
 */
const {
  outputFiles: [client],
} = await build({
  stdin: {
    contents: "export { nkeyAuthenticator, nkeys, wsconnect } from '@nats-io/nats-core';",
    resolveDir: root,
  },
  bundle: true,
  format: 'esm',
  platform: 'browser',
  write: false,
});
const site: Site = {
  made: {
    '/nats-core.js': client!.text,
    '/cluster.html':
      '<!doctype html><meta charset="utf-8"><title>node</title><link rel="icon" href="data:,"><script type="importmap">{ "imports": { "@nats-io/nats-core": "/nats-core.js" } }</script>',
  },
};

const sumOf = (bytes: Uint8Array): number =>
  bytes.reduce((sum, byte, i) => (Math.imul(sum, 31) + byte + i) >>> 0, 7);

/** Connects the page to the broker. Returns 'joined', or the reason why the page cannot join. */
const join = (page: Page, broker: Broker, given: string): Promise<string> =>
  page.evaluate<string>(`(async () => {
  const { connectNats } = await import('/dist/cluster/index.js');
  try {
    globalThis.link = await connectNats({ servers: ${JSON.stringify(broker.webSocketUrl)}, token: ${JSON.stringify(given)} });
    return 'joined';
  } catch ({ code, message }) {
    return code + ': ' + message;
  }
})()`);

const startEcho = `(async () => {
  const { Channel, messageHandler } = await import('/dist/cluster/channel.js'), { messageKind } = await import('/dist/cluster/message.js');
  const kind = messageKind('echo', 9999, { sum: 'u32' }, { bytes: 'u8' }), channel = new Channel(link);
  channel.receive('to', [messageHandler(kind, ({ bytes, run, step, from }) => channel.send('back', kind, { run, step, from }, { sum: bytes.length, bytes }))]);
  await link.flush();
})()`;

const joinAsNode = `(async () => {
  const { startNode } = await import('/dist/cluster/index.js');
  globalThis.node = await startNode(link, { name: 'a page', backend: 'auto' });
  return node.name;
})()`;

// Registers a test that needs a browser and a broker.
const joinTest = (name: string, run: (opened: Opened) => Promise<void>): void =>
  chromiumPath ? brokerTest(name, 60, run) : test.skip(name, 'Chromium is missing');

joinTest('a page joins, returns a message of 3 MiB unchanged, and runs tasks of a job', async opened => {
  await withPage(site, '/cluster.html', async (page, errors) => {
    const broker = opened.add(
      await startBroker({ token, webSocket: { origins: [new URL(page.url()).origin] } }),
    );
    assert.match(await join(page, broker, 'wrong'), /^Cluster: .*Authorization/);
    assert.is(await join(page, broker, token), 'joined');
    await page.evaluate(startEcho);
    const link = opened.add(await connectNats({ servers: broker.url, token }));
    const channel = new Channel(link);
    const got: number[] = [];
    channel.receive('back', [messageHandler(Echo, ({ sum, bytes }) => got.push(sum, sumOf(bytes)))]);
    await link.flush();
    const bytes = Uint8Array.from({ length: 3 << 20 }, (_, i) => (i * 7919) >> 3);
    channel.send('to', Echo, { run: [1, 2], step: 3, from: 4 }, { sum: 0, bytes });
    await until('the echo', () => got.length === 2, 20_000);
    assert.equal(got, [3 << 20, sumOf(bytes)]);

    // The page is the only node.
    assert.is(await page.evaluate(joinAsNode), 'a page');
    const jobs = opened.add(await openJobs({ where: 'cluster', link, patience: 20_000 }));
    const meshes = [sphere(2000), torus(3000)];
    const pairs = Array.from({ length: 12 }, (_, i) => ({
      a: 0,
      b: 1,
      transformB: translation([0.15 * i, 0, 0]),
    }));
    const { a, b, pairsAt } = await jobs.submit({ kind: 'meshPairs', meshes, pairs }).wait();
    const engine = await createEngine({ threads: 1 });
    const [one, other] = meshes.map(mesh => engine.createMesh(mesh));
    const expected = engine
      .queryMany({ pairs: pairs.map(({ transformB }) => ({ a: one!, b: other!, transformB })) })
      .copy();
    engine.dispose();
    assert.ok(a.length > 100);
    assert.equal([a, b, pairsAt], [expected.a, expected.b, expected.pairsAt]);
    assert.equal(errors, []);
  });
});

joinTest('a page whose origin is not allowed is refused, even with the correct token', async opened => {
  const broker = opened.add(await startBroker({ token, webSocket: { origins: ['https://app.example'] } }));
  await withPage(site, '/cluster.html', async page => {
    assert.match(await join(page, broker, token), /^Cluster: no connection/);
  });
});

const text = (file: string): string =>
  readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

test('the cluster entry statically imports only its own modules, and no module of Node', () => {
  const seen = new Set<string>();
  const foreign: string[] = [];
  const follow = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, name] of text(file).matchAll(
      /^\s*(?:import|export)\b[^;]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]/gm,
    )) {
      if (name!.startsWith('.')) follow(path.join(path.dirname(file), name!));
      else foreign.push(`${path.relative(root, file)}: ${name}`);
    }
  };
  follow(`${root}dist/cluster/index.js`);
  assert.ok(seen.size > 20);
  assert.equal(foreign, []);
});

test('esbuild bundles the cluster entry for pages, without the NATS transport for Node', async () => {
  const { warnings, metafile } = await build({
    entryPoints: [`${root}dist/cluster/index.js`],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
    splitting: true,
    outdir: 'out',
    logLevel: 'silent',
  });
  assert.equal(warnings, []);
  assert.equal(
    Object.keys(metafile.inputs).filter(file => /transport-node/.test(file)),
    [],
  );
  assert.ok(Object.keys(metafile.inputs).some(file => /nats-core/.test(file)));
});

test.after(closeBrowser);
test.run();
