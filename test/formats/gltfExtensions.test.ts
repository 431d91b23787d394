// Tests the glTF extensions that change how triangles are stored or placed: meshopt compression, and instances.
// The files are written by @gltf-transform/core, and compared with files of the same content without these
// extensions.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Document, NodeIO, type Primitive } from '@gltf-transform/core';
import { EXTMeshGPUInstancing, EXTMeshoptCompression, KHRMeshQuantization } from '@gltf-transform/extensions';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import * as assert from 'uvu/assert';
import { readGlb } from '../../dist/formats/glb.js';
import { InvalidFile, type Part, parseParts, readParts } from '../../dist/formats/readParts.js';
import { sphere } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { glb } from './smallFiles.js';

const folder = mkdtempSync(join(tmpdir(), 'gltf-extensions-'));
test.after(() => rmSync(folder, { recursive: true }));
await MeshoptEncoder.ready;
const io = new NodeIO()
  .registerExtensions([EXTMeshoptCompression, EXTMeshGPUInstancing, KHRMeshQuantization])
  .registerDependencies({ 'meshopt.encoder': MeshoptEncoder });

const BALL = sphere(512);

function withBall(areQuantized = false): { document: Document; primitive: Primitive } {
  const document = new Document();
  const buffer = document.createBuffer();
  const positions = areQuantized
    ? Int16Array.from(BALL.positions, value => Math.round(1000 * value))
    : new Float32Array(BALL.positions);
  if (areQuantized) document.createExtension(KHRMeshQuantization).setRequired(true);
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', document.createAccessor().setType('VEC3').setArray(positions).setBuffer(buffer))
    .setIndices(
      document.createAccessor().setType('SCALAR').setArray(new Uint16Array(BALL.indices)).setBuffer(buffer),
    );
  const mesh = document.createMesh('ball').addPrimitive(primitive);
  const node = document.createNode('ball').setMesh(mesh).setTranslation([1, 2, 3]);
  document.createScene().addChild(node);
  return { document, primitive };
}

async function read(bytes: Uint8Array, name = 'file.glb'): Promise<Part[]> {
  writeFileSync(join(folder, name), bytes);
  return readParts(join(folder, name));
}

async function refusal(bytes: Uint8Array): Promise<InvalidFile> {
  const error = await read(bytes, 'broken.glb').then(
    () => new Error('the file was read'),
    (thrown: unknown) => thrown,
  );
  assert.instance(error, InvalidFile, String((error as Error).message));
  return error as InvalidFile;
}

const corners = ({ positions, indices }: Part): number[][] =>
  Array.from(indices, vertex => [...positions.subarray(3 * vertex, 3 * vertex + 3)]);
// The encoder may begin a triangle at another of its corners, and may change the order of triangles.
const triangles = (part: Part): string[] => {
  const all = corners(part);
  return Array.from({ length: all.length / 3 }, (_, i) =>
    all
      .slice(3 * i, 3 * i + 3)
      .map(corner => corner.join())
      .sort()
      .join(' '),
  ).sort();
};

async function compressed(areQuantized: boolean): Promise<Uint8Array> {
  const { document } = withBall(areQuantized);
  document
    .createExtension(EXTMeshoptCompression)
    .setRequired(true)
    .setEncoderOptions({ method: EXTMeshoptCompression.EncoderMethod.QUANTIZE });
  return io.writeBinary(document);
}

for (const areQuantized of [false, true])
  test(`a file with meshopt compression has the same triangles as without it${areQuantized ? ', also if quantized' : ''}`, async () => {
    const bytes = await compressed(areQuantized);
    const [plain] = await read(await io.writeBinary(withBall(areQuantized).document));
    const [part] = await read(bytes);
    assert.is(part!.name, 'ball');
    assert.is(part!.indices.length, BALL.indices.length);
    assert.equal(triangles(part!), triangles(plain!));
    assert.equal([...part!.transform], [...plain!.transform]);
  });

/** Returns the compressed file with a change of its JSON or its binary chunk. */
async function changed(change: (extension: any, json: any, binary: Uint8Array) => void): Promise<Uint8Array> {
  const { json: text, binary } = readGlb(await compressed(false));
  const json = JSON.parse(new TextDecoder().decode(text));
  const bytes = binary!.slice();
  change(json.bufferViews[0].extensions.EXT_meshopt_compression, json, bytes);
  return glb(json, bytes);
}

test('a description of compressed data that contradicts the file is refused', async () => {
  for (const [change, message] of [
    [
      extension => extension.count++,
      /bufferViews\[0\]\.extensions\.EXT_meshopt_compression has \d+ elements of \d+ bytes/,
    ],
    [extension => (extension.mode = 'POINTS'), /\.mode is "POINTS", not one of ATTRIBUTES/],
    [extension => (extension.filter = 'NOISE'), /\.filter is "NOISE", not one of/],
    [extension => delete extension.byteStride, /\.byteStride is missing/],
    [
      (extension, json) => (json.bufferViews[0].byteStride = extension.byteStride + 4),
      /\.byteStride is \d+, but that of the buffer view is \d+/,
    ],
    [extension => (extension.buffer = 7), /\.buffer is "7", not an index into the 2 buffers/],
    [extension => (extension.byteLength = 1e6), /covers bytes 0 to 1000000, but its buffer has/],
    [extension => (extension.buffer = 1), /covers bytes|uses a buffer without data/],
    [extension => (extension.byteLength -= 8), /bufferViews\[0\] cannot be decompressed \(/],
    [(_, __, binary) => binary.fill(255, 0, 64), /bufferViews\[\d\] cannot be decompressed \(/],
  ] as [(extension: any, json: any, binary: Uint8Array) => void, RegExp][])
    assert.match((await refusal(await changed(change))).message, message);
});

test('without a decoder, a compressed file is refused', async () => {
  const bytes = await compressed(false);
  assert.throws(() => parseParts('ball.glb', bytes), /ball\.glb: the file requires EXT_meshopt_compression/);
});

const PLACES = {
  TRANSLATION: [0, 0, 0, 10, 0, 0, 0, 20, 0],
  ROTATION: [0, 0, 0, 1, 0, 0, 1, 0, 0.5, 0.5, 0.5, 0.5],
  SCALE: [1, 1, 1, 2, 2, 2, 1, 2, 3],
};

async function instanced(change: (json: any) => void = () => {}): Promise<Uint8Array> {
  const { document } = withBall();
  const extension = document.createExtension(EXTMeshGPUInstancing).setRequired(true);
  const buffer = document.getRoot().listBuffers()[0]!;
  const instances = extension.createInstancedMesh();
  for (const [name, values] of Object.entries(PLACES))
    instances.setAttribute(
      name,
      document
        .createAccessor()
        .setType(name === 'ROTATION' ? 'VEC4' : 'VEC3')
        .setArray(Float32Array.from(values))
        .setBuffer(buffer),
    );
  document.getRoot().listNodes()[0]!.setExtension('EXT_mesh_gpu_instancing', instances);
  const { json: text, binary } = readGlb(await io.writeBinary(document));
  const json = JSON.parse(new TextDecoder().decode(text));
  change(json);
  return glb(json, binary!.slice());
}

test('each instance of a node is a part, placed relative to the node', async () => {
  const { document } = withBall();
  const node = document.getRoot().listNodes()[0]!;
  const mesh = node.getMesh()!;
  node.setMesh(null);
  for (let i = 0; i < 3; i++) {
    const pick = (values: number[], size: number) => values.slice(size * i, size * (i + 1)) as any;
    node.addChild(
      document
        .createNode(`ball ${i}`)
        .setMesh(mesh)
        .setTranslation(pick(PLACES.TRANSLATION, 3))
        .setRotation(pick(PLACES.ROTATION, 4))
        .setScale(pick(PLACES.SCALE, 3)),
    );
  }
  const expected = await read(await io.writeBinary(document));
  const parts = await read(await instanced());
  assert.equal(
    parts.map(({ name }) => name),
    ['ball', 'ball (2)', 'ball (3)'],
  );
  assert.equal(
    parts.map(({ transform }) => [...transform]),
    expected.map(({ transform }) => [...transform]),
  );
  assert.ok(
    parts.every(({ positions }) => positions === parts[0]!.positions),
    'the mesh is shared',
  );
});

test('faulty instances are refused', async () => {
  const attributesOf = (json: any) => json.nodes[0].extensions.EXT_mesh_gpu_instancing.attributes;
  for (const [change, message] of [
    [
      json => delete json.nodes[0].extensions.EXT_mesh_gpu_instancing.attributes,
      /instancing\.attributes is missing/,
    ],
    [json => (attributesOf(json).POSITION = 0), /have "POSITION", which is not an attribute of instances/],
    [json => (attributesOf(json).SCALE = 99), /attributes\.SCALE is "99", not an index/],
    [
      json => (attributesOf(json).SCALE = json.meshes[0].primitives[0].attributes.POSITION),
      /different counts/,
    ],
    [
      json => (attributesOf(json).TRANSLATION = attributesOf(json).ROTATION),
      /does not hold placements of instances \(VEC3 of float\)/,
    ],
    [json => (json.nodes[0].extensions.EXT_mesh_gpu_instancing.attributes = {}), /are empty/],
    [
      json => {
        json.skins = [{ joints: [0] }];
        json.nodes[0].skin = 0;
      },
      /has both a skin and instances/,
    ],
    [
      json => {
        json.accessors.push({ componentType: 5124, count: 3, type: 'SCALAR' });
        json.nodes[0].extensions.EXT_mesh_gpu_instancing.attributes = { _ID: json.accessors.length - 1 };
      },
      /refer to accessor \d+, whose type is unknown/,
    ],
    [
      // An accessor without data has only zeros.
      json => {
        json.accessors.push({ componentType: 5126, count: 3, type: 'VEC4' });
        attributesOf(json).ROTATION = json.accessors.length - 1;
      },
      /instancing\.attributes\.ROTATION \(instance 0\) has length 0, not 1/,
    ],
  ] as [(json: any) => void, RegExp][])
    assert.match((await refusal(await instanced(change))).message, message);
});

test.run();
