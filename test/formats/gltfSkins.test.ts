// Tests skinned meshes of glTF files: they are read in the pose of the file, as three.js shows them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Document, NodeIO } from '@gltf-transform/core';
import { KHRDracoMeshCompression } from '@gltf-transform/extensions';
import { Matrix4, type SkinnedMesh, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import * as assert from 'uvu/assert';
import { readGlb } from '../../dist/formats/glb.js';
import { type Part, parseParts, readParts } from '../../dist/formats/readParts.js';
import { torus } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { refusal } from './refusal.js';
import { glb } from './smallFiles.js';

const RING = torus(600);
const VERTICES = RING.positions.length / 3;

// A ring with three joints: each vertex follows two of them, with weights that depend on the vertex's index.
async function skinned(areNormalized: boolean, hasMorph = false): Promise<Uint8Array> {
  return new NodeIO().writeBinary(skinnedDocument(areNormalized, hasMorph));
}

function skinnedDocument(areNormalized: boolean, hasMorph = false): Document {
  const document = new Document();
  const buffer = document.createBuffer();
  const accessor = (type: any, values: any, normalized = false) =>
    document.createAccessor().setType(type).setArray(values).setNormalized(normalized).setBuffer(buffer);
  const joints = new Uint8Array(4 * VERTICES);
  const weights = areNormalized ? new Uint8Array(4 * VERTICES) : new Float32Array(4 * VERTICES);
  for (let i = 0; i < VERTICES; i++) {
    const share = Math.round(255 * (0.5 + 0.4 * Math.sin(i)));
    joints.set([i % 3, (i + 1) % 3, 0, 0], 4 * i);
    weights.set(areNormalized ? [share, 255 - share] : [share / 255, 1 - share / 255], 4 * i);
  }
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', new Float32Array(RING.positions)))
    .setAttribute('JOINTS_0', accessor('VEC4', joints))
    .setAttribute('WEIGHTS_0', accessor('VEC4', weights, areNormalized))
    .setIndices(accessor('SCALAR', new Uint16Array(RING.indices)));
  const mesh = document.createMesh('ring').addPrimitive(primitive);
  if (hasMorph) {
    const moved = Float32Array.from(RING.positions, (_, i) => (i % 3 === 2 ? 0.25 : 0));
    primitive.addTarget(document.createPrimitiveTarget().setAttribute('POSITION', accessor('VEC3', moved)));
    mesh.setWeights([0.5]);
  }
  const bones = [0, 1, 2].map(i =>
    document
      .createNode(`bone ${i}`)
      .setTranslation([i, 0.5 * i, 0])
      .setRotation([0, 0, Math.sin(0.2 * i), Math.cos(0.2 * i)])
      .setScale([1, 1 + 0.1 * i, 1]),
  );
  bones[0].addChild(bones[1].addChild(bones[2]));
  const inverse = [0, 1, 2].flatMap(i => new Matrix4().makeTranslation(-0.5 * i, 0, 0.1 * i).toArray());
  const skin = document
    .createSkin('skin')
    .setInverseBindMatrices(accessor('MAT4', Float32Array.from(inverse)));
  for (const bone of bones) skin.addJoint(bone);
  const root = document.createNode('root').setTranslation([7, 8, 9]).addChild(bones[0]);
  const node = document.createNode('ring').setMesh(mesh).setSkin(skin).setTranslation([100, 0, 0]);
  document.createScene().addChild(root).addChild(node);
  return document;
}

async function readByThree(bytes: Uint8Array): Promise<number[]> {
  const { scene } = await new GLTFLoader().parseAsync(bytes.slice().buffer, '');
  scene.updateMatrixWorld(true);
  let mesh: SkinnedMesh | undefined;
  scene.traverse(object => {
    if ((object as SkinnedMesh).isSkinnedMesh) mesh = object as SkinnedMesh;
  });
  const corner = new Vector3();
  return Array.from({ length: mesh!.geometry.index!.count }, (_, i) =>
    mesh!.getVertexPosition(mesh!.geometry.index!.getX(i), corner).applyMatrix4(mesh!.matrixWorld).toArray(),
  ).flat();
}

for (const [areNormalized, hasMorph] of [
  [false, false],
  [true, false],
  [false, true],
])
  test(`a skinned mesh is read as three.js shows it${areNormalized ? ', with normalized weights' : ''}${hasMorph ? ', with morph targets applied before the skin' : ''}`, async () => {
    const bytes = await skinned(areNormalized!, hasMorph);
    const [part, ...others] = parseParts('ring.glb', bytes);
    assert.is(others.length, 0);
    assert.is(part.name, 'ring');
    assert.equal([...part.transform], [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    const found = [...part.indices].flatMap(vertex => [
      ...part.positions.subarray(3 * vertex, 3 * vertex + 3),
    ]);
    const expected = await readByThree(bytes);
    assert.is(found.length, expected.length);
    assert.ok(found.every((value, i) => Math.abs(value - expected[i]) < 1e-5));
    assert.ok(part.rounding! > 0 && part.rounding! < 1e-6);
  });

/** Returns a skinned file with a change of its JSON. */
async function changed(change: (json: any) => void): Promise<Uint8Array> {
  const { json: text, binary } = readGlb(await skinned(false));
  const json = JSON.parse(new TextDecoder().decode(text));
  change(json);
  return glb(json, binary!.slice());
}

test('faulty skins are refused', async () => {
  const nodeOf = (json: any) => json.nodes.find(({ skin }: any) => skin !== undefined);
  const attributesOf = (json: any) => json.meshes[0].primitives[0].attributes;
  for (const [change, message] of [
    [json => (nodeOf(json).skin = 3), /\.skin is "3", not an index into the 1 skins/],
    [json => delete nodeOf(json).mesh, /\.skin is set, but the node has no mesh/],
    [json => (json.skins[0].joints = []), /skins\[0\]\.joints is missing or empty/],
    [json => (json.skins[0].joints = [0, 0, 1]), /skins\[0\]\.joints names a node twice/],
    [json => (json.skins[0].joints = [0, 1, 99]), /skins\[0\]\.joints\.2 is "99", not an index/],
    [json => json.skins[0].joints.pop(), /name joint 2 at vertex \d+, but the skin has 2 joints/],
    [json => json.skins[0].joints.push(3), /inverseBindMatrices has 3 matrices for 4 joints/],
    [
      json => (json.skins[0].inverseBindMatrices = 0),
      /accessors\[0\] does not hold matrices \(MAT4 of float\)/,
    ],
    [json => delete attributesOf(json).JOINTS_0, /must have both JOINTS_0 and WEIGHTS_0, or neither/],
    [
      json => {
        delete attributesOf(json).JOINTS_0;
        delete attributesOf(json).WEIGHTS_0;
      },
      /have no JOINTS_0 and WEIGHTS_0, but a skin/,
    ],
    [
      json => (attributesOf(json).JOINTS_0 = attributesOf(json).WEIGHTS_0),
      /does not hold joints \(VEC4 of unsigned byte or short\)/,
    ],
    [
      json => (attributesOf(json).WEIGHTS_0 = attributesOf(json).JOINTS_0),
      /does not hold weights \(VEC4 of float/,
    ],
    [
      json =>
        Object.assign(json.accessors[attributesOf(json).WEIGHTS_0], {
          bufferView: undefined,
          byteOffset: undefined,
          min: undefined,
          max: undefined,
        }),
      /have weights at vertex 0 whose sum is 0, not 1/,
    ],
  ] as [(json: any) => void, RegExp][])
    assert.match(refusal('ring.glb', await changed(change)).message, message);
});

test('parseParts passes on the nodes of a file, as readParts does', async () => {
  const scenes: unknown[] = [];
  const parts = parseParts('ring.glb', await skinned(false), undefined, {
    onScene: scene => scenes.push(scene),
  });
  assert.is(scenes.length, 1);
  assert.ok(parts.every(({ node }) => node !== undefined));
});

test('joints and weights that are compressed with Draco deform the mesh', async () => {
  const draco = createRequire(import.meta.url)('draco3d');
  const io = new NodeIO().registerExtensions([KHRDracoMeshCompression]).registerDependencies({
    'draco3d.encoder': await draco.createEncoderModule(),
    'draco3d.decoder': await draco.createDecoderModule(),
  });
  const document = skinnedDocument(true);
  const extension = document.createExtension(KHRDracoMeshCompression).setRequired(true);
  const compressed = await io.writeBinary(document);
  const { json } = readGlb(compressed);
  const [primitive] = JSON.parse(new TextDecoder().decode(json)).meshes[0].primitives;
  assert.ok('WEIGHTS_0' in primitive.extensions.KHR_draco_mesh_compression.attributes);
  // Another reader decompresses the file, and writes it without compression.
  const decoded = await io.readBinary(compressed);
  for (const used of decoded.getRoot().listExtensionsUsed()) used.dispose();
  extension.dispose();
  const folder = mkdtempSync(join(tmpdir(), 'draco-skin-'));
  const file = join(folder, 'skin.glb');
  writeFileSync(file, compressed);
  const [found] = await readParts(file);
  rmSync(folder, { recursive: true });
  const [expected] = parseParts('skin.glb', await new NodeIO().writeBinary(decoded));
  assert.equal(cornersOf(found!), cornersOf(expected!));
});

/** Returns the coordinates of all corners of a part's triangles. */
const cornersOf = ({ positions, indices }: Part): number[] =>
  [...indices].flatMap(vertex => [...positions.subarray(3 * vertex, 3 * vertex + 3)]);

test.run();
