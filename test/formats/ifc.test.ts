// Tests the reader of IFC files: the names, types, ids and units of parts, and typed errors for files that
// cannot be read. Also compares the triangle pairs of a whole house with precomputed truth data.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { findClashes } from '../../dist/cli/findClashes.js';
import { shellsOf } from '../../dist/contact/shells.js';
import { IfcTimeout, readIfc, runWorker } from '../../dist/formats/readIfc.js';
import { InvalidFile, readParts, type Unread } from '../../dist/formats/readParts.js';
import { MAIN } from '../support/commandLine.js';
import { dataPath, dataTest } from '../support/data.js';
import { withEngine } from '../support/engines.js';
import { readReportData } from '../support/reportData.js';
import { test } from '../support/test.js';
import { mutantOf, readMutant } from './ifcMutants.js';
import { type Beam, beam, ifc } from './smallIfc.js';

const SILENT = { begin() {}, step() {}, end() {} };
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ifc-'));
test.after(() => rmSync(folder, { recursive: true }));

function file(name: string, bytes: string | Uint8Array): string {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}

const read = (beams: Beam[], unit?: string) => readParts(file('beams.ifc', ifc(beams, unit)));

function boxOf({ positions, transform }: { positions: Float32Array; transform: Float64Array }): number[] {
  const along = (axis: number) =>
    [...positions].filter((_, i) => i % 3 === axis).map(value => value + transform[12 + axis]);
  return [0, 1, 2].flatMap(axis => [Math.min(...along(axis)), Math.max(...along(axis))]);
}

test('an element becomes a part with its name, type and GlobalId, with z up, in the unit of the file', async () => {
  const parts = await read([
    beam('Lintel', [0, 0, 0], [3, 0.5, 0.25]),
    beam('Lintel', [0, 0, 1], [1, 1, 1], 'IFCCOLUMN'),
    beam('', [0, 0, 3], [1, 1, 1]),
  ]);
  const named = (name: string) => parts.find(part => part.name === name)!;
  assert.equal(parts.map(({ name }) => name).sort(), ['IfcBeam #300', 'IfcBeam Lintel', 'IfcColumn Lintel']);
  const lintel = named('IfcBeam Lintel');
  assert.equal([lintel.type, lintel.unit, lintel.indices.length / 3], ['IfcBeam', 'm', 12]);
  assert.match(lintel.id!, /^[0-9A-Za-z_$]{22}$/);
  assert.equal(boxOf(lintel), [-1.5, 1.5, -0.25, 0.25, 0, 0.25]);
  assert.equal(boxOf(named('IfcColumn Lintel')), [-0.5, 0.5, -0.5, 0.5, 1, 2]);
});

for (const [unit, name, size] of [
  ['MILLI', 'mm', 250],
  ['CENTI', 'cm', 30],
  ['FOOT', 'ft', 3],
  ['INCH', 'in', 12],
] as const) {
  (unit === 'FOOT' ? test : test.slow)(`units: lengths in ${name} are not converted`, async () => {
    const [part] = await read([beam('Beam', [0, 0, 0], [size, size, size])], unit);
    assert.is(part!.unit, name);
    assert.equal(
      boxOf(part!).map(value => Math.round(value * 1e4) / 1e4),
      [-size / 2, size / 2, -size / 2, size / 2, 0, size],
    );
  });
}

test('units: kilometers are converted to meters', async () => {
  const [part] = await read([beam('Beam', [0, 0, 0], [2, 2, 2])], 'KILO');
  assert.equal([part!.unit, ...boxOf(part!)], ['m', -1000, 1000, -1000, 1000, 0, 2000]);
});

test('parts far from the origin keep float precision around their center, and touching parts still touch', async () => {
  const far = 4e6 + 0.125;
  const parts = await read([
    beam('a', [far, 0, 0], [1, 1, 1]),
    beam('b', [far + 1, 0, 0], [1, 1, 1]),
    beam('c', [far + 2.001, 0, 0], [1, 1, 1]),
  ]);
  assert.ok(Math.abs(boxOf(parts[2])[0] - (far + 1.501)) < 1e-6);
  await withEngine({ threads: 1, warmUp: 'off' }, engine =>
    assert.equal(
      findClashes(engine, parts, SILENT).clashes.map(({ a, b }) => [a, b]),
      [[0, 1]],
    ),
  );
});

async function readWithUnread(path: string): Promise<{ names: string[]; unread: Unread[] }> {
  const unread: Unread[] = [];
  const parts = await readParts(path, { onUnread: element => unread.push(element) });
  return { names: parts.map(({ name }) => name), unread };
}

test('elements whose shape gives no triangles are listed, and openings and curves are not', async () => {
  const text = ifc([
    beam('Whole', [0, 0, 0], [1, 1, 1]),
    beam('Shapeless', [0, 0, 0], [1, 1, 1]),
    beam('Hole', [0, 0, 0], [1, 1, 1], 'IFCOPENINGELEMENT'),
    beam('Axis', [0, 0, 0], [1, 1, 1]),
  ])
    .replace(/(?<=#206=)IFCEXTRUDEDAREASOLID.*;/, 'IFCSECTIONEDSPINE(#207,(#207),(#3));')
    .replace(/(?<=#406=)IFCEXTRUDEDAREASOLID.*;/, 'IFCPOLYLINE((#403,#4));');
  const path = file('shapeless.ifc', text);
  const { names, unread } = await readWithUnread(path);
  assert.equal(names, ['IfcBeam Whole']);
  assert.equal(
    unread.map(({ name, type, id }) => [name, type, id!.length]),
    [['IfcBeam Shapeless', 'IfcBeam', 22]],
  );
  assert.match(unread[0].reason, /web-ifc/);
  const error = await readParts(path).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.instance(error, InvalidFile, 'without a listener, an unreadable element is an error');
  assert.match((error as InvalidFile).message, /^shapeless\.ifc: IfcBeam Shapeless cannot be read: /);
});

// Each entry changes one value of the second of three beams, and gives the reason that the reader must
// report.
const WRONG: [what: string, from: string | RegExp, to: string, reason: RegExp][] = [
  ['text for a depth', '#7,1.)', "#7,'1.')", /attribute 4 is '1\.', but must be a finite number above 0/],
  ['no depth', '#7,1.)', '#7,0.)', /above 0/],
  ['an infinite depth', '#7,1.)', '#7,1.E400)', /a finite number above 0/],
  ['one attribute too few', '#7,1.)', '#7)', /has 3 attributes, but must have 4/],
  ['a reference to a missing entity', '#206)', '#299)', /holds #299, which is not in the file/],
  ['a reference to a point', '#207,#3', '#203,#3', /#203 \(IFCCARTESIANPOINT\), but must be IFCPROFILEDEF/],
  ['an unknown entity', 'IFCEXTRUDEDAREASOLID(#207', 'IFCEXTRUDEDAREASOLIX(#207', /IFCEXTRUDEDAREASOLIX/],
  [
    'text in a point',
    '#203=IFCCARTESIANPOINT((1.,',
    "#203=IFCCARTESIANPOINT(('1.',",
    /attribute 1 holds '1\.'/,
  ],
  ['a placement that refers to itself', 'LPLACEMENT($,#202', 'LPLACEMENT(#201,#202', /refers (back )?to/],
  ['an element without a placement', '#201,#204', '$,#204', /has a shape but no placement/],
  ['an unknown element', /#200=IFCBEAM/, '#200=IFCBEAN', /IFCBEAN is not an IFC entity/],
  ['a lost shape', '#201,#204', '#201,$', /is a shape that no element uses/],
  [
    'a direction of length 0',
    /#7\)?,1\.\);\n#207/,
    '#208,1.);\n#208=IFCDIRECTION((0.,0.,0.));\n#207',
    /length 0/,
  ],
  [
    'an index beyond the points',
    /#206=.*/,
    '#206=IFCTRIANGULATEDFACESET(#208,$,.T.,((1,2,3),(1,3,5)),$);\n#208=IFCCARTESIANPOINTLIST3D(((0.,0.,0.),(1.,0.,0.),(0.,1.,0.),(0.,0.,1.)));',
    /has the index 5, but #208 has 4 points/,
  ],
];

const three = ifc([
  beam('First', [0, 0, 0], [2, 2, 2]),
  beam('Second', [1, 0, 0], [1, 1, 1]),
  beam('Third', [3, 0, 0], [2, 2, 2]),
]);

test('three elements are read', async () =>
  assert.equal((await readWithUnread(file('three.ifc', three))).unread, []));

for (const [i, [what, from, to, reason]] of WRONG.entries()) {
  (i % 4 === 0 ? test : test.slow)(
    `an element with one wrong value is listed with the reason, and the others are read: ${what}`,
    async () => {
      const wrong = three.replace(from, to);
      assert.is.not(wrong, three);
      const { names, unread } = await readWithUnread(file('wrong.ifc', wrong));
      assert.ok(
        unread.some(element => reason.test(element.reason)),
        `${what}: ${JSON.stringify(unread)}`,
      );
      assert.ok(names.includes('IfcBeam First') && names.includes('IfcBeam Third'));
      if (what !== 'a lost shape') assert.not.ok(names.includes('IfcBeam Second'));
    },
  );
}

test('triangulated shapes that web-ifc would read with wrong points are listed', async () => {
  const points = '#208=IFCCARTESIANPOINTLIST3D(((0.,0.,0.),(1.,0.,0.),(0.,1.,0.),(0.,0.,1.)));';
  const wrong = /maps its indices to points with PnIndex, which web-ifc ignores/;
  const beyond = /has the index 5, but #208 has 4 points/;
  for (const [shape, reason] of [
    ['FACESET(#208,$,.T.,((1,2,3)),(2,3,4))', wrong],
    ['IRREGULARNETWORK(#208,$,.T.,((1,2,3)),(2,3,4),(0))', wrong],
    ['IRREGULARNETWORK(#208,$,.T.,((1,2,5)),$,(0))', beyond],
    // The flags of a network are not indices of points. Neither is NormalIndex, which the first edition of
    // IFC4 has.
    ['IRREGULARNETWORK(#208,$,.T.,((1,2,3)),$,(7))', undefined],
    ['FACESET(#208,((0.,0.,1.)),.T.,((1,2,3)),((9,9,9)))', undefined],
  ] as const) {
    const text = three.replace(/#206=.*/, `#206=IFCTRIANGULATED${shape};\n${points}`);
    const { names, unread } = await readWithUnread(file('mapped.ifc', text));
    assert.is(names.includes('IfcBeam Second'), !reason, shape);
    assert.is(unread.length, reason ? 1 : 0, JSON.stringify(unread));
    if (reason) assert.match(unread[0]!.reason, reason);
  }
});

test('a valid profile that web-ifc does not know is listed with the reason', async () => {
  // IFC2x3 and IFC4 define this profile with different numbers of attributes.
  for (const rest of ['$,$', '$,$,$,$,$'])
    assert.match(
      (
        await readWithUnread(
          file(
            'profile.ifc',
            three.replace(
              /#207=.*/,
              `#207=IFCASYMMETRICISHAPEPROFILEDEF(.AREA.,$,#5,0.3,0.5,0.01,0.02,$,0.2,0.02,${rest});`,
            ),
          ),
        )
      ).unread[0]!.reason,
      /unexpected profile type/,
    );
});

test('a wall whose hole cannot be read is listed', async () => {
  const text = ifc([
    beam('Wall', [0, 0, 0], [4, 1, 3], 'IFCWALL'),
    beam('Hole', [0, 0, 1], [1, 2, 1], 'IFCOPENINGELEMENT'),
    beam('Room', [9, 0, 0], [1, 1, 1], 'IFCSPACE'),
  ])
    .replace(
      'ENDSEC;\nEND-',
      "#900=IFCRELVOIDSELEMENT('1RELrelRELrelRELrelREL',$,$,$,#100,#200);\nENDSEC;\nEND-",
    )
    .replace(/(#[123]00=IFC\w+)(.*?),\$\);/g, (all, begin: string, rest: string) =>
      begin.endsWith('SPACE') ? `${begin}${rest},$,$,$);` : all,
    );
  const whole = await readWithUnread(file('wall.ifc', text));
  assert.equal([whole.names, whole.unread], [['IfcWall Wall'], []]);
  const other = await readWithUnread(
    file(
      'other.ifc',
      text
        .replace('#300=', "#400=IFCBEAM('1beambeambeambeambeamb',$,$,$,$,#301,#304,$,$);\n#300=")
        .replace(
          '#207=IFCRECTANGLEPROFILEDEF(.AREA.,$,#5,1.',
          "#207=IFCRECTANGLEPROFILEDEF(.AREA.,$,#5,'1.'",
        ),
    ),
  );
  assert.equal(other.names, ['IfcBeam #400']);
  assert.equal(
    other.unread.map(({ name }) => name),
    ['IfcWall Wall'],
  );
});

async function checkMutants(seeds: number[]): Promise<void> {
  const text = ifc([
    beam('Low', [0, 0, 0], [3, 0.5, 0.25]),
    beam('Across', [0, 0, 0.125], [0.5, 3, 0.25]),
    beam('Post', [5, 0, 0], [0.25, 0.25, 3], 'IFCCOLUMN'),
  ]);
  const whole = await readMutant(text);
  assert.equal(whole, { parts: 3, triangles: 36, isReported: false });
  for (const seed of seeds) {
    const { change, text: mutant } = mutantOf(text, seed);
    const { triangles, isReported } = await readMutant(mutant);
    assert.ok(isReported || triangles >= 36, `seed ${seed}: ${change}: only ${triangles} triangles`);
  }
}

// A mutant is a copy of the file with one change, which a seed selects. The seeds below 400 give mutants on
// which web-ifc hangs or which it reads only in part.
test('7 mutants of a file lose no triangles without a message', () =>
  checkMutants([173, 353, 5, 16, 71, 116, 246]));
test.slow('93 more mutants lose no triangles without a message', () =>
  checkMutants([225, 238, 373, 13, 24, 105, 151, 165, 361, ...Array.from({ length: 84 }, (_, i) => 400 + i)]),
);

test('the bytes of a file can be read again by a second worker', async () => {
  // This memory can be transferred, like the memory of a file that was read. The pooled memory of Buffer.from
  // cannot.
  const bytes = Buffer.alloc(Buffer.byteLength(three), three);
  for (let run = 0; run < 2; run++) {
    const { parts } = await runWorker(
      bytes,
      { time: 1, memory: 1 },
      { skip: new Map(), withProperties: false },
    );
    assert.is(parts.length, 3);
  }
  assert.is(bytes.toString(), three);
});

test('an element that web-ifc reads with errors is tested for clashes and listed as partial', async () => {
  const text = three
    .replace("'SweptSolid',(#206))", "'SweptSolid',(#206,#208))")
    .replace('#207=', '#208=IFCSECTIONEDSPINE(#207,(#207),(#3));\n#207=');
  const { names, unread } = await readWithUnread(file('doubtful.ifc', text));
  assert.equal(names, ['IfcBeam First', 'IfcBeam Second', 'IfcBeam Third']);
  assert.equal(
    unread.map(({ name, isPartial }) => [name, isPartial]),
    [['IfcBeam Second', true]],
  );
  assert.match(unread[0].reason, /^web-ifc reports: /);
  const { status, stdout } = clash(join(folder, 'doubtful.ifc'));
  assert.is(status, 4);
  assert.match(stdout, /IfcBeam Second \([0-9A-Za-z_$]{22}\): partly read; web-ifc reports: /);
});

test('if web-ifc hangs on two elements, they are listed and the others are read; if it hangs on four, the file is refused', async () => {
  const five = ifc([1, 2, 3, 4, 5].map(x => beam(`B${x}`, [2 * x, 0, 0], [1, 1, 1])));
  const readHanging = async (hanging: number[]): Promise<{ names: string[]; unread: string[] }> => {
    const unread: string[] = [];
    const parts = await readIfc(
      Buffer.from(five),
      { onWarning() {}, onUnread: ({ name, reason }) => unread.push(`${name}: ${reason}`) },
      { time: 1, memory: 1 },
      (bytes, limits, request) => {
        const record = hanging.find(number => !request.skip.has(number));
        return record === undefined
          ? runWorker(bytes, limits, request)
          : Promise.reject(new IfcTimeout(record, 60));
      },
    );
    return { names: parts.map(({ name }) => name), unread };
  };
  assert.equal(await readHanging([200, 400]), {
    names: ['IfcBeam B1', 'IfcBeam B3', 'IfcBeam B5'],
    unread: ['B2', 'B4'].map(
      name => `IfcBeam ${name}: web-ifc made no triangles for it within 60 s of processor time`,
    ),
  });
  for (const [hanging, message] of [
    [[100, 200, 300, 400], /no triangles for #400 within 60 s/],
    [[0], /did not open the file within 60 s/],
  ] as const) {
    const error = await readHanging([...hanging]).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.instance(error, InvalidFile);
    assert.match((error as InvalidFile).message, message);
  }
});

test('a file that exceeds the limit of time or memory is refused', async () => {
  const path = file('limits.ifc', ifc([beam('Beam', [0, 0, 0], [1, 1, 1])]));
  const fails = async (limits: { time: number; memory: number }) =>
    readParts(path, { ifcLimits: limits }).then(
      (): InvalidFile => {
        throw new Error('the file was read');
      },
      (error: unknown) => error as InvalidFile,
    );
  const slow = await fails({ time: 1e-9, memory: 1 });
  const large = await fails({ time: 1, memory: 0.01 });
  for (const error of [slow, large]) assert.instance(error, InvalidFile);
  assert.match(slow.message, /^limits\.ifc: web-ifc .* of processor time$/);
  assert.match(large.message, /^limits\.ifc: web-ifc needs more than 5 MiB of memory$/);
  assert.match(slow.fix + large.fix, /--ifc-limits 4.*--ifc-limits 4/);
});

function clash(...args: string[]) {
  return spawnSync(process.execPath, [MAIN, 'clash', ...args], {
    encoding: 'utf8',
  });
}

test('the command lists unreadable elements on the screen, in JSON and in the report, and exits with 4', () => {
  const text = ifc([
    beam('First', [0, 0, 0], [2, 2, 2]),
    beam('Second', [1, 0, 0], [1, 1, 1]),
    beam('Third', [3, 0, 0], [1, 1, 1]),
  ]).replace(/(?<=#206=.*),1\.\);/, ",'deep');");
  const path = file('corrupt.ifc', text);
  const page = join(folder, 'corrupt.html');
  const { status, stdout, stderr } = clash(path, '--report', page);
  assert.is(status, 4, stderr);
  assert.match(stdout, /^No clashes among the 2 parts that could be read\./);
  assert.match(
    stdout,
    /1 element could not be read, so clashes may be missing:\n {2}IfcBeam Second \([0-9A-Za-z_$]{22}\): its IFCEXTRUDEDAREASOLID #206 attribute 4 is 'deep', but must be a finite number above 0/,
  );
  const [{ name, id, reason, file: from }, ...others] = readReportData(page).header.unread;
  assert.equal([name, from, others], ['IfcBeam Second', 0, []]);
  assert.match(id, /^.{22}$/);
  assert.match(reason, /^its [^"]*'deep'/);
  const json = clash(path, '--json', '--fail-on', 'any');
  const answer = JSON.parse(json.stdout);
  assert.is(json.status, 4);
  assert.equal(
    answer.unread.map(({ name, type, file: from }: { name: string; type: string; file: string }) => [
      name,
      type,
      from,
    ]),
    [['IfcBeam Second', 'IfcBeam', path]],
  );
  assert.equal([answer.totals.unread, answer.parts.length], [1, 2]);
  const none = clash(
    file('all.ifc', ifc([beam('Only', [0, 0, 0], [1, 1, 1])]).replace('IFCEXTRUDEDAREASOLID', 'IFCEXTRUDED')),
  );
  assert.equal([none.status, none.stdout], [2, '']);
  assert.match(
    none.stderr,
    /^pfront: all\.ifc: none of its elements can be read: IfcBeam Only its IFCSHAPEREPRESENTATION #105 .*\nfix: /,
  );
  assert.is(clash(path, '--ifc-limits', '0').status, 2);
});

test('files with compression, a byte order mark, comments, or blanks after the end are read', async () => {
  const text = ifc([beam('Beam', [0, 0, 0], [1, 1, 1])]).replace('DATA;', "DATA; /* '#1=' * / */");
  assert.is((await readParts(file('packed.ifc.gz', gzipSync(text)))).length, 1);
  assert.is((await readParts(file('marked.ifc', `\ufeff${text}\r\n\n`))).length, 1);
});

test.slow('an incomplete or invalid IFC file is refused with an error of one line', async () => {
  const text = ifc([beam('Beam', [0, 0, 0], [1, 1, 1])]);
  const cases: [string, string | Uint8Array, RegExp][] = [
    ['empty', '', /expected ISO-10303-21, found the end of the file/],
    ['words', 'hello world', /expected ISO-10303-21, found "hello world"/],
    ['bytes', new Uint8Array(5000).map((_, i) => 7 * i), /expected ISO/],
    ['twice', text.replace('#107=', '#106='), /line 27: two records have the number #106/],
    ['unit', text.replaceAll('.METRE.', '.METER.'), /IFCSIUNIT #2. attribute 4 is \.METER\./],
    ['projects', text.replace(/#1=.*\n/, ''), /has 0 projects/],
    ['cut', text.slice(0, text.length * 0.6), /is cut off|found the end of the file/],
    ['bare', 'ISO-10303-21;\nEND-ISO-10303-21;\n', /line 2: expected HEADER, found /],
    ['headless', text.replace(/FILE_SCHEMA.*\n/, ''), /web-ifc cannot read the file|no IFC version/],
    ['other', text.replace('IFC4', 'AUTOMOTIVE_DESIGN'), /no IFC version/],
  ];
  for (const [name, content, message] of cases) {
    const path = file(`${name}.ifc`, content);
    const error = await readParts(path).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.instance(error, InvalidFile, name);
    assert.match((error as InvalidFile).message, message);
    assert.match((error as InvalidFile).message, new RegExp(`^${name}\\.ifc: [^\\n]+$`));
  }
});

test('without web-ifc, the command says how to install it', () => {
  const place = join(folder, 'bare');
  cpSync(join(root, 'dist'), join(place, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(place, 'package.json'));
  const path = file('beam.ifc', ifc([beam('Beam', [0, 0, 0], [1, 1, 1])]));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(place, 'dist/bin/pfront.js'), 'clash', path],
    { encoding: 'utf8' },
  );
  assert.equal([status, stdout], [2, ''], stderr);
  assert.match(
    stderr,
    /^pfront: IFC files require the package web-ifc, which is not installed\nfix: Run npm install web-ifc, then this command again\.\n$/,
  );
});

interface Truth {
  parts: { name: string; faces: number }[];
  part_box_pairs: number;
  part_pairs: [number, number, number][];
}

// The truth data was computed from web-ifc's triangles, placed in doubles and rounded to float32. In the
// truth data, y is up instead of z, and the parts are in another order than in the IFC file.
dataTest('a house of 215 elements has the expected triangle pairs, and no unreadable element', async () => {
  const truth = JSON.parse(readFileSync(dataPath('bim/duplex-truth.json'), 'utf8')) as Truth;
  const text = gunzipSync(readFileSync(dataPath('bim/duplex.ifc.gz'))).toString('latin1');
  const place = new Map([...text.matchAll(/^#(\d+)=/gm)].map(([, number], i) => [number!, i]));
  const inFile = truth.parts
    .map(({ name }, part) => ({ part, at: place.get(name.split(':')[0])! }))
    .sort((x, y) => x.at - y.at)
    .map(({ part }) => part);
  const reported: unknown[] = [];
  const shares: number[] = [];
  const parts = await readParts(dataPath('bim/duplex.ifc.gz'), {
    onProgress: share => shares.push(share),
    onWarning: (...words) => reported.push(words),
    onUnread: element => reported.push(element),
  });
  assert.equal(reported, []);
  assert.ok(
    shares.some(share => share > 0 && share < 1) && shares.every((share, i) => share >= (shares[i - 1] ?? 0)),
    `the progress moves within the file: ${shares}`,
  );
  assert.equal(
    parts.map(({ type, indices }) => [type, indices.length / 3]),
    inFile.map(part => [truth.parts[part].name.split(':')[1], truth.parts[part].faces]),
  );
  assert.is(
    parts.find(({ name }) => name === 'IfcSlab Floor:127mm Slab on Grade:141232')?.id,
    '2O2Fr$t4X7Zf8NOew3FK4F',
  );
  await withEngine({ warmUp: 'off' }, engine => {
    // In web-ifc's output, 149 meshes are closed. Another 45 meshes are closed only because the reader has
    // flipped some of their triangles.
    const meshes = parts.map(part => engine.createMesh(part));
    assert.is(meshes.filter(mesh => shellsOf(mesh).openEdges === 0).length, 194);
    meshes.forEach(mesh => mesh.dispose());
    const { clashes, boxPairs } = findClashes(engine, parts, SILENT);
    const inTruth = clashes.map(
      ({ a, b, trianglePairs }) =>
        [Math.min(inFile[a], inFile[b]), Math.max(inFile[a], inFile[b]), trianglePairs] as const,
    );
    const sorted = <Pair extends readonly [number, number, number]>(pairs: Pair[]) =>
      pairs.toSorted((x, y) => x[0] - y[0] || x[1] - y[1]);
    assert.is(boxPairs, truth.part_box_pairs);
    assert.equal(sorted(inTruth), sorted(truth.part_pairs));
  });
});

test.run();
