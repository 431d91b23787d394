// Makes deforming cloths for the benches: a generated sheet, and the frames of a published data set.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readParts } from '../../dist/formats/readParts.js';
import { createRandom } from '../../dist/samples/index.js';

const folder = fileURLToPath(new URL('../../../shared/data/sccd/cloth-ball/frames/', import.meta.url));

/** A sheet of cloth and its positions, frame by frame. */
export interface Cloth {
  name: string;
  indices: Uint32Array;
  frames: readonly Float32Array[];
}

/**
 * Makes a sheet of 2 x cells^2 triangles that is folded once and crumpled by traveling waves, which are so
 * steep that the sheet intersects itself.
 */
export function crumplingCloth(cells: number, frameCount: number, seed: number): Cloth {
  const random = createRandom(seed);
  const side = cells + 1;
  const waves = Array.from({ length: 14 }, () => {
    const angle = 2 * Math.PI * random.between(0, 1);
    const k = (2 * Math.PI) / (0.35 * 12 ** random.between(0, 1));
    return {
      x: Math.cos(angle),
      z: Math.sin(angle),
      k,
      height: random.between(0.11, 0.21) / k,
      phase: random.between(0, 2 * Math.PI),
      speed: random.between(1, 3),
    };
  });
  const at = (u: number, v: number, frame: number): number[] => {
    const folded = u > 0 ? ([-u, 0.16 - 0.004 * frame, -1] as const) : ([u, 0, 1] as const);
    const place = [folded[0], folded[1], v];
    for (const { x, z, k, height, phase, speed } of waves) {
      const waveAngle = k * (x * u + z * v) + phase + 0.08 * speed * frame;
      place[0] += folded[2] * x * height * Math.cos(waveAngle);
      place[1] += height * Math.sin(waveAngle);
      place[2] += z * height * Math.cos(waveAngle);
    }
    return place;
  };
  const frames = Array.from({ length: frameCount }, (_, frame) =>
    Float32Array.from(
      Array.from({ length: side * side }, (__, i) =>
        at((8 * (i % side)) / cells - 4, (8 * Math.floor(i / side)) / cells - 4, frame),
      ).flat(),
    ),
  );
  const indices = Uint32Array.from(
    Array.from({ length: cells * cells }, (_, i) => Math.floor(i / cells) * side + (i % cells)).flatMap(i => [
      i,
      i + 1,
      i + side,
      i + 1,
      i + side + 1,
      i + side,
    ]),
  );
  return { name: `crumpling cloth ${Math.round(indices.length / 3000)}K`, indices, frames };
}

/** Reads the two published frames of the UNC cloth on a ball. @returns undefined if they are missing */
export async function clothBall(): Promise<Cloth | undefined> {
  if (!existsSync(folder)) return undefined;
  const parts = await Promise.all(
    [92, 93].map(async frame => (await readParts(`${folder}cloth_ball${frame}.ply.gz`))[0]),
  );
  return {
    name: 'cloth-ball 92K',
    indices: parts[0].indices,
    frames: parts.map(({ positions }) => positions),
  };
}

/**
 * Makes `count` frames in which each vertex moves on a straight line, from its position in the first frame to
 * its position in the last frame.
 */
export function interpolateFrames({ name, indices, frames }: Cloth, count: number): Cloth {
  const [from, to] = [frames[0], frames.at(-1)!];
  return {
    name,
    indices,
    frames: Array.from({ length: count }, (_, frame) =>
      from.map((value, i) => value + ((to[i] - value) * frame) / (count - 1)),
    ),
  };
}
