// Makes small files of tori in every format that pfront reads. The bytes are the same in every JavaScript
// engine.

import type * as Scenes from '../../dist/samples/index.js';
import { binaryStl, glb, packed, text } from '../formats/smallFiles.js';
import { beam, ifc } from '../formats/smallIfc.js';

interface Triangles {
  positions: ArrayLike<number>;
  indices: ArrayLike<number>;
}
type Random = ReturnType<typeof Scenes.createRandom>;

/** Largest value of a normalized 16-bit integer. */
const MAX_SHORT = 32767;
/** Half the width of a box around a torus of the samples. */
const EXTENT = 2;

/**
 * Returns a number near `value` as text, with 4 to 34 decimal places and sometimes with an exponent. Most of
 * these numbers are between two doubles, so that readers must round.
 */
function decimal(value: number, random: Random): string {
  const more = Array.from({ length: random.below(31) }, () => random.below(10)).join('');
  const digits = `${value.toFixed(4)}${more}`;
  return random.below(4) > 0 ? digits : `${digits.replace(/\d\./, digit => `.${digit[0]}`)}e+1`;
}

/** Returns a copy of the positions, moved along x. */
const moved = (positions: ArrayLike<number>, x: number): Float32Array =>
  Float32Array.from(positions, (value, i) => (i % 3 === 0 ? value + x : value));

const triples = (values: ArrayLike<number>): number[][] =>
  Array.from({ length: values.length / 3 }, (_, i) => [
    values[3 * i]!,
    values[3 * i + 1]!,
    values[3 * i + 2]!,
  ]);

/** Two objects. The faces of the second one count vertices from the end, and have normals. */
function makeObj({ positions, indices }: Triangles, random: Random): Uint8Array {
  const lines = ['# two tori'];
  for (const [name, x] of [
    ['torus 1', 0],
    ['torus 2', 1.5],
  ] as const) {
    lines.push(`o ${name}`, 'vn 0 0 1');
    const vertices = triples(moved(positions, x));
    for (const vertex of vertices) lines.push(`v ${vertex.map(value => decimal(value, random)).join(' ')}`);
    for (const face of triples(indices))
      lines.push(
        `f ${face.map(vertex => (x === 0 ? vertex + 1 : `${vertex - vertices.length}//-1`)).join(' ')}`,
      );
  }
  return text(...lines, '');
}

function makeStlText({ positions, indices }: Triangles, random: Random): Uint8Array {
  const vertices = triples(moved(positions, 3));
  return text(
    'solid torus 3',
    ...triples(indices).flatMap(face => [
      'facet normal 0 0 0',
      'outer loop',
      ...face.map(vertex => `vertex ${vertices[vertex]!.map(value => decimal(value, random)).join(' ')}`),
      'endloop',
      'endfacet',
    ]),
    'endsolid torus 3',
    '',
  );
}

/** A PLY file with doubles. littleEndian: undefined for text. */
function makePly({ positions, indices }: Triangles, random: Random, littleEndian?: boolean): Uint8Array {
  const vertices = triples(moved(positions, littleEndian ? 6 : 4.5)).map(vertex =>
    vertex.map(value => decimal(value, random)),
  );
  const faces = triples(indices);
  const header = [
    'ply',
    `format ${littleEndian === undefined ? 'ascii' : littleEndian ? 'binary_little_endian' : 'binary_big_endian'} 1.0`,
    `element vertex ${vertices.length}`,
    ...['x', 'y', 'z'].map(axis => `property double ${axis}`),
    `element face ${faces.length}`,
    'property list uchar uint vertex_indices',
    'end_header',
  ];
  if (littleEndian === undefined)
    return text(
      ...header,
      ...vertices.map(vertex => vertex.join(' ')),
      ...faces.map(face => `3 ${face.join(' ')}`),
      '',
    );
  const start = text(...header, '');
  const bytes = new Uint8Array(start.length + 24 * vertices.length + 13 * faces.length);
  bytes.set(start);
  const view = new DataView(bytes.buffer, start.length);
  vertices.flat().forEach((value, i) => view.setFloat64(8 * i, Number(value), littleEndian));
  faces.forEach((face, i) => {
    const at = 24 * vertices.length + 13 * i;
    view.setUint8(at, 3);
    face.forEach((vertex, corner) => view.setUint32(at + 1 + 4 * corner, vertex, littleEndian));
  });
  return bytes;
}

/**
 * The JSON and the buffer of a glTF file: one torus with floats and one with normalized 16-bit integers. The
 * nodes have rotations and scales whose products must be rounded.
 */
function makeGltf({ positions, indices }: Triangles) {
  const floats = Float32Array.from(positions);
  // Each vertex takes 8 bytes, because glTF aligns vertices to 4 bytes.
  const shorts = new Int16Array((floats.length / 3) * 4);
  floats.forEach((value, i) => {
    shorts[4 * Math.floor(i / 3) + (i % 3)] = Math.round((value / EXTENT) * MAX_SHORT);
  });
  const { binary, bufferViews, buffers } = packed(floats, shorts, Uint32Array.from(indices));
  bufferViews[1]!.byteStride = 8;
  const range = (axisOf: (i: number) => number, values: Float32Array | Int16Array) => {
    const of = (axis: number) => [...values].filter((_, i) => axisOf(i) === axis);
    return {
      min: [0, 1, 2].map(axis => Math.min(...of(axis))),
      max: [0, 1, 2].map(axis => Math.max(...of(axis))),
    };
  };
  const count = floats.length / 3;
  const primitive = (accessor: number) => ({
    primitives: [{ attributes: { POSITION: accessor }, indices: 2 }],
  });
  const json = {
    asset: { version: '2.0' },
    extensionsUsed: ['KHR_mesh_quantization'],
    extensionsRequired: ['KHR_mesh_quantization'],
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [
      { name: 'tori', rotation: [0.36, 0.48, 0.64, 0.48], translation: [7.5, 0.1, 0.2], children: [1, 2] },
      { name: 'torus 6', mesh: 0, scale: [1.1, 0.9, 0.7], rotation: [0, 0.6, 0, 0.8] },
      { name: 'torus 7', mesh: 1, scale: [EXTENT, EXTENT, EXTENT], translation: [1 / 3, 0.7, -0.1] },
    ],
    meshes: [primitive(0), primitive(1)],
    accessors: [
      { bufferView: 0, componentType: 5126, type: 'VEC3', count, ...range(i => i % 3, floats) },
      {
        bufferView: 1,
        componentType: 5122,
        normalized: true,
        type: 'VEC3',
        count,
        ...range(i => i % 4, shorts),
      },
      { bufferView: 2, componentType: 5125, type: 'SCALAR', count: indices.length },
    ],
    bufferViews,
    buffers,
  };
  return { json, binary };
}

/** Returns the bytes of every file, by file name. The tori of neighboring files intersect. */
export function makeFiles(scenes: typeof Scenes): Record<string, Uint8Array> {
  const random = scenes.createRandom(12);
  const { positions, indices = [] } = scenes.torus(200);
  const torus = { positions, indices };
  const { json, binary } = makeGltf(torus);
  const vertices = triples(moved(positions, 2.3));
  const corners = [...indices].flatMap(vertex => vertices[vertex]!);
  const beside = { ...json, buffers: [{ byteLength: binary.length, uri: 'tori.bin' }] };
  return {
    'tori.obj': makeObj(torus, random),
    'text.stl': makeStlText(torus, random),
    'binary.stl': binaryStl(corners),
    'text.ply': makePly(torus, random),
    'little.ply': makePly(torus, random, true),
    'big.ply': makePly(torus, random, false),
    'tori.glb': glb(json, binary),
    'tori.gltf': text(JSON.stringify(beside)),
    'tori.bin': binary,
    'beams.ifc': text(
      ifc([
        beam('Beam', [0.1, 0.2, 0.3], [4.7, 0.3, 0.25]),
        beam('Column', [1 / 3, 0, -2], [0.3, 0.4, 5], 'IFCCOLUMN'),
        beam('Lintel', [7, 0, 0.1], [0.1, 6, 0.2]),
      ]),
    ),
  };
}
