// Tests that malformed files (handmade, or from the tests of other libraries) are refused or read as expected.
// Also checks the triangle counts of valid mesh files.
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { InvalidFile, parseParts, readParts } from '../../dist/formats/readParts.js';
import { dataPath, dataTest } from '../support/data.js';
import { test } from '../support/test.js';
import { triangleCount } from './smallFiles.js';

// Returns 'accept:N', where N is the number of placed triangles, or 'reject'.
function outcome(name: string, bytes: Uint8Array, readBeside?: (path: string) => Uint8Array): string {
  try {
    return `accept:${triangleCount(parseParts(name, bytes, readBeside))}`;
  } catch (error) {
    assert.instance(error, InvalidFile, `${name}: ${(error as Error).stack}`);
    assert.not.match((error as InvalidFile).message, /\n/);
    return 'reject';
  }
}

dataTest('60 handmade malformed files have the expected result', () => {
  const expected = JSON.parse(readFileSync(dataPath('malformed/hand/EXPECT.json'), 'utf8')) as Record<
    string,
    { expect: string }
  >;
  assert.is(Object.keys(expected).length, 60);
  for (const [path, { expect }] of Object.entries(expected)) {
    const result = outcome(path, readFileSync(dataPath(`malformed/hand/${path}`)));
    if (expect !== 'either') assert.is(result, expect, path);
  }
});

dataTest('malformed files of other libraries have the expected result', () => {
  const right: Record<string, string> = {
    'trimesh-jacked.obj': 'accept:12',
    'trimesh-multibody.stl': 'accept:32',
    'trimesh-nancolor.obj': 'accept:12',
    'trimesh-negative_indices.obj': 'accept:12',
    'trimesh-obj_empty.obj': 'accept:0',
    'trimesh-obj_points.obj': 'accept:0',
    'trimesh-ply_empty_ascii.ply': 'accept:0',
    'trimesh-ply_points_bin.ply': 'accept:0',
    'trimesh-stl_empty_ascii.stl': 'accept:0',
    'assimp-empty.obj': 'accept:0',
  };
  const names = readdirSync(dataPath('malformed/peers'));
  assert.is(names.length, 18);
  for (const name of names)
    assert.is(
      outcome(name, readFileSync(dataPath(`malformed/peers/${name}`))),
      right[name] ?? 'reject',
      name,
    );
});

// Files that break a rule of glTF but are still read, because the rule does not affect positions, triangles
// or placements. The keys are the reasons.
const HARMLESS_ERRORS: Record<string, string[]> = {
  'an empty list means the same as no list': [
    'accessor/empty_array.gltf',
    'buffer/empty_array.gltf',
    'mesh/empty_array.gltf',
  ],
  'the attribute is not POSITION': [
    'mesh/accessor_attribute_uint32.gltf',
    'mesh/accessor_unaligned.gltf',
    'mesh/morph_attribute_no_base.gltf',
  ],
  'missing bounds follow from the positions': [
    'mesh/position_accessor_no_bounds.gltf',
    'mesh/morph_position_accessor_no_bounds.gltf',
  ],
  'a skin moves nothing until a node uses it': ['mesh/unequal_joints.gltf'],
  'materials do not affect shapes': [
    'mesh/unresolved_material.gltf',
    'mesh/uv.gltf',
    'root/invalid_array_elements.gltf',
    'root/invalid_collection_type.gltf',
  ],
  'the extension is not required, and does not move meshes': [
    'root/extensions_non_objects.gltf',
    'root/extensions_undeclared_wrong_pointer.gltf',
  ],
};

// Files that are refused although the glTF validator reports no error. The values are the reasons.
const REFUSED_BY_US: Record<string, string> = {
  'asset/min_version_valid.gltf': 'asks for glTF 2.1',
  'buffer/non_relative_uri.gltf': 'lies on another machine',
  'root/named_objects.gltf': 'has a mesh moved by a skin, and no data',
  'root/unused_objects.gltf': 'has a mesh whose buffer has no data',
};

dataTest('118 files of the glTF validator have the expected result', () => {
  const files = untar(gunzipSync(readFileSync(dataPath('malformed/gltf-validator-a.tar.gz'))));
  const harmless = new Set(Object.values(HARMLESS_ERRORS).flat());
  let count = 0;
  for (const [path, bytes] of files) {
    const report = files.get(`${path}.report.json`);
    if (!report) continue;
    count++;
    const name = path.replace(/^data\//, '');
    const { issues, info } = JSON.parse(new TextDecoder().decode(report)) as {
      issues: { numErrors: number };
      info?: { totalTriangleCount?: number };
    };
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const result = outcome(path, bytes, beside => files.get(folder + beside) ?? missing(beside));
    const isRefused = issues.numErrors > 0 ? !harmless.has(name) : name in REFUSED_BY_US;
    assert.is(result === 'reject', isRefused, `${name}: ${result}`);
    // The reported triangle counts of these two files include a mesh that no node uses, and a primitive
    // without positions.
    const isPlaced = !['json/integer_written_as_float.gltf', 'mesh/primitive_no_position.gltf'].includes(
      name,
    );
    if (!isRefused && isPlaced) assert.is(result, `accept:${info?.totalTriangleCount ?? 0}`, name);
  }
  assert.is(count, 118);
});

function missing(path: string): never {
  throw new InvalidFile(`${path} does not exist`, 'Add the file.');
}

// Unpacks a ustar archive: headers of 512 bytes have the name at 0 and the octal size at 124, and the data
// follows in whole blocks.
function untar(bytes: Uint8Array): Map<string, Uint8Array> {
  const field = (at: number, length: number) =>
    new TextDecoder().decode(bytes.subarray(at, at + length)).replace(/\0.*$/s, '');
  const files = new Map<string, Uint8Array>();
  for (let at = 0; at + 512 <= bytes.length && bytes[at] !== 0; ) {
    const size = parseInt(field(at + 124, 12), 8);
    const prefix = field(at + 345, 155);
    if (bytes[at + 156] === 0x30)
      files.set(
        (prefix ? `${prefix}/` : '') + field(at, 100).replace(/^\.\//, ''),
        bytes.subarray(at + 512, at + 512 + size),
      );
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

const WHOLE_FILES: Record<string, number> = {
  'mesh/stanford-bunny.obj.gz': 69451,
  'mesh/stanford-dragon-res2.ply.gz': 202520,
  'mesh/stanford-dragon-res2-loop1-810k.ply.gz': 810080,
  'mesh/igea-tristrips.ply.gz': 268686,
  'mesh/spot.obj.gz': 5856,
  'mesh/cow.obj.gz': 5804,
  'mesh/fandisk.obj.gz': 12946,
  'mesh/teapot.obj.gz': 6320,
  'mesh/suzanne.obj.gz': 968,
  'mesh/fcl-env.obj.gz': 2180,
  'mesh/fcl-rob.obj.gz': 216,
  'mesh/manifold-self_intersectA.obj.gz': 17160,
  'mesh/manifold-self_intersectB.obj.gz': 17160,
  'mesh/ipc-two-cubes-intersecting.ply.gz': 480,
  'mesh/ipc-height-field.ply.gz': 4904,
  'mesh/1002_tray_bottom.stl.gz': 4520,
  'mesh-pairs/bunny-grid20.ply.gz': 69451,
  'assembly/2CylinderEngine.glb': 121496,
  'assembly/2CylinderEngine-world-f32.ply.gz': 121496,
  'assembly/boolean-28parts.glb': 3936,
  'bim/duplex-world-f32.ply.gz': 26774,
  'sccd/cloth-ball/frames/cloth_ball92.ply.gz': 92230,
  'sccd/rod-twist/frames/3036.ply.gz': 79864,
};

dataTest('complete mesh files have all their triangles', async () => {
  for (const [path, count] of Object.entries(WHOLE_FILES))
    assert.is(triangleCount(await readParts(dataPath(path))), count, path);
});

dataTest('two assemblies have all their parts with their real names', async () => {
  const parts = await readParts(dataPath('assembly/2CylinderEngine.glb'));
  assert.is(parts.length, 67);
  assert.is(new Set(parts.map(({ name }) => name)).size, 67);
  assert.is(new Set(parts.map(({ positions }) => positions)).size, 29);
  assert.ok(parts.some(({ name }) => name.startsWith('Piston_123-844_0_Parts_1')));
  assert.equal(
    (await readParts(dataPath('assembly/boolean-28parts.glb'))).map(({ name }) => name),
    [...Array.from({ length: 27 }, (_, i) => `cut_${i}`), 'base'],
  );
});

test.run();
