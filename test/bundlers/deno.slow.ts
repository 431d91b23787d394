// Tests that the packed package (the npm tarball) runs in Deno without any permission, with several threads,
// and gives the same results as in Node.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build as esbuild } from 'esbuild';
import * as assert from 'uvu/assert';
import * as pfront from '../../dist/index.js';
import * as scenes from '../../dist/samples/index.js';
import { type Answers, answers } from '../support/answers.js';
import { installExample, linesOf } from '../support/examples.js';
import { installPacked } from '../support/packed.js';
import { root } from '../support/pages.js';
import { test } from '../support/test.js';

/**
 * Deno is installed without a lock file, because a lock file would have to list the package of Deno's
 * executable for every platform.
 */
const DENO = 'deno@2.9.6';

const { folder } = installPacked();
const inFolder = (name: string): string => path.join(folder, name);
const tools = mkdtempSync(path.join(tmpdir(), 'pfront-deno-'));
const program = path.join(tools, 'node_modules/deno/bin.cjs');

/**
 * Installs Deno and returns whether it runs. npm has one package of Deno per platform; there may be none for
 * this platform, or the registry may be unreachable.
 */
function isPresent(): boolean {
  try {
    writeFileSync(path.join(tools, 'package.json'), '{ "private": true }');
    execFileSync('npm', ['install', '--no-package-lock', '--no-audit', '--no-fund', DENO], {
      cwd: tools,
      stdio: 'ignore',
      shell: process.platform === 'win32',
    });
    execFileSync(process.execPath, [program, '--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const {
  outputFiles: [answersFile],
} = await esbuild({
  entryPoints: [`${root}test/support/answers.ts`],
  bundle: true,
  format: 'esm',
  write: false,
});
writeFileSync(inFolder('package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }));
writeFileSync(inFolder('answers.js'), answersFile!.text);
writeFileSync(
  inFolder('main.js'),
  `import * as pfront from 'pfront';
import * as scenes from 'pfront/samples';
import { answers } from './answers.js';
console.log(JSON.stringify(await answers(pfront, scenes, JSON.parse(process.argv[2]))));
`,
);

function runQueries(options: object): Answers {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [program, 'run', '--no-prompt', '--cached-only', 'main.js', JSON.stringify(options)],
    { cwd: folder, encoding: 'utf8' },
  );
  assert.is(status, 0, stderr);
  return JSON.parse(stdout) as Answers;
}

// Node also uses three threads, because the lists of kernels are compared, and some kernels run only to join
// the results of several threads.
const expected = await answers(pfront, scenes, { threads: 3 });
const hasDeno = isPresent();
const deno = (name: string, run: () => void): void =>
  hasDeno ? test(name, run) : test.skip(name, 'npm could not install Deno on this machine');

deno('Deno runs three threads without a note and gives the same results as Node', () => {
  const { hashes, kernels, info } = runQueries({ threads: 3 });
  assert.equal([hashes, kernels], [expected.hashes, expected.kernels]);
  assert.equal([info.threads, info.memory, info.notes], [3, 'shared', []]);
});

deno('one thread, with shared or unshared memory, gives the same results', () => {
  for (const options of [{ threads: 1 }, { memory: 'single' }]) {
    const { hashes, info } = runQueries(options);
    assert.equal(hashes, expected.hashes);
    assert.is(info.threads, 1);
  }
});

deno('the example runs on two threads', () => {
  const example = installExample('deno', ['wgpu-matrix'], true);
  try {
    assert.equal(linesOf(example, path.join(tools, 'node_modules/.bin')), ['147 pairs on 2 threads']);
  } finally {
    example.remove();
  }
});

test.after(() => {
  for (const made of [folder, tools]) rmSync(made, { recursive: true, force: true });
});
test.run();
