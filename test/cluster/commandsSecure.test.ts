// Runs `pfront cluster up` with nkeys, TLS and a port for web pages, as users run it. Tests that only known
// nodes are accepted, that both ports use TLS, and that settings that would accept unknown nodes are refused.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Channel } from '../../dist/cluster/channel.js';
import { connectNats } from '../../dist/cluster/index.js';
import { Leave } from '../../dist/cluster/leave.js';
import { subjectsOf } from '../../dist/cluster/subjects.js';
import { test } from '../support/test.js';
import { until, within } from '../support/within.js';
import { brokerTest } from './bounded.js';
import { makeCertificates } from './certificates.js';
import { freePort } from './clusterProcesses.js';
import { begin, endAll, folder, pfront, refuse, succeed } from './commands.js';

test.after(endAll);

/** Connects over TLS to a broker's port for web pages. Returns the first text that the broker sends. */
const greeting = (port: string, caFile: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = get({
      host: '127.0.0.1',
      port,
      ca: readFileSync(caFile),
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': Buffer.alloc(16, 7).toString('base64'),
      },
    });
    request
      .once('error', reject)
      .once('response', ({ statusCode }) => reject(new Error(`status ${statusCode}`)));
    request.once('upgrade', (_response, socket, head) => {
      let words = head.toString('latin1');
      socket.on('data', (bytes: Buffer) => {
        words += bytes.toString('latin1');
        if (!/INFO .*\}/.test(words)) return;
        socket.destroy();
        resolve(words);
      });
    });
  });

brokerTest.slow(
  'with nkeys and TLS, unknown seeds are refused, clients refuse brokers of unknown authorities, a node cannot end other nodes, and web pages use TLS',
  60,
  async opened => {
    const { broker, caFile, stranger } = opened.add(makeCertificates());
    const [port, webPort] = [String(await freePort()), String(await freePort())];
    const servers = `nats://127.0.0.1:${port}`;
    const files = Object.fromEntries(
      ['ours', 'theirs', 'foreign'].map(name => [name, join(folder, name)]),
    ) as Record<'ours' | 'theirs' | 'foreign', string>;
    const allowed = join(folder, 'allowed');
    const [ours, theirs] = [succeed(`nkey ${files.ours}`), succeed(`nkey ${files.theirs}`)];
    succeed(`nkey ${files.foreign}`);
    assert.is(statSync(files.ours).mode & 0o077, 0);
    refuse(/cannot be created \(EEXIST/, `nkey ${files.ours}`);
    writeFileSync(allowed, `# machines\n${ours}${theirs.trim()} node # the other one\n`);

    const up = begin(
      `up --workers 1 --port ${port} --web-port ${webPort} --nkeys ${allowed} --nkey-file ${files.ours} --cert-file ${broker.certFile} --key-file ${broker.keyFile} --ca-file ${caFile}`,
    );
    await up.until(/1 node\n/);
    assert.match(up.output(), `web pages: wss://127.0.0.1:${webPort}`);
    assert.not.match(up.output(), /note:/);
    // Without options, `status` reads from the state file how to connect.
    await until(
      'a report of the node',
      () => JSON.parse(pfront('status --json').stdout).nodes.length === 1,
      20_000,
    );
    const joined = begin(
      `join --servers ${servers} --workers 1 --nkey-file ${files.theirs} --ca-file ${caFile}`,
    );
    await joined.until(/2 nodes\n/);

    refuse(
      /Authorization Violation/,
      `status --servers ${servers} --nkey-file ${files.foreign} --ca-file ${caFile}`,
    );
    refuse(/Authorization Violation/, `status --servers ${servers} --ca-file ${caFile}`);
    refuse(
      /certificate|issuer/,
      `status --servers ${servers} --nkey-file ${files.theirs} --ca-file ${stranger.caFile}`,
    );
    const refused = await connectNats({ servers, nkeySeed: readFileSync(files.theirs, 'utf8').trim() }).then(
      () => 'accepted',
      ({ message }: Error) => message,
    );
    assert.match(refused, /certificate|issuer/);
    // The key `theirs` has the role `node`: it may run tasks, but not tell other nodes to end.
    const link = opened.add(
      await connectNats({
        servers,
        nkeySeed: readFileSync(files.theirs, 'utf8').trim(),
        tls: { caFile },
      }),
    );
    new Channel(link).send(subjectsOf('pfront').leave, Leave, { run: [0, 0], step: 0, from: 0 }, {});
    assert.match((await within(5000, 'the refusal', link.closed))?.message ?? '', /rejected this client/);
    assert.match(await greeting(webPort, caFile), /INFO \{.*"nonce"/);

    succeed('down');
    assert.equal([await up.ended, await joined.ended], [0, 0], up.output() + joined.output());
  },
);

test('incomplete, contradictory and unreadable security options of up are refused', async () => {
  const port = String(await freePort());
  const ports = `--port ${port} --web-port ${await freePort()}`;
  const {
    broker: { certFile },
    close,
  } = makeCertificates();
  const token = join(folder, 'token');
  const keys = join(folder, 'keys');
  writeFileSync(token, 'a token\n');
  writeFileSync(keys, 'SUAGSEED\n');
  try {
    refuse(/--cert-file requires --key-file/, `up --port ${port} --cert-file ${certFile}`);
    refuse(/nkey 'SUAG…' is not the public key/, `up --port ${port} --nkeys ${keys}`);
    refuse(
      /token cannot be combined with users or nkeys/,
      `up --port ${port} --nkeys ${keys} --token-file ${token}`,
    );
    refuse(/--nkeys .*none cannot be read: ENOENT/, `up --port ${port} --nkeys ${join(folder, 'none')}`);
    refuse(/--servers names a running broker/, `up --servers nats://127.0.0.1:4222 ${ports}`);
  } finally {
    await close();
  }
});

test.run();
