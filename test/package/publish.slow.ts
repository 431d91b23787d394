// Tests that the only warning of a dry run of npm publish is the one about not being logged in.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import * as assert from 'uvu/assert';
import { root } from '../support/pages.js';
import { test } from '../support/test.js';

const { name, version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

const LOGIN = /^npm warn publish This command requires you to be logged in to \S+ \(dry-run\)$/i;

test('a dry run of npm publish succeeds, and warns only about not being logged in', () => {
  // Leaves out the settings of an npm that runs this test and, below, the settings of the user: both may cause
  // warnings.
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^npm_/i.test(key)));
  const { status, stdout, stderr, error } = spawnSync(
    'npm',
    ['publish', '--dry-run', '--ignore-scripts', '--loglevel=warn', '--no-color'],
    {
      cwd: root,
      env: {
        ...env,
        npm_config_userconfig: devNull,
        // A dry run asks the registry for published versions, and ignores errors of this request. This address
        // refuses connections at once. With retries, npm would wait more than a minute before it goes on.
        npm_config_registry: 'http://127.0.0.1:9/',
        npm_config_noproxy: '127.0.0.1',
        npm_config_fetch_retries: '0',
      },
      encoding: 'utf8',
      shell: process.platform === 'win32',
    },
  );
  assert.is(status, 0, error?.message ?? stderr);
  assert.is(stdout.trim(), `+ ${name}@${version}`);
  const warnings = stderr.trim().split('\n');
  assert.equal(
    warnings.filter(line => !LOGIN.test(line)),
    [],
  );
  assert.is(warnings.length, 1, stderr);
});

test.run();
