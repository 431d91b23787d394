// Tests that all outputs of `pfront clash` agree on rules, related elements, allowed pairs and the classes of
// --fail-on: the table, JSON, CSV, JUnit XML, BCF, the report and baselines.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as assert from 'uvu/assert';
import { beam, ifc } from '../formats/smallIfc.js';
import { readReportData } from '../support/reportData.js';
import { test } from '../support/test.js';
import { all, clash, cube, file, folder, json, markupsOf, obj } from './clashSupport.js';

test.after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs with all outputs that are files, and returns their contents. */
function outputs(name: string, ...args: string[]) {
  const path = (ending: string): string => join(folder, `${name}.${ending}`);
  const endings = ['csv', 'xml', 'html', 'bcf'];
  const options = ['--csv', '--junit', '--report', '--bcf'].flatMap((option, i) => [
    option,
    path(endings[i]!),
  ]);
  const run = json(...args, ...options);
  const [csv, junit] = endings.slice(0, 2).map(ending => readFileSync(path(ending), 'utf8'));
  return {
    run,
    rows: parse(csv!, { bom: true, columns: true }) as Record<string, string>[],
    junit: junit!,
    topics: markupsOf(path('bcf')),
    header: readReportData(path('html')).header,
  };
}

const skippedIn = (junit: string): string[] =>
  [...junit.matchAll(/name="([^"]*)"><skipped>([^<]*)</g)].map(([, name, text]) => `${name}: ${text}`);

test('every output has the clashes of each rule, with the name of the rule', () => {
  const path = obj('pair.obj', [cube('a', 0), cube('b', 90), cube('c', 1000), cube('d', 1100)]);
  const rules = file(
    'two.json',
    JSON.stringify([
      { name: 'strict', between: ['a', 'b'] },
      { name: 'coarse', between: ['*', '*'], tolerance: 20, classes: ['hard', 'coplanar'] },
      { name: 'mounts', between: ['c', 'd'], classes: ['hard'] },
    ]),
  );
  const { run, rows, junit, topics, header } = outputs('rules', path, '--units', 'mm', '--rules', rules);
  const expected = ['a b hard strict', 'a b coplanar coarse', 'c d coplanar coarse'];
  const sorted = (list: string[]): string[] => [...list].sort();
  assert.equal(
    sorted(run.clashes.map((one: any) => [one.nameA, one.nameB, one.class, one.rule].join(' '))),
    sorted(expected),
  );
  // The coplanar clash of c and d is not listed by the rule "mounts".
  assert.equal(run.totals.classes.coplanar, { listed: 2, allowed: 0, related: 0, hidden: 1 });
  assert.equal(
    sorted(rows.map(row => [row.nameA, row.nameB, row.class, row.rule].join(' '))),
    sorted(expected),
  );
  assert.equal(
    [
      ...junit.matchAll(/<testcase classname="pfront.(\w+)" name="(\w) \/ (\w) \(rule (\w+)\)"><failure/g),
    ].map(([, kind, a, b, rule]) => [a, b, kind, rule].join(' ')),
    expected,
  );
  assert.is(topics.length, 3);
  assert.equal(sorted(topics.map(topic => /rule: (\w+)/.exec(topic)![1]!)), ['coarse', 'coarse', 'strict']);
  assert.equal(
    sorted(
      header.clashes.map(
        (one: any) => `${header.parts[one.a].name} ${header.parts[one.b].name} ${one.class} ${one.rule}`,
      ),
    ),
    sorted(expected),
  );
  const { stdout } = clash(path, '--units', 'mm', '--rules', rules);
  assert.match(stdout, /^part +clashes with +class +detail +volume +size +rule\na?/);
  assert.match(stdout, /\na +b +hard +overlap depth 10 mm, penetration depth 10 mm .* strict\n/);
  assert.match(stdout, /\n3 clashes: 1 hard, 2 coplanar; .*\nnot listed: 1 coplanar\n/);
});

// A window in the opening of a wall, and a pipe through the wall.
const opening = file(
  'opening.ifc',
  ifc([
    beam('wall', [0, 0, 0], [0.2, 5, 3], 'IFCWALL'),
    beam('hole', [0, 0, 1], [0.4, 1, 1], 'IFCOPENINGELEMENT'),
    beam('window', [0, 0, 1], [0.1, 1.1, 1.1], 'IFCBUILDINGELEMENTPROXY'),
    beam('pipe', [0, 2, 1], [2, 0.1, 0.1], 'IFCPIPESEGMENT'),
    beam('duct', [0, -2, 1], [2, 0.1, 0.1], 'IFCPIPESEGMENT'),
  ]).replace(
    'ENDSEC;\nEND-ISO',
    [
      "#9000=IFCRELVOIDSELEMENT('2rel000000000000000000',$,$,$,#100,#200);",
      "#9001=IFCRELFILLSELEMENT('2rel000000000000000001',$,$,$,#200,#300);",
      'ENDSEC;\nEND-ISO',
    ].join('\n'),
  ),
);

test('every output leaves out or marks related and allowed clashes', () => {
  const allow = file('ducts.txt', '*duct, *wall');
  const { run, rows, junit, topics, header } = outputs('related', opening, '--allow', allow);
  const [wall, window, pipe, duct] = ['wall', 'window', 'pipe', 'duct'].map(word =>
    run.parts.find(({ name }: any) => name.endsWith(word)),
  );
  assert.equal(
    [run.clashes, run.allowed, run.related].map(list => list.map(({ nameB }: any) => nameB)),
    [[pipe.name], [duct.name], [window.name]],
  );
  assert.equal(
    [rows.map(row => row.nameB), topics.length, run.totals.classes.hard],
    [[pipe.name], 1, { listed: 1, allowed: 1, related: 1, hidden: 0 }],
  );
  const pairOf = (part: any): string => `${wall.name} [${wall.id}] / ${part.name} [${part.id}]`;
  assert.equal(skippedIn(junit), [
    `${pairOf(duct)}: --allow allows this clash`,
    `${pairOf(window)}: the file relates the two elements by IfcRelFillsElement`,
  ]);
  assert.match(junit, /<testsuites [^>]*tests="\d+" failures="1"/);
  assert.equal(
    header.clashes.map(({ b, isAllowed, relation }: any) => [header.parts[b].name, isAllowed, relation]),
    [
      [window.name, false, 'IfcRelFillsElement'],
      [pipe.name, false, undefined],
      [duct.name, true, undefined],
    ],
  );
  const included = outputs('included', opening, '--include-related');
  assert.equal(
    [included.run.clashes.length, included.rows.length, included.topics.length, 'related' in included.run],
    [3, 3, 3, false],
  );
});

test('classes of --fail-on are listed in all outputs', () => {
  const before = file(
    'face.json',
    clash(
      obj('face.obj', [cube('a', 0), cube('b', 100), cube('c', 300), cube('d', 400)]),
      '--classes',
      'all',
      '--json',
    ).stdout,
  );
  const path = obj('deep.obj', [
    ...[cube('a', 0), cube('b', 100), cube('c', 300), cube('d', 400), cube('e', 600), cube('f', 690)],
  ]);
  const args = [path, '--classes', 'touch', '--fail-on', 'hard,coplanar', '--baseline', before];
  const { status, stdout } = clash(...args);
  assert.is(status, 1);
  assert.match(stdout, /\nnew +e +f +hard /);
  assert.match(stdout, /: 1 new, 2 still open, 0 resolved\n/);
  const junitPath = join(folder, 'fail.xml');
  const allow = file('c.txt', 'c, d');
  const run = json(...args, '--allow', allow, '--junit', junitPath);
  assert.equal(run.classes, ['hard', 'coplanar', 'touch']);
  const junit = readFileSync(junitPath, 'utf8');
  assert.equal(skippedIn(junit), [
    'a / b: still open: the baseline has this clash',
    'c / d: --allow allows this clash',
  ]);
  assert.match(junit, /<testcase classname="pfront.hard" name="e \/ f"><failure/);
  const rules = file('hard.json', JSON.stringify([{ name: 'x', between: ['*', '*'], classes: ['hard'] }]));
  const refused = clash(path, '--rules', rules, '--fail-on', 'touch');
  assert.is(refused.status, 2);
  assert.match(refused.stderr, /--fail-on touch: no rule lists the class touch/);
});

test('a line of --allow may name the classes that it allows', () => {
  const list = file('welds.txt', 'deep*, *, touch coplanar\nface*\t*\tcoplanar hard\n');
  const { clashes, allowed, notes } = json(all, '--classes', 'all', '--allow', list);
  assert.equal(
    [allowed.map(({ nameA }: any) => nameA), clashes.some(({ nameA }: any) => nameA === 'deep 1')],
    [['face 1'], true],
  );
  assert.equal(
    notes.map(({ message }: any) => message),
    [
      'welds.txt: line 1 has no effect: there is no clash of the class touch or coplanar between "deep*" and "*"',
    ],
  );
});

test('a baseline is refused if this run has other rules, or if only this run has --include-related', () => {
  const rulesOf = (name: string, tolerance: number): string =>
    file(name, JSON.stringify([{ name: 'pipes', between: ['type:IfcPipeSegment', '*'], tolerance }]));
  const rules = rulesOf('pipes.json', 0.001);
  const before = file('pipes.baseline.json', clash(opening, '--rules', rules, '--json').stdout);
  const again = json(opening, '--rules', rules, '--baseline', before, '--fail-on', 'any');
  assert.equal(
    [again.status, again.clashes.map(({ status, rule }: any) => [status, rule])],
    [
      0,
      [
        ['open', 'pipes'],
        ['open', 'pipes'],
      ],
    ],
  );
  for (const [args, message] of [
    [['--rules', rulesOf('other.json', 0.002)], /the rule "pipes" had other sets, lengths or classes/],
    [['--between', 'type:IfcPipeSegment', '*'], /this run lacks the rule "pipes"/],
    [[], /was written with --rules or --between/],
    [['--rules', rules, '--include-related'], /was written without --include-related/],
  ] as const) {
    const { status, stdout, stderr } = clash(opening, ...args, '--baseline', before);
    assert.equal([status, stdout], [2, ''], args.join(' '));
    assert.match(stderr, message);
  }
});

test('a selector can select elements by properties of the element or of its type object, and by quantities', () => {
  const id = (number: number): string => `3prp${String(number).padStart(18, '0')}`;
  const path = file(
    'properties.ifc',
    ifc(['a', 'b', 'c', 'd'].map((name, i) => beam(name, [0.5 * i, 0, 0], [1, 1, 1], 'IFCWALL'))).replace(
      'ENDSEC;\nEND-ISO',
      [
        "#9000=IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('F 90'),$);",
        "#9001=IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('F 30'),$);",
        "#9002=IFCPROPERTYSINGLEVALUE('LoadBearing',$,IFCBOOLEAN(.T.),$);",
        `#9003=IFCPROPERTYSET('${id(1)}',$,'Pset_WallCommon',$,(#9000,#9002));`,
        `#9004=IFCPROPERTYSET('${id(2)}',$,'Pset_WallCommon',$,(#9001));`,
        `#9005=IFCRELDEFINESBYPROPERTIES('${id(3)}',$,$,$,(#200),#9004);`,
        `#9006=IFCWALLTYPE('${id(4)}',$,'Heavy',$,$,(#9003),$,$,$,.STANDARD.);`,
        `#9007=IFCRELDEFINESBYTYPE('${id(5)}',$,$,$,(#100,#200),#9006);`,
        "#9008=IFCQUANTITYLENGTH('Width',$,$,0.24);",
        `#9009=IFCELEMENTQUANTITY('${id(6)}',$,'Qto',$,$,(#9008));`,
        `#9010=IFCRELDEFINESBYPROPERTIES('${id(7)}',$,$,$,(#300),#9009);`,
        'ENDSEC;\nEND-ISO',
      ].join('\n'),
    ),
  );
  const setOf = (selector: string): number => json(path, '--between', selector, '*').rules[0].a.parts;
  for (const [selector, count] of [
    ['property:Pset_WallCommon.FireRating=F 90', 1],
    ['property:FireRating=F*', 2],
    ['property:FireRating', 2],
    // Wall b has its own value, which replaces the value of its type.
    ['property:FireRating=F 30', 1],
    ['property:LoadBearing=true', 2],
    ['property:Pset_*=F 30', 1],
    ['property:Qto.Width=0.24', 1],
    ['!property:*', 1],
    ['objectType:Heavy', 2],
    ['objectType:Heavy & !property:FireRating=F 90', 1],
  ] as const)
    assert.is(setOf(selector), count, selector);
  const { status, stderr } = clash(path, '--between', 'property:FireRating=F 60', '*');
  assert.is(status, 2);
  assert.match(stderr, /no part matches "property:FireRating=F 60"/);
});

test.run();
