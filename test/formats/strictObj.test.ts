// Tests that the OBJ reader accepts all supported statements, and refuses invalid files with an error that
// names the line.

import * as assert from 'uvu/assert';
import { parseParts } from '../../dist/formats/readParts.js';
import { test } from '../support/test.js';
import { text, triangleCount } from './smallFiles.js';
import { assertRefused, TRIANGLE } from './strictSupport.js';

test('OBJ: unknown and unsupported statements are refused, and all supported ones are accepted', () => {
  for (const line of [
    'F 1 2 3',
    'V 0 0 0',
    'e 1 2 3',
    'fx 1 2 3',
    'vq 1 1',
    'vnn 0 0 1',
    'usemt a',
    '1 2 3',
    '648 216',
    'f1 2 3',
    '\u00e9 1 2 3',
  ])
    assertRefused('unknown.obj', text(...TRIANGLE, line), /line 5: .* is not an OBJ statement/);
  for (const line of [
    'surf 0 1 0 1 1 2 3',
    'call other.obj',
    'csh rm',
    'bzp 1 2',
    'bsp 1 2',
    'cdp 1 2',
    'res 1 2',
  ])
    assertRefused('surface.obj', text(...TRIANGLE, line), /line 5: .* is not supported/);
  const legal = [
    '',
    '  ',
    '# f 1 2 3',
    '#',
    'vt 0',
    'vt 0 0',
    'vt 0 0 0',
    'vn 0 0 1 # up',
    'vp 1 2',
    'o',
    'g',
    'g a b',
    'g Shelf 1 2 3',
    'g f 1',
    's',
    's off',
    's 1',
    'mg 1 0.5',
    'usemtl a b',
    'usemtl',
    'mtllib a b.mtl',
    'usemap off',
    'maplib a',
    'bevel on',
    'c_interp on',
    'd_interp on',
    'lod 5',
    'shadow_obj a',
    'trace_obj a',
    'ctech cparm 1',
    'stech curv 1 1',
    'cstype rat bspline',
    'deg 3 3',
    'bmat u 1',
    'step 1',
    'parm u 0 1',
    'trim 0 1 1',
    'hole 0 1 1',
    'scrv 0 1 1',
    'sp 1',
    'end',
    'con 1 0 1 1 2 0 1 2',
    'v 0 0 0 # a comment',
    'v 0 0 0 1',
    'v 0 0 0 1 1 1',
    'v 0 0 0 1 1 1 1',
    'f 1/1/1 2/2/2 3/-3/-3 # a comment',
    'f 1// 2// 3//',
  ];
  for (const line of legal)
    assert.ok(triangleCount(parseParts('legal.obj', text(...TRIANGLE, line))) >= 1, line);
});

test('OBJ: a lost line break does not hide a statement', () => {
  for (const [line, message] of [
    ['v 0 0 0 v 1 0 0', /"v" is not a number/],
    ['v 0 0 0 0', /has the weight 0/],
    ['g left*f 1 2 3', /ends with a vertex or a face/],
    ['o a\u0001f 1 2 3', /control character/],
    ['usemtl xf 1/1 2/2 3/3', /ends with a/],
    ['g left v 1 2 3', /ends with a/],
    ['l 1 a', /not a vertex number/],
    ['v 0 0 0 1 1', /has 5 numbers/],
    ['v 0 0 0 1 1 1 1 1', /has 8 numbers/],
    ['vt 0 0 f 1 2 3', /vt has more than 3/],
    ['vn 0 0 1 f 1 2 3', /vn has more than 3/],
    ['vn 0 0', /vn has fewer than 3/],
    ['s off f 1 2 3', /s has more than 1/],
    ['lod 1 f 1 2 3', /lod has more/],
    ['f 1 2 3 f 1 2 3', /"f" is not a face corner/],
    ['f 1/1/1/1 2 3', /not a face corner/],
    ['f 1/- 2 3', /not a face corner/],
    ['f 1/1-1 2 3', /not a face corner/],
  ] as const) {
    assertRefused('break.obj', text(...TRIANGLE, line), message);
  }
});

test('OBJ: a comment that ends in a backslash does not swallow the next face', () => {
  assert.is(
    triangleCount(
      parseParts(
        'path.obj',
        text(...TRIANGLE, '# C:\\models\\', 'f 1 2 3', 'f 1 \\', '2 3', 'vt 0 0 # \\', 'f 1 2 3'),
      ),
    ),
    4,
  );
});

test('OBJ: an error names the line of the wrong word, even if statements are continued on other lines', () => {
  const joined = ['f 1 \\', '2 \\', '3'];
  const lines = text(...TRIANGLE, ...joined, ...joined, 'f 1 x 3');
  assertRefused('joined.obj', lines, /line 11: "x" is not a face corner/);
  assertRefused(
    'joined.obj',
    text(...TRIANGLE, ...joined, 'f 1 \\\r', '2 \\', 'y'),
    /line 10: "y" is not a face corner/,
  );
  assertRefused(
    'joined.obj',
    text(...TRIANGLE, ...joined, 'f 1 \\', '2', 'f 1 2 3'),
    /line 9: the face has 2 corners/,
  );
  assertRefused(
    'joined.obj',
    text(...TRIANGLE, ...joined, 'f 1 2 9', ...joined),
    /line 8: the face names vertex 9, but there are only 3 vertices/,
  );
  assert.is(triangleCount(parseParts('joined.obj', text(...TRIANGLE, ...joined, ...joined))), 3);
});

test('OBJ: counts in the first line are checked', () => {
  assert.is(triangleCount(parseParts('counts.obj', text('3 1', ...TRIANGLE))), 1);
  for (const counts of ['3 2', '4 1', '0 0'])
    assertRefused('counts.obj', text(counts, ...TRIANGLE), /line 1 declares/);
});

test.run();
