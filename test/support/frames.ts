// Reads two frames of a simulated mesh: its vertices at both times, and its faces and edges, numbered as in
// the truth data.

import { readBytes } from './meshFile.js';

export interface Frames {
  /** x, y, z of every vertex at each time. */
  from: Float64Array;
  to: Float64Array;
  /** Vertex numbers, three per face and two per edge. */
  faces: Uint32Array;
  edges: Uint32Array;
}

// Reads a binary PLY file, big- or little-endian. Vertices have only x y z, as floats or doubles; faces are
// triangles with a uchar count and 32-bit indices.
function readFrame(name: string): { vertices: Float64Array; faces: Uint32Array } {
  const bytes = readBytes(name);
  const bodyAt = bytes.indexOf('end_header\n') + 'end_header\n'.length;
  const header = bytes.toString('latin1', 0, bodyAt);
  const isLittle = header.includes('binary_little_endian');
  const isDouble = /property (double|float64) x/.test(header);
  const count = (what: string): number => Number(new RegExp(`element ${what} (\\d+)`).exec(header)![1]);
  const view = new DataView(bytes.buffer, bytes.byteOffset + bodyAt);
  const size = isDouble ? 8 : 4;
  const vertices = Float64Array.from({ length: 3 * count('vertex') }, (_, i) =>
    isDouble ? view.getFloat64(8 * i, isLittle) : view.getFloat32(4 * i, isLittle),
  );
  const facesAt = vertices.length * size;
  const faces = Uint32Array.from({ length: 3 * count('face') }, (_, i) =>
    view.getUint32(facesAt + Math.floor(i / 3) * 13 + 1 + (i % 3) * 4, isLittle),
  );
  return { vertices, faces };
}

export function readFrames(fromName: string, toName: string): Frames {
  const { vertices: from, faces } = readFrame(fromName);
  const { vertices: to } = readFrame(toName);
  // Edges (i, j), i < j, each once, sorted by j, then i.
  const keys = new Set<number>();
  const vertexCount = from.length / 3;
  for (let face = 0; face < faces.length; face += 3) {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [faces[face + k], faces[face + ((k + 1) % 3)]];
      keys.add(Math.max(a, b) * vertexCount + Math.min(a, b));
    }
  }
  const sorted = Float64Array.from(keys).sort();
  const edges = new Uint32Array(2 * sorted.length);
  sorted.forEach((key, i) => edges.set([key % vertexCount, Math.floor(key / vertexCount)], 2 * i));
  return { from, to, faces, edges };
}

/**
 * Returns a box for each feature, in doubles: min x, y, z, then max x, y, z. The box contains the feature
 * during the whole step from the first to the second frame. features: vertex numbers, `corners` for each
 * feature.
 */
export function sweptBoxes({ from, to }: Frames, features: ArrayLike<number>, corners: number): Float64Array {
  const boxes = new Float64Array((6 * features.length) / corners);
  for (let i = 0; i < boxes.length; i += 6) {
    for (let axis = 0; axis < 3; axis++) {
      let minimum = Infinity;
      let maximum = -Infinity;
      for (let k = 0; k < corners; k++) {
        const at = 3 * features[(i / 6) * corners + k] + axis;
        minimum = Math.min(minimum, from[at], to[at]);
        maximum = Math.max(maximum, from[at], to[at]);
      }
      boxes[i + axis] = minimum;
      boxes[i + axis + 3] = maximum;
    }
  }
  return boxes;
}

const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

/** Returns the smallest float32 boxes that contain the given boxes. */
export function roundedOutward(boxes: Float64Array): Float32Array {
  return Float32Array.from(boxes, (value, i) => {
    const sign = i % 6 < 3 ? 1 : -1;
    float[0] = sign * value;
    // Rounds a min down. Rounds a max up, by rounding its negative down.
    if (float[0] > sign * value) bits[0] += float[0] > 0 ? -1 : 1;
    return sign * float[0];
  });
}
