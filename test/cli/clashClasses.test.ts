// `pfront clash` of boxes in every relation -> classes, lengths in the files' unit, allowed pairs, what is
// listed and what fails.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { AllowList } from '../../dist/cli/clash/allowList.js';
import { withUp } from '../../dist/cli/clash/sceneUp.js';
import { isFailure, type SortedOut } from '../../dist/cli/clash/sortOut.js';
import { writeGlb } from '../../dist/cli/writeGlb.js';
import type { Finding } from '../../dist/report/classes.js';
import { beam, ifc } from '../formats/smallIfc.js';
import { test } from '../support/test.js';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'classes-'));
test.after(() => rmSync(folder, { recursive: true }));

type Point = [number, number, number];
interface Box {
  name: string;
  at: Point;
  size: Point;
}

// From a corner, in mm.
const cube = (name: string, x: number, y = 0, z = 0, size = 100): Box => ({
  name,
  at: [x, y, z],
  size: [size, size, size],
});

function mesh({ at, size }: Box, metres: number) {
  const positions = Float32Array.from(
    { length: 24 },
    (_, i) => metres * (at[i % 3] + ((Math.floor(i / 3) >> (i % 3)) & 1 ? size[i % 3] : 0)),
  );
  return {
    positions,
    indices: Uint32Array.of(
      0,
      2,
      3,
      0,
      3,
      1,
      4,
      5,
      7,
      4,
      7,
      6,
      0,
      1,
      5,
      0,
      5,
      4,
      2,
      6,
      7,
      2,
      7,
      3,
      0,
      4,
      6,
      0,
      6,
      2,
      1,
      3,
      7,
      1,
      7,
      5,
    ),
  };
}

const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

function file(name: string, bytes: Uint8Array | string): string {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}

/** Numbers in mm, as an OBJ whose unit nobody knows. */
function obj(name: string, boxes: Box[]): string {
  let first = 1;
  return file(
    name,
    boxes
      .flatMap(box => {
        const { positions, indices } = mesh(box, 1);
        const lines = [
          `o ${box.name}`,
          ...Array.from({ length: 8 }, (_, i) => `v ${positions.slice(3 * i, 3 * i + 3).join(' ')}`),
          ...Array.from(
            { length: 12 },
            (_, i) => `f ${[...indices.slice(3 * i, 3 * i + 3)].map(vertex => first + vertex).join(' ')}`,
          ),
        ];
        first += 8;
        return lines;
      })
      .join('\n'),
  );
}

const glb = (name: string, boxes: Box[]): string =>
  file(name, writeGlb(boxes.map(box => ({ name: box.name, ...mesh(box, 0.001), transform: IDENTITY }))));

function clash(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'clash', ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function json(...args: string[]) {
  const { status, stdout, stderr } = clash(...args, '--json');
  assert.ok(status === 0 || status === 1, stderr);
  return { status, ...JSON.parse(stdout) };
}

// Each pair is far from all others. What each is to the other is in the first word of their names.
const BOXES: Box[] = [
  cube('apart 1', 0),
  cube('apart 2', 110),
  cube('face 1', 1000),
  cube('face 2', 1100, 20, 20),
  cube('edge 1', 2000),
  cube('edge 2', 2100, 100),
  cube('corner 1', 3000),
  cube('corner 2', 3100, 100, 100),
  cube('deep 1', 4000),
  cube('deep 2', 4098, 20, 20),
  cube('inside 1', 5000),
  cube('inside 2', 5040, 40, 40, 10),
  cube('twice 1', 6000),
  cube('twice 2', 6000),
  cube('far 1', 7000),
  cube('far 2', 7200),
];
const all = obj('all.obj', BOXES);
const found = ({ clashes }: any): string[] =>
  clashes.map(({ nameA, class: kind }: any) => `${nameA.split(' ')[0]} ${kind}`);
const near = (value: number, expected: number, within = 1e-3) =>
  assert.ok(Math.abs(value - expected) <= within, `${value}, not ${expected}`);

test('each pair has its class; apart is no clash', () => {
  const result = json(all);
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
  assert.equal([face.depth, edge.depth, corner.depth, inside.depth], [0, 0, 0, 0]);
  near(face.size, 80);
  near(edge.size, 100);
  assert.is(corner.size, 0);
  assert.is(inside.inner, inside.b);
  assert.equal([inside.trianglePairs, twice.duplicate, 'duplicate' in deep], [0, true, false]);
  assert.equal(result.totals.classes, {
    hard: { listed: 2, allowed: 0, hidden: 0 },
    contained: { listed: 1, allowed: 0, hidden: 0 },
    clearance: { listed: 0, allowed: 0, hidden: 0 },
    coplanar: { listed: 1, allowed: 0, hidden: 0 },
    touch: { listed: 2, allowed: 0, hidden: 0 },
  });
  assert.not.ok('unit' in result);
});

test('the order of two parts makes no difference but to which is which', () => {
  const turned = json(obj('turned.obj', BOXES.toReversed()));
  assert.equal(found(turned).sort(), found(json(all)).sort());
  const inside = turned.clashes.find((one: any) => one.class === 'contained');
  assert.is(inside.inner, inside.a);
});

test('a table in plain words, worst first, and sums', () => {
  const { stdout } = clash(all, '--units', 'mm');
  const rows = stdout
    .split('\n')
    .slice(2, 8)
    .map(line => line.split(/ {2,}/).slice(0, 4));
  assert.equal(rows, [
    ['twice 1', 'twice 2', 'hard', 'the same part twice'],
    ['deep 1', 'deep 2', 'hard', '2 mm deep'],
    ['inside 1', 'inside 2', 'contained', 'second is inside'],
    ['face 1', 'face 2', 'coplanar', 'faces meet'],
    ['edge 1', 'edge 2', 'touch', 'edges meet'],
    ['corner 1', 'corner 2', 'touch', 'edges meet'],
  ]);
  assert.match(stdout, /\n6 clashes: 2 hard, 1 contained, 1 coplanar, 2 touch; \d+ triangle pairs\n16 parts/);
});

test('--clearance finds what comes near, with its distance', () => {
  const result = json(all, '--units', 'mm', '--clearance', '10mm');
  assert.equal(found(result), ['apart clearance', ...found(json(all))]);
  near(result.clashes[0].distance, 10);
  assert.is(result.clearance, 10);
  assert.equal(found(json(all, '--clearance', '9.99')), found(json(all)));
  assert.equal(found(json(all, '--clearance', '10')).length, 7);
  assert.equal(found(json(all, '--units', 'mm', '--clearance', '0.2 m')).length, 8);
  assert.match(
    clash(all, '--units', 'mm', '--clearance', '1cm').stdout,
    /apart 1 +apart 2 +clearance +10 mm apart/,
  );
  assert.match(
    clash(obj('two.obj', BOXES.slice(0, 2)), '--units', 'mm', '--clearance', '5mm').stdout,
    /share a point or come within 5 mm of each other/,
  );
});

test('--tolerance forgives what is at most as deep, and still says how deep', () => {
  for (const [tolerance, kind] of [
    ['1mm', 'hard'],
    ['3mm', 'touch'],
  ] as const) {
    const { clashes } = json(all, '--units', 'mm', '--tolerance', tolerance);
    const deep = clashes.find(({ nameA }: any) => nameA === 'deep 1');
    assert.ok(
      kind === 'hard' ? deep.class === 'hard' : ['touch', 'coplanar'].includes(deep.class),
      deep.class,
    );
    near(deep.depth, 2);
    assert.is(clashes.find(({ nameA }: any) => nameA === 'twice 1').class, 'hard');
  }
  assert.match(
    clash(all, '--units', 'mm', '--tolerance', '3mm').stdout,
    /deep 1 +deep 2 +(touch|coplanar) +(edges|faces) meet, 2 mm deep/,
  );
});

test('--classes says which are listed; the others are counted', () => {
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

test('--allow takes pairs out of the list and of what fails; lines about nothing are told', () => {
  const list = file(
    'allow.txt',
    [
      '# what may clash',
      'deep 2, deep 1',
      'tw*\ttwice ?',
      'twice*, * 2',
      '',
      'inside 1, nobody',
      'face 1, edge 1',
    ].join('\n'),
  );
  const { stderr, stdout, status } = clash(all, '--allow', list, '--fail-on', 'hard');
  assert.is(status, 0);
  assert.match(stdout, /\n4 clashes: 1 contained, 1 coplanar, 2 touch; .*\nallowed: 2 hard\n/);
  assert.equal(
    stderr
      .trimEnd()
      .split('\n')
      .map(line => /line (\d) allows nothing: (no \w+)/.exec(line)?.slice(1).join(' ')),
    ['3 no part', '6 no part', '7 no clash'],
  );
  const result = json(all, '--allow', list, '--fail-on', 'hard,contained');
  assert.equal(
    [result.status, found({ clashes: result.allowed }), result.totals.classes.hard],
    [1, ['deep hard', 'twice hard'], { listed: 0, allowed: 2, hidden: 0 }],
  );
  assert.is(json(all, '--allow', file('everything.txt', '*, *'), '--fail-on', 'any').status, 0);
});

test.slow('--allow where a GlobalId is a number', () => {
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

test('stars stand for any characters, but what stands beside them is there once for each', () => {
  const parts = [{ name: 'xab' }, { name: 'xabb' }, { name: 'other' }];
  const pairs = [
    { a: 0, b: 2 },
    { a: 1, b: 2 },
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

test('a line of many stars against a long name ends at once', () => {
  const name = 'a'.repeat(60);
  const path = obj('stars.obj', [cube(name, 0), cube('b', 50)]);
  const stars = `${'*a'.repeat(20)}*`;
  const list = file('stars.txt', [`${stars}c, b`, `${stars}, *b*`, 'a*a, b', `${name}*a, b`].join('\n'));
  const { status, stderr, stdout } = clash(path, '--allow', list);
  assert.is(status, 0, stderr);
  assert.match(stdout, /allowed: 1 hard/);
  assert.equal(
    [...stderr.matchAll(/line (\d) allows nothing/g)].map(([, line]) => line),
    ['1', '4'],
  );
});

test('a name as long as a book is cut in the table', () => {
  const { status, stdout, stderr } = clash(
    obj('book.obj', [cube('y'.repeat(100_000), 0), cube('b', 50), cube('c', 50, 50)]),
  );
  assert.is(status, 0, stderr);
  assert.match(stdout, /\ny{119}\u2026 {2}b +hard/);
  assert.ok(stdout.length < 2000, String(stdout.length));
});

test.slow('--allow by type and GlobalId of IFC', () => {
  const path = file(
    'frame.ifc',
    ifc([
      beam('a', [0, 0, 0], [1, 1, 1]),
      beam('b', [0.5, 0.25, 0.25], [1, 1, 1], 'IFCCOLUMN'),
      beam('c', [1, 0.5, 0.5], [1, 1, 1]),
    ]),
  );
  const { clashes, parts } = json(path);
  assert.equal(
    [clashes.length, parts.map(({ type }: any) => type).sort()],
    [3, ['IfcBeam', 'IfcBeam', 'IfcColumn']],
  );
  const left = (line: string) =>
    json(path, '--allow', file('types.txt', line)).clashes.map(({ nameA, nameB }: any) =>
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

test('what fails: clashes of the classes named, listed or not, but none that is allowed', () => {
  const finding = (kind: string) => ({ class: kind }) as Finding;
  const sorted = (listed: string[], hidden: string[], allowed: string[]): SortedOut => ({
    listed: listed.map(finding),
    hidden: hidden.map(finding),
    allowed: allowed.map(finding),
    idle: [],
  });
  const mixed = sorted(['hard'], ['touch'], ['contained']);
  assert.equal(
    [
      isFailure(mixed, ['touch']),
      isFailure(mixed, ['hard']),
      isFailure(mixed, ['contained']),
      isFailure(mixed, 'any'),
      isFailure(sorted([], ['touch'], []), 'any'),
    ],
    [true, true, false, true, false],
  );
});

test.slow('--fail-on names classes, listed or not; any: what is listed', () => {
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
      clash(edges, '--fail-on', 'any').status,
    ],
    [0, 0, 1],
  );
  assert.is(clash(all, '--clearance', '10', '--fail-on', 'clearance').status, 1);
});

test('what has y up is turned to z up, and back', () => {
  const part = {
    name: 'part',
    file: 'file',
    positions: new Float32Array(0),
    indices: new Uint32Array(0),
    transform: Float64Array.of(1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 1),
  };
  const turn = (from: 'y' | 'z', to: 'y' | 'z') => [
    ...withUp([{ ...part, up: from }], to, () => {})[0].transform,
  ];
  assert.equal(turn('y', 'z'), [1, -3, 2, 0, 4, -6, 5, 0, 7, -9, 8, 0, 10, -12, 11, 1]);
  assert.equal(turn('z', 'y'), [1, 3, -2, 0, 4, 6, -5, 0, 7, 9, -8, 0, 10, 12, -11, 1]);
  assert.equal([turn('y', 'y'), turn('z', 'z')], [[...part.transform], [...part.transform]]);
});

test.slow('units: glTF is in metres and shown in mm; files in several units are one scene', () => {
  const metres = glb('all.glb', BOXES);
  const result = json(metres, '--clearance', '10.001mm');
  assert.is(result.unit, 'm');
  near(result.clashes.find(({ nameA }: any) => nameA === 'deep 1').depth, 0.002, 1e-6);
  near(result.clashes[0].distance, 0.01, 1e-6);
  assert.match(clash(metres).stdout, /deep 1 +deep 2 +hard +2 mm deep/);
  // The one file's first box into the other's second, in its own unit.
  const mixed = json(
    glb('metres.glb', [cube('glb', 0)]),
    obj('millimetres.obj', [cube('obj', 98, 20, 20)]),
    '--units',
    'mm',
  );
  assert.equal([mixed.unit, mixed.clashes.length, mixed.notes], ['mm', 1, []]);
  near(mixed.clashes[0].depth, 2, 1e-4);
  const guessed = clash(
    glb('metres.glb', [cube('glb', 0)]),
    obj('millimetres.obj', [cube('obj', 98, 20, 20)]),
  );
  assert.match(
    guessed.stderr,
    /^note: .*millimetres\.obj does not say its unit; its numbers are taken as m, as other files have it; Write --units/,
  );
  assert.match(
    clash(
      file(
        'inches.ifc',
        ifc([beam('a', [0, 0, 0], [10, 10, 10]), beam('b', [9.5, 0, 1], [10, 10, 10])], 'INCH'),
      ),
    ).stdout,
    /hard +0\.5 in deep/,
  );
});

test.slow('up: glTF beside IFC is told of, and turned where that is asked for', () => {
  const beside = [
    file('up.ifc', ifc([beam('ifc', [0, 0, 10], [1, 1, 1])])),
    glb('up.glb', [cube('glb', 250, 10500, -1400, 1000)]),
  ];
  const way = (direction: number[]) => direction.map(part => Math.abs(part));
  const [still, z, y] = [json(...beside), json(...beside, '--up', 'z'), json(...beside, '--up', 'y')];
  assert.equal([still.clashes, still.notes.length, z.notes, y.notes], [[], 1, [], []]);
  assert.match(
    clash(...beside).stderr,
    /^note: .*up\.glb has y up, .*up\.ifc z; both are taken as they are; Write --up z/,
  );
  for (const [told, direction] of [
    [z, [0, 1, 0]],
    [y, [0, 0, 1]],
  ] as const) {
    assert.equal(found(told), ['IfcBeam hard']);
    near(told.clashes[0].depth, 0.1, 1e-6);
    assert.equal(way(told.clashes[0].direction), direction);
  }
});

test.slow('options that cannot be understood: exit code 2, one line and a fix', () => {
  const bad = (text: string) => ['--allow', file(`bad-${text.length}.txt`, text)];
  const cases: [string[], RegExp][] = [
    [['--clearance', 'wide'], /--clearance wide is not a length/],
    [['--clearance=-1'], /--clearance -1 is not a length/],
    [['--clearance', '25 miles'], /not a length/],
    [['--clearance', '1e999'], /not a length/],
    [['--tolerance', 'NaN'], /--tolerance NaN is not a length/],
    [['--tolerance', ''], /is not a length/],
    [['--tolerance', '1mm'], /--tolerance 1mm: the files do not say what unit/],
    [['--units', 'yd'], /--units yd is not a unit/],
    [['--up', 'x'], /--up x is no axis that points up/],
    [['--classes', 'hard,soft'], /"soft" is no class/],
    [['--classes', ''], /"" is no class/],
    [['--classes', 'clearance'], /looked for with --clearance alone/],
    [['--fail-on', 'clearance'], /--clearance alone/],
    [['--fail-on', 'any,hard'], /"any" is no class/],
    [['--allow', join(folder, 'gone.txt')], /gone\.txt: cannot be read \(ENOENT\)/],
    [bad('just one'), /bad-8\.txt: line 1 is not two names/],
    [bad('# a\na, b, c'), /line 2 is not two names/],
    [bad('a,'), /line 1 is not two names/],
  ];
  for (const [args, message] of cases) {
    const { status, stdout, stderr } = clash(all, ...args);
    assert.equal([status, stdout], [2, ''], `${args.join(' ')}: ${stderr}`);
    assert.match(stderr, /^pfront: [^\n]+\nfix: [^\n]+\n$/);
    assert.match(stderr, message);
  }
  for (const option of ['--clearance', '--tolerance']) {
    const { status, stderr } = clash(all, '--units', 'mm', option, '1e308m');
    assert.is(status, 2);
    assert.match(
      stderr,
      new RegExp(
        `^pfront: ${option} 1e308m is no finite number of mm, the unit of the files\nfix: Write a shorter length`,
      ),
    );
  }
  assert.match(
    clash(glb('known.glb', BOXES), '--units', 'mm').stderr,
    /--units mm: every file says its unit itself \(.*known\.glb: m\)/,
  );
});

test.run();
