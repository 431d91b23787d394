// Tests `pfront clash` with STEP files: the clashes of solids, and the option --deflection.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { step } from '../formats/smallStep.js';
import { readReportData } from '../support/reportData.js';
import { test } from '../support/test.js';
import { clash, cube, file, folder, found, json, markupsOf, obj, pfront } from './clashSupport.js';

const TEXT = step('machine', [
  { name: 'plate', at: [0, 0, 0], size: [100, 80, 10] },
  { name: 'pin', at: [50, 40, 5], size: [5, 30] },
  { name: 'cover', at: [0, 0, 10], size: [20, 20, 5] },
]);
const machine = file('machine.step', TEXT);

test('solids that overlap are hard, and solids that touch are coplanar', () => {
  const { unit, deflection, parts, clashes } = json(machine, '--classes', 'all');
  assert.equal(
    [unit, deflection, parts.map(({ name }: any) => name)],
    ['mm', 0.1, ['plate', 'pin', 'cover']],
  );
  assert.equal(found({ clashes }), ['plate hard', 'plate coplanar']);
  assert.is(clashes[0].depth, 5);
  assert.match(clash(machine).stdout, /triangulation of STEP and IGES files: linear deflection 0\.1 mm/);
});

test('--deflection sets the number of triangles, and is in the JSON and in the certificate', () => {
  const certificate = join(folder, 'cad.json');
  const fine = json(machine, '--deflection', '0.001cm', '--certify', certificate);
  assert.is(fine.deflection, 0.01);
  assert.ok(fine.totals.triangles > 2 * json(machine).totals.triangles);
  assert.is(JSON.parse(readFileSync(certificate, 'utf8')).model.deflection, 0.01);
  const { status, stdout, stderr } = pfront('verify', certificate);
  assert.is(status, 0, stdout + stderr);
  assert.match(stdout, /\(--deflection 0\.01mm\)/);
});

test('assemblies and colors are in the outputs, and selectors and --group can use assemblies', () => {
  const size: [number, number, number] = [10, 10, 10];
  const nested = file(
    'nested.step',
    step('machine', [
      { name: 'wheel', at: [0, 0, 0], size, within: 'gearbox', color: [1, 0.5, 0] },
      { name: 'shaft', at: [5, 0, 0], size, within: 'gearbox' },
      { name: 'beam', at: [8, 5, 0], size, within: 'frame' },
      { name: 'floor', at: [0, 0, -5], size },
    ]),
  );
  const page = join(folder, 'nested.html');
  const csv = join(folder, 'nested.csv');
  const junit = join(folder, 'nested.xml');
  const bcf = join(folder, 'nested.bcf');
  const outputs = ['--report', page, '--csv', csv, '--junit', junit, '--bcf', bcf];
  const { parts, clashes, groups } = json(nested, '--group', 'assembly', ...outputs);
  const byName = new Map<string, any>(parts.map((part: any) => [part.name, part]));
  const assemblies = {
    wheel: 'machine/gearbox',
    shaft: 'machine/gearbox',
    beam: 'machine/frame',
    floor: 'machine',
  };
  for (const [name, assembly] of Object.entries(assemblies)) assert.is(byName.get(name).assembly, assembly);
  assert.equal([byName.get('wheel').color, 'color' in byName.get('beam')], ['#ff8000', false]);
  assert.ok(clashes.length >= 4);
  assert.ok(groups.some(({ name }: any) => name === 'machine/frame \u00d7 machine/gearbox'));
  const { header } = readReportData(page);
  const shown = header.parts.find(({ name }: any) => name === 'wheel')!;
  assert.equal([shown.assembly, shown.color, header.deflection], ['machine/gearbox', '#ff8000', 0.1]);
  const [columns, first] = readFileSync(csv, 'utf8')
    .split('\r\n')
    .map(row => row.split(','));
  assert.match(first![columns!.indexOf('assemblyA')]!, /^machine/);
  const results = readFileSync(junit, 'utf8');
  const markup = markupsOf(bcf).find(text => text.includes('beam') && text.includes('wheel'))!;
  for (const assembly of ['machine/gearbox', 'machine/frame']) {
    assert.match(results, new RegExp(`assembly ${assembly}\\b`));
    assert.match(markup, new RegExp(`; assembly ${assembly}\\b`));
    assert.match(markup, new RegExp(`<Labels?>${assembly}</Labels?>`));
  }
  const between = (a: string, b: string): string[] =>
    json(nested, '--between', a, b).clashes.map(({ nameA, nameB }: any) => [nameA, nameB].sort().join(' '));
  assert.equal(between('assembly:frame', 'assembly:gear*').sort(), ['beam shaft', 'beam wheel']);
  assert.equal(between('assembly:machine/frame', 'name:floor'), ['beam floor']);
  assert.equal(between('!assembly:machine/*', 'assembly:machine').length, 3);
  const { status, stderr } = clash(obj('plain.obj', [cube('a', 0)]), '--group', 'assembly');
  assert.is(status, 2);
  assert.match(stderr, /no part has an assembly/);
});

test('coordinates of a STEP file keep more digits than float32, in the clashes and in the certificate', () => {
  // Near 800,000, neighboring float32 numbers differ by 1/16. If coordinates were rounded to float32, solids
  // that are 0.02 apart would touch, and solids that overlap by 0.02 would overlap by 1/16.
  const far = (gap: number): string =>
    file(
      `far ${gap}.step`,
      step('machine', [
        { name: 'base', at: [800000, 0, 0], size: [10.04, 10, 10] },
        { name: 'lid', at: [800010.04 + gap, 0, 0], size: [10, 10, 10] },
      ]),
    );
  const certificate = join(folder, 'far.json');
  for (const [gap, count] of [
    [0.02, 0],
    [-0.02, 1],
  ] as const) {
    const path = far(gap);
    const { clashes } = json(path, '--classes', 'all', '--certify', certificate);
    assert.is(clashes.length, count, String(gap));
    const { status, stdout, stderr } = pfront('verify', certificate, path);
    assert.is(status, 0, stdout + stderr);
    if (count > 0) assert.ok(Math.abs(clashes[0].depth - 0.02) < 1e-4, String(clashes[0].depth));
  }
});

test('a deflection that is not a length above 0, or has no effect, is refused', () => {
  const boxes = obj('boxes.obj', [cube('a', 0)]);
  assert.is('deflection' in json(boxes), false);
  for (const [args, message] of [
    [[machine, '--deflection', '0'], /--deflection 0 is not above 0/],
    [[machine, '--deflection', 'fine'], /--deflection fine is not a length/],
    [[boxes, '--deflection', '1mm'], /--deflection 1mm has no effect: no file is a STEP or IGES file/],
    [[machine, '--cad-limits', '0'], /--cad-limits 0 is not a number above 0/],
  ] as const) {
    const { status, stderr } = clash(...args);
    assert.is(status, 2, stderr);
    assert.match(stderr, message);
  }
});

test('a file that cannot be read gives exit code 2, and a part that is read incompletely gives exit code 4', () => {
  const broken = clash(file('broken.step', TEXT.slice(0, 2000)), '--report', join(folder, 'none.html'));
  assert.is(broken.status, 2);
  assert.match(broken.stderr, /broken\.step: line \d+/);
  const shell = TEXT.split('\n').find(record => record.includes('=CLOSED_SHELL'))!;
  const open = clash(file('open.step', TEXT.replace(shell, shell.replace(/\(#\d+,/, '('))));
  assert.is(open.status, 4, open.stderr);
  assert.match(
    open.stdout,
    /1 element could not be read, .*\n {2}plate: partly read; is a solid, but 4 edges/,
  );
});

test.run();
