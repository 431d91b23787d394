// Tests how `pfront clash` handles units of length, the up axis, and invalid options.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { rotateToUpAxis } from '../../dist/cli/clash/rotateToUpAxis.js';
import { writeGlb } from '../../dist/cli/writeGlb.js';
import { beam, ifc } from '../formats/smallIfc.js';
import { test } from '../support/test.js';
import {
  all,
  BOXES,
  type Box,
  clash,
  cube,
  file,
  folder,
  found,
  json,
  mesh,
  near,
  obj,
} from './clashSupport.js';

test.after(() => rmSync(folder, { recursive: true }));

const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

const glb = (name: string, boxes: Box[]): string =>
  file(name, writeGlb(boxes.map(box => ({ name: box.name, ...mesh(box, 0.001), transform: IDENTITY }))));

test('a scene with y up is rotated to z up, and back', () => {
  const part = {
    name: 'part',
    file: 'file',
    positions: new Float32Array(0),
    indices: new Uint32Array(0),
    transform: Float64Array.of(1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 1),
  };
  const rotate = (from: 'y' | 'z', to: 'y' | 'z') => [
    ...rotateToUpAxis([{ ...part, up: from }], to, () => {})[0].transform,
  ];
  assert.equal(rotate('y', 'z'), [1, -3, 2, 0, 4, -6, 5, 0, 7, -9, 8, 0, 10, -12, 11, 1]);
  assert.equal(rotate('z', 'y'), [1, 3, -2, 0, 4, 6, -5, 0, 7, 9, -8, 0, 10, 12, -11, 1]);
  assert.equal([rotate('y', 'y'), rotate('z', 'z')], [[...part.transform], [...part.transform]]);
});

test.slow('glTF is in meters and shown in mm, and files in several units form one scene', () => {
  const meters = glb('all.glb', BOXES);
  const result = json(meters, '--clearance', '10.001mm');
  assert.is(result.unit, 'm');
  near(result.clashes.find(({ nameA }: any) => nameA === 'deep 1').depth, 0.002, 1e-6);
  near(result.clashes[0].distance, 0.01, 1e-6);
  assert.match(clash(meters).stdout, /deep 1 +deep 2 +hard +overlap depth 2 mm, penetration depth 2 mm/);
  // If each file is read in its own unit, the two boxes overlap by 2 mm.
  const mixed = json(
    glb('meters.glb', [cube('glb', 0)]),
    obj('millimeters.obj', [cube('obj', 98, 20, 20)]),
    '--units',
    'mm',
  );
  assert.equal([mixed.unit, mixed.clashes.length, mixed.notes], ['mm', 1, []]);
  near(mixed.clashes[0].depth, 2, 1e-4);
  const estimated = clash(
    glb('meters.glb', [cube('glb', 0)]),
    obj('millimeters.obj', [cube('obj', 98, 20, 20)]),
  );
  assert.match(
    estimated.stderr,
    /^note: .*millimeters\.obj stores no unit, so its lengths are assumed to be in m, the smallest unit of the other files\. Add --units/,
  );
  assert.match(
    clash(
      file(
        'inches.ifc',
        ifc([beam('a', [0, 0, 0], [10, 10, 10]), beam('b', [9.5, 0, 1], [10, 10, 10])], 'INCH'),
      ),
    ).stdout,
    /hard +overlap depth 0\.5 in, penetration depth 0\.5 in/,
  );
});

test.slow('files with different up axes give a note, and are rotated on request', () => {
  const beside = [
    file('up.ifc', ifc([beam('ifc', [0, 0, 10], [1, 1, 1])])),
    glb('up.glb', [cube('glb', 250, 10500, -1400, 1000)]),
  ];
  const way = (direction: number[]) => direction.map(part => Math.abs(part));
  const [still, z, y] = [json(...beside), json(...beside, '--up', 'z'), json(...beside, '--up', 'y')];
  assert.equal([still.clashes, still.notes.length, z.notes, y.notes], [[], 1, [], []]);
  assert.match(
    clash(...beside).stderr,
    /^note: .*up\.glb has y up, .*up\.ifc has z up; neither is rotated\. Add --up z/,
  );
  for (const [reported, direction] of [
    [z, [0, 1, 0]],
    [y, [0, 0, 1]],
  ] as const) {
    assert.equal(found(reported), ['IfcBeam hard']);
    near(reported.clashes[0].depth, 0.1, 1e-6);
    assert.equal(way(reported.clashes[0].direction), direction);
  }
});

test.slow('invalid options give exit code 2, one line and a fix', () => {
  const bad = (text: string) => ['--allow', file(`bad-${text.length}.txt`, text)];
  const cases: [string[], RegExp][] = [
    [['--clearance', 'wide'], /--clearance wide is not a length/],
    [['--clearance=-1'], /--clearance -1 is not a length/],
    [['--clearance', '25 miles'], /not a length/],
    [['--clearance', '1e999'], /not a length/],
    [['--tolerance', 'NaN'], /--tolerance NaN is not a length/],
    [['--tolerance', ''], /is not a length/],
    [['--tolerance', '1mm'], /--tolerance 1mm: the unit of the files is unknown/],
    [['--units', 'yd'], /--units yd is not a unit/],
    [['--up', 'x'], /--up x is neither y nor z/],
    [['--classes', 'hard,soft'], /"soft" is not a class/],
    [['--classes', ''], /"" is not a class/],
    [['--classes', 'clearance'], /the class clearance requires --clearance/],
    [['--fail-on', 'clearance'], /requires --clearance/],
    [['--fail-on', 'any,hard'], /"any" is not a class/],
    [['--allow', join(folder, 'gone.txt')], /gone\.txt: cannot be read \(ENOENT\)/],
    [bad('just one'), /bad-8\.txt: line 1 does not hold two names/],
    [bad('# a\na, b, c'), /line 2 does not hold two names/],
    [bad('a,'), /line 1 does not hold two names/],
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
        `^pfront: ${option} 1e308m is not a finite number of mm, the unit of the files\nfix: Write a shorter length`,
      ),
    );
  }
  assert.match(
    clash(glb('known.glb', BOXES), '--units', 'mm').stderr,
    /--units mm has no effect: every file stores its unit \(.*known\.glb: m\)/,
  );
});

test.run();
