// Tests that small valid glTF files give the expected parts, and that broken files are refused.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { InvalidFile, parseParts, readParts } from '../../dist/formats/readParts.js';
import { test } from '../support/test.js';
import { changed, refusal, TWO_TRIANGLES } from './refusal.js';
import { corners, glb, packed, SQUARE, squareGltf, text, triangleCount } from './smallFiles.js';

test('glTF: strips, fans, soups, byte and int indices are read; lines and leftover corners are not', () => {
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

test('glTF: interleaved, sparse, quantized and morphed positions are read', () => {
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
  storage.binary[12] = 2; // indices are no longer in ascending order
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
  // The smallest signed byte, -128, would be converted to less than -1, so it is clamped to -1.
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

test('glTF: placements are computed in doubles, parts of one mesh share its arrays, and names come from nodes and meshes', () => {
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
  // The first part is rotated by 120 degrees about the diagonal, which maps x to y, y to z and z to x. The
  // second part has the inverse rotation.
  const rotated = parseParts(
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
    rotated.map(({ transform }) => [...transform]),
    [
      [0, 1, 0, 0, 0, 0, 2, 0, 3, 0, 0, 0, 0, 0, 0, 1],
      [0, 0, 1, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 1],
    ],
  );
});

test('glTF: only the default scene is placed, and meshes of a file without nodes are at the origin', () => {
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

test('glTF: broken files are refused', () => {
  const breaks: ((json: any, binary: Uint8Array) => void)[] = [
    ...[0, [0]].map(nodes => (json: any) => {
      delete json.nodes;
      json.scenes = [{ nodes }];
    }),
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
    ...[1, 'true', null].map(normalized => (json: any) => {
      json.accessors[0].normalized = normalized;
    }),
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

test('glTF: columns of matrices begin at multiples of four bytes, even in unused accessors', () => {
  const withMatrix = (byteLength: number) =>
    changed(json => {
      json.bufferViews.push({ buffer: 0, byteOffset: 0, byteLength });
      json.accessors.push({ bufferView: 2, componentType: 5121, type: 'MAT2', count: 1 });
    });
  assert.equal(corners(parseParts('matrix.glb', withMatrix(8))[0]), TWO_TRIANGLES);
  refusal('matrix.glb', withMatrix(5));
});

test('glTF: a short file that requires much memory is refused', () => {
  const many = changed(json => {
    json.meshes[0].primitives = Array(20000).fill({ attributes: { POSITION: 0 }, mode: 5 });
    json.accessors[0] = { componentType: 5126, type: 'VEC3', count: 20_000_000 };
  });
  assert.match(refusal('many.glb', many).fix, /Split/);
});

test('glTF: deep trees and thousands of instances are traversed', () => {
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

test('glTF: buffers are data URIs, or files with a plain path in the folder of the .gltf file', async () => {
  const { json, binary } = squareGltf();
  json.buffers[0].uri = `data:application/octet-stream;base64,${Buffer.from(binary).toString('base64')}`;
  assert.is(triangleCount(parseParts('data.gltf', text(JSON.stringify(json)))), 2);
  // Every byte is percent-encoded; megabytes follow the bytes that are used.
  const encoded = [...binary].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const padding = 'a'.repeat(8_000_000);
  json.buffers[0].uri = `data:application/octet-stream,${encoded}${padding}`;
  json.buffers[0].byteLength = binary.length + padding.length;
  assert.is(triangleCount(parseParts('percent.gltf', text(JSON.stringify(json)))), 2);
  json.buffers[0].uri += '%0';
  refusal('percent.gltf', text(JSON.stringify(json)));
  json.buffers[0].byteLength = binary.length;
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
