// Tests the reader of 3MF files: units, components, transforms, other models of the package, files written and
// read by other programs, and errors that name the line.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error The package has no declarations.
import { FileForRelThumbnail, fileForContentTypes, to3dmodel } from '@jscadui/3mf-export';
import { strToU8, unzipSync, zipSync } from 'fflate';
import * as assert from 'uvu/assert';
import { InvalidFile, type Part, type ReadOptions, readParts } from '../../dist/formats/readParts.js';
import { box, torus } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { modelXml, smallThreeMf, TRIANGLE, threeMf, triangleObject } from './smallThreeMf.js';

const folder = mkdtempSync(join(tmpdir(), '3mf-'));
test.after(() => rmSync(folder, { recursive: true }));

function read(bytes: Uint8Array, options?: ReadOptions): Promise<Part[]> {
  writeFileSync(join(folder, 'file.3mf'), bytes);
  return readParts(join(folder, 'file.3mf'), options);
}

async function refusal(bytes: Uint8Array, options?: ReadOptions): Promise<string> {
  const error = await read(bytes, options).then(
    () => new Error('the file was read'),
    (thrown: unknown) => thrown,
  );
  assert.instance(error, InvalidFile, String((error as Error).stack));
  const { message, fix } = error as InvalidFile;
  assert.not.match(message, /\n/);
  assert.ok(fix.length > 10);
  return message;
}

// The placed corners of a part.
function placed({ positions, indices, transform }: Part): number[] {
  return [...indices].flatMap(vertex =>
    [0, 1, 2].map(row =>
      [0, 1, 2].reduce(
        (sum, axis) => sum + transform[4 * axis + row] * positions[3 * vertex + axis],
        transform[12 + row],
      ),
    ),
  );
}

test('3MF: parts have the unit of the model, but microns are converted to millimeters', async () => {
  for (const [unit, known, scale] of [
    ['micron', 'mm', 0.001],
    ['millimeter', 'mm', 1],
    ['centimeter', 'cm', 1],
    ['inch', 'in', 1],
    ['foot', 'ft', 1],
    ['meter', 'm', 1],
    [undefined, 'mm', 1],
  ] as const) {
    const attributes = unit === undefined ? '' : `unit="${unit}"`;
    const [part, ...others] = await read(
      smallThreeMf(triangleObject(1, ' name="a"'), '<item objectid="1"/>', attributes),
    );
    assert.is(others.length, 0);
    assert.is(part.name, 'a');
    assert.is(part.unit, known);
    assert.is(part.up, 'z');
    assert.equal(placed(part), [0, 0, 0, scale, 0, 0, 0, scale, 0]);
  }
});

test('3MF: components and items are placed one inside the other', async () => {
  // The component moves by (10, 0, 0); the second item rotates x to y, then moves by (0, 0, 5).
  const rotation = '0 1 0 -1 0 0 0 0 1 0 0 5';
  const parts = await read(
    smallThreeMf(
      [
        triangleObject(1, ' name="blade"'),
        `<object id="2" name="fan"><components><component objectid="1"/><component objectid="1" transform="1 0 0 0 1 0 0 0 1 10 0 0"/></components></object>`,
        triangleObject(3),
      ].join('\n'),
      `<item objectid="2"/><item objectid="2" transform="${rotation}"/><item objectid="3"/>`,
    ),
  );
  assert.equal(
    parts.map(({ name }) => name),
    ['fan/blade', 'fan/blade (2)', 'fan/blade (3)', 'fan/blade (4)', 'object 3'],
  );
  assert.equal(placed(parts[1]), [10, 0, 0, 11, 0, 0, 10, 1, 0]);
  assert.equal(placed(parts[3]), [0, 10, 5, 0, 11, 5, -1, 10, 5]);
  assert.ok(
    parts.slice(0, 4).every(({ positions }) => positions === parts[0].positions),
    'the mesh is shared',
  );
});

test('3MF: objects in other models of the package are read', async () => {
  const [part] = await read(
    threeMf({
      '3D/3dmodel.model': modelXml(
        `<object id="7" name="assembly"><components><component p:path="/3D/Objects/part.model" objectid="1" p:UUID="0"/></components></object>`,
        '<item objectid="7" p:UUID="1"/>',
        'unit="inch" requiredextensions="p"',
      ),
      '3D/Objects/part.model': modelXml(triangleObject(1), '', 'unit="inch"'),
    }),
  );
  assert.is(part.name, 'object 1');
  assert.is(part.unit, 'in');
  assert.equal(placed(part), [0, 0, 0, 1, 0, 0, 0, 1, 0]);
});

test('3MF: coordinates are rounded once, and the largest rounding error is returned', async () => {
  const far = TRIANGLE.replaceAll('x="', 'x="4500000.').replaceAll('y="', 'y="0.');
  const [part] = await read(smallThreeMf(`<object id="1">${far}</object>`, '<item objectid="1"/>'));
  assert.equal(
    placed(part).map(Math.fround),
    [4500000, 0, 0, 4500000.1, 0, 0, 4500000, 0.1, 0].map(Math.fround),
  );
  assert.ok(part.rounding! > 0 && part.rounding! < 1e-8, String(part.rounding));
  assert.ok(Math.abs(placed(part)[3] - 4500000.1) <= part.rounding! + 1e-9);
});

test('3MF: elements that are nested too deeply are refused at once', async () => {
  const nested = (depth: number): Uint8Array =>
    smallThreeMf(
      `${'<x:a xmlns:x="urn:x">'.repeat(depth)}${'</x:a>'.repeat(depth)}${triangleObject(1)}`,
      '<item objectid="1"/>',
    );
  assert.is((await read(nested(200), { onWarning() {} })).length, 1);
  assert.match(await refusal(nested(100_000)), /line \d: has elements nested more than 256 deep/);
});

test('3MF: skipped content is reported, except materials', async () => {
  const warnings: string[] = [];
  const parts = await read(
    smallThreeMf(
      `<m:colorgroup xmlns:m="http://schemas.microsoft.com/3dmanufacturing/material/2015/02" id="9"><m:color color="#FF0000"/></m:colorgroup>
<x:secret xmlns:x="urn:x"><vertex/></x:secret>
<basematerials id="8"><base name="PLA" displaycolor="#FFFFFF"/></basematerials>
${triangleObject(1)}${triangleObject(2)}`,
      '<item objectid="1"/>',
    ),
    { onWarning: message => warnings.push(message) },
  );
  assert.is(parts.length, 1);
  assert.equal(warnings, [
    'file.3mf: left out 1 object that no item of the build contains',
    'file.3mf: left out content of the extension urn:x',
  ]);
});

test('3MF: faulty models are refused with an error that names the line', async () => {
  const item = '<item objectid="1"/>';
  for (const [resources, build, message, attributes] of [
    [triangleObject(1), '<item objectid="2"/>', /item of object "2", which 3D\/3dmodel\.model does not have/],
    [triangleObject(1), '<item/>', /3dmodel\.model: line 11: item has no attribute objectid/],
    [
      triangleObject(1).replace('v3="2"', 'v3="3"'),
      item,
      /line 7: the triangle names vertex 3, but the vertices are 0\.\.2/,
    ],
    [
      triangleObject(1).replace('v3="2"', 'v3="-1"'),
      item,
      /line 7: triangle has v3="-1", which is not a whole number/,
    ],
    [triangleObject(1).replace('v3="2"', ''), item, /line 7: triangle has no attribute v3/],
    [
      triangleObject(1).replace('x="1"', 'x="1e39"'),
      item,
      /line 6: vertex has "1e39" as x, which is not a finite float32/,
    ],
    [triangleObject(1).replace('x="1"', 'x="one"'), item, /line 6: vertex has "one" as x/],
    [
      triangleObject(1).replace('<triangles>', '<triangle>'),
      item,
      /line 7: "triangle" is not an element of mesh/,
    ],
    [
      triangleObject(1).replaceAll('vertices', 'vertexes'),
      item,
      /line 6: "vertexes" is not an element of mesh/,
    ],
    [triangleObject(1) + triangleObject(1), item, /line 8: has two objects with the id "1"/],
    [`<object id="1"/>`, item, /line 5: the object has neither a mesh nor components/],
    [`<object id="1"><mesh/></object>`, item, /line 5: the mesh has no vertices or no triangles/],
    [triangleObject(1, ' type="support2"'), item, /line 5: the object has the type "support2"/],
    [triangleObject(1, ' type="other"'), item, /which has the type other and cannot be built/],
    [
      triangleObject(1),
      '<item objectid="1" transform="1 0 0"/>',
      /line 11: item has 3 numbers as transform, not 12/,
    ],
    [
      triangleObject(1),
      '<item objectid="1" transform="1 0 0 0 1 0 0 0 1 0 0 x"/>',
      /line 11: item has "x" as transform/,
    ],
    [
      '<object id="1"><components><component objectid="1"/></components></object>',
      item,
      /nested more than 64 deep, or contains itself/,
    ],
    ['<object id="1"><components/></object>', item, /neither a mesh nor components/],
    [
      `<object id="1">${TRIANGLE}<components><component objectid="2"/></components></object>`,
      item,
      /line 8: the object has both a mesh and components/,
    ],
    [
      '<object id="1"><mesh><triangles/></mesh></object>',
      item,
      /line 5: the triangles come before the vertices/,
    ],
    [triangleObject(1), item, /line 2: has the unit "parsec", not one of micron/, 'unit="parsec"'],
    [
      triangleObject(1),
      item,
      /line 2: requires the extension "b", which it does not declare/,
      'requiredextensions="b"',
    ],
    [
      triangleObject(1),
      item,
      /line 2: requires the extension "b" \("urn:b"\), which is not supported/,
      'xmlns:b="urn:b" requiredextensions="b"',
    ],
    [
      triangleObject(1).replace(
        '</mesh>',
        '<b:beamlattice xmlns:b="http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02"/></mesh>',
      ),
      item,
      /line 8: has "beamlattice", a shape of an extension that is not supported/,
    ],
    [
      triangleObject(1),
      '<item objectid="1" p:path="/3D/gone.model"/>',
      /has no model "3D\/gone\.model", which it refers to/,
    ],
    [
      triangleObject(1).replace('x="1"', 'x="1" x="9"'),
      item,
      /line 6: is not well-formed XML \("vertex" has two attributes with the same name\)/,
    ],
    [
      triangleObject(1),
      '<item objectid="1" tranform=""/>',
      /line 11: "tranform" is not an attribute of item/,
    ],
    [triangleObject(1, ' nam="a"'), item, /line 5: "nam" is not an attribute of object/],
    [triangleObject(1), item, /line 2: "units" is not an attribute of model/, 'units="inch"'],
    [triangleObject(1), `${item}</build><build>`, /line 11: has a second element build/],
    [triangleObject(1), '<item objectid="1">', /line 12: is not well-formed XML/],
  ] as [string, string, RegExp, string?][])
    assert.match(await refusal(smallThreeMf(resources, build, attributes)), message);
});

test('3MF: attributes of other namespaces, and those that slicers write, are skipped', async () => {
  const object = triangleObject(1, ' name="a" p:UUID="1" xmlns:s="urn:s" s:color="2"').replace(
    '<triangle ',
    '<triangle p1="0" pid="2" paint_color="4" ',
  );
  const parts = await read(smallThreeMf(object, '<item objectid="1" partnumber="3" printable="1"/>'));
  assert.equal(
    parts.map(({ name }) => name),
    ['a'],
  );
});

test('3MF: a model with a second root element is refused', async () => {
  const xml = modelXml(triangleObject(1), '<item objectid="1"/>');
  assert.match(
    await refusal(threeMf({ '3D/3dmodel.model': xml + xml.slice(xml.indexOf('<model')) })),
    /is not well-formed XML \(it has a second root element\)/,
  );
});

test('3MF: faulty packages are refused', async () => {
  const good = smallThreeMf(triangleObject(1), '<item objectid="1"/>');
  const model = modelXml(triangleObject(1), '<item objectid="1"/>');
  const files = unzipSync(good);
  const stored = zipSync(files, { level: 0 });
  const damaged = stored.slice();
  damaged[Buffer.from(stored).indexOf('x="1"') + 3] = 0x32;
  const without = (name: string) =>
    zipSync(Object.fromEntries(Object.entries(files).filter(([key]) => key !== name)));
  for (const [bytes, message] of [
    [new Uint8Array(), /file\.3mf: is not a complete zip archive/],
    [strToU8(model), /is not a complete zip archive/],
    [good.subarray(0, good.length - 30), /is not a complete zip archive/],
    [damaged, /"3D\/3dmodel\.model" has a wrong checksum/],
    [without('_rels/.rels'), /has no _rels\/\.rels, so it is not a 3MF file/],
    [without('3D/3dmodel.model'), /has no model "3D\/3dmodel\.model"/],
    [
      threeMf({ 'a.model': '<model/>' }, 'a.model'),
      /a\.model: line 1: expected a model of 3MF, found "model"/,
    ],
    [threeMf({ 'a.model': '<!DOCTYPE model>' }, 'a.model'), /a\.model: line 1: has a document type/],
    [threeMf({ 'a.model': '' }, 'a.model'), /a\.model: line 1: is not well-formed XML/],
    [zipSync({ ...files, '3D/3dmodel.model': Uint8Array.of(0xff, 0xfe, 0) }), /is not UTF-8 text/],
    [zipSync({ ...files, '_rels/.rels': strToU8('<Relationships/>') }), /_rels\/\.rels: names 0 models/],
  ] as [Uint8Array, RegExp][])
    assert.match(await refusal(bytes), message);
});

test('3MF: an archive that unpacks to much more than its size is refused', async () => {
  const blanks = `${' '.repeat(2 ** 26)}${modelXml(triangleObject(1), '<item objectid="1"/>').slice(39)}`;
  const bytes = threeMf({ '3D/3dmodel.model': blanks });
  assert.match(
    await refusal(bytes),
    /unpacks to more than 67108864 bytes, the limit for a 3MF file of \d+ bytes/,
  );
  assert.is((await read(bytes, { maxUnpackRatio: 2000 })).length, 1);
});

async function readByAssimp(bytes: Uint8Array): Promise<number[][]> {
  const library = await createRequire(import.meta.url)('assimpjs')();
  const files = new library.FileList();
  files.AddFile('file.3mf', bytes);
  const result = library.ConvertFileList(files, 'assjson');
  assert.ok(result.IsSuccess(), result.GetErrorCode());
  const { meshes, rootnode } = JSON.parse(new TextDecoder().decode(result.GetFile(0).GetContent()));
  const found: number[][] = [];
  const product = (a: number[], b: number[]) =>
    a.map((_, i) => [0, 1, 2, 3].reduce((sum, k) => sum + a[4 * (i >> 2) + k] * b[4 * k + (i & 3)], 0));
  const walk = (node: any, above: number[]): void => {
    const world = product(above, node.transformation);
    for (const mesh of node.meshes ?? [])
      found.push(
        meshes[mesh].faces.flat().flatMap((vertex: number) => {
          const [x, y, z] = meshes[mesh].vertices.slice(3 * vertex, 3 * vertex + 3);
          return [0, 1, 2].map(
            r => world[4 * r] * x + world[4 * r + 1] * y + world[4 * r + 2] * z + world[4 * r + 3],
          );
        }),
      );
    for (const child of node.children ?? []) walk(child, world);
  };
  walk(rootnode, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  return found;
}

test('3MF: a file that another program writes is read as assimp reads it', async () => {
  const meshes = [torus(1000), box(1, 2, 3)].map(({ positions, indices }, i) => ({
    id: String(i + 1),
    name: `mesh ${i}`,
    vertices: positions,
    indices,
  }));
  const at = (x: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1];
  const model = to3dmodel({
    meshes,
    items: [1, 2, 2].map((id, i) => ({ objectID: String(id), transform: at(10 * i) })),
    header: { unit: 'millimeter', application: 'test' },
  } as any);
  const relationships = new FileForRelThumbnail();
  relationships.add3dModel('3D/3dmodel.model');
  const bytes = zipSync({
    [fileForContentTypes.name]: strToU8(fileForContentTypes.content),
    [relationships.name]: strToU8(relationships.content),
    '3D/3dmodel.model': strToU8(model),
  });
  const parts = await read(bytes);
  assert.is(parts.length, 3);
  const expected = await readByAssimp(bytes);
  assert.is(expected.length, 3);
  parts.map(placed).forEach((corners, i) => {
    assert.is(corners.length, expected[i].length);
    assert.ok(corners.every((value, at) => Math.abs(value - expected[i][at]) < 1e-4));
  });
});

test.run();
