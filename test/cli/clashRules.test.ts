// Runs `pfront clash` with --between and --rules: the pairs that are tested, the lengths and classes of each
// rule, the clash sets of ifcclash, and the messages about rules that are wrong or match nothing.

import { rmSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { readIfcSelector } from '../../dist/cli/clash/ifcSelector.js';
import { includesPair, pairFilter } from '../../dist/cli/clash/pairRules.js';
import { parseRules } from '../../dist/cli/clash/rulesFile.js';
import { readSelector } from '../../dist/cli/clash/selector.js';
import { findClashes } from '../../dist/cli/findClashes.js';
import { createEngine } from '../../dist/index.js';
import { beam, ifc } from '../formats/smallIfc.js';
import { test } from '../support/test.js';
import { all, clash, cube, file, folder, json, mesh, obj } from './clashSupport.js';

test.after(() => rmSync(folder, { recursive: true }));

const namesOf = ({ clashes }: any): string[] => clashes.map(({ nameA, nameB }: any) => `${nameA}, ${nameB}`);
const rulesFile = (name: string, rules: unknown): string => file(name, JSON.stringify(rules));
const random = (seed: number) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};

// Cubes in a small space, so that most pairs overlap. The first letter of a cube's name is its group.
const next = random(7);
const CROWD = Array.from({ length: 24 }, (_, i) =>
  cube(`${'abcd'[i % 4]}${i}`, 150 * next(), 150 * next(), 150 * next()),
);
const crowd = obj('crowd.obj', CROWD);

test('--between tests only the pairs of its sets, and finds what the full search finds for them', () => {
  const full = json(crowd, '--classes', 'all');
  const is = (one: any, x: string, y: string) =>
    (one.nameA[0] === x && one.nameB[0] === y) || (one.nameA[0] === y && one.nameB[0] === x);
  for (const [x, y] of ['ab', 'cc', 'da']) {
    const expected = full.clashes.filter((one: any) => is(one, x, y));
    assert.ok(expected.length > 5);
    assert.equal(json(crowd, '--classes', 'all', '--between', `${x}*`, `name:${y}*`).clashes, expected);
  }
  assert.equal(json(crowd, '--classes', 'all', '--between', '*', '*').clashes, full.clashes);
});

function checkRules(tolerances: readonly number[], clearances: readonly number[]): void {
  const rules = Array.from({ length: 20 }, (_, i) => ({
    name: `rule ${i}`,
    between: [`name:${'abcd'[i % 4]}${i % 3}*`, i % 5 === 0 ? '*' : [`${'bdca'[i % 4]}*`, 'c1*']],
    tolerance: tolerances[i % tolerances.length]!,
    clearance: clearances[i % clearances.length]!,
    classes: i % 2 ? ['hard', 'contained'] : ['hard', 'contained', 'touch', 'coplanar'],
  }));
  const { clashes } = json(crowd, '--rules', rulesFile('crowd.json', rules));
  const searches = new Map<string, any>();
  const fullSearch = (tolerance: number, clearance: number): any => {
    const options = ['--tolerance', `${tolerance}`, '--clearance', `${clearance}`];
    const key = options.join(' ');
    if (!searches.has(key)) searches.set(key, json(crowd, '--classes', 'all', ...options));
    return searches.get(key);
  };
  for (const { name, between, tolerance, clearance, classes } of rules) {
    const [a, b] = between.map(set => parseRules('', JSON.stringify([{ name, between: [set, set] }]), ['x']));
    const matches = (rule: typeof a, part: string) =>
      rule.rules[0].a.matches({ name: part, file: '' } as any);
    const full = fullSearch(tolerance, clearance);
    const expected = full.clashes
      .filter(
        ({ nameA, nameB, class: kind }: any) =>
          classes.includes(kind) &&
          ((matches(a, nameA) && matches(b, nameB)) || (matches(a, nameB) && matches(b, nameA))),
      )
      .map((one: any) => ({ ...one, rule: name }));
    assert.equal(
      clashes.filter(({ rule }: any) => rule === name),
      expected,
      name,
    );
  }
}

test('each rule finds the clashes that a full search with the options of the rule finds for the pairs of the rule', () =>
  checkRules([0, 10, 0], [0, 0, 15, 0]));
test.proof('rules with twelve combinations of options find what full searches find', () =>
  checkRules([0, 10, 20], [0, 5, 10, 15]),
);

test('the search skips pairs that no rule asks for', async () => {
  const engine = await createEngine({ threads: 1 });
  const quiet = { begin() {}, step() {}, end() {} };
  const parts = CROWD.map(box => ({
    name: box.name,
    file: '',
    ...mesh(box, 1),
    transform: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1),
  }));
  const setOf = (letter: string) => Uint8Array.from(CROWD, ({ name }) => Number(name.startsWith(letter)));
  const ruleOf = (a: Uint8Array, b: Uint8Array): any => ({ inA: a, inB: b });
  try {
    const full = findClashes(engine, parts, quiet).clashes;
    const rules = [ruleOf(setOf('a'), setOf('b')), ruleOf(setOf('c'), setOf('c'))];
    const { clashes } = findClashes(engine, parts, quiet, pairFilter(rules, parts.length));
    assert.equal(
      clashes,
      full.filter(({ a, b }) => rules.some(rule => includesPair(rule, a, b))),
    );
    assert.ok(clashes.length > 0 && clashes.length < full.length);
    const one = Uint8Array.from(CROWD, (_, i) => Number(i === 0));
    const none = findClashes(engine, parts, quiet, pairFilter([ruleOf(one, one)], parts.length));
    assert.equal([none.clashes, none.stats], [[], []]);
  } finally {
    engine.dispose();
  }
});

test('selectors combine terms with &, | and !, and names may contain the same characters', () => {
  const fail = (message: string): never => {
    throw new Error(message);
  };
  const part = (name: string, rest = {}): any => ({ name, file: '/models/arch.ifc', ...rest });
  const wall = part('IfcWall Pipe & fitting', {
    type: 'IfcWallStandardCase',
    bases: ['IFCWALLSTANDARDCASE', 'IFCWALL', 'IFCROOT'],
    id: '1hOSvn6df7F8_7GcBWlRGQ',
    storey: 'Level 1',
    layer: 'A-WALL, S-WALL',
    system: 'Supply',
    assembly: 'plant/hall 1/pump/motor',
  });
  const cases: [string, boolean][] = [
    ['*', true],
    ['type:IfcWall', true],
    ['type:ifcwallstandardcase', true],
    ['IfcWall', true],
    ['type:IfcSlab', false],
    ['type:IfcSlab | storey:Level 1', true],
    ['type:IfcWall & storey:Level 2', false],
    ['type:IfcWall & !storey:Level 2', true],
    ['!type:IfcWall', false],
    ['name:*Pipe & fitting', true],
    ['name:*Pipe & fitting & type:IfcWall', true],
    ['id:1hOSvn6df7F8_7GcBWlRGQ', true],
    ['1hOSvn6df7F8_7GcBWlRGQ', true],
    ['file:arch.ifc', true],
    ['file:/models/*', true],
    ['file:*.obj', false],
    ['layer:S-*', true],
    ['layer:WALL', false],
    ['system:Supply', true],
    ['assembly:plant', true],
    ['assembly:pump', true],
    ['assembly:hall 1/pump', true],
    ['assembly:*/motor', true],
    ['assembly:hall', false],
    ['assembly:plant/pump', false],
    ['!assembly:hall *', false],
  ];
  for (const [text, expected] of cases) assert.is(readSelector(text, fail).matches(wall), expected, text);
  assert.not.ok(readSelector('type:*', fail).matches(part('cube')));
  assert.ok(readSelector('!storey:Level 1', fail).matches(part('cube')));
  assert.throws(() => readSelector('color:red', fail), /color: is not a key/);
  assert.throws(() => readSelector(' ', fail), /empty/);
  assert.throws(() => readSelector('name: ', fail), /no pattern/);
});

test('wrong rules and rules that match nothing give errors', () => {
  const cases: [unknown, RegExp][] = [
    [{}, /is not a list of rules/],
    [[], /is not a list of rules/],
    [[7], /rule 1 is not an object/],
    [[{ between: ['*', '*'] }], /rule 1 has no name/],
    [[{ name: 'x', between: ['*'] }], /"between" is not a list of two sets/],
    [[{ name: 'x', between: ['*', []] }], /a set is empty/],
    [[{ name: 'x', between: ['*', 7] }], /7 is not a selector/],
    [[{ name: 'x', between: ['*', 'color:red'] }], /color: is not a key/],
    [[{ name: 'x', between: ['*', '*'], tolerence: 1 }], /"tolerence" is not a key of a rule/],
    [[{ name: 'x', between: ['*', '*'], tolerance: -1 }], /"tolerance" is -1/],
    [[{ name: 'x', between: ['*', '*'], tolerance: '1 mile' }], /1 mile is not a length/],
    [[{ name: 'x', between: ['*', '*'], classes: ['soft'] }], /"soft" is not a class/],
    [[{ name: 'x', between: ['*', '*'], classes: ['clearance'] }], /class clearance requires/],
    [
      [{ name: 'nothing', between: ['deep 1', 'deep 1'] }],
      /both sets of rule "nothing" consist of the same single part/,
    ],
    [[{ name: 'x', between: ['deep*', 'nothing'] }], /no part matches "nothing", so no pair/],
    [
      [
        { name: 'x', between: ['*', '*'] },
        { name: 'x', between: ['*', '*'] },
      ],
      /two rules are named "x"/,
    ],
    [[{ name: 'x', a: [] }], /the set a is empty/],
    [[{ name: 'x', a: [{ file: all, color: 'red' }] }], /"color" is not a key/],
    [[{ name: 'x', a: [{ file: all, mode: 'q' }] }], /the mode "q" of/],
    [[{ name: 'x', a: [{ file: all, selector: 'IfcWall' }] }], /has a selector but no mode/],
    [
      [{ name: 'x', a: [{ file: all, mode: 'i', selector: 'IfcWall, material=concrete' }] }],
      /cannot be evaluated: filters by "material" are not supported/,
    ],
    [
      [{ name: 'x', a: [{ file: all, mode: 'i', selector: 'IfcWall, Name=/(/' }] }],
      /"IfcWall, Name=\/\(\/" cannot be evaluated: \/\(\/ is not a regular expression/,
    ],
    [
      [{ name: 'x', a: [{ file: all, mode: 'i', selector: 'IfcWall + Name=a' }] }],
      /a group that begins with a filter/,
    ],
    [[{ name: 'x', a: [{ file: all, mode: 'i', selector: 'a wall' }] }], /"a wall" is neither an IFC class/],
    [[{ name: 'x', a: [{ file: all }], mode: 'soft' }], /the mode "soft" is unknown/],
    [[{ name: 'x', a: [{ file: all }], mode: 'clearance', clearance: 0 }], /the clearance is 0/],
    [[{ name: 'x', a: [{ file: all }], tolerance: '1mm' }], /"tolerance" is "1mm"/],
  ];
  for (const [rules, message] of cases) {
    const text = JSON.stringify(rules);
    if (/nothing|classes":\["clear/.test(text)) {
      const { status, stdout, stderr } = clash(all, '--rules', file('wrong.json', text));
      assert.equal([status, stdout], [2, '']);
      assert.match(stderr, message);
      assert.match(stderr, /^pfront: [^\n]+\nfix: [^\n]+\n$/);
    } else assert.throws(() => parseRules('wrong.json', text, [all]), message);
  }
  assert.match(clash().stderr, /requires a file/);
  for (const [args, message] of [
    [['--between', '*'], /--between requires two sets/],
    [['--between', '*', '*', '--between', '*', '*'], /given twice/],
    [['--between=*', '*'], /takes two/],
    [['--between', '*', '*', '--rules', 'x.json'], /cannot be combined with --rules/],
    [['--between', '*', '*', '--certify', 'x.json'], /--certify cannot be combined/],
    [['--between', 'color:red', '*'], /--between "color:red"/],
    [['--between', 'deep* | face*', '*'], /fix: .* Each term after & or \| needs a key/],
    [
      ['--between', 'deep 1', 'name:deep 1'],
      /both sets of --between consist of the same single part, so no pair/,
    ],
    [['--between', '*', '*', '--fail-on', 'any', '--classes', 'clearance'], /clearance/],
    [['--rules', 'gone.json'], /gone\.json: cannot be read/],
    [['--group', 'color'], /--group color/],
    [['--group', 'storey'], /no part has a storey/],
  ] as const) {
    const { status, stderr } = clash(all, ...args);
    assert.is(status, 2, args.join(' '));
    assert.match(stderr, message);
  }
});

test('a rule that would list no class is an error', () => {
  const rules = rulesFile('none.json', [{ name: 'deep', between: ['deep*', 'deep*'] }]);
  const { status, stdout, stderr } = clash(all, '--rules', rules, '--classes', 'clearance');
  assert.equal([status, stdout], [2, '']);
  assert.match(stderr, /--classes clearance: rule "deep" has no clearance/);
});

test('if a set of one of several rules matches no part, a note is printed; clashes of unlisted classes are counted', () => {
  const rules = rulesFile('note.json', [
    { name: 'deep', between: ['deep 1', 'deep*'] },
    { name: 'typo', between: ['deep 1', 'dep*'] },
    { name: 'face', between: ['face*', 'face*'] },
  ]);
  const { stdout, stderr } = clash(all, '--rules', rules);
  assert.match(stderr, /note: rule "typo": no part matches "dep\*"\. /);
  assert.match(stdout, /deep 1 +deep 2 +hard .* deep\n/);
  assert.match(stdout, /\n1 clash: 1 hard; .*\nnot listed: 1 coplanar\n/);
});

// Two walls, a pipe that crosses both, and a beam that touches the pipe's end. Lengths are in millimeters.
const building = file(
  'building.ifc',
  ifc(
    [
      beam('wall', [0, 0, 0], [200, 3000, 3000], 'IFCWALLSTANDARDCASE'),
      beam('partition', [1000, 0, 0], [100, 3000, 3000], 'IFCWALL'),
      beam('pipe', [500, 0, 1000], [2000, 50, 50], 'IFCPIPESEGMENT'),
      beam('lintel', [1600, 0, 1000], [200, 50, 50]),
    ],
    'MILLI',
  ),
);

test('selectors of IfcOpenShell add and remove classes and GlobalIds, and filter by values', () => {
  const fail = (message: string): never => {
    throw new Error(message);
  };
  const id = '1hOSvn6df7F8_7GcBWlRGQ';
  const wall: any = {
    name: 'IfcWallStandardCase Pipe, "fire" + smoke',
    type: 'IfcWallStandardCase',
    bases: ['IFCWALLSTANDARDCASE', 'IFCWALL', 'IFCELEMENT', 'IFCROOT'],
    id,
    objectType: 'WT01',
    storey: 'Level 1',
    system: 'Supply, Return',
    properties: { 'Pset_WallCommon.LoadBearing': 'true', 'Pset_WallCommon.Width': '0.20', 'Own.Mark': 'a.b' },
  };
  const cases: [string, boolean][] = [
    ['IfcWall', true],
    ['IfcSlab', false],
    [`#${id}`, true],
    [`IfcElement, !${id}`, false],
    ['IfcElement, !IfcWall', false],
    ['IfcElement, !IfcWall, IfcWallStandardCase', true],
    ['IfcWall, type=WT01', true],
    ['IfcWall, type!=WT01', false],
    ['IfcWall, type=WT02 + IfcWall, location="Level 1"', true],
    ['IfcWall, location=/Level [23]/', false],
    ['IfcWall, location=/Lev/', true],
    ['IfcWall, location=/1/', false],
    ['IfcWall, Name="Pipe, \\"fire\\" + smoke"', true],
    ['IfcWall, Name=/Pipe, .*\\+/', true],
    ['IfcWall, Name*=fire', true],
    ['IfcWall, Name!*=fire', false],
    ['IfcWall, Name=NULL', false],
    ['IfcWall, group=Return', true],
    ['IfcWall, group!=Return', false],
    ['IfcWall, Pset_WallCommon.LoadBearing=TRUE', true],
    ['IfcWall, Pset_WallCommon.LoadBearing=FALSE', false],
    ['IfcWall, Pset_WallCommon.Width=0.2', true],
    ['IfcWall, /Pset_.*Common/.LoadBearing=TRUE', true],
    ['IfcWall, "Own"."Mark"="a.b"', true],
    ['IfcWall, Own.Mark=NULL', false],
    ['IfcWall, Own.Other=NULL', true],
    ['IfcWall, Own.Other!=x', true],
  ];
  for (const [text, expected] of cases) assert.is(readIfcSelector(text, fail).matches(wall), expected, text);
  assert.ok(readIfcSelector('IfcWall, Own.Mark=x', fail).usesProperties);
  assert.not.ok(readIfcSelector('IfcWall, Name=x.y', fail).usesProperties);
  const unnamed: any = { ...wall, name: 'IfcWallStandardCase #12', storey: undefined };
  assert.ok(readIfcSelector('IfcWall, Name=NULL, location=NULL', fail).matches(unnamed));
});

test('clash sets of ifcclash are read as they are, with lengths in meters', () => {
  const walls = { file: building, mode: 'i', selector: '.IfcWall' };
  const source = (selector: string, mode = 'i') => [{ file: building, mode, selector }];
  const run = (set: object, ...files: string[]) =>
    json(...files, '--rules', rulesFile('sets.json', [{ name: 'set', ...set }]));
  const intersection = { mode: 'intersection', tolerance: 0.002, check_all: false };
  assert.equal(namesOf(run({ a: [walls], b: source('IfcPipeSegment'), ...intersection })), [
    'IfcWallStandardCase wall, IfcPipeSegment pipe',
    'IfcWall partition, IfcPipeSegment pipe',
  ]);
  assert.is(run({ a: [walls], b: source('IfcPipeSegment'), ...intersection }).rules[0].tolerance, 2);
  // All elements except walls.
  assert.equal(
    namesOf(run({ a: source('IfcWall', 'e'), mode: 'collision', allow_touching: true, check_all: true })),
    ['IfcPipeSegment pipe, IfcBeam lintel'],
  );
  assert.equal(namesOf(run({ a: source('IfcWall', 'e'), mode: 'collision', allow_touching: false })), []);
  assert.is(run({ a: [{ file: building }], mode: 'clearance', clearance: 0.5 }).clashes.length, 4);
  // The file of the command line replaces a file of the same name on another computer.
  assert.is(run({ a: [{ file: '/home/other/building.ifc' }], ...intersection }, building).clashes.length, 2);
  const { id } = json(building).parts[0];
  assert.equal(namesOf(run({ a: source(`#${id}`), b: source('IfcElement, ! IfcWall'), ...intersection })), [
    'IfcWallStandardCase wall, IfcPipeSegment pipe',
  ]);
});

// Adds relations to an IFC file. Element i has the record number 100 (i + 1).
const related = (text: string, ...records: string[]) =>
  text.replace(
    'ENDSEC;\nEND-ISO',
    () =>
      `${records.map((record, i) => `#${9000 + i}=${record.replace('(', `('2rel${String(i).padStart(18, '0')}',$,$,$,`)};`).join('\n')}\nENDSEC;\nEND-ISO`,
  );

test('a clash is counted, not listed, if one element fills an opening of the other, or both are pieces of one assembly', () => {
  const path = file(
    'related.ifc',
    related(
      ifc([
        beam('wall', [0, 0, 0], [0.2, 5, 3], 'IFCWALL'),
        beam('hole', [0, 0, 1], [0.4, 1, 1], 'IFCOPENINGELEMENT'),
        beam('window', [0, 0, 1], [0.1, 1.1, 1.1], 'IFCBUILDINGELEMENTPROXY'),
        beam('pipe', [0, 2, 1], [2, 0.1, 0.1], 'IFCPIPESEGMENT'),
        beam('flight', [10, 0, 0], [1, 1, 1]),
        beam('landing', [10.9, 0, 0], [1, 1, 1]),
        beam('post', [11.8, 0.25, 0.25], [1, 1, 1]),
        { ...beam('stair', [20, 0, 0], [1, 1, 1]), entity: 'IFCELEMENTASSEMBLY' },
      ])
        .replace(/(#800=IFCELEMENTASSEMBLY\(.*),#801,#804,\$,\$\)/, '$1,$,$,$,$,$)')
        .replace(/#80[1-7]=.*\n/g, ''),
      'IFCRELVOIDSELEMENT(#100,#200)',
      'IFCRELFILLSELEMENT(#200,#300)',
      'IFCRELAGGREGATES(#800,(#500,#600))',
    ),
  );
  const result = json(path);
  assert.equal(namesOf(result), ['IfcWall wall, IfcPipeSegment pipe', 'IfcBeam landing, IfcBeam post']);
  assert.equal(
    result.related.map(({ nameA, nameB, relation, class: kind }: any) => [nameA, nameB, relation, kind]),
    [
      ['IfcWall wall', 'IfcBuildingElementProxy window', 'IfcRelFillsElement', 'hard'],
      ['IfcBeam flight', 'IfcBeam landing', 'IfcRelAggregates', 'hard'],
    ],
  );
  assert.equal(result.totals.classes.hard, { listed: 2, allowed: 0, related: 2, hidden: 0 });
  const { stdout, status } = clash(
    path,
    '--fail-on',
    'hard',
    '--between',
    'type:IfcWall',
    '!type:IfcPipeSegment',
  );
  assert.match(
    stdout,
    /^No clashes to list\.\nrelated in the IFC file: 1 hard \(--include-related lists them\)\n/,
  );
  assert.is(status, 0);
  assert.is(json(path, '--include-related').clashes.length, 4);
});

test.run();
