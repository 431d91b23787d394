// Reads the triangles of .obj.gz and .ply.gz files of the truth data. Supports only the variants that occur
// in those files.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { dataPath } from './data.js';

export interface TruthMesh {
  positions: Float32Array;
  indices: Uint32Array;
}

export const readBytes = (name: string): Buffer => gunzipSync(readFileSync(dataPath(name)));

// Reads an OBJ file. Faces with more than three corners become triangle fans.
export function readObj(name: string): TruthMesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const line of readBytes(name).toString('latin1').split('\n')) {
    const [keyword, ...fields] = line.trim().split(/\s+/);
    if (keyword === 'v') positions.push(Number(fields[0]), Number(fields[1]), Number(fields[2]));
    if (keyword !== 'f') continue;
    const face = fields.map(field => Number.parseInt(field, 10) - 1);
    for (let corner = 2; corner < face.length; corner++)
      indices.push(face[0], face[corner - 1], face[corner]);
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

// Reads a PLY file. Vertices have only x y z as floats; faces are triangles with a uchar count and 32-bit
// indices.
export function readPly(name: string): TruthMesh {
  const bytes = readBytes(name);
  const bodyAt = bytes.indexOf('end_header\n') + 'end_header\n'.length;
  const header = bytes.toString('latin1', 0, bodyAt);
  const vertexCount = Number(/element vertex (\d+)/.exec(header)![1]);
  const triangleCount = Number(/element face (\d+)/.exec(header)![1]);
  const positions = new Float32Array(vertexCount * 3);
  const indices = new Uint32Array(triangleCount * 3);
  if (header.includes('format ascii')) {
    const numbers = bytes.toString('latin1', bodyAt).trim().split(/\s+/).map(Number);
    positions.set(numbers.slice(0, vertexCount * 3));
    indices.forEach((_, at) => {
      indices[at] = numbers[vertexCount * 3 + Math.floor(at / 3) * 4 + 1 + (at % 3)];
    });
    return { positions, indices };
  }
  const facesAt = bodyAt + vertexCount * 12;
  positions.forEach((_, at) => {
    positions[at] = bytes.readFloatLE(bodyAt + at * 4);
  });
  indices.forEach((_, at) => {
    indices[at] = bytes.readUInt32LE(facesAt + Math.floor(at / 3) * 13 + 1 + (at % 3) * 4);
  });
  return { positions, indices };
}
