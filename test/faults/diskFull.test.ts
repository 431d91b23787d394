// Tests `pfront clash` on a disk that becomes full. At whichever write of the command this happens, no partial
// report may remain, an older report must be unchanged, and the exit code and the message must say what
// happened.

import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as assert from 'uvu/assert';
import { all, MAIN } from '../cli/clashSupport.js';
import { test } from '../support/test.js';

const folder = mkdtempSync(join(tmpdir(), 'disk-full-'));
const preload = pathToFileURL(fileURLToPath(new URL('failWrites.mjs', import.meta.url))).href;
const report = join(folder, 'report.html');

// Runs `pfront clash`. From its failAt-th write on, the disk is full. onClose: whether closing a file counts as
// a write.
function clash(failAt: number, onClose: boolean, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', preload, MAIN, 'clash', all, ...args],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        PFRONT_FAIL_WRITE: String(failAt),
        ...(onClose ? { PFRONT_FAIL_CLOSE: '1' } : {}),
      },
    },
  );
  return { status, stdout, stderr, count: Number(/counted (\d+)/.exec(stderr)?.[1]) };
}

const others = () => readdirSync(folder).filter(name => name !== 'report.html');

for (const [name, onClose] of [
  ['any write', false],
  ['any write or close', true],
] as const) {
  test(`if the disk becomes full at ${name}, the older report stays, and no partial report remains`, () => {
    const { status, count, stderr } = clash(Infinity, onClose, '--report', report);
    assert.is(status, 0, stderr);
    assert.ok(count >= 4, `${count} writes`);
    const complete = readFileSync(report, 'utf8');
    for (let failAt = 1; failAt <= count; failAt++) {
      const failed = clash(failAt, onClose, '--report', report);
      const where = `write ${failAt} of ${count}: ${failed.stderr}`;
      // failWrites.mjs also counts the closing of the model's file. That file is only read, so a failure
      // there does no harm.
      if (onClose && failed.status === 0) continue;
      assert.is(failed.status, 2, where);
      assert.match(failed.stderr, /ENOSPC.*\nfix: .*space/, where);
      assert.is(failed.stdout, '', where);
      assert.ok(readFileSync(report, 'utf8') === complete, `${where}: the older report has changed`);
      assert.equal(others(), [], where);
    }
  });
}

test.slow(
  'if the disk becomes full at any write of several outputs, each file is the older or the complete one',
  () => {
    const outputs = mkdtempSync(join(tmpdir(), 'disk-full-outputs-'));
    const files = ['a.html', 'b.bcf', 'c.csv', 'd.xml', 'e.json'].map(name => join(outputs, name));
    const options = ['--report', '--bcf', '--csv', '--junit', '--certify'];
    const args = ['--units', 'm', ...options.flatMap((option, i) => [option, files[i]!])];
    // The JUnit file contains times, which differ between runs.
    const contents = () =>
      files.map(file =>
        readFileSync(file)
          .toString('latin1')
          .replace(/(?<=<testsuites [^>]*\btime=")[^"]*/, ''),
      );
    const { status, count, stderr } = clash(Infinity, false, ...args);
    assert.is(status, 0, stderr);
    assert.ok(count >= 3 * files.length, `${count} writes`);
    const complete = contents();
    let failures = 0;
    for (let failAt = 1; failAt <= count; failAt++) {
      for (const file of files) writeFileSync(file, 'older');
      const failed = clash(failAt, false, ...args);
      const where = `write ${failAt} of ${count}: ${failed.stderr}`;
      assert.is(failed.status, 2, where);
      assert.match(failed.stderr, /ENOSPC.*\nfix: .*space/, where);
      contents().forEach((content, i) => {
        // The report contains times in its compressed data.
        const isReport = files[i]!.endsWith('.html');
        if (content === 'older') failures++;
        else
          assert.ok(
            isReport ? content.endsWith('</html>\n') : content === complete[i],
            `${where}: ${files[i]}`,
          );
      });
      assert.equal(readdirSync(outputs).length, files.length, where);
    }
    assert.ok(failures >= count, `${failures} files stayed as they were`);
  },
);

test('if standard output cannot be written, the exit code is 2 and the error gives the reason', () => {
  if (!existsSync('/dev/full')) return;
  for (const args of [[], ['--json'], ['--fail-on', 'any'], ['--help']]) {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'clash', all, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    assert.is(status, 2, stderr);
    assert.match(
      stderr,
      /^pfront: standard output cannot be written \(ENOSPC[^\n]*\nfix: [^\n]*space[^\n]*\n$/,
    );
  }
});

test.run();
