// Tests two parts of `pfront bench`: the measurement, which runs contenders (the methods to compare)
// alternately and takes medians, and the table, whose rows combine the figures of a paper and of this
// machine.

import * as assert from 'uvu/assert';
import { rowsOf, tableOf } from '../../dist/cli/bench/rows.js';
import { type Contender, interleave } from '../../dist/papers/scenes/measure.js';
import type { Paper } from '../../dist/papers/scenes/scene.js';
import { caughtLater } from '../support/engines.js';
import { test } from '../support/test.js';

const silent = { begin() {}, step() {}, end() {} };

// Makes a contender. Each run appends the contender's name and the case to `log`, and reports the next of the
// given times.
function scripted(
  name: string,
  times: number[],
  log: string[],
  found = (at: number) => at,
): Contender<number> {
  let run = 0;
  return {
    threads: 1,
    run: at => {
      log.push(`${name}${at}`);
      return { found: found(at), milliseconds: { [name]: times[run++] } };
    },
  };
}

test('each round reverses the order of the contenders, and the first round is not counted', async () => {
  const log: string[] = [];
  // Each round runs case 7, then case 8, so the given times belong to these cases alternately.
  const measured = await interleave(
    [7, 8],
    [scripted('a', [900, 900, 1, 10, 5, 30, 3, 20], log), scripted('b', [900, 900, 2, 4, 2, 4, 2, 4], log)],
    3,
    silent,
  );
  assert.is(log.join(' '), ['b7 b8 a7 a8', 'a7 a8 b7 b8', 'b7 b8 a7 a8', 'a7 a8 b7 b8'].join(' '));
  assert.equal(
    measured.map(({ milliseconds }) => [...milliseconds]),
    [[['a', (3 + 20) / 2]], [['b', 3]]],
  );
});

test('a measurement fails if contenders find different numbers of results', async () => {
  const both = [scripted('a', [1, 1], []), scripted('b', [1, 1], [], at => at + 1)];
  const error = await caughtLater(() => interleave([4], both, 1, silent));
  assert.match(
    error.message,
    /found 4 in case 0, but another one found 5|found 5 in case 0, but another one found 4/,
  );
});

test('figures of a paper and of a measurement share a row if their measure and number of threads are equal', () => {
  const measured = [
    [1, 10],
    [2, 4],
  ].map(([threads, time]) => ({
    threads: threads!,
    milliseconds: new Map([
      ['sweep', time!],
      ['join', 1],
    ]),
  }));
  const paper: Paper = {
    cite: '',
    machine: '',
    series: [
      { measure: 'sweep', milliseconds: { 1: 60, 8: 12 } },
      { measure: 'merge', milliseconds: { 40: 7 } },
    ],
  };
  const rows = rowsOf(paper, measured);
  assert.equal(
    rows.map(({ measure, threads, paper: theirs, ours }) => [
      measure,
      threads,
      theirs?.milliseconds,
      theirs?.speedUp,
      ours?.milliseconds,
      ours?.speedUp,
    ]),
    [
      ['sweep', 1, 60, 1, 10, 1],
      ['sweep', 2, undefined, undefined, 4, 2.5],
      ['sweep', 8, 12, 5, undefined, undefined],
      ['join', 1, undefined, undefined, 1, 1],
      ['join', 2, undefined, undefined, 1, 1],
      ['merge', 40, 7, undefined, undefined, undefined],
    ],
  );
  const lines = tableOf(rows)
    .split('\n')
    .slice(2)
    .map(line => line.trim().split(/ {2,}/));
  assert.equal(lines, [
    ['sweep', '1', '60.0', '1.00', '10.0', '1.00'],
    ['2', '4.00', '2.50'],
    ['8', '12.0', '5.00'],
    ['join', '1', '1.00', '1.00'],
    ['2', '1.00', '1.00'],
    ['merge', '40', '7.00'],
  ]);
});

test('a time has at most three significant digits, also if rounding adds a digit', () => {
  const textOf = (time: number): string =>
    tableOf(rowsOf(undefined, [{ threads: 2, milliseconds: new Map([['all', time]]) }]))
      .trim()
      .split(/ +/)
      .at(-1)!;
  assert.equal([99.96, 9.996, 0.9996].map(textOf), ['100', '10.0', '1.00']);
  assert.equal([99.94, 9.994, 0.9994].map(textOf), ['99.9', '9.99', '0.999']);
});

test('columns without a figure are left out', () => {
  const [head] = tableOf(rowsOf(undefined, [{ threads: 2, milliseconds: new Map([['all', 1234.5]]) }])).split(
    '\n',
  );
  assert.equal(head!.split(/ {2,}/), ['measure', 'threads', 'here ms']);
});

test.run();
