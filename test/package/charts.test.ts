// Tests that the committed charts are up to date: drawing them again from the recorded benchmark rows gives
// the same files.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { drawCharts } from '../../bench/support/charts.mjs';
import { test } from '../support/test.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

for (const [file, text] of drawCharts())
  test(`${file} is the output of npm run charts`, () =>
    assert.ok(readFileSync(root + file, 'utf8') === text, `${file} is out of date: run npm run charts`));

test.run();
