// The projects that nothing is built of, tests with benches and the demo's pages -> no type errors. What tsx
// and bundlers run they do not check.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { test } from '../support/test.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

for (const [name, project] of [
  ['tests and benches', 'test'],
  ['the pages of the demo', 'docs/demo'],
] as const) {
  test(`${name} have right types`, () => {
    const { status, signal, stdout, stderr } = spawnSync(
      process.execPath,
      [`${root}node_modules/typescript/bin/tsc`, '-p', project, '--pretty', 'false'],
      { cwd: root, encoding: 'utf8' },
    );
    assert.is(status, 0, `${signal ?? ''}\n${stdout}${stderr}`);
  });
}

test.run();
