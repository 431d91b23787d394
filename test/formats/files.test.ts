// Small files of every format, right and broken -> the parts or the refusal that they deserve.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { CollisionError } from '../../dist/core/errors.js';
import { InvalidFile, parseParts, readParts } from '../../dist/formats/readParts.js';
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

const TWO_TRIANGLES = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0];

function refusal(name: string, bytes: Uint8Array): InvalidFile {
  try {
    parseParts(name, bytes);
  } catch (error) {
    assert.instance(error, InvalidFile);
    assert.instance(error, CollisionError);
    const { message, fix } = error as InvalidFile;
    assert.not.match(message, /\n/);
    assert.ok(message.startsWith(`${name}: `), message);
    assert.ok(fix.length > 10);
    return error as InvalidFile;
  }
  throw new Error(`${name} was read although it is broken`);
}

function changed(change: (json: any, binary: Uint8Array) => void): Uint8Array {
  const { json, binary } = squareGltf();
  change(json, binary);
  return glb(json, binary);
}

test('every format gives the same square', () => {
  const files: Record<string, Uint8Array> = {
    'square.glb': changed(() => {}),
    'square.obj': text('v 0 0 0', 'v 1 0 0', 'v 1 1 0', 'v 0 1 0', 'f 1 2 3 4'),
    'text.stl': text(
      'solid square',
      ...[0, 9].flatMap(at => [
        'facet normal 0 0 1',
        ' outer loop',
        ...[0, 3, 6].map(i => `  vertex ${TWO_TRIANGLES.slice(at + i, at + i + 3).join(' ')}`),
        ' endloop',
        'endfacet',
      ]),
      'endsolid square',
    ),
    'square.stl': binaryStl(TWO_TRIANGLES),
    'text.ply': squarePly(),
    'little.ply': squarePly(true),
    'big.PLY': squarePly(false),
  };
  for (const [name, bytes] of Object.entries(files)) {
    for (const [fileName, fileBytes] of [
      [name, bytes],
      [`${name}.gz`, new Uint8Array(gzipSync(bytes))],
    ] as const) {
      const parts = parseParts(fileName, fileBytes);
      assert.is(parts.length, 1, fileName);
      assert.equal(corners(parts[0]), TWO_TRIANGLES, fileName);
      assert.equal([...parts[0].transform], [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    }
  }
});

test('a name without a known ending, and gzip that is none, are refused', () => {
  assert.match(refusal('square.off', text('OFF')).fix, /\.glb, \.gltf, \.obj, \.stl, \.ply/);
  refusal('obj', text('v 0 0 0'));
  refusal('square.obj.gz', text('v 0 0 0'));
  refusal('square.obj.gz', new Uint8Array(gzipSync(text('v 0 0 0'))).subarray(0, 20));
});

test('files that are missing, folders, and good files by path', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parts-'));
  try {
    writeFileSync(join(folder, 'a.stl'), binaryStl(TWO_TRIANGLES));
    mkdirSync(join(folder, 'b.stl'));
    assert.is(triangleCount(await readParts(join(folder, 'a.stl'))), 2);
    for (const [name, word] of [
      ['b.stl', /folder/],
      ['c.stl', /no such file/],
    ] as const) {
      const error = await readParts(join(folder, name)).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      assert.instance(error, InvalidFile);
      assert.match((error as InvalidFile).message, word);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('OBJ: objects and groups are parts, names are kept apart, unused vertices left out', () => {
  const parts = parseParts(
    'house.obj',
    text(
      'v 9 9 9',
      'v 0 0 0',
      'v 1 0 0',
      'v 0 1 0',
      'f 2 3 4',
      'o Wall',
      'f -3 -2 -1',
      'g North side',
      'f 2 3 4',
      'o Wall',
      'v 5 0 0',
      'f 2 3 5',
      'g a',
      'f 2 3 4',
      'g b',
      'f 2 3 4',
      'g a',
      'f 4 3 2',
      'o Empty',
    ),
  );
  assert.equal(
    parts.map(({ name }) => name),
    ['house', 'Wall', 'Wall/North side', 'Wall (2)', 'Wall/a', 'Wall/b'],
  );
  assert.equal(
    parts.map(({ indices }) => indices.length / 3),
    [1, 1, 1, 1, 2, 1],
  );
  assert.equal(corners(parts[1]), [0, 0, 0, 1, 0, 0, 0, 1, 0]);
  assert.equal(corners(parts[3]), [0, 0, 0, 1, 0, 0, 5, 0, 0]);
  assert.ok(parts.every(({ positions }) => positions.length === 9));
});

test('OBJ: forms of faces, numbers and lines', () => {
  const parts = parseParts(
    'forms.obj',
    text(
      'mtllib a.mtl',
      'v -1.5e-3 +2. .25 0.1 0.2 nan',
      'v\t123456789012345678 1e2 0 1\r',
      'v 0 0 1',
      'vt 0 0',
      'vn 0 0 1',
      'f 1/1 2//1 3/1/1 # a comment',
      'f 1 2 \\',
      '3 1',
      's off',
      'l 1 2',
      'usemtl steel',
    ),
  );
  assert.is(triangleCount(parts), 3);
  assert.equal(
    [...parts[0].positions],
    [-1.5e-3, 2, 0.25, 123456789012345678, 100, 0, 0, 0, 1].map(Math.fround),
  );
});

test('OBJ: what is wrong is named with its line', () => {
  const vertices = ['v 0 0 0', 'v 1 0 0', 'v 0 1 0'];
  for (const face of [
    'f 1 2',
    'f 1 2 4',
    'f 0 1 2',
    'f 1 2 3.5',
    'f 1 2 -4',
    'f 1 2 x',
    'f 1 2 3/a',
    'f',
    'f1 2 3',
    'v 1 2',
    'v 1 2 nan',
    'v 1 2 1e39',
    'v 1 2 0x10',
    'v 1 2 -Infinity',
    'surf 0 1 0 1 1 2 3',
    'f 1 2 99999999999999999999',
  ]) {
    assert.match(refusal('bad.obj', text(...vertices, face)).message, /line 4/, face);
  }
});

test('STL: solids of one text file are parts, counts must agree with the bytes', () => {
  const solid = (name: string) => [
    `solid ${name}`,
    'facet normal nan 0 0',
    'OUTER LOOP',
    'vertex 0 0 0',
    'vertex 1 0 0',
    'vertex 0 1 0',
    'endloop',
    'endfacet',
    `endsolid ${name}`,
  ];
  assert.equal(
    parseParts('two.stl', text(...solid('bolt'), ...solid('nut'), ...solid(''))).map(({ name }) => name),
    ['bolt', 'nut', 'two'],
  );
  refusal('open.stl', text(...solid('bolt').slice(0, -1)));
  refusal('four.stl', text(...solid('bolt').toSpliced(5, 0, 'vertex 3 3 3')));
  for (const count of [0, 1, 3, 0xffffffff])
    assert.match(
      refusal('count.stl', binaryStl(TWO_TRIANGLES, count)).message,
      /says \d+ triangles, but has room for 2/,
    );
  for (const value of [NaN, Infinity, -Infinity])
    refusal('wild.stl', binaryStl([...TWO_TRIANGLES.slice(0, 17), value]));
});

test('PLY: strips are unrolled with their turns, other elements passed over', () => {
  const parts = parseParts(
    'strip.ply',
    text(
      'ply',
      'format ascii 1.0',
      'element material 1',
      'property list uchar float colours',
      'element tristrips 1',
      'property list int int vertex_indices',
      'element vertex 5',
      'property double z',
      'property double y',
      'property double x',
      'end_header',
      '2 0.5 0.5',
      '8 0 1 2 3 -1 4 3 2',
      '0 0 0',
      '0 0 1',
      '0 1 0',
      '0 1 1',
      '5 5 5',
    ),
  );
  assert.equal(
    corners(parts[0]),
    [
      [0, 0, 0, 1, 0, 0, 0, 1, 0],
      [0, 1, 0, 1, 0, 0, 1, 1, 0],
      [5, 5, 5, 1, 1, 0, 0, 1, 0],
    ].flat(),
  );
  const colored = (red: number): Uint8Array =>
    text(new TextDecoder().decode(squarePly()).replace(/ 9$/gm, ` ${red}`));
  for (const red of [0, 255])
    assert.equal(corners(parseParts('colored.ply', colored(red))[0]), TWO_TRIANGLES);
  for (const red of [-1, 256])
    assert.match(refusal('beyond.ply', colored(red)).message, `${red} is not in 0..255`);
});

test('PLY: lying headers and shifted rows are refused', () => {
  const whole = new TextDecoder().decode(squarePly());
  const broken: [string, string][] = [
    ['vertex 4', 'vertex 5'],
    ['vertex 4', 'vertex 3'],
    ['vertex 4', 'vertex -4'],
    ['face 1', 'face 2'],
    ['face 1', 'face 0'],
    ['face 1', 'face 4000000000'],
    ['0 1 2 3\n', '0 1 2 4\n'],
    ['0 1 2 3\n', '0 1 2 -1\n'],
    ['4 0 1 2 3', '2 0 1'],
    ['1 0 0 9', '1 0 9'],
    ['1 0 0 9', '1 0 0 9 9'],
    ['1 0 0 9', 'inf 0 0 9'],
    ['1 0 0 9', '1e39 0 0 9'],
    ['4 0 1 2 3', '4 0 1 2 3.5'],
    ['float x', 'float w'],
    ['list uchar', 'list float'],
    ['int vertex', 'float vertex'],
    ['vertex_indices', 'corners'],
    ['property float y', 'property float x'],
    ['1.0', '2.0'],
    ['end_header', 'end'],
    ['float x', 'constructor x'],
    ['element face 1', 'element vertex 1'],
  ];
  for (const [from, to] of broken) {
    assert.ok(whole.includes(from));
    refusal(`${to.replace(/\W/g, '_')}.ply`, text(whole.replace(from, to)));
  }
  refusal('more.ply', concatenate(squarePly(true), Uint8Array.of(0, 0, 0)));
});

test('a binary file cut anywhere is refused', () => {
  for (const [name, bytes] of [
    ['cut.glb', changed(() => {})],
    ['cut.stl', binaryStl(TWO_TRIANGLES)],
    ['cut.ply', squarePly(true)],
    ['text.ply', squarePly().slice(0, -1)],
  ] as const) {
    for (let length = 0; length < bytes.length; length++) {
      refusal(name, bytes.subarray(0, length));
    }
  }
});

test('a changed byte is refused or read, but nothing else', () => {
  let seed = 7;
  const random = (limit: number) => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % limit;
  for (const [name, bytes] of [
    ['fuzz.glb', changed(() => {})],
    ['fuzz.stl', binaryStl(TWO_TRIANGLES)],
    ['fuzz.ply', squarePly(true)],
    ['text.ply', squarePly()],
    ['fuzz.obj', text('v 0 0 0', 'v 1 0 0', 'v 0 1 0', 'o a', 'f 1 2 3', 'f -1 -2 -3')],
  ] as const) {
    for (let round = 0; round < 3000; round++) {
      const copy = bytes.slice();
      for (let flips = 1 + random(3); flips > 0; flips--) copy[random(copy.length)] = random(256);
      try {
        for (const { positions, indices } of parseParts(name, copy)) {
          assert.ok(positions.every(Number.isFinite));
          assert.ok(indices.every(vertex => vertex < positions.length / 3));
        }
      } catch (error) {
        assert.instance(error, InvalidFile, `${name}: ${(error as Error).stack}`);
      }
    }
  }
});

test('glTF: strips, fans, no indices, byte and int indices, leftover corners', () => {
  const wide = (json: any) => {
    delete json.meshes[0].primitives[0].indices;
    json.meshes[0].primitives[0].mode = json.mode;
  };
  assert.equal(
    corners(
      parseParts(
        'strip.glb',
        changed(json => {
          wide(json);
          json.meshes[0].primitives[0].mode = 5;
        }),
      )[0],
    ),
    [0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0],
  );
  assert.equal(
    corners(
      parseParts(
        'fan.glb',
        changed(json => {
          wide(json);
          json.meshes[0].primitives[0].mode = 6;
        }),
      )[0],
    ),
    TWO_TRIANGLES,
  );
  assert.is(triangleCount(parseParts('soup.glb', changed(wide))), 1);
  assert.is(
    parseParts(
      'lines.glb',
      changed(json => {
        json.meshes[0].primitives[0].mode = 1;
      }),
    ).length,
    0,
  );
  for (const [componentType, indices] of [
    [5121, Uint8Array.of(0, 1, 2, 0, 2, 3)],
    [5125, Uint32Array.of(0, 1, 2, 0, 2, 3)],
  ] as const) {
    const { json } = squareGltf();
    const { binary, ...storage } = packed(SQUARE, indices);
    Object.assign(json, storage);
    json.accessors[1].componentType = componentType;
    assert.equal(corners(parseParts('indices.glb', glb(json, binary))[0]), TWO_TRIANGLES);
  }
});

test('glTF: interleaved, sparse, quantised and morphed positions', () => {
  const { json } = squareGltf();
  const interleaved = packed(
    Float32Array.from({ length: 24 }, (_, i) => (i % 6 < 3 ? SQUARE[3 * Math.floor(i / 6) + (i % 6)] : NaN)),
    Uint16Array.of(0, 1, 2, 0, 2, 3),
  );
  Object.assign(json, { ...interleaved, binary: undefined });
  json.bufferViews[0].byteStride = 24;
  assert.equal(corners(parseParts('interleaved.glb', glb(json, interleaved.binary))[0]), TWO_TRIANGLES);

  const sparse = squareGltf().json;
  const storage = packed(Uint16Array.of(0, 1, 2, 0, 2, 3), Uint8Array.of(1, 2, 3), SQUARE.slice(3));
  Object.assign(sparse, { ...storage, binary: undefined });
  sparse.accessors[1].bufferView = 0;
  sparse.accessors[0] = {
    componentType: 5126,
    type: 'VEC3',
    count: 4,
    sparse: { count: 3, indices: { bufferView: 1, componentType: 5121 }, values: { bufferView: 2 } },
  };
  assert.equal(corners(parseParts('sparse.glb', glb(sparse, storage.binary))[0]), TWO_TRIANGLES);
  storage.binary[12] = 2; // indices no longer rise
  refusal('unsorted.glb', glb(sparse, storage.binary));

  const quantized = squareGltf().json;
  const shorts = packed(
    Int16Array.from({ length: 16 }, (_, i) => (i % 4 < 3 ? SQUARE[3 * (i >> 2) + (i % 4)] * 32767 : 0)),
    Uint16Array.of(0, 1, 2, 0, 2, 3),
  );
  Object.assign(quantized, { ...shorts, binary: undefined });
  quantized.bufferViews[0].byteStride = 8;
  Object.assign(quantized.accessors[0], { componentType: 5122, normalized: true, max: [32767, 32767, 0] });
  refusal('quantized.glb', glb(quantized, shorts.binary));
  quantized.extensionsUsed = quantized.extensionsRequired = ['KHR_mesh_quantization'];
  assert.equal(corners(parseParts('quantized.glb', glb(quantized, shorts.binary))[0]), TWO_TRIANGLES);
  // The least byte lies beyond -1, and is -1.
  const bytes = packed(
    Int8Array.of(-128, 0, 0, 0, 127, 0, 0, 0, 127, 127, 0, 0, -127, 127, 0, 0),
    Uint16Array.of(0, 1, 2, 0, 2, 3),
  );
  Object.assign(quantized, { ...bytes, binary: undefined });
  quantized.bufferViews[0].byteStride = 4;
  Object.assign(quantized.accessors[0], { componentType: 5120, min: [-128, 0, 0], max: [127, 127, 0] });
  assert.equal(
    corners(parseParts('quantized.glb', glb(quantized, bytes.binary))[0]),
    TWO_TRIANGLES.map((value, i) => (i % 3 === 0 ? 2 * value - 1 : value)),
  );

  const morphed = changed(json => {
    json.meshes[0].primitives[0].targets = [{ POSITION: 0 }];
    json.meshes[0].weights = [0.5];
    json.nodes.push({ mesh: 0, weights: [0] });
    json.scenes[0].nodes = [0, 1];
  });
  assert.equal(parseParts('morphed.glb', morphed).map(corners), [
    TWO_TRIANGLES.map(value => 1.5 * value),
    TWO_TRIANGLES,
  ]);
});

test('glTF: places are products in doubles, parts of one mesh share its arrays, names come from nodes and meshes', () => {
  const half = Math.SQRT1_2;
  const parts = parseParts(
    'nodes.glb',
    changed(json => {
      json.nodes = [
        { name: 'Arm', translation: [1e9, 0.1, 0], children: [1, 2] },
        { mesh: 0, matrix: [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 1e-3, 0, 0, 1] },
        { mesh: 0, name: 'Hand', rotation: [0, 0, half, half], scale: [2, 1, 1] },
        { name: 'Leg', children: [4] },
        { mesh: 0, name: 'Hand' },
        { mesh: 0 },
      ];
      json.scenes[0].nodes = [0, 3, 5];
    }),
  );
  assert.equal(
    parts.map(({ name }) => name),
    ['Arm/mesh 0', 'Arm/Hand', 'Leg/Hand', 'mesh 0'],
  );
  assert.ok(
    parts.every(({ positions, indices }) => positions === parts[0].positions && indices === parts[0].indices),
  );
  assert.equal([...parts[0].transform], [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 1e9 + 1e-3, 0.1, 0, 1]);
  [0, 2, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 1e9, 0.1, 0, 1].forEach((value, i) =>
    assert.ok(Math.abs(parts[1].transform[i] - value) < 1e-15 * Math.max(1, Math.abs(value)), `${i}`),
  );
  // A third of a turn about the diagonal takes x to y, y to z and z to x; then back.
  const turned = parseParts(
    'turned.glb',
    changed(json => {
      json.nodes = [
        [0.5, 0.5, 0.5, 0.5],
        [-0.5, -0.5, -0.5, 0.5],
      ].map(rotation => ({ mesh: 0, rotation, scale: [1, 2, 3] }));
      json.scenes[0].nodes = [0, 1];
    }),
  );
  assert.equal(
    turned.map(({ transform }) => [...transform]),
    [
      [0, 1, 0, 0, 0, 0, 2, 0, 3, 0, 0, 0, 0, 0, 0, 1],
      [0, 0, 1, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 1],
    ],
  );
});

test('glTF: the default scene alone is placed; meshes of a file without nodes stand at the origin', () => {
  const twoScenes = (scene: number) =>
    changed(json => {
      json.nodes.push({ mesh: 0, name: 'second' });
      json.scenes.push({ nodes: [1] });
      json.scene = scene;
    });
  assert.equal(
    parseParts('scene.glb', twoScenes(1)).map(({ name }) => name),
    ['second'],
  );
  assert.equal(
    parseParts(
      'library.glb',
      changed(json => {
        delete json.nodes;
        delete json.scenes;
        delete json.scene;
      }),
    ).map(({ name }) => name),
    ['mesh 0'],
  );
});

test('glTF: what is broken is refused', () => {
  const breaks: ((json: any, binary: Uint8Array) => void)[] = [
    json => {
      json.asset.version = '1.0';
    },
    json => {
      delete json.asset;
    },
    json => {
      json.asset.minVersion = '2.1';
    },
    json => {
      json.scene = 1;
    },
    json => {
      json.scenes[0].nodes = [0, 0];
    },
    json => {
      json.scenes[0].nodes = [-1];
    },
    json => {
      json.nodes[0].mesh = '0';
    },
    json => {
      json.nodes[0].children = [0];
    },
    json => {
      json.nodes = [{ children: [1] }, { mesh: 0, children: [0] }];
      json.scenes[0].nodes = [];
    },
    json => {
      json.nodes = [{ children: [1, 1] }, { mesh: 0 }];
    },
    json => {
      json.nodes = [{ children: [1] }, { mesh: 0 }];
      json.scenes[0].nodes = [1];
    },
    json => {
      json.nodes[0].matrix = [1];
    },
    json => {
      json.nodes[0].matrix = Array(16).fill(1);
    },
    json => {
      json.nodes[0].rotation = [0, 0, 0, 2];
    },
    json => {
      json.nodes[0].translation = [0, 0, '0'];
    },
    json => {
      json.nodes[0].skin = 0;
    },
    json => {
      json.nodes[0].extensions = { EXT_mesh_gpu_instancing: {} };
    },
    json => {
      json.meshes[0].primitives = [];
    },
    json => {
      json.meshes[0].primitives[0].mode = 7;
    },
    json => {
      json.meshes[0].primitives[0].attributes.POSITION = 2;
    },
    json => {
      json.meshes[0].primitives[0].indices = 0;
    },
    json => {
      json.accessors[0].count = 5;
    },
    json => {
      json.accessors[0].count = 0;
    },
    json => {
      json.accessors[0].count = 4e9;
    },
    json => {
      json.accessors[0].byteOffset = 2;
    },
    json => {
      json.accessors[0].type = 'VEC4';
    },
    json => {
      delete json.accessors[0].bufferView;
      json.accessors[0].count = 4e9;
      delete json.meshes[0].primitives[0].indices;
    },
    json => {
      json.bufferViews[0].byteStride = 4;
    },
    json => {
      json.bufferViews[1].byteStride = 4;
    },
    json => {
      json.bufferViews[0].buffer = 1;
    },
    json => {
      json.bufferViews[1].byteLength = 4096;
    },
    json => {
      json.buffers[0].byteLength = 4096;
    },
    json => {
      json.buffers[0].uri = 'square.bin';
    },
    json => {
      json.buffers[0].uri = 'data:application/octet-stream;base64,AA=A';
    },
    json => {
      json.extensionsRequired = ['KHR_draco_mesh_compression'];
      json.extensionsUsed = ['KHR_draco_mesh_compression'];
    },
    json => {
      json.extensionsUsed = json.extensionsRequired = ['ACME_shapes'];
    },
    (_, binary) => {
      new DataView(binary.buffer).setFloat32(4, Infinity, true);
    },
    (_, binary) => {
      binary[58] = 9;
    },
  ];
  breaks.forEach((change, i) => refusal(`break${i}.glb`, changed(change)));
  assert.match(refusal('draco.glb', changed(breaks.at(-4)!)).fix, /decompress/);
  refusal('deep.glb', glb(`${'['.repeat(200000)}`));
});

test('glTF: columns of matrices begin at multiples of four bytes, also of those that no mesh names', () => {
  const withMatrix = (byteLength: number) =>
    changed(json => {
      json.bufferViews.push({ buffer: 0, byteOffset: 0, byteLength });
      json.accessors.push({ bufferView: 2, componentType: 5121, type: 'MAT2', count: 1 });
    });
  assert.equal(corners(parseParts('matrix.glb', withMatrix(8))[0]), TWO_TRIANGLES);
  refusal('matrix.glb', withMatrix(5));
});

test('glTF: short files that ask for much are refused in time', () => {
  const many = changed(json => {
    json.meshes[0].primitives = Array(20000).fill({ attributes: { POSITION: 0 }, mode: 5 });
    json.accessors[0] = { componentType: 5126, type: 'VEC3', count: 20_000_000 };
  });
  assert.match(refusal('many.glb', many).fix, /Split/);
});

test('glTF: deep trees and thousands of instances are walked', () => {
  const parts = parseParts(
    'deep.glb',
    changed(json => {
      json.nodes = Array.from({ length: 20000 }, (_, i) => ({
        mesh: 0,
        name: 'link',
        translation: [1, 0, 0],
        ...(i < 19999 ? { children: [i + 1] } : {}),
      }));
    }),
  );
  assert.is(parts.length, 20000);
  assert.is(parts[19999].transform[12], 20000);
  assert.is(new Set(parts.map(({ name }) => name)).size, 20000);
});

test('glTF: buffers as data, or beside a .gltf file by a plain path only', async () => {
  const { json, binary } = squareGltf();
  json.buffers[0].uri = `data:application/octet-stream;base64,${Buffer.from(binary).toString('base64')}`;
  assert.is(triangleCount(parseParts('data.gltf', text(JSON.stringify(json)))), 2);
  const folder = mkdtempSync(join(tmpdir(), 'gltf-'));
  try {
    writeFileSync(join(folder, 'a b.bin'), binary);
    mkdirSync(join(folder, 'sub'));
    for (const [path, uri, isGood] of [
      ['in.gltf', 'a%20b.bin', true],
      ['sub/up.gltf', '../a%20b.bin', false],
      ['abs.gltf', `${folder}/a b.bin`, false],
      ['url.gltf', 'http://example.com/a.bin', false],
      ['gone.gltf', 'c.bin', false],
      ['folder.gltf', 'sub', false],
    ] as const) {
      json.buffers[0].uri = uri;
      writeFileSync(join(folder, path), JSON.stringify(json));
      const result = await readParts(join(folder, path)).then(triangleCount, (error: unknown) => error);
      if (isGood) assert.is(result, 2);
      else assert.instance(result, InvalidFile, uri);
    }
    assert.match(refusal('alone.gltf', text(JSON.stringify(json))).message, /another file/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.run();
