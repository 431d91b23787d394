// Finds the overlapping pairs of swept boxes in published films, and compares their counts and hashes with the
// published ones. A swept box contains a vertex, an edge or a face in both frames of a film. The pairs are
// pairs of edges, and pairs of a vertex and a face.

import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { dataPath } from './data.js';
import { readFrames, roundedOutward, sweptBoxes } from './frames.js';
import { hashPairRows } from './hash.js';

interface Pairs {
  a: Uint32Array;
  b: Uint32Array;
}
interface Truth {
  count: number;
  sha256: string;
}

/** Finds the overlapping pairs of boxes within `boxes`, or between `boxes` and `against`. */
export type FindPairs = (boxes: Float32Array, options: { against?: Float32Array }) => Pairs | Promise<Pairs>;

/**
 * Published films. float32Count: the number of pairs of edges that share no vertex and whose boxes overlap
 * after the boxes are rounded outward to float32. This number may be larger than the published number, for
 * which the boxes are not rounded.
 */
export const sweptFilms = [
  { folder: 'cloth-ball', from: 'cloth_ball92', to: 'cloth_ball93', float32Count: 5_197_332 },
  { folder: 'rod-twist', from: '3036', to: '3037', float32Count: 2_041_369 },
] as const;

const readTruth = (folder: string): Record<'broad_ee' | 'broad_vf', Truth> =>
  JSON.parse(readFileSync(dataPath(`sccd/${folder}/TRUTH.json`), 'utf8'));

// Keeps the pairs for which `isIncluded` returns true, in order.
function filtered({ a, b }: Pairs, isIncluded: (a: number, b: number) => boolean): Pairs {
  const keep = a.map((first, i) => (isIncluded(first, b[i]) ? 1 : 0));
  return { a: a.filter((_, i) => keep[i]), b: b.filter((_, i) => keep[i]) };
}

const overlapInDoubles = (first: Float64Array, a: number, second: Float64Array, b: number): boolean =>
  [0, 1, 2].every(
    axis =>
      first[6 * a + axis] <= second[6 * b + axis + 3] && second[6 * b + axis] <= first[6 * a + axis + 3],
  );

/**
 * Makes the swept boxes of a film. @returns a function that finds the overlapping pairs of these boxes with
 * `find` and checks the pairs
 */
export function sweptTruth({
  folder,
  from,
  to,
  float32Count,
}: (typeof sweptFilms)[number]): (find: FindPairs, what?: string) => Promise<void> {
  const frames = readFrames(`sccd/${folder}/frames/${from}.ply.gz`, `sccd/${folder}/frames/${to}.ply.gz`);
  const truth = readTruth(folder);
  const { edges, faces } = frames;
  const vertices = Uint32Array.from({ length: frames.from.length / 3 }, (_, v) => v);
  const exact = {
    vertex: sweptBoxes(frames, vertices, 1),
    edge: sweptBoxes(frames, edges, 2),
    face: sweptBoxes(frames, faces, 3),
  };
  const [vertexBoxes, edgeBoxes, faceBoxes] = [exact.vertex, exact.edge, exact.face].map(roundedOutward);
  const shareNone = (a: number, b: number) =>
    edges[2 * a] !== edges[2 * b] &&
    edges[2 * a] !== edges[2 * b + 1] &&
    edges[2 * a + 1] !== edges[2 * b] &&
    edges[2 * a + 1] !== edges[2 * b + 1];
  const isNoCorner = (v: number, f: number) =>
    faces[3 * f] !== v && faces[3 * f + 1] !== v && faces[3 * f + 2] !== v;
  function check(found: Pairs, known: Truth, what: string): void {
    assert.is(found.a.length, known.count, what);
    assert.is(hashPairRows(found.a, found.b), known.sha256, what);
  }
  return async (find, what = folder) => {
    const apart = filtered(await find(edgeBoxes, {}), shareNone);
    assert.is(apart.a.length, float32Count, what);
    check(
      filtered(apart, (a, b) => overlapInDoubles(exact.edge, a, exact.edge, b)),
      truth.broad_ee,
      what,
    );
    check(
      filtered(
        await find(vertexBoxes, { against: faceBoxes }),
        (v, f) => isNoCorner(v, f) && overlapInDoubles(exact.vertex, v, exact.face, f),
      ),
      truth.broad_vf,
      what,
    );
  };
}
