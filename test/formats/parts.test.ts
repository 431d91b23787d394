// Tests that parts are split into connected components, and that parts survive being written and read as GLB.

import * as assert from 'uvu/assert';
import { splitComponents } from '../../dist/cli/splitComponents.js';
import { writeGlb } from '../../dist/cli/writeGlb.js';
import { parseParts, readParts } from '../../dist/formats/readParts.js';
import { dataPath, dataTest } from '../support/data.js';
import { test } from '../support/test.js';
import { corners, SQUARE, triangleCount } from './smallFiles.js';

const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
const part = (name: string, positions: number[], indices: number[]) => ({
  name,
  positions: Float32Array.from(positions),
  indices: Uint32Array.from(indices),
  transform: IDENTITY,
});

test('triangles that share a vertex or a position are in one piece, where 0 equals -0', () => {
  const tetrahedra = part(
    'two',
    [
      0, 0, 0, 1, 0, 0, 0, 1, 0, /* the same edge again */ -0, 0, 0, 1, -0, 0, 0, 0, 1, /* apart */ 5, 5, 5,
      6, 5, 5, 5, 6, 5, 5, 5, 6,
    ],
    [6, 7, 8, 0, 1, 2, 8, 7, 9, 3, 4, 5],
  );
  const pieces = splitComponents(tetrahedra);
  assert.equal(
    pieces.map(({ name }) => name),
    ['two #1', 'two #2'],
  );
  assert.equal(corners(pieces[0]), [5, 5, 5, 6, 5, 5, 5, 6, 5, 5, 6, 5, 6, 5, 5, 5, 5, 6]);
  assert.equal(corners(pieces[1]), [0, 0, 0, 1, 0, 0, 0, 1, 0, -0, 0, 0, 1, -0, 0, 0, 0, 1]);
  assert.ok(pieces.every(({ transform }) => transform === IDENTITY));
});

test('a connected part and an empty part are returned unchanged', () => {
  for (const whole of [part('one', [...SQUARE], [0, 1, 2, 0, 2, 3]), part('none', [], [])])
    assert.equal(splitComponents(whole), [whole]);
});

test('a long chain is one piece, and 20,000 separate triangles are 20,000 pieces', () => {
  const count = 200_000;
  const chain = part(
    'chain',
    Array.from({ length: 3 * (count + 2) }, (_, i) => (i % 3 === 0 ? i : i % 2)),
    Array.from({ length: 3 * count }, (_, i) => count - 1 - Math.floor(i / 3) + (i % 3)),
  );
  assert.is(splitComponents(chain).length, 1);
  const dust = part(
    'dust',
    Array.from({ length: 9 * 20_000 }, (_, i) => i),
    Array.from({ length: 3 * 20_000 }, (_, i) => i),
  );
  assert.is(splitComponents(dust).length, 20_000);
});

test('names, triangles, shared arrays and transforms in doubles survive writing and reading GLB', () => {
  const square = part('square', [...SQUARE, 1e-45, -3.4028234663852886e38, 0.1], [0, 1, 2, 0, 2, 3, 0, 0, 4]);
  const placed = {
    ...square,
    name: 'placed "here" \u00e9',
    transform: Float64Array.of(
      Math.SQRT1_2,
      Math.PI,
      1e-200,
      0,
      -1 / 3,
      0,
      0,
      0,
      5e-324,
      0,
      1,
      0,
      1e9 + 1 / 3,
      0.1,
      -2.5,
      1,
    ),
  };
  const parts = [
    square,
    placed,
    part('other', [0, 0, 0, 1, 0, 0, 0, 1, 0], [2, 1, 0]),
    part('empty', [], []),
  ];
  const again = parseParts('round.glb', writeGlb(parts));
  assert.equal(
    again.map(({ name }) => name),
    ['square', placed.name, 'other'],
  );
  again.forEach((read, i) => {
    assert.equal([...read.transform], [...parts[i].transform]);
    assert.equal(corners(read), corners(parts[i]));
  });
  assert.is(again[0].positions, again[1].positions);
  assert.is.not(again[0].positions, again[2].positions);
});

dataTest('an assembly is unchanged by writing and reading, and has more components than parts', async () => {
  const parts = await readParts(dataPath('assembly/2CylinderEngine.glb'));
  const again = parseParts('again.glb', writeGlb(parts));
  assert.equal(
    again.map(({ name }) => name),
    parts.map(({ name }) => name),
  );
  again.forEach(({ transform, positions, indices }, i) => {
    assert.equal(transform, parts[i].transform);
    assert.equal(positions, parts[i].positions);
    assert.equal(indices, parts[i].indices);
  });
  const pieces = parts.flatMap(splitComponents);
  assert.ok(pieces.length > parts.length);
  assert.is(triangleCount(pieces), triangleCount(parts));
});

test.run();
