// Tests the reader of STEP and IGES files: parts with their names, places and units, the accuracy of curved
// surfaces, and errors for files that cannot be read or can be read only in part.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { findClashes } from '../../dist/cli/findClashes.js';
import { colorOf } from '../../dist/formats/cadColor.js';
import { roundCadCoordinate } from '../../dist/formats/cadRounding.js';
import { InvalidFile, type Part, readParts, type Unread } from '../../dist/formats/readParts.js';
import { createEngine } from '../../dist/index.js';
import { test } from '../support/test.js';
import { type StepSolid, step } from './smallStep.js';

const folder = mkdtempSync(join(tmpdir(), 'cad-'));
test.after(() => rmSync(folder, { recursive: true }));
const engine = await createEngine({ threads: 1 });
test.after(() => engine.dispose());
const SILENT = { begin() {}, step() {}, end() {} };
/** The folder of the sample files that are published with occt-import-js. */
const samples = join(dirname(createRequire(import.meta.url).resolve('occt-import-js')), '../test/testfiles');

function file(name: string, bytes: string | Uint8Array): string {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}

const PLATE: StepSolid = { name: 'plate', at: [0, 0, 0], size: [100, 80, 10] };
const PIN: StepSolid = { name: 'pin', at: [50, 40, 10], size: [5, 30] };
const TEXT = step('machine', [PLATE, PIN]);

function boxOf({ positions, transform }: Part): number[] {
  const along = (axis: number) =>
    [...positions].filter((_, i) => i % 3 === axis).map(value => value + transform[12 + axis]!);
  return [0, 1, 2].flatMap(axis => [Math.min(...along(axis)), Math.max(...along(axis))]);
}

/** Reads a file. Returns its parts, what could not be read and, if the file is refused, the error. */
async function attempt(
  path: string,
  options = {},
): Promise<{ parts: Part[]; unread: Unread[]; error?: InvalidFile }> {
  const unread: Unread[] = [];
  try {
    return { parts: await readParts(path, { onUnread: one => unread.push(one), ...options }), unread };
  } catch (error) {
    assert.instance(error, InvalidFile, (error as Error).stack);
    return { parts: [], unread, error: error as InvalidFile };
  }
}

test('the solids of an assembly become parts with their names and places, in mm', async () => {
  const parts = await readParts(file('machine.step', TEXT));
  assert.equal(
    parts.map(({ name, unit, up }) => [name, unit, up]),
    [
      ['plate', 'mm', undefined],
      ['pin', 'mm', undefined],
    ],
  );
  assert.equal(boxOf(parts[0]!), [0, 100, 0, 80, 0, 10]);
  const [minX, maxX, minY, maxY, minZ, maxZ] = boxOf(parts[1]!) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  assert.equal(
    [minX, minZ, maxZ],
    [45, 10, 40].map((value, i) => (i === 0 ? minX : value)),
  );
  for (const [value, exact] of [
    [minX, 45],
    [maxX, 55],
    [minY, 35],
    [maxY, 45],
  ] as const)
    assert.ok(Math.abs(value - exact) <= 0.1, `${value}`);
  assert.is(parts[0]!.indices.length / 3, 12);
});

test('solids that touch in the file touch after reading', async () => {
  const row = [0, 0.1, 0.2, 0.3, 0.4].map(
    (x, i): StepSolid => ({ name: `box ${i}`, at: [x, 0, 0], size: [0.1, 1, 1] }),
  );
  const parts = await readParts(file('row.step', step('row', row)));
  // Open CASCADE adds places and sizes in doubles: 0.2 + 0.1 is not 0.3.
  const coordinates = parts.flatMap(({ positions, exact }) =>
    [...(exact?.positions ?? positions)].filter((_, i) => i % 3 === 0),
  );
  assert.is(new Set(coordinates).size, 6);
});

test('a file in meters is converted to mm, and may be compressed', async () => {
  const text = step('machine', [{ name: 'plate', at: [0.5, 0, 0], size: [0.1, 0.2, 0.25] }], 'm');
  const [plate] = await readParts(file('meters.stp.gz', gzipSync(text)));
  assert.equal([plate!.unit, ...boxOf(plate!)], ['mm', 500, 600, 0, 200, 0, 250]);
});

test('parts with the same name get the names of the assemblies above them', async () => {
  const parts = await readParts(join(samples, 'cax-if/as1-oc-214.stp'));
  assert.is(parts.length, 18);
  const names = parts.map(({ name }) => name);
  for (const name of ['plate', 'rod', 'as1/rod-assembly/nut', 'as1/l-bracket-assembly/bolt (6)'])
    assert.ok(names.includes(name), `${name} of ${names.join(', ')}`);
});

test('parts have the names of the assemblies above them, and the color of the largest area', async () => {
  const file214 = await readParts(join(samples, 'cax-if/as1-oc-214.stp'));
  assert.equal(
    file214
      .filter(({ name }) => /plate|rod$|bolt \(6\)/.test(name))
      .map(({ assembly, color }) => [assembly, color]),
    [
      ['as1/rod-assembly', '#ff8000'],
      ['as1', '#ccff00'],
      ['as1/l-bracket-assembly', '#0000ff'],
    ],
  );
  const size: [number, number, number] = [10, 20, 30];
  const parts = await readParts(
    file(
      'colors.step',
      step('machine', [
        { name: 'plain', at: [0, 0, 0], size },
        { name: 'green', at: [0, 0, 0], size, within: 'frame', color: [0, 0.5, 0] },
      ]),
    ),
  );
  assert.equal(parts.map(({ name, assembly, color }) => [name, assembly, color]).sort(), [
    ['green', 'machine/frame', '#008000'],
    ['plain', 'machine', undefined],
  ]);
  const [cube] = await readParts(join(samples, 'cube-10x10mm/Cube 10x10.stp'));
  assert.is(cube!.assembly, undefined);
  // Two of six faces are blue, the others have the color of the solid.
  const [painted] = await readParts(join(samples, 'cube-fcstd/cube3.step'));
  assert.is(painted!.color, '#cccccc');
  const mesh = {
    name: 'two triangles, the second of which is larger',
    attributes: { position: { array: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2] } },
    index: { array: [0, 1, 2, 0, 1, 3] },
    brep_faces: [
      { first: 0, last: 0, color: null },
      { first: 1, last: 1, color: [0, 0, 1] },
    ],
  };
  assert.equal(colorOf(mesh), { color: '#0000ff' });
  mesh.attributes.position.array[7] = 3;
  assert.equal([colorOf(mesh), colorOf({ ...mesh, color: [1, 0, 0] })], [{}, { color: '#ff0000' }]);
});

test('a large model keeps small gaps, and solids that touch still touch', async () => {
  const text = step('hall', [
    { name: 'base', at: [0, 0, 0], size: [10, 10, 10] },
    ...[0, 0.1, 0.2, 0.3, 0.4].map(
      (x, i): StepSolid => ({ name: `box ${i}`, at: [8e5 + x, 0, 0], size: [0.1, 1, 1] }),
    ),
    // Floats near 800,000 are 0.06 apart.
    { name: 'apart', at: [8e5 + 0.501, 0, 0], size: [0.1, 1, 1] },
  ]);
  const path = file('hall.step', text);
  const pairsOf = (parts: Part[]): string[] =>
    findClashes(engine, parts, SILENT).clashes.map(({ a, b }) => `${a}-${b}`);
  const parts = await readParts(path, { keepsDoubles: true });
  assert.equal(pairsOf(parts), ['1-2', '2-3', '3-4', '4-5']);
  assert.ok(
    parts.every(({ rounding }) => rounding! <= 2 ** -17),
    `${parts.map(({ rounding }) => rounding)}`,
  );
  // The first part needs no doubles.
  assert.is(parts[0]!.exact, undefined);
  const floats = await readParts(path);
  assert.ok(pairsOf(floats).length > 4, 'wrong pairs without doubles');
  assert.ok(floats.at(-1)!.rounding! > 0.01);
});

test('coordinates are rounded to 24 bits, to 2^-16 mm or to 43 bits, depending on their size', () => {
  for (const [value, spacing] of [
    [0.3, 2 ** -25],
    [-100.1, 2 ** -17],
    [255.9, 2 ** -16],
    [-256.1, 2 ** -16],
    [1e8 + 0.1, 2 ** -16],
    [2 ** 27 + 0.1, 2 ** -15],
    [-(2 ** 30 + 0.1), 2 ** -12],
  ] as const) {
    const rounded = roundCadCoordinate(value);
    assert.ok(Number.isInteger(rounded / spacing), `${value}`);
    assert.ok(!Number.isInteger(value / spacing) && Math.abs(rounded - value) <= spacing / 2, `${value}`);
  }
  for (const value of [0, 2 ** 8, -(2 ** 27), 12345.5]) assert.is(roundCadCoordinate(value), value);
});

test('the deflection limits how far triangles are from a cylinder', async () => {
  const path = file('rod.step', step('rod', [{ name: 'rod', at: [0, 0, 0], size: [50, 20] }]));
  const counts = [];
  for (const deflection of [1, 0.1, 0.01]) {
    const [{ positions, indices }] = (await readParts(path, { deflection })) as [Part];
    let deviation = 0;
    for (let i = 0; i < indices.length; i += 3) {
      const [a, b, c] = [0, 1, 2].map(k =>
        positions.subarray(3 * indices[i + k]!, 3 * indices[i + k]! + 3),
      ) as [Float32Array, Float32Array, Float32Array];
      // The triangles of the two flat faces are not on the cylinder.
      if (a[2] === b[2] && b[2] === c[2]) continue;
      for (const [p, q] of [
        [a, b],
        [b, c],
        [c, a],
      ] as const)
        deviation = Math.max(deviation, 50 - Math.hypot((p[0]! + q[0]!) / 2, (p[1]! + q[1]!) / 2));
    }
    assert.ok(deviation > 0 && deviation <= deflection, `${deviation} for ${deflection}`);
    counts.push(indices.length / 3);
  }
  assert.ok(counts[0]! < counts[1]! && counts[1]! < counts[2]!, counts.join(' '));
});

test('an IGES file is read, and refused if it is not complete', async () => {
  const text = readFileSync(join(samples, 'cube-10x10mm/Cube 10x10.igs'), 'latin1');
  const [cube] = await readParts(file('cube.igs', text));
  assert.equal([cube!.name, cube!.unit, cube!.indices.length / 3], ['Solid1', 'mm', 12]);
  assert.equal(boxOf(cube!), [-5, 5, 0, 10, -5, 5]);
  const lines = text.split(/\r?\n/).filter(line => line !== '');
  for (const [name, changed, message] of [
    ['cut', lines.slice(0, 40), /must end with exactly one line of section T/],
    [
      'without a line',
      lines.toSpliced(30, 1),
      /line 31: has the number 28 in section D, but must have the number 27/,
    ],
    [
      'without the last parameter',
      lines.toSpliced(-2, 1),
      /section P has 63 lines, but the last line .* declares 64/,
    ],
    ['of one line', ['IGES'], /line 1: expected the letter of a section/],
    ['empty', [], /must end with exactly one line of section T/],
  ] as const) {
    const { error } = await attempt(file(`${name}.iges`, changed.join('\n')));
    assert.match(error?.message ?? 'read', message, name);
  }
});

const line = (entity: RegExp): string => TEXT.split('\n').find(record => entity.test(record))!;
/** Returns TEXT with a change in the first record of an entity. */
const changed = (entity: RegExp, from: string | RegExp, to: string): string => {
  const record = line(entity);
  assert.ok(record.replace(from, to) !== record, record);
  return TEXT.replace(record, record.replace(from, to));
};
// pfront checks the records of a file before occt-import-js reads it. Without this check, occt-import-js would
// read most of these files without an error, and leave out a face.
const FAULTY: [name: string, text: string, message: RegExp][] = [
  ['truncated', TEXT.slice(0, TEXT.length / 2), /line \d+: /],
  ['without its end', TEXT.replace(/END-ISO.*\n/, ''), /expected END-ISO-10303-21/],
  ['not STEP', 'solid cube', /line 1: expected ISO-10303-21/],
  ['empty', '', /expected ISO-10303-21, found the end of the file/],
  [
    'without a face',
    TEXT.replace(line(/=ADVANCED_FACE/), ''),
    /refers to #\d+, which is not in the file|holds #\d+, which is not in the file/,
  ],
  [
    'with a number twice',
    `${TEXT.replace('ENDSEC;\nEND', `${line(/=PLANE/)}\nENDSEC;\nEND`)}`,
    /two records have the number/,
  ],
  [
    'with text as a coordinate',
    changed(/=CARTESIAN_POINT/, '(0.,', "('x',"),
    /CARTESIAN_POINT\) attribute 2 holds 'x', but must be a list of 1 to 3/,
  ],
  [
    'with an infinite coordinate',
    changed(/=CARTESIAN_POINT/, '(0.,', '(1.E400,'),
    /has the number 1.E400, which is too large/,
  ],
  [
    'with an unknown face',
    changed(/=ADVANCED_FACE/, 'ADVANCED_FACE', 'ADVANCED_FACES'),
    /CLOSED_SHELL\) attribute 2 holds #\d+ \(ADVANCED_FACES\)/,
  ],
  [
    'with a point as an edge',
    changed(/=ORIENTED_EDGE/, /\*,#\d+/, '*,#7'),
    /ORIENTED_EDGE\) attribute 4 is #7 \(CARTESIAN_POINT\), but must be EDGE_CURVE/,
  ],
  [
    'with a unit as an edge',
    changed(/=ORIENTED_EDGE/, /\*,#\d+/, '*,#2'),
    /ORIENTED_EDGE\) attribute 4 is #2/,
  ],
  [
    'with a radius of 0',
    changed(/=CYLINDRICAL_SURFACE/, ',5.)', ',0.)'),
    /CYLINDRICAL_SURFACE\) attribute 3 is 0., but must be a finite number above 0/,
  ],
  ['without a closing parenthesis', changed(/=\(LENGTH_UNIT/, '()NAMED', '(NAMED'), /line \d+: /],
];
for (const [name, text, message] of FAULTY)
  test(`a file ${name} is refused`, async () => {
    const { error } = await attempt(file('faulty.step', text));
    assert.match(error?.message ?? 'the file was read', message);
    assert.ok(error!.message.startsWith('faulty.step: ') && error!.fix.length > 10);
    assert.not.match(error!.message, /\n/);
  });

test('a record with too few or too many attributes is refused', async () => {
  for (const [entity, from, to, message] of [
    [/=ITEM_DEFINED/, /,#\d+\);/, ');', /ITEM_DEFINED_TRANSFORMATION\) has 3 attributes, but must have 4/],
    [/=ITEM_DEFINED/, /(#\d+)\);/, '$1,$$);', /has 5 attributes, but must have 4/],
    [/=NEXT_ASS/, /,\$\);/, ');', /NEXT_ASSEMBLY_USAGE_OCCURRENCE\) has 5 attributes, but must have 6/],
    [/=NEXT_ASS/, /,\$\);/, ',$$,$$);', /has 7 attributes, but must have 6/],
    [/=ADVANCED_FACE/, ',.T.);', ');', /ADVANCED_FACE\) has 3 attributes, but must have 4/],
    [/=DIRECTION/, '));', '),(0.,0.,1.));', /DIRECTION\) has 3 attributes, but must have 2/],
  ] as const) {
    const { error } = await attempt(file('attributes.step', changed(entity, from, to)));
    assert.match(error?.message ?? 'the file was read', message);
  }
});

test('a solid that loses a face is also reported in a file with surfaces', async () => {
  const [shell, faces] = /=CLOSED_SHELL\('',\(((?:#\d+,?)+)\)\)/.exec(TEXT)!;
  const [first, second, ...others] = faces!.split(',');
  const open = TEXT.replace(shell, shell.replace(`${first},`, ''));
  const add = (text: string, ...records: string[]): string =>
    text.replace('ENDSEC;\nEND', `${records.join('\n')}\nENDSEC;\nEND`);
  const point = /#(\d+)=CARTESIAN_POINT/.exec(TEXT)![1];
  const curves = `#9000=GEOMETRIC_SET('',(#${point},#${/#(\d+)=LINE/.exec(TEXT)![1]}));`;
  assert.equal(
    (await attempt(file('curves.step', add(open, curves)))).unread.map(({ name, isPartial }) => [
      name,
      isPartial,
    ]),
    [['plate', true]],
  );
  // The surface is a part, and need not be closed.
  const surface = (text: string): string =>
    add(
      text.replace(/(=ADVANCED_BREP_SHAPE_REPRESENTATION\('',\(#\d+)/, '$1,#9001'),
      `#9000=OPEN_SHELL('',(${second},${others[0]}));`,
      "#9001=SHELL_BASED_SURFACE_MODEL('',(#9000));",
    );
  const whole = await attempt(file('surface.step', surface(TEXT)));
  assert.equal([whole.parts.length, whole.unread], [3, []]);
  assert.equal((await attempt(file('surface.step', surface(open)))).unread, [
    {
      name: 'the file',
      reason:
        'has 2 placed solids, but only 1 of the 3 shapes that occt-import-js returns are closed: faces are missing',
      isAnyPart: true,
    },
  ]);
});

test('a solid that loses a face, and a part in another file, are reported', async () => {
  const shell = line(/=CLOSED_SHELL/);
  const open = await attempt(file('open.step', TEXT.replace(shell, shell.replace(/\(#\d+,/, '('))));
  assert.equal(
    open.parts.map(({ name }) => name),
    ['plate', 'pin'],
  );
  assert.equal(
    open.unread.map(({ name, isPartial }) => [name, isPartial]),
    [['plate', true]],
  );
  assert.match(
    open.unread[0]!.reason,
    /^is a solid, but 4 edges of its triangles are open: faces are missing$/,
  );
  const item = changed(/=ADVANCED_BREP_SHAPE_REPRESENTATION/, /,#\d+\),/, '),');
  const fewer = await attempt(file('fewer.step', item));
  assert.equal(
    [fewer.parts.map(({ name }) => name), fewer.unread],
    [
      ['pin'],
      [{ name: 'the file', reason: 'has 2 placed solids, but occt-import-js returns 1', isAnyPart: true }],
    ],
  );
  const other = TEXT.replace('ENDSEC;\nEND', "#9000=DOCUMENT_FILE('lid.stp','','',$,'',$);\nENDSEC;\nEND");
  assert.equal((await attempt(file('other.step', other))).unread, [
    { name: 'lid.stp', reason: 'is a part in another file, which is not read', isAnyPart: true },
  ]);
  const { error } = await attempt(file('other.step', other), { onUnread: undefined });
  assert.match(error!.message, /^other\.step: lid\.stp cannot be read: is a part in another file/);
});

test('a solid that an assembly places several times counts once per place', async () => {
  const text = readFileSync(join(samples, 'cax-if/as1-oc-214.stp'), 'latin1');
  const all = await attempt(file('as1.stp', text));
  assert.equal([all.parts.length, all.unread], [18, []]);
  const countOf = (name: string): number =>
    all.parts.filter(
      part =>
        part.name
          .split('/')
          .at(-1)!
          .replace(/ \(\d+\)$/, '') === name,
    ).length;
  assert.equal(['nut', 'bolt', 'l-bracket', 'plate', 'rod'].map(countOf), [8, 6, 2, 1, 1]);
  // The file has five solids, which are placed 18 times. Without the nut, 10 parts remain. A comparison with
  // the number of solids would not notice the loss, because 10 is more than five.
  const solid = /#(\d+) = MANIFOLD_SOLID_BREP\('',#\d+\);/g;
  for (const [found, number] of text.matchAll(solid)) {
    const item = new RegExp(`(=\\s*ADVANCED_BREP_SHAPE_REPRESENTATION\\(''.*?),#${number}\\)`, 's');
    assert.match(text, item, found);
    const { parts, unread } = await attempt(file('less.stp', text.replace(item, '$1)')));
    assert.ok(parts.length < 18);
    assert.equal(unread, [
      {
        name: 'the file',
        reason: `has ${parts.length + 1} placed solids, but occt-import-js returns ${parts.length}`,
        isAnyPart: true,
      },
    ]);
  }
});

test('a file that exceeds the limit of time or memory is refused', async () => {
  const path = file('limits.step', TEXT);
  const slow = await attempt(path, { cadLimits: { time: 1e-9, memory: 1 } });
  const large = await attempt(path, { deflection: 1e-6, cadLimits: { time: 1, memory: 0.1 } });
  assert.match(
    slow.error?.message ?? 'read',
    /^limits\.step: occt-import-js did not read .* of processor time$/,
  );
  assert.match(
    large.error?.message ?? 'read',
    /^limits\.step: occt-import-js needs more than 102 MiB of memory$/,
  );
  assert.match(slow.error!.fix + large.error!.fix, /--cad-limits 4.*--cad-limits 4/);
});

test.run();
