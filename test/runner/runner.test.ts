// Tests the test command itself: tests that pass, fail, hang, crash or leave something open are counted and
// reported by name, and each can be run alone.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { test } from '../support/test.js';
import { failureLines } from './report.mjs';

const at = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'pfront-runner-'));

// Writes a test file with the given lines as its body. Returns the path of the file.
function write(name: string, ...lines: string[]): string {
  const file = path.join(folder, name);
  writeFileSync(
    file,
    [
      `import { test } from ${JSON.stringify(at('test/support/test.ts'))};`,
      `import * as assert from ${JSON.stringify(at('node_modules/uvu/assert/index.mjs'))};`,
      ...lines,
      'test.run();',
    ].join('\n'),
  );
  return file;
}

function run(...words: string[]): { status: number | null; lines: string[] } {
  const { CI: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [at('test/run.mjs'), '--no-build', ...words],
    { encoding: 'utf8', env },
  );
  return { status, lines: `${stdout}${stderr}`.trimEnd().split('\n') };
}

test('a failure is shown last, with the difference of the values and the command that runs the test alone', () => {
  const file = write(
    'fails.test.ts',
    "test('adds', () => assert.is(1 + 1, 2));",
    'test(\'adds "three"\', () => assert.equal([1, 2], [1, 3]));',
  );
  const { status, lines } = run(file);
  assert.is(status, 1);
  assert.is(lines.at(-1), '1 passed, 1 failed');
  const block = lines.slice(lines.findIndex(line => line.startsWith('FAIL'))).join('\n');
  assert.match(block, /^FAIL .*fails\.test\.ts: adds "three"\n {4}Expected values to be deeply equal/);
  assert.match(block, '2,');
  assert.match(block, '3,');
  assert.match(block, /run it alone: npm test -- .*fails\.test\.ts -g "adds \\"three\\""/);
});

test('the command for a failure outside of tests runs the whole file', () => {
  const commandOf = (name: string): string =>
    failureLines([{ name: 'x.test.ts', failures: [{ name, text: '' }] }])!
      .split('run it alone: ')[1]
      .trim();
  for (const name of ['the file', 'loading the file', 'after the last test', 'before a test'])
    assert.is(commandOf(name), 'npm test -- x.test.ts', name);
  for (const name of ['after a collision, bodies part', 'the tests agree'])
    assert.is(commandOf(name), `npm test -- x.test.ts -g "${name}"`, name);
});

test('tests are selected by name and by tier', () => {
  const file = write(
    'names.test.ts',
    "test('touching boxes', () => {});",
    "test('boxes far apart', () => {});",
    "test.slow('a million touching boxes', () => {});",
    "test.proof('all boxes', () => {});",
    "test.skip('touching what is not there');",
  );
  assert.is(run(file).lines.at(-1), '3 passed, 0 failed, 1 skipped');
  assert.is(run(file, '-g', 'Touching boxes').lines.at(-1), '2 passed, 0 failed');
  assert.is(run(file, '--slow').lines.at(-1), '1 passed, 0 failed');
  assert.is(run(file, '--proof').lines.at(-1), '1 passed, 0 failed');
});

test('an unknown name prints the list of suites, and an unknown option prints the usage', () => {
  const unknown = run('no-such-suite');
  const option = run('--fast');
  assert.is(unknown.status, 2);
  assert.match(unknown.lines[0], 'no test file is named no-such-suite');
  assert.match(unknown.lines.join('\n'), /suites: .*broadphase/);
  assert.is(option.status, 2);
  assert.match(option.lines.join('\n'), '--grep TEXT');
});

test('a file without tests, a file that does not load, and a hook that throws are failures', () => {
  assert.is(run(write('none.test.ts')).status, 1);
  const broken = run(write('broken.test.ts', "throw new Error('the fixture is broken');"));
  const hook = run(
    write('hook.test.ts', "test.before(() => { throw new Error('no engine'); });", "test('one', () => {});"),
  );
  assert.is(broken.lines.at(-1), '0 passed, 1 failed');
  assert.match(broken.lines.join('\n'), 'the fixture is broken');
  assert.is(hook.lines.at(-1), '0 passed, 1 failed');
  assert.match(hook.lines.join('\n'), 'no engine');
});

test('a test that ends its process fails, and the tests after it run', () => {
  const { lines } = run(
    write(
      'exits.test.ts',
      "test('before', () => {});",
      "test('exits', () => process.exit(0));",
      "test('after', () => {});",
    ),
  );
  assert.is(lines.at(-1), '2 passed, 1 failed');
  assert.match(lines.join('\n'), /FAIL .*: exits\n {4}ended its process with exit code 1/);
});

test.slow('a test that hangs is ended and reported by name, and the tests after it run', () => {
  const waits = write(
    'waits.test.ts',
    "test('waits', () => { setInterval(() => {}, 1000); return new Promise(() => {}); });",
    "test('after', () => {});",
  );
  const spins = write('spins.test.ts', "test('spins', () => { for (;;); });", "test('after', () => {});");
  const open = write('open.test.ts', "test('leaves a timer', () => { setInterval(() => {}, 1000); });");
  const { status, lines } = run(waits, spins, open, '--limit', '5');
  assert.is(status, 1);
  assert.is(lines.at(-1), '3 passed, 3 failed');
  const text = lines.join('\n');
  assert.match(text, /FAIL .*waits\.test\.ts: waits\n {4}did not end within 5 s/);
  assert.match(text, /FAIL .*spins\.test\.ts: spins\n {4}did not end within 5 s/);
  assert.match(
    text,
    /FAIL .*open\.test\.ts: after the last test\n {4}did not end within 5 s .*: a handle is still open/,
  );
});

test.after(() => rmSync(folder, { recursive: true, force: true }));

test.run();
