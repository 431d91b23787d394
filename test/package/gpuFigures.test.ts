// Tests that docs/papers.md and docs/modules/gpu.md state the values of the recorded benchmark rows for the
// modeled GPU.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { readRows } from '../../bench/support/csv.mjs';
import { test } from '../support/test.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const linesOf = (file: string): string[] => readFileSync(root + file, 'utf8').split('\n');
const papers = linesOf('docs/papers.md');
const gpu = linesOf('docs/modules/gpu.md');

interface Row {
  bench: string;
  scene: string;
  measure: string;
  variant: string;
  median: string;
  note: string;
}
const rows = readRows('amd-epyc-2c').filter(({ bench }: Row) => bench === 'gpuModel') as Row[];
const SPEED_UP = 'speed-up over one thread, modeled';

/** Returns the modeled value of a row, and the measured value that its note states, with two digits each. */
function recorded(scene: string, measure: string): { modeled: string; measured: string } {
  const found = rows.filter(
    row => row.scene === scene && row.measure === measure && /H100/.test(row.variant),
  );
  assert.is(found.length, 1, `rows of ${scene}, ${measure}`);
  const [, measured = ''] = /measured ([\d.]+) x/.exec(found[0].note) ?? [];
  return { modeled: Number(found[0].median).toPrecision(2), measured: Number(measured).toPrecision(2) };
}

/** Checks that exactly one line contains all the texts, in this order. */
function expectLine(lines: readonly string[], ...texts: string[]): void {
  const pattern = new RegExp(texts.map(text => text.replace(/[.|*+?()[\]]/g, '\\$&')).join('.*'));
  assert.is(lines.filter(line => pattern.test(line)).length, 1, `lines with ${texts.join(' … ')}`);
}

test('the figures for Zhang and Kim, section 5.2.3, agree with the recorded rows', () => {
  const { modeled, measured } = recorded('gpuQueries: cloth-ball 92K', SPEED_UP);
  expectLine(
    papers,
    '| 30 and 45 times the sequential version',
    `${measured} measured`,
    `${modeled} modeled`,
  );
  expectLine(gpu, '| Zhang and Kim, section 5.2.3', `| ${modeled} | ${measured} |`);
});

test('the figures for Avril, Gouranton and Arnaldi, Fig. 12, agree with the recorded rows', () => {
  const { modeled, measured } = recorded('gpuBoxes: cubes 20000', SPEED_UP);
  expectLine(papers, '| 4.2 times the CPU on one GPU, Fig. 12', `${measured} measured`, `${modeled} modeled`);
  expectLine(gpu, '| Avril, Gouranton and Arnaldi, Fig. 12', `| ${modeled} | ${measured} |`);
});

test('the figure for Du, Liu and Suzumura, section 5.3, agrees with the recorded row', () => {
  const { modeled } = recorded(
    'gpuSweep: 200 robots, random',
    'near pairs and filter of 100000 robots, extrapolated',
  );
  expectLine(papers, '| 300 ms for 100,000 robots on 12 GPUs', `modeled at ${modeled} ms`);
  expectLine(gpu, '| Du, Liu and Suzumura, section 5.3', `| ${modeled} ms |`);
});

test.run();
