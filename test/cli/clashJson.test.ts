// Tests the JSON of `pfront clash --json`: it matches the published schema, and has the identity of each part
// and the place of each clash.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse as parseCsv } from 'csv-parse/sync';
import * as assert from 'uvu/assert';
import { beam, ifc } from '../formats/smallIfc.js';
import { test } from '../support/test.js';
import { all, BOXES, type Box, clash, cube, file, folder, json, near, obj } from './clashSupport.js';

test.after(() => rmSync(folder, { recursive: true, force: true }));

const schema = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../docs/schemas/clash.schema.json', import.meta.url)), 'utf8'),
);

// Returns a copy of the schema that forbids additional properties, so that properties that the schema does not
// describe are found.
function closed(node: any): any {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  return node.type === 'object' && node.properties && node.additionalProperties === undefined
    ? { ...copy, additionalProperties: false }
    : copy;
}
const validate = new Ajv2020({ strict: true, allErrors: true, strictRequired: false }).compile(
  closed(schema),
);

function checkSchema(output: unknown): void {
  const isValid = validate(output);
  assert.is(isValid, true, JSON.stringify(validate.errors?.slice(0, 3)));
}

function output(...args: string[]): any {
  const { stdout, stderr } = clash(...args, '--json');
  assert.is.not(stdout, '', stderr);
  return JSON.parse(stdout);
}

const find = ({ clashes }: any, word: string) =>
  clashes.find(({ nameA }: any) => nameA.startsWith(`${word} `));

test('the output matches the published schema, which describes every property', () => {
  const beams = ifc([beam('a', [0, 0, 0], [1, 1, 1]), beam('b', [0.5, 0, 0], [1, 1, 1])], 'MILLI');
  const faulty = file('faulty.ifc', beams.replace('#206=IFCEXTRUDEDAREASOLID(', '#206=IFCSOLID('));
  const allow = file('allow.txt', 'deep 1, deep 2\n');
  const before = file('before.json', JSON.stringify(output(all, '--clearance', '10')));
  const run = output(
    all,
    ...['--clearance', '10', '--allow', allow, '--baseline', before, '--stats'],
    ...['--csv', `${folder}/schema.csv`, '--junit', `${folder}/schema.xml`],
    ...['--report', `${folder}/schema.html`],
  );
  checkSchema(run);
  assert.equal([run.format, run.version], ['pfront clash', 1]);
  assert.ok(run.allowed.length === 1 && run.stats && run.csv && run.report);
  checkSchema(output(faulty));
  checkSchema(output(file('house.ifc', beams), '--up', 'y', '--certify', `${folder}/schema.json`));
  const rules = [{ name: 'all', between: ['*', 'name:*'], tolerance: '0.1mm' }];
  const ruled = output(
    file('ruled.ifc', beams),
    ...['--rules', file('rules.json', JSON.stringify(rules)), '--group', 'type'],
  );
  assert.ok(ruled.rules.length === 1 && ruled.clashes[0].rule === 'all' && ruled.groups.length === 1);
  checkSchema(ruled);
  checkSchema(output(file('ruled.ifc', beams), '--between', '*', '*', '--include-related'));
  const assembly = beams.replace(
    '#100=',
    "#9000=IFCRELAGGREGATES('2rel000000000000000000',$,$,$,#100,(#200));\n#100=",
  );
  const withRelated = output(file('assembly.ifc', assembly));
  assert.is(withRelated.related[0].relation, 'IfcRelAggregates');
  checkSchema(withRelated);
  const kept = obj('kept.obj', BOXES.slice(0, 6));
  const ended = output(kept, '--clearance', '10', '--baseline', before);
  assert.ok(ended.resolved.length > 0);
  checkSchema(ended);
});

test('with --regions, each clash has its regions, with the depth and the volume of the overlap at each', () => {
  // A post passes through two boards and touches a third one. In shelf.obj, the three boards are one object.
  const board = (name: string, at: number, height: number): Box => ({
    name,
    at: [0, 0, at],
    size: [4, 4, height],
  });
  const boxes = obj('boards.obj', [
    { name: 'post', at: [1, 1, -2], size: [1, 1, 10] },
    ...[board('shelf', 0, 1), board('second', 3, 0.5), board('third', 8, 1)],
    ...[cube('outer', 9, 9, 9, 1), cube('within', 9.25, 9.25, 9.25, 0.5)],
  ]);
  const path = file('shelf.obj', readFileSync(boxes, 'utf8').replace(/^o (second|third)$/gm, ''));
  const plain = output(path);
  const { regions, ...shelf } = output(path, '--regions').clashes.find(({ nameB }: any) => nameB === 'shelf');
  assert.equal(
    plain.clashes.find(({ nameB }: any) => nameB === 'shelf'),
    shelf,
  );
  const run = output(path, '--regions');
  checkSchema(run);
  assert.equal(run.clashes.find(({ nameB }: any) => nameB === 'within').regions, []);
  const isNear = (bounds: { lower: number; upper: number }, value: number): boolean =>
    bounds.lower <= value * 1.0001 && value <= bounds.upper * 1.0001 && bounds.upper <= value * 1.0101 + 1e-9;
  const found = regions.map(({ component, overlapDepth, volume }: any) => [
    component,
    [0, 0.5, 1].find(value => isNear(overlapDepth, value)),
    [0, 0.5, 1].find(value => isNear(volume, value)),
  ]);
  assert.equal(found.map(([, ...figures]: number[]) => figures).sort(), [
    [0, 0],
    [0.5, 0.5],
    [0.5, 0.5],
    [1, 1],
    [1, 1],
  ]);
  assert.is(new Set(found.map(([component]: number[]) => component)).size, 3);
  assert.is(
    regions.reduce((sum: number, region: any) => sum + region.trianglePairs, 0),
    shelf.trianglePairs,
  );
  const table = join(folder, 'regions.csv');
  assert.is(clash(path, '--regions', '--csv', table).status, 0);
  const rows = parseCsv(readFileSync(table, 'utf8'), { bom: true, columns: true }) as Record<
    string,
    string
  >[];
  const start = rows.findIndex(({ nameB, region }) => nameB === 'shelf' && region === '');
  const own = rows.slice(start + 1, start + 1 + regions.length);
  assert.equal(
    own.map(row => [row.nameA, row.nameB, row.region, row.component, row.distance, row.minX, row.class]),
    regions.map(({ component }: any, i: number) => [
      ...['post', 'shelf', `${i + 1}`, `${component}`, '', '', 'hard'],
    ]),
  );
  const middle = ({ pointA, pointB }: any): number[] =>
    pointA.map((value: number, axis: number) => value + (pointB[axis] - value) / 2);
  assert.equal(
    own.map(row => [row.depth, row.volumeMax, row.contactLengthMin, row.x, row.z].map(Number)),
    regions.map((region: any) => [
      ...[region.depth, region.volume.upper, region.contactLength.lower],
      ...[middle(region)[0], middle(region)[2]],
    ]),
  );
  assert.is(rows.filter(({ region }) => region === '').length, run.clashes.length);
  assert.is(clash(path, '--csv', table).status, 0);
  assert.not.match(readFileSync(table, 'utf8'), /,region,/);
  const refused = clash(path, '--regions');
  assert.equal([refused.status, refused.stdout], [2, '']);
  assert.match(
    refused.stderr,
    /--regions requires --json, --csv or --report: only these outputs list the regions of clashes\nfix: Add one/,
  );
});

test('an output with a wrong version, a wrong type, too few numbers or an unknown property does not match the schema', () => {
  const run = output(all);
  for (const [change, key] of [
    [{ version: 2 }, 'version'],
    [{ clashes: [{ ...run.clashes[0], point: [1, 2] }] }, 'point'],
    [{ parts: [{ ...run.parts[0], triangles: '12' }] }, 'triangles'],
    [{ surplus: 1 }, 'additional'],
  ] as const) {
    assert.is(validate({ ...run, ...change }), false, key);
  }
});

test('each clash has a box and a point that show its place', () => {
  const run = json(all, '--clearance', '10', '--classes', 'all');
  const deep = find(run, 'deep');
  // The cubes overlap in x from 4098 to 4100, and in y and z from 20 to 100.
  assert.equal(deep.box, { min: [4098, 20, 20], max: [4100, 100, 100] });
  const isOnSurface = (at: number[], first: number[], size: number): boolean =>
    at.every((value, axis) => value >= first[axis] && value <= first[axis] + size) &&
    at.some((value, axis) => value === first[axis] || value === first[axis] + size);
  assert.ok(isOnSurface(deep.point, [4000, 0, 0], 100) && isOnSurface(deep.point, [4098, 20, 20], 100));
  assert.equal(find(run, 'corner').box, { min: [3100, 100, 100], max: [3100, 100, 100] });
  assert.equal(find(run, 'corner').point, [3100, 100, 100]);
  assert.equal(find(run, 'edge').box, { min: [2100, 100, 0], max: [2100, 100, 100] });
  const apart = find(run, 'apart');
  assert.equal(
    [apart.class, apart.box.min[0], apart.box.max[0], apart.point[0]],
    ['clearance', 100, 110, 105],
  );
  assert.equal(find(run, 'inside').box, { min: [5040, 40, 40], max: [5050, 50, 50] });
  assert.equal(find(run, 'inside').point, [5045, 45, 45]);
});

test('places are the same for any number of threads', () => {
  const [one, three] = ['1', '3'].map(threads => json(all, '--clearance', '10', '--threads', threads));
  assert.equal(one.clashes, three.clashes);
});

test('allowed clashes have a place, too', () => {
  const [allowed] = json(all, '--allow', file('allow2.txt', 'deep 1, deep 2\n')).allowed;
  near(allowed.point[0], 4099, 1);
});

test('parts of formats other than IFC have a name and a file, and no empty properties', () => {
  const path = obj('two.obj', [cube('x', 0), cube('y', 50)]);
  assert.equal(json(path).parts, [
    { name: 'x', file: path, triangles: 12 },
    { name: 'y', file: path, triangles: 12 },
  ]);
});

test.run();
