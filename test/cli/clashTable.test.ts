// Tests the table of `pfront clash`: its width, its number of rows, and the groups of --group.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as assert from 'uvu/assert';
import { clashTable } from '../../dist/cli/clash/clashTable.js';
import { groupFindings } from '../../dist/cli/clash/groupFindings.js';
import { GROUPINGS } from '../../dist/cli/clash/groupings.js';
import { lengthText } from '../../dist/formats/units.js';
import { test } from '../support/test.js';
import { clash, cube, folder, json, obj } from './clashSupport.js';

test.after(() => rmSync(folder, { recursive: true }));

// Each item has two parts and the depth of their clash. Parts 0 to 3 clash in a ring, and parts 4 and 5 clash
// with each other.
const PAIRS = [
  [0, 1, 3],
  [1, 2, 7],
  [2, 3, 1],
  [0, 3, 2],
  [4, 5, 9],
];
const LONG = `Basic Wall:Interior - 92mm Partition:${'x'.repeat(80)}`;
const parts: any[] = Array.from({ length: 6 }, (_, i) => ({
  name: `${LONG}:${i}`,
  type: ['IfcWall', 'IfcSlab', undefined][i % 3],
  storey: i < 3 ? 'Level 1' : 'Level 2',
}));
const findings: any[] = PAIRS.map(([a, b, depth]) => ({
  a,
  b,
  depth,
  class: 'hard',
  distance: 0,
  size: depth,
  trianglePairs: 1234,
  isDuplicate: false,
}));
const tableAt = (width: number, rest = {}) =>
  clashTable({ parts, listed: findings, unit: 'mm', ...rest } as any, width).split('\n');

test('the table fits the width, and names are cut in the middle', () => {
  for (const width of [80, 100, 150, 200]) {
    const lines = tableAt(width);
    assert.ok(
      lines.every(line => line.length <= width),
      `${width}: ${lines[0].length}`,
    );
    assert.match(lines[2], /^Basic.*\u2026.*:4 .*:5 +hard +penetration depth 9 mm/);
    assert.is(/triangle pairs$/.test(lines[0]), width >= 100, lines[0]);
    // Each of the two columns of names is at least 20 characters wide.
    assert.ok(
      lines[1]
        .split('  ')
        .slice(0, 2)
        .every(line => line.length >= 20),
    );
  }
  const names = tableAt(400)[2].split(/ {2,}/);
  assert.equal(names.slice(0, 2), [parts[4].name, parts[5].name]);
  const wide = tableAt(100, {
    listed: findings,
    parts: parts.map(part => ({ ...part, name: '\u58c1'.repeat(90) })),
  });
  assert.ok(wide[2].length < 100 && wide[2].includes('\u58c1\u2026\u58c1'));
  for (const grouping of GROUPINGS) assert.ok(tableAt(120, { grouping }).every(line => line.length <= 120));
});

test('the table fits each width of at least 40 columns; if space is scarce, words are left out before figures', () => {
  const overlapping = findings.map((finding, i) => ({
    ...finding,
    depth: 38.6 + i,
    overlapDepth: i === 1 ? { lower: 28.6, upper: 38.6 } : { lower: 28.6, upper: 28.62 },
    volume: { lower: 1e5, upper: 1.001e5 },
    rule: 'pipes against walls',
  }));
  const others = ['contained', 'clearance', 'coplanar', 'touch'].map((kind, i) => ({
    ...findings[i],
    class: kind,
    depth: i === 1 ? 0 : 2,
    distance: i === 1 ? 17.3 : 0,
    rule: 'pipes against walls',
    inner: 'b',
  }));
  const comparison = { previous: new Map(), isNew: new Set(overlapping), resolved: [], unchecked: [] };
  const listed = [...overlapping, ...others];
  for (const rest of [
    {},
    { comparison },
    { rules: [{}, {}] },
    { comparison, rules: [{}, {}] },
    ...GROUPINGS.flatMap(grouping => [{ grouping }, { grouping, comparison }]),
  ])
    for (let width = 40; width <= 200; width++) {
      const lines = tableAt(width, { listed, ...rest });
      const widest = Math.max(...lines.map(line => line.length));
      assert.ok(widest <= width, `${JSON.stringify(Object.keys(rest))}: ${widest} columns, not ${width}`);
    }
  const row = (width: number, rest = {}): string => tableAt(width, { listed: overlapping, ...rest })[2]!;
  assert.match(row(140), / overlap depth 28\.6 mm, penetration depth 42\.6 mm +100,100 mm³/);
  assert.match(row(80), / overlap 28\.6 mm, penetration 42\.6 mm$/);
  assert.match(row(60), /^B.{11,} +B.{11,} +hard +overlap 28\.6 mm$/);
  assert.match(row(40), /^B.* {2}B.* {2}hard +overlap 28\.6 mm$/);
  assert.ok(
    tableAt(80, { listed }).some(line => /overlap \u2265 28\.6 mm, penetration 39\.6 mm$/.test(line)),
  );
});

test('clashes are sorted by depth; the table has 20 rows and counts the others', () => {
  const cubes = Array.from({ length: 8 }, (_, i) => cube(`c${i}`, 10 * i + (i % 3), i, 0));
  const path = obj('many.obj', cubes);
  const lines = clash(path, '--units', 'mm').stdout.split('\n');
  const depths = lines.slice(2, 22).map(line => Number(/depth ([\d.]+) mm/.exec(line)![1]));
  assert.equal(
    depths,
    depths.toSorted((x, y) => y - x),
  );
  assert.is(lines[22], '8 more in --report FILE.html or --json');
  assert.match(lines[24], /^28 clashes: 28 hard/);
  assert.is(json(path).clashes.length, 28);
});

test('--group makes one row for each group, and each clash is in one group', () => {
  const groupsOf = (by: any) =>
    groupFindings(findings, parts, by).map(({ name, findings: members }) => [
      name.replace(`${LONG}:`, 'part '),
      members.map(({ depth }: any) => depth),
    ]);
  assert.equal(groupsOf('type'), [
    ['(no type) \u00d7 IfcSlab', [9, 7]],
    ['IfcSlab \u00d7 IfcWall', [3]],
    ['IfcWall \u00d7 IfcWall', [2]],
    ['(no type) \u00d7 IfcWall', [1]],
  ]);
  assert.equal(groupsOf('storey'), [
    ['Level 2', [9]],
    ['Level 1', [7, 3]],
    ['Level 1 \u00d7 Level 2', [2, 1]],
  ]);
  assert.equal(groupsOf('part'), [
    ['part 4', [9]],
    ['part 2', [7, 1]],
    ['part 0', [3, 2]],
  ]);
  assert.equal(groupsOf('cluster'), [
    ['part 4 and 1 more', [9]],
    ['part 0 and 3 more', [7, 3, 2, 1]],
  ]);
});

test('groups are printed and in the JSON', () => {
  const path = obj('two.obj', [cube('a', 0), cube('b', 50), cube('c', 90), cube('d', 1000), cube('e', 1090)]);
  const { stdout } = clash(path, '--units', 'mm', '--group', 'cluster');
  assert.match(stdout, /^cluster +clashes +classes +worst +volume +between +and\n/);
  assert.match(
    stdout,
    /\na and 2 more +3 +3 hard +overlap depth 60 mm, penetration depth 60 mm +600,000 mm³ +b +c\n/,
  );
  assert.match(
    stdout,
    /\nd and 1 more +1 +1 hard +overlap depth 10 mm, penetration depth 10 mm +100,000 mm³ +d +e\n/,
  );
  assert.equal(json(path, '--group', 'cluster').groups, [
    { name: 'a and 2 more', clashes: [2, 0, 1] },
    { name: 'd and 1 more', clashes: [3] },
  ]);
  const csv = join(folder, 'groups.csv');
  clash(path, '--group', 'cluster', '--csv', csv);
  const rows = parse(readFileSync(csv, 'utf8'), { bom: true, columns: true }) as Record<string, string>[];
  assert.equal(
    rows.map(({ nameA, nameB, group }) => `${nameA} ${nameB}: ${group}`),
    ['b c: a and 2 more', 'a b: a and 2 more', 'a c: a and 2 more', 'd e: d and 1 more'],
  );
});

test('a length that is too small to matter is not written with an exponent', () => {
  assert.is(lengthText(5.46e-16, 'mm'), '< 0.0001 mm');
  assert.is(lengthText(5.46e-16, 'm'), '< 0.0001 mm');
  assert.is(lengthText(0.000123, 'cm'), '0.000123 cm');
  assert.is(lengthText(0, 'mm'), '0 mm');
  assert.is(lengthText(1.49e-9, undefined, 0.05), '< 0.00000001 units');
  assert.is(lengthText(1.494e-7, undefined, 0.05), '0.000000149 units');
  assert.is(lengthText(1.49e-9, undefined, 4000), '< 0.0001 units');
  assert.is(lengthText(1.49e-9, undefined), '< 0.0001 units');
  assert.is(lengthText(1.49e-9, 'm', 0.05), '< 0.0001 mm');
});

test.run();
