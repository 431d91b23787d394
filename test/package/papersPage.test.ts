// Tests the web page that shows reproduced figures of papers, and the search for recorded benchmark rows that
// are older than the code of their benchmark.

import * as assert from 'uvu/assert';
import { groupBy, parseRows } from '../../bench/support/csv.mjs';
import { papers, papersPage } from '../../bench/support/papersPage.mjs';
import { staleBenches } from '../../bench/support/staleBenches.mjs';
import { test } from '../support/test.js';

const HEAD = 'date,bench,scene,measure,who,unit,median,rival,ratio,note,figure,how,commit,code';
const TEXT = `${HEAD}
2026-01-01,a,"tori, ""large""",speed-up,8 threads,x,6.5,paper,0.9,<b>,"Zhang and Kim, Fig. 6",measured,abc,1
2026-01-01,a,tori,speed-up,paper,x,7.5,,,,"Zhang and Kim, Fig. 6",measured,abc,2
2026-01-01,b,cubes,pairs,1 thread,count,4000,,,,"Avril, Gouranton and Arnaldi, Table 1",counted,abc,1
2026-01-01,c,cubes,pairs,1 thread,count,4000`;
const rows = parseRows(TEXT).map((row: object) => ({ ...row, machine: 'm' }));

test('the page shows a chart and the rows of a figure, and how each row was obtained', () => {
  const page = papersPage(rows);
  for (const { title } of papers) assert.ok(page.includes(`<h2>${title}</h2>`), title);
  for (const text of [
    '<h3>Fig. 6</h3>',
    '<td>tori, &quot;large&quot;</td>',
    '<td>6.500 x</td>',
    '<td>0.9 x paper</td>',
    '<td>measured</td>',
    '<td>m, 2026-01-01, abc</td>',
    '<td>&lt;b></td>',
    '<td>4,000</td>',
  ])
    assert.ok(page.includes(text), text);
  assert.is(page.match(/<svg/g)!.length, 1);
  assert.is(page.match(/No rows are recorded/g)!.length, 3);
});

test('rows that are older than their code are listed by bench, machine and commit', () => {
  assert.equal(
    staleBenches(['a', 'b', 'd'], rows, () => '1'),
    ['a: 1 of 2 rows are older than its code (m, 2026-01-01, commit abc)', 'd: no rows'],
  );
});

test('groups of rows are in the order of their first rows', () => {
  assert.equal(
    [...groupBy([3, 1, 4, 2], (n: number) => n % 2)],
    [
      [1, [3, 1]],
      [0, [4, 2]],
    ],
  );
});

test.run();
