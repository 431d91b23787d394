// Runs `pfront clash` on pairs of boxes with clashes of every class: hard, contained, clearance, coplanar and
// touch. Checks the reported classes and lengths, the pairs that are allowed to clash, which clashes are
// listed, and which make the command fail.

import { rmSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { AllowList } from '../../dist/cli/clash/allowList.js';
import { failingFindings, type SplitFindings } from '../../dist/cli/clash/splitFindings.js';
import { compareFindings, type Finding } from '../../dist/report/clashClasses.js';
import { beam, ifc } from '../formats/smallIfc.js';
import { test } from '../support/test.js';
import { all, BOXES, clash, cube, file, folder, found, json, near, obj } from './clashSupport.js';

test.after(() => rmSync(folder, { recursive: true }));

test('each pair has its class, and disjoint parts do not clash', () => {
  const result = json(all, '--classes', 'all');
  assert.equal(found(result), [
    'face coplanar',
    'edge touch',
    'corner touch',
    'deep hard',
    'inside contained',
    'twice hard',
  ]);
  const [face, edge, corner, deep, inside, twice] = result.clashes;
  near(deep.depth, 2);
  near(Math.abs(deep.direction[0]), 1, 1e-6);
  near(deep.overlapDepth.lower, 2, 0.02);
  near(deep.overlapDepth.upper, 2, 0.02);
  assert.equal([face.depth, edge.depth, corner.depth], [0, 0, 0]);
  assert.equal(
    [face, edge, corner].map(({ overlapDepth }) => overlapDepth),
    [undefined, undefined, undefined],
  );
  near(deep.volume.lower, 2 * 80 * 80, 1e-6);
  near(deep.volume.upper, 2 * 80 * 80, 1e-6);
  near(deep.contactLength.upper, 2 * (2 + 80 + 80), 1e-6);
  near(face.contactArea.lower, 80 * 80, 1e-6);
  near(edge.contactLength.lower, 100, 1e-6);
  assert.equal([face.contactLength.upper, deep.contactArea.upper], [0, 0]);
  assert.not.ok('contactLength' in inside);
  near(inside.volume.upper, 10 ** 3, 1e-6);
  near(twice.volume.upper, 100 ** 3, 1e-5);
  assert.not.ok('volume' in face || 'volume' in edge || 'volume' in corner);
  near(inside.depth, 50);
  near(face.size, 80);
  near(edge.size, 100);
  assert.is(corner.size, 0);
  assert.is(inside.inner, inside.b);
  assert.equal([inside.trianglePairs, twice.duplicate, 'duplicate' in deep], [0, true, false]);
  assert.equal(result.totals.classes, {
    hard: { listed: 2, allowed: 0, related: 0, hidden: 0 },
    contained: { listed: 1, allowed: 0, related: 0, hidden: 0 },
    clearance: { listed: 0, allowed: 0, related: 0, hidden: 0 },
    coplanar: { listed: 1, allowed: 0, related: 0, hidden: 0 },
    touch: { listed: 2, allowed: 0, related: 0, hidden: 0 },
  });
  assert.not.ok('unit' in result);
});

test('the order of two parts changes only which one is first', () => {
  const rotated = json(obj('turned.obj', BOXES.toReversed()), '--classes', 'all');
  assert.equal(found(rotated).sort(), found(json(all, '--classes', 'all')).sort());
  const inside = rotated.clashes.find((one: any) => one.class === 'contained');
  assert.is(inside.inner, inside.a);
});

test('the table uses plain words, lists the worst clashes first, and has totals', () => {
  const { stdout } = clash(all, '--classes', 'all', '--units', 'mm');
  const rows = stdout
    .split('\n')
    .slice(2, 8)
    .map(line => line.split(/ {2,}/).slice(0, 4));
  assert.equal(rows, [
    ['twice 1', 'twice 2', 'hard', 'duplicate part'],
    ['deep 1', 'deep 2', 'hard', 'overlap depth 2 mm, penetration depth 2 mm'],
    ['inside 1', 'inside 2', 'contained', 'second part is inside'],
    ['face 1', 'face 2', 'coplanar', 'face contact'],
    ['edge 1', 'edge 2', 'touch', 'point or line contact'],
    ['corner 1', 'corner 2', 'touch', 'point or line contact'],
  ]);
  assert.match(stdout, /\n6 clashes: 2 hard, 1 contained, 1 coplanar, 2 touch; \d+ triangle pairs\n16 parts/);
});

test('clashes with equal volumes are sorted by the depth that is shown, and clashes without a volume come last', () => {
  const found = (a: number, volume: number | undefined, lower: number, upper: number): Finding => ({
    ...{ a, b: 9, class: 'hard', trianglePairs: 1, depth: lower, direction: [1, 0, 0], distance: 0, size: 1 },
    ...(volume === undefined
      ? {}
      : { volume: { lower: volume, upper: volume }, overlapDepth: { lower, upper } }),
    isDuplicate: false,
  });
  const sorted = [
    found(0, undefined, 500, 500),
    found(1, 8, 119.5, 119.9),
    found(2, 8, 119.2, 120),
    found(3, 8, 119.8, 300),
    found(4, undefined, 700, 700),
    found(5, 9, 1, 1),
  ].sort(compareFindings);
  assert.equal(
    sorted.map(({ a }) => a),
    [5, 2, 1, 3, 4, 0],
  );
});

test('clashes of a class are sorted by volume before depth', () => {
  const path = obj('volumes.obj', [
    cube('small but deep', 0),
    { name: 'tip', at: [95, 95, 95], size: [50, 50, 50] },
    cube('large but thin', 1000),
    cube('plate', 1099),
  ]);
  const { stdout } = clash(path, '--units', 'mm');
  const rows = stdout
    .split('\n')
    .slice(2, 4)
    .map(line => line.split(/ {2,}/));
  assert.equal(
    rows.map(([name, , , , volume]) => [name, volume]),
    [
      ['large but thin', '10,000 mm³'],
      ['small but deep', '125 mm³'],
    ],
  );
});

test('--clearance finds near parts, with their distance', () => {
  const result = json(all, '--classes', 'all', '--units', 'mm', '--clearance', '10mm');
  assert.equal(found(result), ['apart clearance', ...found(json(all, '--classes', 'all'))]);
  near(result.clashes[0].distance, 10);
  assert.is(result.clearance, 10);
  assert.equal(
    found(json(all, '--classes', 'all', '--clearance', '9.99')),
    found(json(all, '--classes', 'all')),
  );
  assert.equal(found(json(all, '--classes', 'all', '--clearance', '10')).length, 7);
  assert.equal(found(json(all, '--classes', 'all', '--units', 'mm', '--clearance', '0.2 m')).length, 8);
  assert.match(
    clash(all, '--units', 'mm', '--clearance', '1cm').stdout,
    /apart 1 +apart 2 +clearance +distance 10 mm/,
  );
  assert.match(
    clash(obj('two.obj', BOXES.slice(0, 2)), '--units', 'mm', '--clearance', '5mm').stdout,
    /share a point or come within 5 mm of each other/,
  );
});

test('a clash that is at most as deep as --tolerance is not hard, but its depth is still reported', () => {
  for (const [tolerance, kind] of [
    ['1mm', 'hard'],
    ['3mm', 'touch'],
  ] as const) {
    const { clashes } = json(all, '--classes', 'all', '--units', 'mm', '--tolerance', tolerance);
    const deep = clashes.find(({ nameA }: any) => nameA === 'deep 1');
    assert.ok(
      kind === 'hard' ? deep.class === 'hard' : ['touch', 'coplanar'].includes(deep.class),
      deep.class,
    );
    near(deep.depth, 2);
    assert.is(clashes.find(({ nameA }: any) => nameA === 'twice 1').class, 'hard');
  }
  assert.match(
    clash(all, '--classes', 'all', '--units', 'mm', '--tolerance', '3mm').stdout,
    /deep 1 +deep 2 +(touch|coplanar) +(point or line|face) contact, overlap depth 2 mm, penetration depth 2 mm/,
  );
});

test('--classes selects the classes whose clashes are listed; clashes of other classes are only counted', () => {
  const { clashes, totals } = json(all, '--classes', 'hard,contained');
  assert.equal(found({ clashes }), ['deep hard', 'inside contained', 'twice hard']);
  assert.equal([totals.clashes, totals.classes.touch.hidden, totals.classes.coplanar.hidden], [3, 2, 1]);
  assert.match(
    clash(all, '--classes', 'hard').stdout,
    /2 hard; \d+ triangle pairs\nnot listed: 1 contained, 1 coplanar, 2 touch\n/,
  );
  assert.match(
    clash(obj('edges.obj', BOXES.slice(4, 6)), '--classes', 'hard').stdout,
    /^No clashes to list\.\nnot listed: 1 touch\n/,
  );
});

test('by default coplanar and touching parts are counted and not listed', () => {
  const { clashes, totals } = json(all, '--units', 'mm', '--clearance', '10');
  assert.equal(found({ clashes }), ['apart clearance', 'deep hard', 'inside contained', 'twice hard']);
  assert.equal([totals.classes.touch.hidden, totals.classes.coplanar.hidden], [2, 1]);
  assert.match(clash(all).stdout, /\nnot listed: 1 coplanar, 2 touch\n/);
});

test('allowed pairs are not listed and do not fail the run; lines that match nothing are reported', () => {
  const list = file(
    'allow.txt',
    [
      '# pairs that may clash',
      'deep 2, deep 1',
      'tw*\ttwice ?',
      'twice*, * 2',
      '',
      'inside 1, nobody',
      'face 1, edge 1',
    ].join('\n'),
  );
  const { stderr, stdout, status } = clash(all, '--classes', 'all', '--allow', list, '--fail-on', 'hard');
  assert.is(status, 0);
  assert.match(stdout, /\n4 clashes: 1 contained, 1 coplanar, 2 touch; .*\nallowed: 2 hard\n/);
  assert.equal(
    stderr
      .trimEnd()
      .split('\n')
      .map(line => /line (\d) has no effect: there is (no \w+)/.exec(line)?.slice(1).join(' ')),
    ['3 no part', '6 no part', '7 no clash'],
  );
  const result = json(all, '--classes', 'all', '--allow', list, '--fail-on', 'hard,contained');
  assert.equal(
    [result.status, found({ clashes: result.allowed }), result.totals.classes.hard],
    [1, ['deep hard', 'twice hard'], { listed: 0, allowed: 2, related: 0, hidden: 0 }],
  );
  assert.is(json(all, '--allow', file('everything.txt', '*, *'), '--fail-on', 'any').status, 0);
});

test.slow('--allow accepts a GlobalId that is a number', () => {
  const path = file(
    'number.ifc',
    ifc([beam('a', [0, 0, 0], [10, 10, 10]), beam('b', [9.5, 0, 1], [10, 10, 10])]).replaceAll(
      /IFCBEAM\('[^']*'/g,
      'IFCBEAM(12',
    ),
  );
  const { clashes, parts } = json(path, '--allow', file('number.txt', '12, *'));
  assert.equal([clashes.length, parts.map(({ id }: any) => id)], [0, ['12', '12']]);
});

test('stars in a pattern match any characters, and the texts between the stars must match separate pieces of the name', () => {
  const parts = [{ name: 'xab' }, { name: 'xabb' }, { name: 'other' }];
  const pairs = [
    { a: 0, b: 2, class: 'hard' as const },
    { a: 1, b: 2, class: 'hard' as const },
  ];
  const allowed = (text: string) =>
    AllowList.parse('allowed.txt', `${text}, other`).apply(parts, pairs).isAllowed;
  assert.equal(['x*ab*b', 'xab*b', 'x*b', '*b*b', '*ab', 'xab'].map(allowed), [
    [false, true],
    [false, true],
    [true, true],
    [false, true],
    [true, false],
    [true, false],
  ]);
});

test('a pattern with many stars is matched quickly against a long name', () => {
  const name = 'a'.repeat(60);
  const path = obj('stars.obj', [cube(name, 0), cube('b', 50)]);
  const stars = `${'*a'.repeat(20)}*`;
  const list = file('stars.txt', [`${stars}c, b`, `${stars}, *b*`, 'a*a, b', `${name}*a, b`].join('\n'));
  const { status, stderr, stdout } = clash(path, '--allow', list);
  assert.is(status, 0, stderr);
  assert.match(stdout, /allowed: 1 hard/);
  assert.equal(
    [...stderr.matchAll(/line (\d) has no effect/g)].map(([, line]) => line),
    ['1', '4'],
  );
});

test('a very long name is cut in the table', () => {
  const { status, stdout, stderr } = clash(
    obj('book.obj', [cube('y'.repeat(100_000), 0), cube('b', 50), cube('c', 50, 50)]),
  );
  assert.is(status, 0, stderr);
  assert.match(stdout, /\ny{8,}\u2026y{8,} {2}b +hard/);
  assert.ok(stdout.length < 2000, String(stdout.length));
});

test.slow('--allow matches by type and GlobalId of IFC', () => {
  const path = file(
    'frame.ifc',
    ifc([
      beam('a', [0, 0, 0], [1, 1, 1]),
      beam('b', [0.5, 0.25, 0.25], [1, 1, 1], 'IFCCOLUMN'),
      beam('c', [1, 0.5, 0.5], [1, 1, 1]),
    ]),
  );
  const { clashes, parts } = json(path, '--classes', 'all');
  assert.equal(
    [clashes.length, parts.map(({ type }: any) => type).sort()],
    [3, ['IfcBeam', 'IfcBeam', 'IfcColumn']],
  );
  const left = (line: string) =>
    json(path, '--classes', 'all', '--allow', file('types.txt', line)).clashes.map(({ nameA, nameB }: any) =>
      [nameA, nameB]
        .map(name => name.at(-1))
        .sort()
        .join(''),
    );
  assert.equal(left('IfcBeam, IfcColumn'), ['ac']);
  assert.equal(left(`${parts.find(({ name }: any) => name === 'IfcBeam a').id}, IfcBeam c`).sort(), [
    'ab',
    'bc',
  ]);
});

test('a listed clash of a class in --fail-on fails the run, unless it is allowed', () => {
  const finding = (kind: string) => ({ class: kind }) as Finding;
  const sorted = (listed: string[], hidden: string[], allowed: string[]): SplitFindings => ({
    listed: listed.map(finding),
    hidden: hidden.map(finding),
    allowed: allowed.map(finding),
    related: new Map(),
    includesRelated: false,
    unusedLines: [],
  });
  const mixed = sorted(['hard', 'touch'], ['coplanar'], ['contained']);
  assert.equal(
    [
      failingFindings(mixed, ['touch']).length > 0,
      failingFindings(mixed, ['hard']).length > 0,
      failingFindings(mixed, ['contained']).length > 0,
      failingFindings(mixed, 'any').length > 0,
      failingFindings(sorted([], ['touch'], []), 'any').length > 0,
    ],
    [true, true, false, true, false],
  );
});

test.slow('--fail-on accepts classes, whether listed or not, and `any` for all listed clashes', () => {
  const code = (...args: string[]) => clash(all, ...args).status;
  assert.equal(
    [code('--fail-on', 'hard'), code('--fail-on', 'touch,coplanar'), code('--fail-on', 'any'), code()],
    [1, 1, 1, 0],
  );
  assert.is(code('--fail-on', 'touch', '--classes', 'hard'), 1);
  const edges = obj('edges.obj', BOXES.slice(4, 6));
  assert.equal(
    [
      clash(edges, '--fail-on', 'hard,contained').status,
      clash(edges, '--fail-on', 'any', '--classes', 'hard').status,
      clash(edges, '--classes', 'all', '--fail-on', 'any').status,
    ],
    [0, 0, 1],
  );
  assert.is(clash(all, '--clearance', '10', '--fail-on', 'clearance').status, 1);
});

test.run();
