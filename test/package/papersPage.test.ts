// Tests the web page that shows reproduced figures of papers. The input of the tests is invented rows, or the
// recorded rows and curves. Also tests the search for recorded rows that are older than the code of their
// bench.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { groupBy, parseRows } from '../../bench/support/csv.mjs';
import { drawLines } from '../../bench/support/lineChart.mjs';
import { paperBenches } from '../../bench/support/paperBenches.mjs';
import { readAllPaperRows, readPaperCurves } from '../../bench/support/paperRows.mjs';
import { byFigure, chartsOf, PAPER, papers, papersPage } from '../../bench/support/papersPage.mjs';
import { comparisonsOf, publishedRow } from '../../bench/support/published.mjs';
import { staleBenches } from '../../bench/support/staleBenches.mjs';
import { test } from '../support/test.js';

type Row = Record<string, string> & { measure: string; variant: string };
interface Bar {
  scene: string;
  variant: string;
  value: number;
  machine?: string;
  isPublished: boolean;
}
interface Chart {
  measure: string;
  unit: string;
  bars: Bar[];
}

const HEAD = 'date,bench,scene,measure,variant,unit,median,rival,ratio,note,figure,how,commit,code';
const TEXT = `${HEAD}
2026-01-01,a,"tori, ""large""",speed-up,8 threads,x,6.5,paper,0.9,<b>,"Zhang and Kim, Fig. 6",measured,abc,2
2026-01-01,a,tori,speed-up,paper,x,7.5,,,,"Zhang and Kim, Fig. 6",published,abc,2
2026-01-01,b,cubes,pairs,1 thread,count,4000,,,,"Avril, Gouranton and Arnaldi, Table 1",counted,abc,1
2026-01-01,c,cubes,pairs,1 thread,count,4000`;
const rows = parseRows(TEXT).map((row: object) => ({ ...row, machine: 'm' }));

const recorded: Row[] = readAllPaperRows();
const shown = recorded.filter(({ figure }) => figure);
/** The charts of the recorded rows by paper. */
const charts = new Map<string, Chart[]>(
  papers.map(({ key }: { key: string }) => [
    key,
    [
      ...byFigure(
        key,
        shown.filter(({ figure }) => figure.startsWith(key)),
      ).values(),
    ].flatMap(chartsOf),
  ]),
);
const chartsBeside = ({ figure }: Row): Chart[] =>
  charts.get([...charts.keys()].find(key => figure.startsWith(key))!)!;

test('the page shows a chart and the rows of a figure, and how each row was obtained', () => {
  const page = papersPage(rows);
  for (const { title } of papers) assert.ok(page.includes(`<h2>${title}</h2>`), title);
  for (const text of [
    '<h3>Fig. 6</h3>',
    '<td>tori, &quot;large&quot;</td>',
    '<td>6.500 x</td>',
    '<td>0.9 x paper</td>',
    '<td>measured</td>',
    '<td>published</td>',
    '<td>m, 2026-01-01, abc</td>',
    '<td>&lt;b></td>',
    '<td>4,000</td>',
  ])
    assert.ok(page.includes(text), text);
  assert.is(page.match(/<svg/g)!.length, 1);
  assert.is(page.match(/No rows are recorded/g)!.length, 3);
});

test('a chart with more than 40 bars is divided by scene, and then by machine', () => {
  const many = (scene: string, machine: string, count: number): object[] =>
    Array.from({ length: count }, (_, i) => ({
      scene,
      measure: 'pairs',
      variant: `${i}`,
      unit: 'ms',
      median: '1',
      machine,
    }));
  const sizes = (list: object[]): number[] => chartsOf(list).map(({ bars }: Chart) => bars.length);
  assert.equal(sizes([...many('a', 'm', 20), ...many('b', 'm', 20)]), [40]);
  assert.equal(sizes([...many('a', 'm', 20), ...many('b', 'm', 21)]), [20, 21]);
  assert.equal(sizes([...many('a', 'm', 30), ...many('a', 'n', 15)]), [30, 15]);
});

test('a line chart has a line for each column; x grows to the right, and values grow upward', () => {
  const svg = drawLines({
    title: 'a < b',
    subtitle: '',
    xName: 'frame',
    xs: [0, 5, 10],
    lines: [
      { label: 'one', values: [0, 8, 4] },
      { label: 'two', values: [8, 8, 8] },
    ],
    text: String,
    isLog: false,
  });
  assert.ok(svg.includes('<title>a &lt; b</title>'));
  assert.ok(svg.includes('<path d="M80.0 296.0L320.0 56.0L560.0 176.0" fill="none"'));
  assert.ok(svg.includes('<path d="M80.0 56.0L320.0 56.0L560.0 56.0" fill="none"'));
});

test('every recorded number of a paper is in a chart beside the row that is compared with it', () => {
  const missing: string[] = [];
  let count = 0;
  for (const row of shown) {
    for (const { measure, unit, value, published } of comparisonsOf(row)) {
      if (value === undefined) continue;
      for (const number of published) {
        count++;
        const isBeside = chartsBeside(row).some(
          chart =>
            chart.measure === measure &&
            chart.unit === unit &&
            chart.bars.some(
              bar =>
                !bar.isPublished &&
                bar.scene === row.scene &&
                bar.variant === row.variant &&
                bar.machine === row.machine &&
                bar.value === value,
            ) &&
            chart.bars.some(
              bar =>
                bar.isPublished &&
                bar.scene === row.scene &&
                bar.variant === number.variant &&
                // Numbers that follow from a ratio are rounded.
                Math.abs(bar.value - number.value) <= 0.002 * number.value,
            ),
        );
        if (!isBeside)
          missing.push(`${row.bench}, ${row.scene}, ${measure}, ${row.variant}: ${number.variant}`);
      }
    }
  }
  assert.equal(missing, []);
  assert.ok(count > 500, `${count} numbers`);
});

test('each row that is a number of a paper is in a chart with numbers of pfront for the same scene', () => {
  const published = shown.filter(row => publishedRow(row));
  assert.ok(published.length > 0);
  assert.equal(
    published
      .filter(row => {
        const { measure, variant } = publishedRow(row)!;
        return !chartsBeside(row).some(
          chart =>
            chart.measure === measure &&
            chart.bars.some(bar => bar.isPublished && bar.scene === row.scene && bar.variant === variant) &&
            chart.bars.some(bar => !bar.isPublished && bar.scene === row.scene),
        );
      })
      .map(({ bench, scene, measure, variant }) => `${bench}, ${scene}, ${measure}, ${variant}`),
    [],
  );
});

test('comparisons are found for every recorded row whose text states a number of a paper', () => {
  // Rows with these notes, and rows of isOfOtherCores, are compared with nothing: the paper has no numbers for
  // them, or only a number for a different number of cores.
  const WITHOUT_NUMBERS =
    /no figures|a chart without numbers|not in the thesis|not given|on straight lines between its published/;
  const states = ({ rival, limit, note }: Row): boolean =>
    rival === 'paper' || /^the paper/.test(limit) || /\b(paper|thesis)\b.*\d/.test(note);
  const isOfOtherCores = ({ note, measure, variant, unit }: Row): boolean => {
    const cores = /on (\d+) cores/.exec(note)?.[1];
    return (
      cores !== undefined &&
      (unit !== 'x' || !(measure.endsWith(` ${cores} lists`) || variant.endsWith(` p = ${cores}`)))
    );
  };
  assert.equal(
    shown
      .filter(
        row =>
          !publishedRow(row) &&
          states(row) &&
          comparisonsOf(row).length === 0 &&
          !WITHOUT_NUMBERS.test(row.note) &&
          !isOfOtherCores(row),
      )
      .map(
        ({ bench, measure, variant, limit, note }) => `${bench}, ${measure}, ${variant}: ${limit} ${note}`,
      ),
    [],
  );
});

test('numbers of all five papers are in charts beside numbers of pfront, in the color for papers', () => {
  const page = papersPage(recorded, readPaperCurves());
  const known: readonly [paper: string, measure: string, variant: string, value: number][] = [
    ['Zhang and Kim', 'speed-up, 8 lists', 'paper, 8 cores', 7.5],
    ['Zhang and Kim', 'speed-up allowed', 'paper, 12 cores', 11],
    ['Avril, Gouranton and Arnaldi', "all pairs: share of the CPU's time", 'paper, 1 GPU', 0.24],
    ['Avril, Gouranton and Arnaldi', 'both: speed-up', 'paper, 4 threads', 2.89],
    ['Du, Liu and Suzumura', 'a step, modeled on 12 machines', 'paper, 12 GPUs', 300],
    ['Du, Liu and Suzumura', 'a step, modeled on 4 machines: speed-up over one node', 'paper', 2.6],
    ['Lucchesi', 'whole', 'thesis, Table 5.1, 2 processors', 761.2],
    ['Lucchesi', 'whole: speed-up', 'thesis, Table 5.3, 5 processors', 3.4],
    ['Lucchesi', 'stage: merge', 'thesis, 40 processors, of the master', 791.5],
    ['Lucchesi', 'from scratch', 'thesis, 1 processor', 1461],
    ['S-AABB', 'all triangle pairs', 'paper, SCDA', 185],
    ['S-AABB', 'speed-up, 4 processors', 'paper', 2.697],
  ];
  for (const [paper, measure, variant, value] of known) {
    const beside = charts
      .get(paper)!
      .filter(
        chart =>
          chart.measure === measure && chart.bars.some(bar => bar.isPublished && bar.variant === variant),
      );
    assert.ok(beside.length > 0, `${paper}, ${measure}, ${variant}`);
    assert.ok(
      beside.some(({ bars }) => bars.some(bar => bar.variant === variant && bar.value === value)),
      `${paper}, ${measure}, ${variant}: ${value}`,
    );
    assert.ok(
      beside.every(({ bars }) => bars.some(bar => !bar.isPublished)),
      `${paper}, ${measure}`,
    );
  }
  const published = [...charts.values()].flat().flatMap(({ bars }) => bars.filter(bar => bar.isPublished));
  assert.is(page.split(`fill="${PAPER}"`).length - 1, published.length);
});

test('frontCost, threads and cost are benches of the papers, and the page shows their rows', () => {
  for (const bench of ['cost', 'frontCost', 'threads']) {
    assert.ok(paperBenches.includes(bench), bench);
    assert.ok(
      shown.some(row => row.bench === bench && row.figure.startsWith('Zhang and Kim')),
      bench,
    );
  }
});

test('all recorded curves are drawn', () => {
  const curves = readPaperCurves();
  const page = papersPage([], curves);
  for (const { name, figure, machine } of curves) {
    const [head, ...lines] = readFileSync(
      fileURLToPath(new URL(`../../bench/results/${name}.csv`, import.meta.url)),
      'utf8',
    )
      .trim()
      .split('\n')
      .map(line => line.replace(/"[^"]*"/g, '').split(',').length);
    assert.ok(
      lines.every(length => length === head),
      `${name}: the head has as many columns as the rows`,
    );
    const { key } = papers.find(({ key }) => figure.startsWith(key))!;
    assert.ok(page.includes(`<h3>${figure.slice(`${key}, `.length)}</h3>`), `${name}: ${figure}`);
    assert.ok(page.includes(`; ${machine}</text>`), `${name}: ${machine}`);
  }
  // Fig. 4 has two charts, each with a line for each of eight lists. Fig. 10 has a chart with one line for
  // bytes, and a chart with two lines for counts. Fig. 13 has a chart with eight lines. The chart of the load
  // of a swarm's nodes has a line for each of four methods.
  const knownCounts = { 'figure4-': [8, 8], 'figure10-': [1, 2], 'figure13-': [8], 'figure-swarm-': [4] };
  const lineCounts = page
    .split('<svg')
    .slice(1)
    .map(svg => svg.split('fill="none"').length - 1);
  const expected = curves.flatMap(
    ({ name }) => Object.entries(knownCounts).find(([start]) => name.startsWith(start))![1],
  );
  assert.equal(lineCounts.sort(), expected.sort());
});

test('rows that are older than their code are listed by bench, machine and commit, except published ones', () => {
  assert.equal(
    staleBenches(['a', 'b', 'c', 'd'], rows, () => '1'),
    [
      'a: 1 of 2 rows are older than its code (m, 2026-01-01, commit abc)',
      'c: 1 of 1 rows are older than its code (m, 2026-01-01, commit unknown)',
      'd: no rows',
    ],
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
