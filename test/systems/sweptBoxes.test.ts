// Two frames of cloth and of twisting rods -> the edge-edge and vertex-face pairs whose swept boxes overlap, as published.

import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { test } from 'uvu';
import { createEngine } from '../../dist/index.js';
import { dataPath, dataTest } from '../support/data.js';
import { readFrames, roundedOutward, sweptBoxes, type Frames } from '../support/frames.js';
import { hashPairRows } from '../support/hash.js';

interface Truth { count: number; sha256: string }

const engines = [await createEngine({ threads: 1, warmUp: 'off' }), await createEngine({ threads: 4, warmUp: 'off' })];
const readTruth = (folder: string): Record<'broad_ee' | 'broad_vf', Truth> => JSON.parse(readFileSync(dataPath(`sccd/${folder}/TRUTH.json`), 'utf8'));

// Keeps pairs for which `isWanted`, in order.
function filtered({ a, b }: { a: Uint32Array; b: Uint32Array }, isWanted: (a: number, b: number) => boolean): { a: Uint32Array; b: Uint32Array } {
  const keep = a.map((first, i) => (isWanted(first, b[i]!) ? 1 : 0));
  return { a: a.filter((_, i) => keep[i]), b: b.filter((_, i) => keep[i]) };
}

const overlapInDoubles = (first: Float64Array, a: number, second: Float64Array, b: number): boolean =>
  [0, 1, 2].every((axis) => first[6 * a + axis]! <= second[6 * b + axis + 3]! && second[6 * b + axis]! <= first[6 * a + axis + 3]!);

function check(frames: Frames, truth: ReturnType<typeof readTruth>, float32Count?: number): void {
  const { edges, faces } = frames;
  const vertices = Uint32Array.from({ length: frames.from.length / 3 }, (_, v) => v);
  const exact = { vertex: sweptBoxes(frames, vertices, 1), edge: sweptBoxes(frames, edges, 2), face: sweptBoxes(frames, faces, 3) };
  const [vertexBoxes, edgeBoxes, faceBoxes] = [exact.vertex, exact.edge, exact.face].map(roundedOutward) as [Float32Array, Float32Array, Float32Array];
  const shareNone = (a: number, b: number) => edges[2 * a] !== edges[2 * b] && edges[2 * a] !== edges[2 * b + 1] && edges[2 * a + 1] !== edges[2 * b] && edges[2 * a + 1] !== edges[2 * b + 1];
  const isNoCorner = (v: number, f: number) => faces[3 * f] !== v && faces[3 * f + 1] !== v && faces[3 * f + 2] !== v;
  for (const engine of engines) {
    for (const method of ['sap', 'octree'] as const) {
      const what = `${method}, ${engine.info.threads} threads`;
      const apart = filtered(engine.boxPairs(edgeBoxes, { method }).copy(), shareNone);
      if (float32Count !== undefined) assert.is(apart.a.length, float32Count, what);
      const edgeEdge = filtered(apart, (a, b) => overlapInDoubles(exact.edge, a, exact.edge, b));
      assert.is(edgeEdge.a.length, truth.broad_ee.count, what);
      assert.is(hashPairRows(edgeEdge.a, edgeEdge.b), truth.broad_ee.sha256, what);
      const vertexFace = filtered(engine.boxPairs(vertexBoxes, { against: faceBoxes, method }).copy(), (v, f) => isNoCorner(v, f) && overlapInDoubles(exact.vertex, v, exact.face, f));
      assert.is(vertexFace.a.length, truth.broad_vf.count, what);
      assert.is(hashPairRows(vertexFace.a, vertexFace.b), truth.broad_vf.sha256, what);
    }
  }
}

dataTest('cloth and ball: 5,197,332 edge-edge and 1,655,541 vertex-face pairs', () => {
  check(readFrames('sccd/cloth-ball/frames/cloth_ball92.ply.gz', 'sccd/cloth-ball/frames/cloth_ball93.ply.gz'), readTruth('cloth-ball'), 5_197_332);
});

dataTest('rods that twist, in doubles: boxes rounded outward find 2,041,369 edge-edge pairs, and all published ones', () => {
  check(readFrames('sccd/rod-twist/frames/3036.ply.gz', 'sccd/rod-twist/frames/3037.ply.gz'), readTruth('rod-twist'), 2_041_369);
});

test.after(() => { for (const engine of engines) engine.dispose(); });
test.run();
