// Tests commands other than a clash search of models at rest on a disk that becomes full: at whichever write of
// the command this happens, no partial file remains, and the error says what happened.

import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as assert from 'uvu/assert';
import { box } from '../../dist/samples/index.js';
import { brokerTest } from '../cluster/bounded.js';
import { gltf } from '../support/animatedGltf.js';
import { MAIN } from '../support/commandLine.js';
import { test } from '../support/test.js';

const preload = pathToFileURL(fileURLToPath(new URL('failWrites.mjs', import.meta.url))).href;
const folder = mkdtempSync(join(tmpdir(), 'disk-full-commands-'));
const state = join(folder, 'state');
const temporary = join(folder, 'temporary');
mkdirSync(temporary);
test.after(() => rmSync(folder, { recursive: true }));

/** Returns the environment of a command that finds the disk full from its failAt-th write on. */
const environment = (failAt: number): NodeJS.ProcessEnv => ({
  ...process.env,
  XDG_RUNTIME_DIR: state,
  TMPDIR: temporary,
  PFRONT_FAIL_WRITE: String(failAt),
});

/** Runs a command. From its failAt-th write on, the disk is full. */
function run(failAt: number, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', preload, MAIN, ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
    env: environment(failAt),
  });
  return { status, stdout, stderr, count: Number(/counted (\d+)/.exec(stderr)?.[1]) };
}

/** Runs a command once without failures and returns its number of writes; then fails at each of them. */
function failAtEach(args: readonly string[], reset: () => void, check: (where: string) => void): number {
  reset();
  const { status, stderr, count } = run(Infinity, args);
  assert.ok(status === 0 || status === 1, stderr);
  for (let failAt = 1; failAt <= count; failAt++) {
    reset();
    const failed = run(failAt, args);
    const where = `${args.join(' ')}: write ${failAt} of ${count}: ${failed.stderr}`;
    assert.is(failed.status, 2, where);
    assert.match(failed.stderr, /ENOSPC.*\nfix: .*space/, where);
    assert.is(failed.stdout, '', where);
    check(where);
  }
  return count;
}

const remove = (name: string): void => rmSync(join(folder, name), { force: true });
const filesLike = (pattern: RegExp): string[] => readdirSync(folder).filter(name => pattern.test(name));

test('nkey leaves no file without a complete seed', () => {
  const count = failAtEach(
    ['cluster', 'nkey', 'own.nkey'],
    () => remove('own.nkey'),
    where => assert.equal(filesLike(/nkey/), [], where),
  );
  assert.is(count, 2);
  remove('own.nkey');
});

test('sample leaves no partial file', () => {
  const count = failAtEach(
    ['sample', 'machine.glb'],
    () => remove('machine.glb'),
    where => assert.equal(filesLike(/machine|part/), [], where),
  );
  assert.ok(count >= 3, `${count} writes`);
  remove('machine.glb');
});

test('clash --animation leaves each output as it was or complete', () => {
  const times = [0, 2];
  writeFileSync(
    join(folder, 'cart.gltf'),
    JSON.stringify(
      gltf(
        [box(1, 1, 1)],
        [
          { name: 'cart', mesh: 0 },
          { name: 'wall', mesh: 0, translation: [10, 0, 0] },
        ],
        [
          {
            name: 'run',
            channels: [{ node: 0, path: 'translation', times, values: [0, 0, 0, 20, 0, 0] }],
          },
        ],
      ),
    ),
  );
  const outputs = { '--report': 'out.html', '--junit': 'out.xml', '--bcf': 'out.bcf', '--csv': 'out.csv' };
  const names = Object.values(outputs);
  const ends = { 'out.html': '</html>\n', 'out.xml': '</testsuites>\n' } as Record<string, string>;
  let unchanged = 0;
  const count = failAtEach(
    ['clash', 'cart.gltf', '--animation', 'all', ...Object.entries(outputs).flat()],
    () => names.forEach(name => writeFileSync(join(folder, name), 'older')),
    where => {
      for (const name of names) {
        const content = readFileSync(join(folder, name), 'latin1');
        if (content === 'older') unchanged++;
        else if (ends[name]) assert.ok(content.endsWith(ends[name]), `${where}: ${name}`);
        else assert.ok(content.length > 100, `${where}: ${name}`);
      }
      assert.equal(filesLike(/part/), [], where);
    },
  );
  assert.ok(count >= 3 * names.length && unchanged >= count, `${count} writes, ${unchanged} unchanged files`);
});

/** Returns the names of all files below the folders of the cluster's state and of temporary files. */
const leftBehind = (): string[] =>
  [state, temporary].flatMap(parent =>
    existsSync(parent)
      ? readdirSync(parent, { recursive: true, withFileTypes: true }).flatMap(entry =>
          entry.isFile() ? [entry.name] : [],
        )
      : [],
  );

/** Starts `cluster up` on a disk that becomes full, and ends it once it runs. Returns its exit code and output. */
async function startCluster(failAt: number): Promise<{ status: number | null; output: string }> {
  const child = spawn(
    process.execPath,
    ['--import', preload, MAIN, 'cluster', 'up', '--workers', '0', '--port', '24222'],
    { env: environment(failAt) },
  );
  let output = '';
  let isEnding = false;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      // A second signal would end the command at once.
      if (/credentials: /.test(output) && !isEnding) isEnding = child.kill('SIGTERM');
    });
  const status = await new Promise<number | null>(resolve => child.on('close', resolve));
  return { status, output };
}

brokerTest('cluster up leaves no credentials, no state and no configuration of the broker', 300, async () => {
  let failAt = 1;
  for (; ; failAt++) {
    const { status, output } = await startCluster(failAt);
    const where = `write ${failAt}: ${output}`;
    assert.equal(leftBehind(), [], where);
    if (status === 0) break;
    assert.is(status, 2, where);
    assert.match(output, /ENOSPC.*\nfix: .*space/, where);
  }
  assert.ok(failAt > 6, `${failAt - 1} writes`);
});

test.run();
