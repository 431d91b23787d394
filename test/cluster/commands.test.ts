// Runs `pfront cluster` as users run it. Tests that nodes start, are restarted, are listed and end, that
// clashes are the same as without a cluster, and that errors are clear.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { writeGlb } from '../../dist/cli/writeGlb.js';
import { epicyclicTrain } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { scaledTimeout, until } from '../support/within.js';
import { brokerTest } from './bounded.js';
import { freePort } from './clusterProcesses.js';
import {
  begin,
  endAll,
  folder,
  MAIN,
  pfront,
  refuse,
  stateFile,
  stateOf,
  succeed,
  untilGone,
} from './commands.js';

function writeTrain(): string {
  const scene = epicyclicTrain();
  const placed = scene.frame(0);
  const file = join(folder, 'train.glb');
  writeFileSync(
    file,
    writeGlb(
      scene.parts
        .map(({ name, mesh }, part) => ({
          name,
          ...scene.meshes[mesh],
          transform: placed.slice(16 * part, 16 * part + 16),
        }))
        .filter(({ name }) => name.startsWith('stage 1 ')),
    ),
  );
  return file;
}

test.after(endAll);

const canConnect = (host: string, port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect({ host, port, timeout: 2000 });
    const end = (answer: boolean) => (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });

test('nkey writes a seed to a file that only the user may read, and prints the public key', () => {
  const file = join(folder, 'own.nkey');
  assert.match(succeed(`nkey ${file}`), /^U[A-Z2-7]{55}\n$/);
  assert.match(readFileSync(file, 'utf8'), /^SU[A-Z2-7]{56}\n$/);
  if (process.platform !== 'win32') assert.is(statSync(file).mode & 0o777, 0o600);
});

test.slow('help is printed, and unknown options and invalid values are refused', () => {
  for (const command of ['up', 'join', 'run', 'status', 'down', 'nkey'])
    assert.match(succeed(`${command} --help`), new RegExp(`^pfront cluster ${command}`));
  assert.match(succeed('--help'), 'status');
  refuse(/"sideways" is not a command/, 'sideways');
  refuse(/requires a command/);
  for (const command of ['up', 'join'])
    refuse(
      /--backend gpu is not one of auto, wasm and webgpu/,
      `${command} --backend gpu --servers nats://127.0.0.1:9`,
    );
  refuse(/--workers many is not a whole number/, 'up --workers many');
  refuse(/--cluster \.\.\/x is not a valid cluster name/, 'status --cluster ../x');
  refuse(/Unknown option '--wrokers'/, 'up --wrokers 2');
  refuse(/--servers .*is not an address/, 'join --servers http://user:secret@host');
  refuse(/no cluster "pfront" runs on this machine/, 'join');
  refuse(/run requires a file/, 'run');
  refuse(/no cluster "pfront" runs on this machine/, 'status');
  refuse(/no cluster "pfront" was started/, 'down');
  refuse(/no connection to nats:\/\/127\.0\.0\.1:9: /, 'status --servers nats://127.0.0.1:9');
  refuse(
    /--threshold has no effect/,
    'run nanorobots --threshold 5 --no-balance --servers nats://127.0.0.1:9',
  );
  assert.not.match(pfront('status --servers http://user:secret@host').stderr, 'secret');
});

test('a token file that is missing or empty is refused', () => {
  refuse(/none\.txt cannot be read: ENOENT/, `up --token-file ${join(folder, 'none.txt')}`);
  writeFileSync(join(folder, 'empty.txt'), '\n');
  refuse(/empty\.txt is empty/, `up --token-file ${join(folder, 'empty.txt')}`);
});

test('equal ports, and lines of the file of nkeys with an unknown role, are refused', () => {
  for (const [line, port] of [
    ['--port 5000 --web-port 5000', 5000],
    ['--web-port 4222', 4222],
  ] as const)
    refuse(new RegExp(`--port and --web-port are both ${port}, but must differ`), `up ${line}`);
  const file = join(folder, 'roles');
  const key = `U${'A'.repeat(55)}`;
  for (const role of ['nodes', 'node caller']) {
    writeFileSync(file, `# machines\n\n${key} ${role} # in the lab\n`);
    refuse(
      new RegExp(`roles: line 3 has the role "${role}", not one of node, caller, observer, operator`),
      `up --nkeys ${file}`,
    );
  }
});

brokerTest(
  'a cluster finds the same clashes as one process, restarts a killed broker and a killed worker, and leaves nothing behind',
  60,
  async () => {
    const file = writeTrain();
    const port = String(await freePort());
    assert.match(
      succeed(`up --workers 2 --backend auto --port ${port} --detach`),
      `nats://127.0.0.1:${port}`,
    );
    const { supervisor, broker, workers } = stateOf('pfront');
    assert.is(statSync(stateFile('pfront')).mode & 0o077, 0);
    // Only this user can read the credentials that `up` has made. Clients without them are refused.
    const own = join(folder, 'pfront', 'pfront.credentials');
    if (process.platform !== 'win32') {
      for (const secret of [join(folder, 'pfront'), own]) assert.is(statSync(secret).mode & 0o777, 0o700);
      for (const role of ['node', 'caller', 'observer'])
        assert.is(statSync(join(own, `${role}.nkey`)).mode & 0o777, 0o600);
    }
    assert.not.match(readFileSync(stateFile('pfront'), 'utf8'), /SU[A-Z2-7]{20}/);
    // The broker listens only on the loopback address of this machine.
    for (const { address, internal } of Object.values(networkInterfaces()).flatMap(all => all ?? []))
      if (!internal) assert.is(await canConnect(address, Number(port)), false, address);
    refuse(/Authorization Violation/, `status --cluster other --servers nats://127.0.0.1:${port}`);
    const joined = begin('join --workers 1');
    await joined.until(/3 nodes\n/);
    joined.child.kill('SIGINT');
    assert.is(await joined.ended, 0, joined.output());
    assert.is(workers.length, 2);
    refuse(/cluster "pfront" is already running/, `up --port ${port}`);
    refuse(new RegExp(`port ${port} of 127.0.0.1 is in use`), `up --cluster other --port ${port}`);

    const singleProcess = JSON.parse(
      spawnSync(process.execPath, [MAIN, 'clash', file, '--json'], { encoding: 'utf8' }).stdout,
    );
    const shared = JSON.parse(succeed(`run ${file} --json`));
    const { ms: _ms, stages: _stages, threads: _threads, ...answer } = singleProcess;
    const { ms: _ms2, stages: _stages2, threads: _threads2, cluster, ...sharedAnswer } = shared;
    assert.equal(sharedAnswer, answer);
    assert.is(answer.clashes.length, 8);
    assert.ok(cluster.nodes >= 1 && cluster.tasks > 1, JSON.stringify(cluster));

    process.kill(broker.pid, 'SIGKILL');
    await until('another broker', () => stateOf('pfront').broker.pid !== broker.pid);
    process.kill(workers[0].pid, 'SIGKILL');
    await until('another worker', () => {
      const now = stateOf('pfront').workers;
      return now.length === 2 && now.every(({ pid }) => pid !== workers[0].pid);
    });
    const again = stateOf('pfront');
    // The killed worker's counts are lost. Another job is run, so that `status` reports at least one task.
    succeed(`run ${file} --json`);
    interface Status {
      nodes: (Record<'tasks' | 'memoryBytes' | 'sentMessages' | 'cpuSeconds', number> & { gpu: string })[];
    }
    let reported: Status = { nodes: [] };
    await until(
      'a report of both nodes',
      () => {
        reported = JSON.parse(pfront('status --json').stdout) as Status;
        return reported.nodes.length === 2 && reported.nodes.some(({ tasks }) => tasks > 0);
      },
      20_000,
    );
    assert.ok(
      reported.nodes.every(
        ({ memoryBytes, sentMessages, cpuSeconds }) =>
          memoryBytes > 1e6 && sentMessages > 0 && cpuSeconds > 0,
      ),
    );
    // With --backend auto, nodes do not use a software GPU, because it would not be faster than the CPU.
    assert.ok(
      reported.nodes.every(({ gpu }) => gpu === ''),
      JSON.stringify(reported),
    );
    // On a busy machine, `status` may miss the announcement of a node.
    await until(
      'both nodes in the table',
      () => /node +threads +GPU +load[^]*\n2 nodes, load /.test(pfront('status').stdout),
      20_000,
    );

    const begun = performance.now();
    assert.match(succeed('down'), 'has ended');
    assert.ok(performance.now() - begun < scaledTimeout(5000));
    await untilGone([
      supervisor.pid,
      broker.pid,
      again.broker.pid,
      ...[...workers, ...again.workers].map(({ pid }) => pid),
    ]);
    assert.not(existsSync(stateFile('pfront')));
    assert.not(existsSync(own));
  },
);

brokerTest.slow(
  'clients without the token are refused, a swarm has the same results on one and three nodes, and `down` ends joined nodes',
  60,
  async () => {
    const port = String(await freePort());
    const token = join(folder, 'token');
    const servers = `nats://127.0.0.1:${port}`;
    writeFileSync(token, `${'s3cret'.repeat(8)}\n`, { mode: 0o600 });
    const up = begin(`up --workers 1 --port ${port} --token-file ${token}`);
    await up.until(/1 node\n/);
    assert.not.match(readFileSync(stateFile('pfront'), 'utf8'), 's3cret');
    const { workers, broker } = stateOf('pfront');
    for (const { pid } of workers)
      if (existsSync(`/proc/${pid}/cmdline`))
        assert.not.match(readFileSync(`/proc/${pid}/cmdline`, 'utf8'), 's3cret');
    refuse(/no connection to/, `status --servers ${servers}`);

    const scene = 'run nanorobots --bodies 300 --steps 6';
    const lines = (text: string): { stateDigest: string; contactDigest?: string; contacts: number }[] =>
      text
        .trim()
        .split('\n')
        .map(line => JSON.parse(line));
    const one = lines(succeed(`${scene} --json --nodes 1`));
    const joined = begin(`join --servers ${servers} --token-file ${token} --workers 2`);
    await joined.until(/3 nodes\n/);
    const three = lines(succeed(`${scene} --json --nodes 3`));
    assert.equal(
      three.map(({ stateDigest, contactDigest, contacts }) => [stateDigest, contactDigest, contacts]),
      one.map(({ stateDigest, contactDigest, contacts }) => [stateDigest, contactDigest, contacts]),
    );
    assert.is(three.length, 7);
    assert.ok(three.some(({ contacts }) => contacts > 0));
    assert.match(
      succeed(`${scene} --nodes 3`),
      /^nanorobots: 300 bodies, skewed, 6 steps, seed 1; 3 nodes, balancing if loads differ by more than 10 %\n +step +contacts .*\n( +\d+ .*\n){6}6 steps in /,
    );

    succeed('down');
    assert.is(await up.ended, 0, up.output());
    assert.is(await joined.ended, 0, joined.output());
    assert.match(joined.output(), 'the cluster was ended');
    await untilGone([broker.pid, ...workers.map(({ pid }) => pid)]);
  },
);

brokerTest.slow(
  'Ctrl+C ends the cluster; if the process of `up` is killed, its workers and its broker end, and `status` and `down` report this',
  60,
  async () => {
    const port = String(await freePort());
    const up = begin(`up --cluster orphan --workers 1 --port ${port}`);
    await up.until(/1 node\n/);
    const first = stateOf('orphan');
    up.child.kill('SIGINT');
    assert.is(await up.ended, 0, up.output());
    await untilGone([first.broker.pid, ...first.workers.map(({ pid }) => pid)]);

    const next = begin(`up --cluster orphan --workers 1 --port ${port}`);
    await next.until(/1 node\n/);
    const { workers, broker } = stateOf('orphan');
    next.child.kill('SIGKILL');
    await next.ended;
    await untilGone([broker.pid, ...workers.map(({ pid }) => pid)]);
    refuse(/was started here, but is no longer running/, 'status --cluster orphan');
    assert.match(succeed('down --cluster orphan'), 'had already ended without `down`');
    assert.not(existsSync(stateFile('orphan')));
  },
);

brokerTest.slow('a worker that ends six times is not restarted again', 60, async () => {
  const port = String(await freePort());
  const up = begin(`up --cluster orphan --workers 1 --port ${port}`);
  await up.until(/1 node\n/);
  let last = 0;
  for (let deaths = 0; deaths < 6; deaths++) {
    // The wait before a restart becomes longer each time, up to a maximum.
    const worker = (): number => stateOf('orphan').workers[0]?.pid ?? last;
    await until(`a worker other than ${last}`, () => worker() !== last, 12_000);
    process.kill((last = worker()), 'SIGKILL');
    if (deaths < 5)
      await up.until(new RegExp(`(was ended by SIGKILL; it will be restarted[^]*){${deaths + 1}}`));
  }
  assert.is(await up.ended, 2, up.output());
  assert.match(up.output(), 'will not be restarted');
  assert.match(up.output(), 'no worker is left');
});

test.run();
