// Tests that the text of `pfront clash --animation` fits the terminal, and that its table has at most 20 rows.
import * as assert from 'uvu/assert';
import { asMotionText } from '../../dist/cli/motion/asText.js';
import { widthOf, wrapText } from '../../dist/cli/terminal.js';
import { test } from '../support/test.js';

const PAIRS = 23;
const parts = Array.from({ length: PAIRS + 1 }, (_, i) => ({
  name: `a part with a rather long name ${i}`,
  indices: new Uint32Array(36),
}));
const interval = (from: number) => ({ from, to: from + 0.25, touch: from, distance: 0, at: from });
const listed = Array.from({ length: PAIRS }, (_, i) => ({
  a: 0,
  b: i + 1,
  class: i % 2 === 0 ? 'contact' : 'near',
  intervals: [interval(i), interval(i + 1), interval(i + 2), interval(i + 3)],
}));
const motion = {
  name: 'turn',
  start: 0,
  end: 60,
  listed,
  allowed: [],
  constantContacts: [],
  nearPairs: PAIRS,
};
const search = { parts, motions: [motion], leftOut: [], threads: 2, unit: 'm', measures: { margin: 1e-5 } };
const times = [
  { name: 'Starting', milliseconds: 1.2 },
  { name: 'Reading files', milliseconds: 20.9 },
  { name: 'Following pairs', milliseconds: 300 },
];

function textAt(columns: number | undefined): string {
  if (columns === undefined) delete process.env.COLUMNS;
  else process.env.COLUMNS = String(columns);
  try {
    return asMotionText(search as never, times);
  } finally {
    delete process.env.COLUMNS;
  }
}

test('no line is wider than the terminal, from 40 columns on', () => {
  for (const columns of [40, 60, 80, 120, 200])
    for (const line of textAt(columns).split('\n'))
      assert.ok(widthOf(line) <= columns, `${columns}: ${line}`);
});

test('the table has 20 rows, and a line counts the others', () => {
  const text = textAt(200);
  assert.is(text.match(/^a part with/gm)!.length, 20);
  assert.match(text, `\n${PAIRS - 20} more in --report FILE.html or --json\n`);
  assert.match(text, '0.000–0.250 s, 1.000–1.250 s, 2.000–2.250 s and 1 more');
  assert.match(text, `${PAIRS} pairs: 12 contact, 11 near`);
});

test('the times of the stages add up to the total', () => {
  assert.match(
    textAt(undefined),
    '; 322 ms on 2 threads\ntime in ms: starting 1, reading files 21, following pairs 300',
  );
});

test('lines are broken at spaces, and only there', () => {
  assert.is(wrapText('one two three four', 9), 'one two\n  three\n  four');
  assert.is(wrapText('averyveryverylongword and more', 8), 'averyveryverylongword\n  and\n  more');
  assert.is(wrapText('one two', undefined), 'one two');
});

test.run();
