// Makes the model that `pfront sample` writes: an epicyclic gear train, and a probe that an animation moves.
import type { Part } from '../formats/readParts.js';
import { box, epicyclicTrain, translation } from '../samples/index.js';
import { writeGlb } from './writeGlb.js';

/** Center of the probe at rest, outside the gears; x decreases by REACH while the probe moves in. */
const REST = [52, 0, 0] as const;
const REACH = 6;

// Returns the gears of the train, placed as at its first frame.
function gearsOf(): Part[] {
  const { parts, meshes, frame } = epicyclicTrain();
  const placed = frame(0);
  return parts.map(({ name, mesh }, part) => ({
    name,
    ...meshes[mesh],
    transform: placed.slice(16 * part, 16 * part + 16),
  }));
}

/** Returns the sample as a GLB file with the animation "inspect", and counts its parts and triangles. */
export function writeSample(): { bytes: Uint8Array; partCount: number; triangleCount: number } {
  const gears = gearsOf();
  const probe = { name: 'probe', ...box(4, 1, 1), transform: translation(REST) };
  const [x, y, z] = REST;
  const parts = [...gears, probe];
  const bytes = writeGlb(parts, {
    name: 'inspect',
    part: gears.length,
    times: Float32Array.of(0, 2, 4),
    translations: Float32Array.of(x, y, z, x - REACH, y, z, x, y, z),
  });
  const triangleCount = parts.reduce((sum, { indices }) => sum + indices.length / 3, 0);
  return { bytes, partCount: parts.length, triangleCount };
}
