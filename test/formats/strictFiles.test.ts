// Tests that the readers of mesh files are strict. They refuse files that a lenient reader would read only in
// part, and the error says where and how the file is wrong. Valid content without triangles is accepted with a
// warning.

import * as assert from 'uvu/assert';
import { parseParts } from '../../dist/formats/readParts.js';
import { test } from '../support/test.js';
import {
  binaryStl,
  concatenate,
  corners,
  glb,
  packed,
  SQUARE,
  squareGltf,
  squarePly,
  text,
  triangleCount,
} from './smallFiles.js';
import { assertRefused, TRIANGLE } from './strictSupport.js';

function notesOf(name: string, bytes: Uint8Array): string[] {
  const notes: string[] = [];
  parseParts(name, bytes, undefined, { onWarning: message => notes.push(message) });
  return notes;
}
const ply = (
  vertexType: string,
  countType: string,
  indexType: string,
  vertices: string[],
  face: string,
  extra = 'float quality',
): Uint8Array =>
  text(
    'ply',
    'format ascii 1.0',
    'element vertex 3',
    ...['x', 'y', 'z'].map(axis => `property ${vertexType} ${axis}`),
    `property ${extra}`,
    'element face 1',
    `property list ${countType} ${indexType} vertex_indices`,
    'end_header',
    ...vertices,
    face,
    '',
  );
const ROWS = ['0 0 0 1', '1 0 0 1', '0 1 0 1'];

test('PLY text: a value outside the range of its declared type is refused', () => {
  assert.is(triangleCount(parseParts('whole.ply', ply('float', 'uchar', 'int', ROWS, '3 0 1 2'))), 1);
  assertRefused(
    'index.ply',
    ply('float', 'uchar', 'int', ROWS, '3 0 1 4294967298'),
    /line 14: 4294967298 is not in -2147483648\.\.2147483647/,
  );
  assertRefused(
    'index.ply',
    ply('float', 'uchar', 'uint', ROWS, '3 0 1 4294967298'),
    /line 14: 4294967298 is not in 0\.\.4294967295/,
  );
  assertRefused('index.ply', ply('float', 'uchar', 'uchar', ROWS, '3 0 1 258'), /258 is not in 0\.\.255/);
  assertRefused(
    'index.ply',
    ply('float', 'uchar', 'short', ROWS, '3 0 1 65538'),
    /65538 is not in -32768\.\.32767/,
  );
  assertRefused('index.ply', ply('float', 'uchar', 'uint', ROWS, '3 0 1 -2'), /-2 is not in 0/);
  assertRefused(
    'count.ply',
    ply('float', 'uchar', 'int', ROWS, `259 ${'0 1 2 '.repeat(86)}0`),
    /259 is not in 0\.\.255/,
  );
  assertRefused('count.ply', ply('float', 'char', 'int', ROWS, '-3 0 1 2'), /a list has length -3/);
  assertRefused('count.ply', ply('float', 'uchar', 'int', ROWS, '-253 0 1 2'), /-253 is not in 0\.\.255/);
  assertRefused(
    'float.ply',
    ply('float', 'uchar', 'int', ['1e39 0 0 1', ...ROWS.slice(1)], '3 0 1 2'),
    /line 11: "1e39" is beyond the range/,
  );
  assertRefused(
    'double.ply',
    ply('double', 'uchar', 'int', ['1e400 0 0 1', ...ROWS.slice(1)], '3 0 1 2'),
    /"1e400" is beyond the range/,
  );
  assertRefused(
    'vertex.ply',
    ply('uchar', 'uchar', 'int', ['0 0 256 1', ...ROWS.slice(1)], '3 0 1 2'),
    /256 is not in 0\.\.255/,
  );
});

test('PLY text: words that are not numbers are refused, even in skipped properties', () => {
  for (const word of ['abc', '0x10', '1,5', '1.5.2', '--1', '1e', '+', '.', '1_000']) {
    assertRefused(
      'word.ply',
      ply('float', 'uchar', 'int', [`0 0 0 ${word}`, ...ROWS.slice(1)], '3 0 1 2'),
      /line 11: ".*" is not a number/,
    );
    assertRefused('index.ply', ply('float', 'uchar', 'int', ROWS, `3 0 1 ${word}`), /is not a whole number/);
  }
  assertRefused(
    'color.ply',
    ply('float', 'uchar', 'int', ['0 0 0 300', ...ROWS.slice(1)], '3 0 1 2', 'uchar red'),
    /300 is not in 0\.\.255/,
  );
  for (const word of ['nan', '-nan(ind)', 'inf', '1.#QNAN']) {
    assert.is(
      triangleCount(
        parseParts(
          'quality.ply',
          ply('float', 'uchar', 'int', [`0 0 0 ${word}`, ...ROWS.slice(1)], '3 0 1 2'),
        ),
      ),
      1,
    );
    assertRefused(
      'vertex.ply',
      ply('float', 'uchar', 'int', [`${word} 0 0 0`, ...ROWS.slice(1)], '3 0 1 2'),
      /vertex 0: NaN is not a coordinate/,
    );
  }
});

test('PLY: misspelled elements and doubled lines of the header are refused', () => {
  const whole = new TextDecoder().decode(squarePly());
  for (const [from, to, message] of [
    ['element face', 'element fase', /only face and tristrips/],
    ['format ascii 1.0', 'format ascii 1.0\nformat ascii 1.0', /is declared twice/],
    ['end_header', 'end_header now', /not a line of a PLY header/],
    [
      'int vertex_indices',
      'int vertex_indices\nproperty list uchar int vertex_index',
      /must have exactly one list/,
    ],
  ] as const) {
    assertRefused('header.ply', text(whole.replace(from, to)), message);
  }
});

test('content that gives no triangles causes a warning', () => {
  assert.equal(notesOf('lines.obj', text(...TRIANGLE, 'p 1', 'l 1 2', 'curv 0 1 1 2')), [
    'lines.obj: left out 3 points, lines and curves, which have no area',
  ]);
  assert.equal(notesOf('whole.obj', text(...TRIANGLE)), []);
  const { json, binary } = squareGltf();
  json.meshes[0].primitives.push(
    { attributes: { POSITION: 0 }, mode: 1 },
    { attributes: {} },
    { attributes: { POSITION: 0 } },
  );
  json.nodes[0].color = 'red';
  // A mesh in another scene, one in no scene, and one that no node has.
  json.nodes.push({ mesh: 0 }, { mesh: 0 });
  json.scenes.push({ nodes: [1] });
  json.meshes.push(json.meshes[0]);
  const notes = notesOf('odd.glb', glb(json, binary));
  assert.is(notes.length, 5, notes.join('\n'));
  for (const message of [
    /left out 3 meshes outside of the default scene/,
    /1 primitive of points or lines/,
    /1 primitive without positions/,
    /1 corner after the last whole triangle/,
    /node\.color/,
  ])
    assert.ok(
      notes.some(note => message.test(note)),
      `${message} in ${notes.join('\n')}`,
    );
});

test('glTF: bounds that contradict the data are refused, but rounding to float32 is accepted', () => {
  const square = (change: (accessor: any, json: any) => void, positions = SQUARE): Uint8Array => {
    const { json } = squareGltf();
    const { binary, ...storage } = packed(positions, Uint16Array.of(0, 1, 2, 0, 2, 3));
    Object.assign(json, storage);
    change(json.accessors[0], json);
    return glb(json, binary);
  };
  for (const [key, bound] of [
    ['min', [0, 0, 0.5]],
    ['min', [-1, 0, 0]],
    ['max', [1, 1, 1]],
    ['max', [1, 0.999, 0]],
    ['max', [1, 1]],
    ['max', [1, 1, 0, 0]],
    ['min', [0, 0, '0']],
    ['min', 0],
  ] as const) {
    assertRefused(
      'bounds.glb',
      square(accessor => {
        accessor[key] = bound;
      }),
      /accessors\[0\]\.m(in|ax)/,
    );
  }
  assertRefused(
    'indices.glb',
    square((_, json) => {
      json.accessors[1].max = [2];
    }),
    /accessors\[1\]\.max\[0\] is 2, but the maximum of the data is 3/,
  );
  const tenth = SQUARE.map(value => value / 10);
  for (const max of [0.1, Math.fround(0.1), 0.100000001])
    assert.is(
      triangleCount(
        parseParts(
          'rounded.glb',
          square(accessor => {
            accessor.max = [max, max, -0];
          }, tenth),
        ),
      ),
      2,
    );
  assertRefused(
    'rounded.glb',
    square(accessor => {
      accessor.max = [0.10000002, 0.1, 0];
    }, tenth),
    /max\[0\]/,
  );
  assert.is(
    triangleCount(
      parseParts(
        'none.glb',
        square(accessor => {
          delete accessor.min;
          delete accessor.max;
        }),
      ),
    ),
    2,
  );
});

test('glTF: a misspelled property is refused', () => {
  const misspelled: [message: RegExp, change: (json: any) => void][] = [
    [
      /did you mean nodes\?/,
      json => {
        json.nodez = json.nodes;
        delete json.nodes;
      },
    ],
    [
      /did you mean translation\?/,
      json => {
        json.nodes[0].tranlation = [1, 0, 0];
      },
    ],
    [
      /did you mean translation\?/,
      json => {
        json.nodes[0].Translation = [1, 0, 0];
      },
    ],
    [
      /did you mean mesh\?/,
      json => {
        json.nodes[0].mehs = 0;
        delete json.nodes[0].mesh;
      },
    ],
    [
      /did you mean children\?/,
      json => {
        json.nodes[0].childrens = [];
      },
    ],
    [
      /did you mean mode\?/,
      json => {
        json.meshes[0].primitives[0].mod = 5;
      },
    ],
    [
      /did you mean indices\?/,
      json => {
        json.meshes[0].primitives[0].indicet = 1;
        delete json.meshes[0].primitives[0].indices;
      },
    ],
    [
      /did you mean byteOffset\?/,
      json => {
        json.accessors[0].byteoffset = 12;
      },
    ],
    [
      /"POSITIOM", which is not an attribute/,
      json => {
        json.meshes[0].primitives[0].attributes.POSITIOM = 0;
      },
    ],
  ];
  for (const [message, change] of misspelled) {
    const { json, binary } = squareGltf();
    change(json);
    assertRefused('property.glb', glb(json, binary), message);
  }
});

test('STL text: a facet may be written on one line; missing, additional and misspelled words are refused', () => {
  const facet = [
    'facet normal 0 0 1',
    'outer loop',
    'vertex 0 0 0',
    'vertex 1 0 0',
    'vertex 0 1 0',
    'endloop',
    'endfacet',
  ];
  const solid = (...lines: string[]): Uint8Array => text('solid a', ...lines, 'endsolid a', '');
  assert.is(triangleCount(parseParts('whole.stl', solid(...facet, ...facet))), 2);
  assert.is(triangleCount(parseParts('oneline.stl', solid(facet.join(' '), facet.join(' ')))), 2);
  for (let line = 0; line < facet.length; line++) {
    assertRefused('missing.stl', solid(...facet.toSpliced(line, 1), ...facet), /line \d+/);
    const [first] = facet[line].split(' ');
    assertRefused(
      'misspelled.stl',
      solid(...facet.with(line, facet[line].replace(first, `${first}x`)), ...facet),
      /expected .*, found /,
    );
  }
  for (const normal of [
    'facet normal 0 0',
    'facet normals 0 0 1',
    'facet normal 0 0 1 1',
    'facet normal 0 0 up',
    'facet 0 0 1',
  ])
    assertRefused('normal.stl', solid(...facet.with(0, normal)), /line 2|line 3/);
  assertRefused('four.stl', solid(...facet.toSpliced(4, 0, 'vertex 2 2 2')), /expected endloop, found /);
  assertRefused('after.stl', concatenate(solid(...facet), text('facet')), /expected solid, found /);
});

test('STL text: a lost line break after solid or endsolid does not hide a statement', () => {
  const facet = 'facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet';
  for (const name of ['', ' a', ' a facet', ' Solid 1', ' \u00e9\tb\r'])
    assert.is(
      triangleCount(parseParts('name.stl', text(`solid${name}`, facet, `endsolid${name}`, ''))),
      1,
      name,
    );
  for (const [lines, message] of [
    [[`solid a ${facet}`, facet, 'endsolid a'], /line 1: the name "a facet .* contains a statement/],
    [[`solid ${facet}`, facet, 'endsolid'], /line 1: the name "facet .* contains a statement/],
    [[`solid a facet outer loop vertex`, facet, 'endsolid'], /line 1: the name .* contains a statement/],
    [
      ['solid a', facet, `endsolid a solid b ${facet} endsolid b`],
      /line 3: the name "a solid b .* a statement/,
    ],
    [['solid a', facet, 'endsolid a solid b', 'endsolid b'], /line 3: the name "a solid b" contains/],
    [['solid a endsolid a', 'solid b', facet, 'endsolid b'], /line 1: the name "a endsolid a" contains/],
    [['solid a', facet, `endsolid a\rsolid b\r${facet}\rendsolid b`], /line 3: .* control character/],
    [[`solid a\r${facet}`, facet, 'endsolid a'], /line 1: .* control character/],
  ] as const)
    assertRefused('break.stl', text(...lines, ''), message);
});

test('a carriage return in a comment does not hide a statement', () => {
  const comment = /: a comment contains a carriage return/;
  assertRefused('comment.obj', text(...TRIANGLE, '# second\rf 1 2 3'), comment);
  assertRefused('comment.obj', text(...TRIANGLE, 'v 0 0 0 #\rf 1 2 3'), comment);
  assertRefused('mac.obj', new TextEncoder().encode(['# mac', ...TRIANGLE].join('\r')), comment);
  assertRefused('curve.obj', text(...TRIANGLE, 'curv 0 1 1 2\rf 1 2 3'), /control character/);
  assertRefused('comment.off', text('OFF # a\r', '3 1 0 # b\r0 0 0', '1 0 0', '0 1 0', '3 0 1 2'), comment);
  const square = new TextDecoder().decode(squarePly());
  assertRefused('comment.ply', text(square.replace('format', 'comment a\rb\nformat')), comment);
  assert.is(triangleCount(parseParts('crlf.obj', text(...TRIANGLE, '# second\r', '# third\r\r'))), 1);
  assert.is(triangleCount(parseParts('crlf.ply', text(square.replace('format', 'comment a \r\nformat')))), 2);
});

test('STL binary: the triangle count must match the length of the file', () => {
  const triangle = [0, 0, 0, 1, 0, 0, 0, 1, 0];
  for (const count of [0, 2, 2 ** 31, 2 ** 32 - 1])
    assertRefused('count.stl', binaryStl(triangle, count), /declares \d+ triangles, but has room for 1/);
  assertRefused('rest.stl', concatenate(binaryStl(triangle), Uint8Array.of(0)), /declares 1 triangles/);
});

test('corners of a strip and a fan come in the order of the specification', () => {
  for (const [mode, expected] of [
    [5, [0, 1, 2, 2, 1, 3]],
    [6, [0, 1, 2, 0, 2, 3]],
  ] as const) {
    const { json, binary } = squareGltf();
    Object.assign(json.meshes[0].primitives[0], { mode, indices: undefined });
    assert.equal(
      corners(parseParts('modes.glb', glb(json, binary))[0]),
      expected.flatMap(vertex => [...SQUARE.subarray(3 * vertex, 3 * vertex + 3)]),
    );
  }
});

test.run();
