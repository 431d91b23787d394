// Two real assemblies, baked to float32 with their truth -> every clash, counted to the last triangle pair.
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findClashes } from '../../dist/cli/findClashes.js';
import { readParts } from '../../dist/cli/files/readParts.js';
import { VertexPicker } from '../../dist/cli/files/part.js';
import { createEngine } from '../../dist/index.js';
import { toIntegers } from '../oracle/integers.js';
import { trianglesMeet } from '../oracle/trianglesMeet.js';
import { dataPath, dataTest } from '../support/data.js';

interface Truth { parts: { name: string; firstFace: number; faces: number }[]; part_box_pairs: number; part_pairs: [number, number, number][] }

const SILENT = { begin() {}, step() {}, end() {} };
const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

async function bakedParts(path: string, truth: Truth) {
  const [whole] = await readParts(dataPath(path));
  const picker = new VertexPicker(whole.positions);
  return truth.parts.map(({ name, firstFace, faces }) => ({ name, ...picker.mesh(whole.indices.slice(3 * firstFace, 3 * (firstFace + faces))), transform: IDENTITY }));
}

// 9 coordinates of each triangle without area, decided in integers.
function lines({ positions, indices }: { positions: Float32Array; indices: Uint32Array }): number[][] {
  const found: number[][] = [];
  for (let i = 0; i < indices.length; i += 3) {
    const corners = [0, 1, 2].flatMap((corner) => [...positions.subarray(3 * indices[i + corner], 3 * indices[i + corner] + 3)]);
    const [ax, ay, az, bx, by, bz, cx, cy, cz] = toIntegers(Float64Array.from(corners));
    const [ux, uy, uz, vx, vy, vz] = [bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az];
    if (uy * vz === uz * vy && uz * vx === ux * vz && ux * vy === uy * vx) found.push(corners);
  }
  return found;
}

function boxesOverlap(a: number[], b: number[]): boolean {
  return [0, 1, 2].every((axis) => Math.min(a[axis], a[axis + 3], a[axis + 6]) <= Math.max(b[axis], b[axis + 3], b[axis + 6])
    && Math.min(b[axis], b[axis + 3], b[axis + 6]) <= Math.max(a[axis], a[axis + 3], a[axis + 6]));
}

// The truth counts two triangles without area as soon as their boxes overlap. Those that do not meet as the segments that they span are taken out.
function countApart(linesA: number[][], linesB: number[][]): number {
  let count = 0;
  for (const a of linesA) for (const b of linesB) if (boxesOverlap(a, b) && !trianglesMeet(Float64Array.from([...a, ...b]))) count++;
  return count;
}

for (const [mesh, truthPath, expectedApart] of [['assembly/2CylinderEngine-world-f32.ply.gz', 'assembly/2CylinderEngine-truth.json', 2005], ['bim/duplex-world-f32.ply.gz', 'bim/duplex-truth.json', 0]] as const) {
  dataTest(`${mesh}: triangle pairs of every part pair`, async () => {
    const truth = JSON.parse(readFileSync(dataPath(truthPath), 'utf8')) as Truth;
    const parts = await bakedParts(mesh, truth);
    const engine = await createEngine();
    try {
      const { clashes, boxPairs } = findClashes(engine, parts, SILENT);
      assert.is(boxPairs, truth.part_box_pairs);
      const partLines = parts.map(lines);
      let apart = 0;
      const expected = truth.part_pairs.flatMap(([a, b, trianglePairs]) => {
        const apartHere = countApart(partLines[a], partLines[b]);
        apart += apartHere;
        return trianglePairs > apartHere ? [{ a, b, trianglePairs: trianglePairs - apartHere }] : [];
      });
      assert.is(apart, expectedApart);
      assert.equal(clashes, expected.sort((x, y) => x.a - y.a || x.b - y.b));
    } finally {
      engine.dispose();
    }
  });
}

test.run();
