// Tests the broker, a nats-server process that `startBroker` starts. It must accept only the configured
// users, reveal no secrets, and end when the process that started it ends.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { addressesOf } from '../../dist/cli/cluster/brokerOptions.js';
import { startBroker } from '../../dist/cluster/broker.js';
import { type BrokerOptions, brokerConfig } from '../../dist/cluster/brokerConfig.js';
import { connectNats } from '../../dist/cluster/natsLink.js';
import type { CollisionError } from '../../dist/core/errors.js';
import { test } from '../support/test.js';
import { until } from '../support/within.js';
import { boundedTest, brokerTest } from './bounded.js';

// These tests use their own temporary folder, so that they do not count folders that brokers of other
// processes have made.
const temporary = mkdtempSync(join(tmpdir(), 'broker-'));
process.env.TMPDIR = process.env.TEMP = temporary;
test.after(() => rmSync(temporary, { recursive: true, force: true }));
const folders = (): string[] => readdirSync(temporary).filter(name => name.startsWith('pfront-broker-'));
const lives = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

async function refusal(options: BrokerOptions): Promise<CollisionError> {
  try {
    await (await startBroker(options)).close();
  } catch (error) {
    return error as CollisionError;
  }
  throw new Error(`startBroker accepted ${JSON.stringify(options)}`);
}

boundedTest(
  'options that would admit any client, or that nats-server would misread, are refused',
  5,
  async () => {
    const nkey = `U${'A'.repeat(55)}`;
    const wrong: [BrokerOptions, RegExp][] = [
      [{ host: '0.0.0.0' }, /would accept any client/],
      [{ host: '::' }, /would accept any client/],
      [{ host: '192.168.1.4', tls: { certFile: 'a', keyFile: 'b' } }, /would accept any client/],
      [{ host: '127.evil.example' }, /would accept any client/],
      [{ webSocket: true }, /every page/],
      [{ webSocket: { origins: [] } }, /every page/],
      [{ webSocket: { host: '0.0.0.0', origins: ['http://a'] } }, /would accept any client/],
      [{ host: 'a"\nauthorization {}', token: 'x' }, /is not a host name/],
      [{ port: 70_000 }, /port 70000 is not/],
      [{ port: 1.5 }, /port 1.5 is not/],
      [{ token: '' }, /empty/],
      [{ token: 'a\nb' }, /printable ASCII/],
      [{ token: '$2a$11$PWIFAL8RsWyGI3jVZtO9Nu8.6jOxzxfZo7c/W0eLk017hjgUKWrhy' }, /begins with/],
      [{ users: [{ user: 'a', pass: '' }] }, /empty/],
      [{ token: 'a', nkeys: [nkey] }, /cannot be combined/],
      [{ nkeys: ['SUAG'] }, /nkey/],
    ];
    const before = folders().length;
    for (const [options, message] of wrong) {
      const error = await refusal(options);
      assert.is(error.code, 'Cluster', JSON.stringify(options));
      assert.match(error.message, message);
      assert.not.match(error.message, 'PWIFAL');
    }
    assert.is(folders().length, before);
  },
);

test('the addresses at which other machines reach a broker are written as in URLs, even IPv6 addresses', () => {
  assert.equal(['192.0.2.1', 'host', '2001:db8::1'].flatMap(addressesOf), [
    '192.0.2.1',
    'host',
    '[2001:db8::1]',
  ]);
});

test('quotes and backslashes are escaped in the configuration of nats-server', () => {
  assert.match(brokerConfig({ token: 'a"b\\c}' }, '/tmp'), 'token: "a\\"b\\\\c}"');
});

brokerTest(
  'a broker listens on a free port and keeps its secrets in a private file; close() ends it and removes the file',
  10,
  async opened => {
    const token = 'quite secret " \\ }';
    const broker = opened.add(await startBroker({ token, webSocket: true }));
    assert.match(broker.url, /^nats:\/\/127\.0\.0\.1:\d+$/);
    assert.match(broker.webSocketUrl!, /^ws:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(broker.notes, []);
    const commandLine = readFileSync(`/proc/${broker.pid}/cmdline`, 'utf8').split('\0');
    const config = commandLine[2];
    assert.not.match(commandLine.join(' '), 'secret');
    assert.is(statSync(config).mode & 0o777, 0o600);
    assert.is(statSync(config.replace(/[^/]*$/, '')).mode & 0o777, 0o700);
    await (await connectNats({ servers: broker.url, token })).close();
    await broker.close();
    assert.is(await broker.closed, undefined);
    assert.not(lives(broker.pid));
    assert.not(existsSync(config));
  },
);

brokerTest(
  'a broker without TLS that other machines can reach has a note that recommends tls',
  10,
  async opened => {
    const broker = opened.add(await startBroker({ host: '0.0.0.0', token: 'x' }));
    assert.is(broker.notes.length, 1);
    assert.match(broker.notes[0], /tls/);
  },
);

brokerTest('a port in use and missing TLS files are reported', 10, async () => {
  const server = createServer();
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const taken = await refusal({ port: (server.address() as { port: number }).port });
  server.close();
  assert.match(taken.message, /address already in use/);
  assert.match(taken.fix, /another port/);
  const missing = await refusal({ tls: { certFile: '/nowhere.pem', keyFile: '/nowhere.key' } });
  assert.is(missing.code, 'Cluster');
  assert.match(missing.message, /nowhere/);
  assert.match(missing.fix, /PEM/);
});

boundedTest('without nats-server, the error says how to install it', 10, async () => {
  const script = `import { existsSync } from 'node:fs'; import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
    fs.existsSync = (name) => !String(name).includes('nats-server') && existsSync(name); syncBuiltinESMExports();
    const { startBroker } = await import(${JSON.stringify(new URL('../../dist/cluster/index.js', import.meta.url).href)});
    await startBroker().catch(({ code, message, fix }) => console.log(code, message, fix));`;
  assert.match(
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }),
    /^Cluster nats-server is not installed .*apt-get install nats-server/,
  );
});

brokerTest('a killed broker is reported', 10, async opened => {
  const broker = opened.add(await startBroker());
  process.kill(broker.pid, 'SIGKILL');
  assert.match((await broker.closed)!.message, /SIGKILL/);
});

brokerTest(
  'a broker ends with the process that started it, even if that process is killed, and its files are removed',
  15,
  async () => {
    const script = `const { startBroker } = await import(${JSON.stringify(new URL('../../dist/cluster/index.js', import.meta.url).href)});
    const { pid } = await startBroker({ token: 'x' }); console.log(pid); if (process.argv[1] === 'exit') process.exit(0);`;
    for (const how of ['exit', 'kill']) {
      const parent = spawn(process.execPath, ['--input-type=module', '--eval', script, how], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      parent.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
      await until('the broker of another process', () => output.includes('\n'));
      const pid = Number(output);
      const folder = existsSync(`/proc/${pid}/cmdline`)
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
            .split('\0')[2]
            ?.replace(/\/[^/]*$/, '')
        : undefined;
      if (how === 'kill') parent.kill('SIGKILL');
      await until(`its end by ${how}`, () => !lives(pid));
      if (folder) await until('the removal of its files', () => !existsSync(folder));
    }
  },
);

test.run();
