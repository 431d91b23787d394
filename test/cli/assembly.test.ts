// Finds the clashes of two real assemblies, and compares the number of triangle pairs of each clash with the
// published number. The vertices of both assemblies are rounded to float32.
import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { findClashes } from '../../dist/cli/findClashes.js';
import { readParts } from '../../dist/formats/readParts.js';
import { VertexPicker } from '../../dist/formats/vertexPicker.js';
import { createEngine } from '../../dist/index.js';
import { dataPath, dataTest } from '../support/data.js';
import { test } from '../support/test.js';

interface Truth {
  parts: { name: string; firstFace: number; faces: number }[];
  part_box_pairs: number;
  part_pairs: [number, number, number][];
}

const SILENT = { begin() {}, step() {}, end() {} };
const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

async function bakedParts(path: string, truth: Truth) {
  const [whole] = await readParts(dataPath(path));
  const picker = new VertexPicker(whole);
  return truth.parts.map(({ name, firstFace, faces }) => ({
    name,
    ...picker.extractMesh(whole.indices.slice(3 * firstFace, 3 * (firstFace + faces))),
    transform: IDENTITY,
  }));
}

const assemblies = [
  ['assembly/2CylinderEngine-world-f32.ply.gz', 'assembly/2CylinderEngine-truth-corrected.json', 28_255],
  ['bim/duplex-world-f32.ply.gz', 'bim/duplex-truth.json', 50_978],
] as const;

for (const [mesh, truthPath, pairCount] of assemblies) {
  dataTest(`${mesh}: each part pair has as many triangle pairs as published`, async () => {
    const truth = JSON.parse(readFileSync(dataPath(truthPath), 'utf8')) as Truth;
    const parts = await bakedParts(mesh, truth);
    const engine = await createEngine();
    try {
      const { clashes, boxPairs } = findClashes(engine, parts, SILENT);
      assert.is(boxPairs, truth.part_box_pairs);
      assert.equal(
        clashes,
        truth.part_pairs.map(([a, b, trianglePairs]) => ({ a, b, trianglePairs })),
      );
      assert.is(
        clashes.reduce((sum, { trianglePairs }) => sum + trianglePairs, 0),
        pairCount,
      );
    } finally {
      engine.dispose();
    }
  });
}

test.run();
