// Tests the BCF files of `pfront clash --bcf`: validates their documents, reads them with another library,
// and checks coordinates, GUIDs, pictures, reproducibility and errors.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BCFTopics, Components, Viewpoints } from '@thatopen/components';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { BcfFailed, writeBcf } from '../../dist/cli/clash/bcf/writeBcf.js';
import { writeGlb } from '../../dist/cli/writeGlb.js';
import { beam, ifc } from '../formats/smallIfc.js';
import { dataPath, dataTest } from '../support/data.js';
import { test } from '../support/test.js';
import { type Version, validate } from './bcfSchemas.js';
import {
  all,
  BOXES,
  type Box,
  clash,
  cube,
  file,
  folder,
  json,
  MAIN,
  mesh,
  near,
  obj,
} from './clashSupport.js';

test.after(() => rmSync(folder, { recursive: true }));

const VERSIONS: Version[] = ['2.1', '3.0'];
const DATE = new Date('2026-03-04T05:06:07.890Z');
const NEAR = ['--units', 'mm', '--clearance', '20'];
const IN_MM = [...NEAR, '--classes', 'all'];
utimesSync(all, DATE, DATE);

interface Topic {
  guid: string;
  markup: string;
  viewpoint: string;
  snapshot: Uint8Array;
  title: string;
  /** The coordinates that the description names. */
  place: number[];
}

const numbers = (text: string): number[] => text.split(', ').map(Number);
const decoded = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);
const contentOf = (xml: string, name: string): string =>
  new RegExp(`<${name}>([^]*?)</${name}>`).exec(xml)![1]!;
const vectorOf = (xml: string, name: string): number[] =>
  ['X', 'Y', 'Z'].map(axis => Number(contentOf(contentOf(xml, name), axis)));

/** Writes a BCF file, and returns its bytes. */
function write(name: string, ...args: string[]): Uint8Array {
  const { status, stderr } = clash(...args, '--bcf', join(folder, name));
  assert.is(status, 0, stderr);
  return new Uint8Array(readFileSync(join(folder, name)));
}

/** Returns the topics of a BCF file, in its order. */
function topicsOf(bytes: Uint8Array): Topic[] {
  const files = unzipSync(bytes);
  return Object.keys(files)
    .filter(path => path.endsWith('/markup.bcf'))
    .map(path => {
      const guid = path.slice(0, 36);
      const markup = decoded(files[path]!);
      return {
        guid,
        markup,
        viewpoint: decoded(files[`${guid}/viewpoint.bcfv`]!),
        snapshot: files[`${guid}/snapshot.png`]!,
        title: contentOf(markup, 'Title'),
        place: numbers(/place in meters: (.*)/.exec(contentOf(markup, 'Description'))![1]!),
      };
    });
}

/** Checks that the camera of a viewpoint looks at a point. */
function assertLooksAt(viewpoint: string, point: number[]): void {
  const position = vectorOf(viewpoint, 'CameraViewPoint');
  const direction = vectorOf(viewpoint, 'CameraDirection');
  const up = vectorOf(viewpoint, 'CameraUpVector');
  const toPoint = point.map((value, axis) => value - position[axis]!);
  const distance = Math.hypot(...toPoint);
  assert.ok(distance > 0);
  direction.forEach((value, axis) => near(value, toPoint[axis]! / distance, 1e-4));
  near(Math.hypot(...direction), 1, 1e-12);
  near(Math.hypot(...up), 1, 1e-12);
  near(
    up.reduce((sum, value, axis) => sum + value * direction[axis]!, 0),
    0,
    1e-12,
  );
  assert.ok(up[2]! > 0 && direction[2]! < 0, 'the camera is above the point, and z is up');
}

// Names with all kinds of characters that XML must escape or does not allow.
const NASTY = ['<a & "b">', "it's ]]> \u0001\u001f\ufffe", 'lone \ud800 surrogate \u{1f600}', '  '];

for (const version of VERSIONS) {
  test(`all documents of BCF ${version} follow its rules, even if names have characters that XML does not allow`, () => {
    const nasty = file(
      'nasty.glb',
      writeGlb(
        NASTY.map((name, i) => ({
          name,
          ...mesh(cube(name, 90 * i), 1e-3),
          transform: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1),
        })),
      ),
    );
    const bytes = write('nasty.bcf', nasty, all, ...IN_MM, '--bcf-version', version);
    const files = unzipSync(bytes);
    const documents = Object.keys(files).filter(path => !path.endsWith('.png'));
    for (const path of documents) validate(version, path, decoded(files[path]!));
    assert.is(documents.length, 2 * topicsOf(bytes).length + (version === '2.1' ? 1 : 2));
    assert.ok(topicsOf(bytes).some(({ title }) => title.includes('&#60;a &#38; &#34;b&#34;&#62;')));
  });

  test(`another library reads the topics and viewpoints of BCF ${version}`, async () => {
    const { clashes, parts } = json(all, ...IN_MM);
    const bytes = write('read.bcfzip', all, ...IN_MM, '--bcf-version', version);
    const written = new Map(topicsOf(bytes).map(topic => [topic.guid, topic]));
    const components = new Components();
    const reader = components.get(BCFTopics);
    reader.setup({});
    const { topics, viewpoints } = await reader.load(bytes);
    assert.is(viewpoints.length, clashes.length);
    assert.equal(
      topics.map(({ title }) => title).sort(),
      clashes.map((entry: any) => `${entry.class}: ${entry.nameA}, ${entry.nameB}`).sort(),
    );
    for (const topic of topics) {
      assert.is(topic.type, 'Clash');
      assert.is(topic.status, 'Open');
      assert.equal([...topic.labels], [topic.title.split(':')[0]]);
      assert.is(topic.creationDate.toISOString(), '2026-03-04T05:06:07.000Z');
      const viewpoint = components.get(Viewpoints).list.get([...topic.viewpoints][0]!)!;
      // The library rotates coordinates to y up.
      const { x, y, z } = viewpoint.camera.camera_view_point;
      const { camera_direction: direction, field_of_view: angle } = viewpoint.camera as any;
      const { place } = written.get(topic.guid)!;
      const distance = Math.hypot(place[0]! - x, place[1]! + z, place[2]! - y);
      near(x + distance * direction.x, place[0]!, 1e-5);
      near(-z - distance * direction.z, place[1]!, 1e-5);
      near(y + distance * direction.y, place[2]!, 1e-5);
      assert.is(angle, 60);
      if (version === '3.0') near(viewpoint.camera.aspect_ratio, 4 / 3, 1e-9);
    }
    assert.is(parts.length, BOXES.length);
    components.dispose();
  });
}

// Checks that the viewpoints of an IFC model select and isolate the two elements by their GlobalIds.
async function checkElements(...args: string[]): Promise<void> {
  const { clashes, parts } = json(...args);
  for (const version of VERSIONS) {
    const bytes = write('elements.bcf', ...args, '--bcf-version', version);
    const files = unzipSync(bytes);
    for (const path of Object.keys(files))
      if (!path.endsWith('.png')) validate(version, path, decoded(files[path]!));
    const components = new Components();
    const { topics, viewpoints } = await components.get(BCFTopics).load(bytes);
    assert.ok(topics.length > 0);
    assert.is(topics.length, clashes.length);
    const ids = ({ a, b }: any): string => [parts[a].id, parts[b].id].sort().join();
    assert.equal(
      viewpoints.map(({ selectionComponents }) => [...selectionComponents].sort().join()).sort(),
      clashes.map(ids).sort(),
    );
    for (const {
      selectionComponents,
      exceptionComponents,
      defaultVisibility,
      componentColors,
    } of viewpoints) {
      assert.is(defaultVisibility, false);
      assert.equal([...exceptionComponents], [...selectionComponents]);
      assert.equal([...componentColors.values()].flat(), version === '2.1' ? [...selectionComponents] : []);
    }
    components.dispose();
  }
}

test('viewpoints of IFC elements select and isolate them by their GlobalIds', () =>
  checkElements(
    file('beams.ifc', ifc([beam('one', [0, 0, 0], [2, 2, 2]), beam('two', [1, 1, 1], [2, 2, 2], 'IFCWALL')])),
  ));

dataTest.proof('viewpoints of a house select and isolate elements by their GlobalIds', () =>
  checkElements(
    dataPath('bim/duplex.ifc.gz'),
    ...['--between', 'type:IfcSlab', 'type:IfcWall'],
    ...['--tolerance', '20mm', '--classes', 'hard'],
  ),
);

test('coordinates are in meters with z up, for every unit and up axis', () => {
  const places = (...args: string[]) =>
    topicsOf(write('frame.bcf', ...args, '--classes', 'all')).map(({ place }) => place);
  // Two boxes that touch at the corner (300, 120, 50) only.
  const boxes: Box[] = [
    { name: 'a', at: [200, 100, 0], size: [100, 20, 50] },
    { name: 'b', at: [300, 120, 50], size: [10, 10, 10] },
  ];
  const corner = obj('corner.obj', boxes);
  assert.equal(places(corner, '--units', 'mm'), [[0.3, 0.12, 0.05]]);
  assert.equal(places(corner, '--units', 'cm'), [[3, 1.2, 0.5]]);
  assert.equal(places(corner, '--units', 'ft'), [[91.44, 36.576, 15.24]]);
  assert.equal(places(corner, '--units', 'mm', '--up', 'y'), [[0.3, -0.05, 0.12]]);
  const transform = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1000, 0, 0, 1);
  const glb = file(
    'corner.glb',
    writeGlb(boxes.map(box => ({ name: box.name, ...mesh(box, 1 / 64), transform }))),
  );
  // glTF is in meters with y up.
  assert.equal(places(glb), [[1000 + 300 / 64, -50 / 64, 120 / 64].map(value => Number(value.toFixed(6)))]);
  assert.equal(places(glb, '--up', 'z'), places(glb));
});

test('the camera looks at the place of each clash, which depends on the class', () => {
  const topics = topicsOf(write('places.bcf', all, ...IN_MM));
  const placeOf = (word: string): number[] =>
    topics.find(({ title }) => title.includes(` ${word} 1,`))!.place;
  for (const { viewpoint, place } of topics) assertLooksAt(viewpoint, place);
  // The center between the nearest points.
  near(placeOf('apart')[0]!, 0.105, 1e-6);
  assert.equal(placeOf('corner'), [3.1, 0.1, 0.1]);
  // The center of the inner cube.
  placeOf('inside').forEach((value, axis) => near(value, [5.045, 0.045, 0.045][axis]!, 1e-6));
  // Points of both surfaces.
  assert.is(placeOf('face')[0], 1.1);
  assert.ok([4.098, 4.1].includes(placeOf('deep')[0]!));
});

test('topics are in the order of the table, with class, depth, parts and files', () => {
  const { clashes } = json(all, ...NEAR, '--classes', 'hard,contained');
  const topics = topicsOf(write('text.bcf', all, ...NEAR, '--classes', 'hard,contained'));
  assert.is(topics.length, clashes.length);
  assert.equal(
    topics.map(({ title }) => title),
    ['hard: twice 1, twice 2', 'hard: deep 1, deep 2', 'contained: inside 1, inside 2'],
  );
  assert.equal(
    topics.map(({ markup }) => contentOf(markup, 'Index')),
    ['0', '1', '2'],
  );
  const [twice, deep, inside] = topics.map(({ markup }) => contentOf(markup, 'Description'));
  assert.match(twice!, 'hard: duplicate part');
  assert.match(
    deep!,
    /^hard: overlap depth 2 mm, penetration depth 2 mm\nfirst part: deep 1, all\.obj\nsecond part: deep 2, all\.obj\ncommon volume: 12,800 mm³\nsize of the contact: 80 mm\nlength of the contact: 324 mm\nplace in meters: /,
  );
  assert.match(inside!, 'contained: second part is inside');
  for (const { markup, viewpoint } of topics) {
    assert.is(contentOf(markup, 'Filename'), 'all.obj');
    // Parts without GUIDs are named, and nothing is hidden.
    assert.match(viewpoint, '<Visibility DefaultVisibility="true"/>');
  }
  assert.match(topics[1]!.viewpoint, '<Component><AuthoringToolId>deep 1</AuthoringToolId></Component>');
});

for (const version of VERSIONS)
  test(`BCF ${version}: topics of IFC elements have the types, storeys and layers`, () => {
    const model = ifc([
      beam('a', [0, 0, 0], [1, 1, 1]),
      beam('b', [0.5, 0, 0], [1, 1, 1], 'IFCSLAB'),
    ]).replace(
      /ENDSEC;\nEND-ISO/,
      [
        "#5000=IFCBUILDINGSTOREY('0000000000000000000001',$,'Level 1',$,$,$,$,$,.ELEMENT.,0.);",
        "#5001=IFCRELCONTAINEDINSPATIALSTRUCTURE('0000000000000000000002',$,$,$,(#100,#200),#5000);",
        "#5002=IFCPRESENTATIONLAYERASSIGNMENT('A-BEAM',$,(#105),$);",
        "#5003=IFCBEAMTYPE('0000000000000000000003',$,'IPE 200',$,$,$,$,$,$,.BEAM.);",
        "#5004=IFCRELDEFINESBYTYPE('0000000000000000000004',$,$,$,(#100),#5003);",
        'ENDSEC;\nEND-ISO',
      ].join('\n'),
    );
    const bytes = write('house.bcf', file('house.ifc', model), '--bcf-version', version);
    const [{ markup }] = topicsOf(bytes) as [Topic];
    validate(version, `${'0'.repeat(36)}/markup.bcf`, markup);
    const tag = version === '2.1' ? 'Labels' : 'Label';
    const labels = [...markup.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(
      ([, label]) => label,
    );
    assert.equal(labels, ['hard', 'IfcBeam', 'IfcSlab', 'Level 1', 'A-BEAM']);
    const [, first, second] = contentOf(markup, 'Description').split('\n');
    assert.match(
      first!,
      /^first part: IfcBeam a \(.{22}\), house\.ifc; type IfcBeam; object type IPE 200; storey Level 1; layer A-BEAM$/,
    );
    assert.match(second!, /^second part: IfcSlab b \(.{22}\), house\.ifc; type IfcSlab; storey Level 1$/);
  });

test('the GUID of a topic identifies its pair of parts: it stays the same if parts are reordered, moved or added', () => {
  const guids = (name: string, boxes: Box[]) =>
    Object.fromEntries(
      topicsOf(write('guids.bcf', obj(name, boxes), '--units', 'mm', '--classes', 'hard')).map(
        ({ guid, title }) => [title.split(/: | 1| 2/)[1], guid],
      ),
    );
  const before = guids('first.obj', BOXES);
  assert.equal(Object.keys(before).sort(), ['deep', 'twice']);
  assert.is(new Set(Object.values(before)).size, 2);
  for (const guid of Object.values(before))
    assert.match(guid, /^[a-f0-9]{8}-[a-f0-9]{4}-5[a-f0-9]{3}-[89ab][a-f0-9]{3}-[a-f0-9]{12}$/);
  const moved = BOXES.map(box => ({ ...box, at: [box.at[0], box.at[1] + 5, box.at[2]] as Box['at'] }));
  assert.equal(guids('second.obj', [cube('new', 9000), ...moved.reverse()]), before);
});

test('the bytes depend on nothing but the model', () => {
  const bytes = write('same.bcf', all, ...IN_MM);
  const isSame = (other: Uint8Array): boolean => Buffer.from(bytes).equals(other);
  assert.ok(isSame(write('again.bcf', all, ...IN_MM, '--threads', '2')));
  const { status } = spawnSync(
    process.execPath,
    [MAIN, 'clash', all, ...IN_MM, '--bcf', join(folder, 'zone.bcf')],
    { env: { ...process.env, TZ: 'Asia/Kolkata' } },
  );
  assert.is(status, 0);
  assert.ok(isSame(readFileSync(join(folder, 'zone.bcf'))), 'the bytes depend on the time zone');
});

test('the picture shows both parts, and a mark where they meet', async () => {
  const [topic] = topicsOf(write('picture.bcf', all, ...NEAR, '--classes', 'hard')).slice(1);
  const { data, info } = await sharp(topic!.snapshot).raw().toBuffer({ resolveWithObject: true });
  assert.equal([info.width, info.height, info.channels], [480, 360, 3]);
  const pixel = (x: number, y: number): number[] => [
    ...data.subarray(3 * (480 * y + x), 3 * (480 * y + x) + 3),
  ];
  assert.equal(pixel(240, 180), [0xd5, 0x20, 0x2f]);
  assert.equal(pixel(0, 0), [0xf4, 0xf5, 0xf7]);
  // The first part is blue, the second one is amber and to its right.
  const columns: number[][] = [[], []];
  for (let y = 0; y < 360; y++)
    for (let x = 0; x < 480; x++) {
      const [red, , blue] = pixel(x, y) as [number, number, number];
      if (blue > red + 60) columns[0]!.push(x);
      else if (red > blue + 60 && Math.hypot(x - 240, y - 180) > 8) columns[1]!.push(x);
    }
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  for (const shown of columns) assert.ok(shown.length > 3000, `${shown.length} pixels of a part`);
  assert.ok(mean(columns[0]!) < 240 && mean(columns[1]!) > 240, columns.map(mean).join());
});

test('the terminal and JSON name the file', () => {
  const path = join(folder, 'named.bcf');
  const { stdout } = clash(all, '--units', 'mm', '--bcf', path);
  assert.match(stdout, /BCF .*named\.bcf, \d\.\d MB: open it in a program that reads BCF 2\.1\n$/);
  const { bcf } = json(all, '--units', 'mm', '--bcf', path);
  assert.equal(bcf, { path, bytes: statSync(path).size });
});

test('a model without listed clashes gives a file without topics', () => {
  const bytes = write(
    'none.bcf',
    all,
    '--units',
    'mm',
    '--allow',
    file('all.txt', '*, *'),
    '--bcf-version',
    '3.0',
  );
  assert.equal(Object.keys(unzipSync(bytes)), ['bcf.version', 'extensions.xml']);
});

test('invalid arguments and paths give exit code 2, one line and a fix, and change no file', () => {
  const path = join(folder, 'kept.bcf');
  writeFileSync(path, 'the file before');
  mkdirSync(join(folder, 'taken.bcf'));
  const taken = join(folder, 'taken.bcf');
  const cases: [string[], RegExp][] = [
    [['--bcf', join(folder, 'none', 'a.bcf'), '--units', 'mm'], /none.a\.bcf: cannot be written/],
    [['--bcf', taken, '--units', 'mm'], /taken\.bcf: cannot be written/],
    [['--bcf', all, '--units', 'mm'], /--bcf .*all\.obj does not end in \.bcf or \.bcfzip/],
    [
      ['--bcf', path],
      /--bcf .*kept\.bcf: coordinates in BCF are in meters, but the unit of the files is unknown/,
    ],
    [['--bcf', path, '--units', 'mm', '--bcf-version', '2.0'], /--bcf-version 2\.0 is not supported/],
    [['--units', 'mm', '--bcf-version', '3.0'], /--bcf-version 3\.0 has no effect without --bcf/],
  ];
  for (const [args, message] of cases) {
    const before = readdirSync(folder).sort();
    const { status, stdout, stderr } = clash(all, ...args);
    assert.is(status, 2, stderr);
    assert.is(stdout, '');
    assert.match(stderr, /^pfront: [^\n]+\nfix: [^\n]+\n$/);
    assert.match(stderr, message);
    assert.equal(readdirSync(folder).sort(), before);
  }
  assert.is(readFileSync(path, 'utf8'), 'the file before');
});

test('more topics than a zip file can hold are refused before anything is written', async () => {
  const path = join(folder, 'many.bcf');
  const finding = {
    a: 0,
    b: 1,
    class: 'touch',
    trianglePairs: 1,
    depth: 0,
    direction: [0, 0, 0],
    distance: 0,
    size: 0,
    isDuplicate: false,
  } as const;
  const listed = Array.from({ length: 21_845 }, () => ({ ...finding, direction: [0, 0, 0] }));
  let failed: unknown;
  await writeBcf(
    { path, version: '2.1' },
    { parts: [], unit: 'mm', listed, changes: new Map(), places: new Map(), up: undefined },
    { begin() {}, step() {}, end() {} },
  ).catch(error => {
    failed = error;
  });
  assert.instance(failed, BcfFailed);
  assert.match(
    (failed as Error).message,
    '21,845 clashes are listed, but a BCF file can have at most 21,844 topics',
  );
  assert.not.ok(readdirSync(folder).includes('many.bcf'));
});

test.run();
