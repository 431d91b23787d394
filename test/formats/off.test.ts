// Tests the reader of OFF files: all kinds of vertices, polygons, comments, and errors that name the line.
import { createRequire } from 'node:module';
import * as assert from 'uvu/assert';
import { parseParts } from '../../dist/formats/readParts.js';
import { torus } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { corners, text, triangleCount } from './smallFiles.js';
import { assertRefused } from './strictSupport.js';

const SQUARE_POINTS = ['0 0 0', '1 0 0', '1 1 0', '0 1 0'];
const TWO = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0];

test('OFF: polygons are split into fans, and other values of the rows and comments are ignored', () => {
  const withRows = (keyword: string, rest: string, face = '4 0 1 2 3') =>
    text(keyword, '4 1 4', ...SQUARE_POINTS.map(point => `${point}${rest}`), face, '');
  for (const file of [
    withRows('OFF', ''),
    withRows('OFF', ' # a comment'),
    withRows('NOFF', ' 0 0 1'),
    withRows('COFF', ' 255 0 0'),
    withRows('COFF', ' 1 0 0 0.5'),
    withRows('CNOFF', ' 0 0 1 1 0 0 0.5'),
    withRows('STOFF', ' 0.5 0.5'),
    withRows('STCNOFF', ' 0 0 nan 1 0 0 0.5 0.5'),
    withRows('OFF', '', '4 0 1 2 3 7'),
    withRows('OFF', '', '4 0 1 2 3 255 0 0'),
    withRows('OFF', '', '4 0 1 2 3 1 0 0 0.5'),
    text('# a square', '', 'OFF 4 2', '', ...SQUARE_POINTS, '# faces', '3 0 1 2', '3 0 2 3 # the end'),
  ]) {
    const [part, ...others] = parseParts('square.off', file);
    assert.is(others.length, 0);
    assert.is(part.name, 'square');
    assert.equal(corners(part), TWO);
    assert.is(part.rounding, undefined);
  }
});

test('OFF: faces of one or two corners are left out, with a warning', () => {
  const warnings: string[] = [];
  const file = text('OFF', '4 3 0', ...SQUARE_POINTS, '2 0 1', '3 0 1 2', '1 3');
  const parts = parseParts('lines.off', file, undefined, { onWarning: message => warnings.push(message) });
  assert.is(triangleCount(parts), 1);
  assert.equal(warnings, ['lines.off: left out 2 points and lines, which have no area']);
  assert.equal(parseParts('lines.off', text('OFF', '4 1 0', ...SQUARE_POINTS, '2 0 1')), []);
});

test('OFF: faulty files are refused, and the error for a faulty line names the line', () => {
  const square = (...rows: string[]) => text('OFF', '4 1 4', ...rows);
  for (const [file, message] of [
    [text(''), /is empty/],
    [text('# only a comment'), /is empty/],
    [text('OF', '1 1 1'), /line 1: expected OFF, COFF, NOFF or STOFF, found "OF"/],
    [text('OFF490 518 0'), /line 1: expected OFF, .* found "OFF490"/],
    [text('4OFF', '4 1 4'), /line 1: 4OFF declares vertices that do not have exactly three coordinates/],
    [text('nOFF', '3', '4 1 4'), /line 1: nOFF declares vertices that do not have/],
    [text('OFF BINARY', '4 1 4'), /line 1: the file is binary OFF/],
    [text('OFF', '4 1 4', '0 0 \0'), /contains a NUL byte/],
    [text('OFF'), /ends after its keyword/],
    [text('OFF', '4'), /line 2: expected the numbers of vertices, faces and edges, found 1 numbers/],
    [text('OFF', '4 1 4 0'), /line 2: expected the numbers .* found 4 numbers/],
    [text('OFF', '4 -1 4'), /line 2: "-1" is not a number of vertices, faces or edges/],
    [text('OFF', '4 1.5 4'), /line 2: "1.5" is not a number/],
    [text('OFF', '4000000000 1 4', '0 0 0'), /ends after 1 of 4000000000 vertices/],
    [square('0 0 0', '1 0', '1 1 0', '0 1 0'), /line 4: the vertex has 2 numbers, not 3, as OFF requires/],
    [square('0 0 0 1 1 1'), /line 3: the vertex has 6 numbers, not 3, as OFF requires/],
    [text('COFF', '4 1 4', '0 0 0'), /line 3: the vertex has 3 numbers, not 6 or 7, as COFF requires/],
    [square('0 0 x'), /line 3: "x" is not a coordinate/],
    [square('0 0 1e39'), /line 3: "1e39" is not a coordinate/],
    [text('NOFF', '4 1 4', '0 0 0 0 0 up'), /line 3: "up" is not a number/],
    [square(...SQUARE_POINTS), /ends after 0 of 1 faces/],
    [square(...SQUARE_POINTS, '4 0 1 2'), /line 7: the face has 3 corners, but declares 4/],
    [square(...SQUARE_POINTS, '3 0 1 4'), /line 7: the face names vertex "4", but the vertices are 0\.\.3/],
    [square(...SQUARE_POINTS, '3 0 1 -1'), /line 7: the face names vertex "-1"/],
    [square(...SQUARE_POINTS, '0'), /line 7: "0" is not a number of corners/],
    [square(...SQUARE_POINTS, '3 0 1 2 5 5'), /line 7: the face has 2 numbers after its 3 corners/],
    [square(...SQUARE_POINTS, '3 0 1 2 red'), /line 7: "red" is not a number/],
    [square(...SQUARE_POINTS, '3 0 1 2', '3 0 2 3'), /line 8: there is text after the last face/],
  ] as [Uint8Array, RegExp][])
    assertRefused('broken.off', file, message);
});

test('OFF: assimp reads the same triangles', async () => {
  const ring = torus(2000);
  const rows = (values: ArrayLike<number>, start: string) =>
    Array.from({ length: values.length / 3 }, (_, i) =>
      start.concat([values[3 * i], values[3 * i + 1], values[3 * i + 2]].join(' ')),
    );
  const bytes = text(
    'OFF',
    `${ring.positions.length / 3} ${ring.indices.length / 3} 0`,
    ...rows(ring.positions, ''),
    ...rows(ring.indices, '3 '),
    '',
  );
  const load = createRequire(import.meta.url)('assimpjs');
  const library = await load();
  const files = new library.FileList();
  files.AddFile('ring.off', bytes);
  const result = library.ConvertFileList(files, 'assjson');
  assert.ok(result.IsSuccess(), result.GetErrorCode());
  const { meshes } = JSON.parse(new TextDecoder().decode(result.GetFile(0).GetContent()));
  const expected = meshes.flatMap(({ faces, vertices }: any) =>
    faces
      .flat()
      .flatMap((vertex: number) =>
        vertices.slice(3 * vertex, 3 * vertex + 3).map((v: number) => Math.fround(v)),
      ),
  );
  const [part] = parseParts('ring.off', bytes);
  assert.is(part.indices.length, ring.indices.length);
  const found = corners(part);
  assert.is(found.length, expected.length);
  // assimp prints a limited number of digits.
  assert.ok(found.every((value, i) => Math.abs(value - expected[i]) < 1e-5));
});

test.run();
