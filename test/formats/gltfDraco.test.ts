// Tests glTF files that are compressed with Draco. @gltf-transform/core and draco3d write the files, and also
// decode them to the triangles that pfront must read.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Document, NodeIO } from '@gltf-transform/core';
import { KHRDracoMeshCompression } from '@gltf-transform/extensions';
import * as assert from 'uvu/assert';
import { readGlb } from '../../dist/formats/glb.js';
import { InvalidFile, type Part, parseParts, readParts } from '../../dist/formats/readParts.js';
import { sphere } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { glb } from './smallFiles.js';

const folder = mkdtempSync(join(tmpdir(), 'gltf-draco-'));
test.after(() => rmSync(folder, { recursive: true }));
const draco = createRequire(import.meta.url)('draco3d');
const io = new NodeIO().registerExtensions([KHRDracoMeshCompression]).registerDependencies({
  'draco3d.encoder': await draco.createEncoderModule(),
  'draco3d.decoder': await draco.createDecoderModule(),
});
const BALL = sphere(512);

function compressed(): Promise<Uint8Array> {
  const document = new Document();
  const buffer = document.createBuffer();
  const accessor = (type: 'VEC3' | 'SCALAR', values: Float32Array | Uint16Array) =>
    document
      .createAccessor()
      .setType(type)
      .setArray(values as any)
      .setBuffer(buffer);
  const mesh = document.createMesh('ball');
  for (const scale of [1, 2])
    mesh.addPrimitive(
      document
        .createPrimitive()
        .setAttribute(
          'POSITION',
          accessor(
            'VEC3',
            Float32Array.from(BALL.positions, value => scale * value),
          ),
        )
        .setAttribute('NORMAL', accessor('VEC3', new Float32Array(BALL.positions)))
        .setIndices(accessor('SCALAR', new Uint16Array(BALL.indices))),
    );
  document.createScene().addChild(document.createNode('ball').setMesh(mesh).setTranslation([1, 2, 3]));
  document
    .createExtension(KHRDracoMeshCompression)
    .setRequired(true)
    .setEncoderOptions({
      method: KHRDracoMeshCompression.EncoderMethod.EDGEBREAKER,
      quantizationBits: { POSITION: 14 },
    });
  return io.writeBinary(document);
}

function read(bytes: Uint8Array): Promise<Part[]> {
  writeFileSync(join(folder, 'file.glb'), bytes);
  return readParts(join(folder, 'file.glb'));
}

async function refusal(bytes: Uint8Array): Promise<string> {
  const error = await read(bytes).then(
    () => new Error('the file was read'),
    (thrown: unknown) => thrown,
  );
  assert.instance(error, InvalidFile, String((error as Error).stack));
  assert.not.match((error as Error).message, /\n/);
  return (error as Error).message;
}

test('a file with Draco compression has the triangles that @gltf-transform/core decodes', async () => {
  const bytes = await compressed();
  const [part, ...others] = await read(bytes);
  assert.is(others.length, 0);
  assert.is(part.name, 'ball');
  assert.equal([...part.transform.slice(12)], [1, 2, 3, 1]);
  assert.is(part.indices.length, 2 * BALL.indices.length);
  const decoded = await io.readBinary(bytes);
  const expected = decoded
    .getRoot()
    .listMeshes()[0]
    .listPrimitives()
    .flatMap(primitive => {
      const positions = primitive.getAttribute('POSITION')!.getArray()!;
      return [...primitive.getIndices()!.getArray()!].flatMap(vertex => [
        ...positions.slice(3 * vertex, 3 * vertex + 3),
      ]);
    });
  const found = [...part.indices].flatMap(vertex => [...part.positions.subarray(3 * vertex, 3 * vertex + 3)]);
  assert.equal(found, expected);
  // Quantization to 14 bits moves each coordinate by at most half the spacing of the quantized values, which is
  // about 4 / 2^14.
  const maxCoordinate = Math.max(...BALL.positions.map(Math.abs));
  assert.ok(Math.abs(Math.max(...found.map(Math.abs)) - 2 * maxCoordinate) < 2e-4);
});

/** Returns the compressed file with a change of its JSON or its binary chunk. */
async function changed(change: (primitive: any, json: any, binary: Uint8Array) => void): Promise<Uint8Array> {
  const { json: text, binary } = readGlb(await compressed());
  const json = JSON.parse(new TextDecoder().decode(text));
  const bytes = binary!.slice();
  change(json.meshes[0].primitives[0], json, bytes);
  return glb(json, bytes);
}

const DRACO = 'KHR_draco_mesh_compression';

test('a compressed mesh that contradicts its description is refused', async () => {
  for (const [change, message] of [
    [
      primitive => (primitive.extensions[DRACO].bufferView = 99),
      /KHR_draco_mesh_compression\.bufferView is "99", not a whole number/,
    ],
    [
      primitive => delete primitive.extensions[DRACO].attributes,
      /KHR_draco_mesh_compression\.attributes is missing/,
    ],
    [primitive => delete primitive.extensions[DRACO].attributes.POSITION, /attributes\.POSITION is missing/],
    [
      primitive => (primitive.extensions[DRACO].attributes.POSITION = 77),
      /cannot be decompressed \(its attribute 77 does not hold POSITION, 3 numbers for each vertex/,
    ],
    [primitive => delete primitive.indices, /primitives\[0\]\.indices is missing/],
    [primitive => (primitive.mode = 5), /primitives\[0\]\.mode is 5, but with Draco only mode 4/],
    [
      (primitive, json) => (json.accessors[primitive.indices].count -= 3),
      /accessors\[\d+\] does not match its compressed data, which has \d+ numbers/,
    ],
    [
      (primitive, json) =>
        Object.values(primitive.attributes).forEach(number => json.accessors[number as number].count++),
      /cannot be decompressed \(it has \d+ vertices, not \d+\)/,
    ],
    [
      (primitive, json) => (json.meshes[0].primitives[1].attributes.POSITION = primitive.attributes.POSITION),
      /belongs to two different compressed meshes|different counts/,
    ],
    [(_, __, binary) => binary.fill(255, 0, 64), /cannot be decompressed \(/],
    [(_, __, binary) => binary.fill(0, 40, 400), /cannot be decompressed \(|does not match|names vertex/],
  ] as [(primitive: any, json: any, binary: Uint8Array) => void, RegExp][])
    assert.match(await refusal(await changed(change)), message);
});

test('without a decoder, a file with Draco compression is refused', async () => {
  const bytes = await compressed();
  assert.throws(
    () => parseParts('ball.glb', bytes),
    /ball\.glb: the file requires KHR_draco_mesh_compression/,
  );
  const optional = await changed((_, json) => delete json.extensionsRequired);
  assert.throws(() => parseParts('ball.glb', optional), /primitives\[0\] is compressed with Draco/);
});

test.run();
