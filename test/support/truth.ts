// Files of the truth data -> plain arrays and the answers that belong to them. For tests; reads only these files' shapes.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { havePlaneBetween } from '../oracle/separatingPlane.js';
import { dataPath } from './data.js';

export interface TruthMesh {
  positions: Float32Array;
  indices: Uint32Array;
}

export interface TriangleRow {
  kind: string;
  /** 18 doubles: a0 a1 a2 b0 b1 b2. */
  corners: Float64Array;
  /** What the file says. */
  label: boolean;
  /** The label, but for rows that the file has wrong: see readAdversarial. */
  doMeet: boolean;
}

export interface Placement {
  /** 16 entries, column by column: a signed permutation and an exact shift, for the second mesh. */
  transform: Float64Array;
  boxPairCount: number;
  boxPairHash: string;
  pairCount: number;
  pairHash: string;
}

export interface TruthPart {
  name: string;
  firstTriangle: number;
  triangleCount: number;
  /** The part alone, with only its own vertices; triangle t is triangle firstTriangle + t of the whole. */
  mesh: TruthMesh;
}

export interface PartsTruth {
  whole: TruthMesh;
  parts: TruthPart[];
  partBoxPairCount: number;
  boxPairCount: number;
  boxPairHash: string;
  pairCount: number;
  /** Of pairs of triangle numbers of the whole, part of a < part of b. */
  pairHash: string;
  /** partA < partB, and how many triangle pairs they share. */
  partPairs: [partA: number, partB: number, pairCount: number][];
}

const readBytes = (name: string): Buffer => gunzipSync(readFileSync(dataPath(name)));
const readJson = (name: string) => JSON.parse(readFileSync(dataPath(name), 'utf8'));

// 2,500 + 2,500 published pairs, then 15,000 adversarial ones whose coordinates are exact float32.
export function readTriangleRows(): TriangleRow[] {
  return [
    ...readShen('tritri/shen2003-intersected-2500.txt.gz', true),
    ...readShen('tritri/shen2003-separated-2500.txt.gz', false),
    ...readAdversarial('tritri/tritri-adversarial-f32.csv.gz'),
  ];
}

function readShen(name: string, doMeet: boolean): TriangleRow[] {
  const numbers = readBytes(name).toString('latin1').trim().split(/\s+/).map(Number);
  const rows: TriangleRow[] = [];
  for (let at = 0; at < numbers.length; at += 18) {
    rows.push({ kind: 'shen2003', corners: Float64Array.from(numbers.slice(at, at + 18)), label: doMeet, doMeet });
  }
  return rows;
}

// The file calls every two triangles without area a hit, even single points far apart: 182 of its 15,000 labels are
// wrong. Those are the rows where a plane lies strictly between the two.
function readAdversarial(name: string): TriangleRow[] {
  const lines = readBytes(name).toString('latin1').trim().split('\n').slice(1);
  return lines.map(line => {
    const fields = line.split(',');
    const corners = Float64Array.from(fields.slice(1, 19), Number);
    const label = Number(fields[19]) === 1;
    const isWrong = label && areaIsZero(corners, 0) && areaIsZero(corners, 9) && havePlaneBetween(corners);
    return { kind: fields[0]!, corners, label, doMeet: label && !isWrong };
  });
}

// Exact for the small integers that the file's degenerate triangles have.
function areaIsZero(corners: Float64Array, at: number): boolean {
  const [x, y, z] = [0, 1, 2].map(axis => [corners[at + 3 + axis]! - corners[at + axis]!, corners[at + 6 + axis]! - corners[at + axis]!]);
  return [[x, y], [y, z], [z, x]].every(([u, v]) => u![0]! * v![1]! === u![1]! * v![0]!);
}

// The bunny on a 2^-20 grid against itself, 24 times.
export function readMeshPairs(): { mesh: TruthMesh; placements: Placement[] } {
  const truth = readJson('mesh-pairs/bunny-bunny-24.json');
  return { mesh: readPly(`mesh-pairs/${truth.meshA}`), placements: truth.configs.map(toPlacement) };
}

// The file's rule: placed[c] = sign[c] * vertex[perm[c]] + t[c] / 2^20.
function toPlacement(config: Record<string, any>): Placement {
  const transform = new Float64Array(16);
  transform[15] = 1;
  for (let axis = 0; axis < 3; axis++) {
    transform[config.perm[axis] * 4 + axis] = config.sign[axis];
    transform[12 + axis] = config.t[axis] / 2 ** 20;
  }
  return {
    transform,
    boxPairCount: config.face_box_pairs,
    boxPairHash: config.face_box_sha256,
    pairCount: config.intersecting,
    pairHash: config.intersecting_sha256,
  };
}

// 67 parts, 121,496 triangles, world space.
export const readEngine = (): PartsTruth => readParts('assembly/2CylinderEngine');
// 215 parts, 26,774 triangles, world space.
export const readDuplex = (): PartsTruth => readParts('bim/duplex');

function readParts(name: string): PartsTruth {
  const whole = readPly(`${name}-world-f32.ply.gz`);
  const truth = readJson(`${name}-truth.json`);
  return {
    whole,
    parts: truth.parts.map((part: { name: string; firstFace: number; faces: number }) => ({
      name: part.name,
      firstTriangle: part.firstFace,
      triangleCount: part.faces,
      mesh: cutOut(whole, part.firstFace, part.faces),
    })),
    partBoxPairCount: truth.part_box_pairs,
    boxPairCount: truth.face_box_pairs,
    boxPairHash: truth.face_box_sha256,
    pairCount: truth.intersecting_face_pairs,
    pairHash: truth.intersecting_sha256,
    partPairs: truth.part_pairs,
  };
}

// A range of triangles with only the vertices that it uses, in order of first use.
export function cutOut(whole: TruthMesh, firstTriangle: number, triangleCount: number): TruthMesh {
  const numbers = new Map<number, number>();
  const indices = whole.indices.slice(firstTriangle * 3, (firstTriangle + triangleCount) * 3).map(vertex => {
    if (!numbers.has(vertex)) numbers.set(vertex, numbers.size);
    return numbers.get(vertex)!;
  });
  const positions = new Float32Array(numbers.size * 3);
  for (const [vertex, number] of numbers) {
    positions.set(whole.positions.subarray(vertex * 3, vertex * 3 + 3), number * 3);
  }
  return { positions, indices };
}

// name: below the data folder, e.g. 'mesh/stanford-bunny.obj.gz'; .obj.gz or .ply.gz of triangles.
export const readTruthMesh = (name: string): TruthMesh => (name.endsWith('.obj.gz') ? readObj(name) : readPly(name));
export const readBunny = (): TruthMesh => readObj('mesh/stanford-bunny.obj.gz');
export const readDragon = (): TruthMesh => readPly('mesh/stanford-dragon-res2.ply.gz');
export const readFineDragon = (): TruthMesh => readPly('mesh/stanford-dragon-res2-loop1-810k.ply.gz');

function readObj(name: string): TruthMesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const line of readBytes(name).toString('latin1').split('\n')) {
    const [keyword, ...fields] = line.trim().split(/\s+/);
    if (keyword === 'v') positions.push(Number(fields[0]), Number(fields[1]), Number(fields[2]));
    if (keyword !== 'f') continue;
    const face = fields.map(field => Number.parseInt(field) - 1);
    for (let corner = 2; corner < face.length; corner++) indices.push(face[0]!, face[corner - 1]!, face[corner]!);
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

// Vertices are float x y z and nothing else; faces are triangles listed as uchar count and 32-bit indices.
function readPly(name: string): TruthMesh {
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
      indices[at] = numbers[vertexCount * 3 + Math.floor(at / 3) * 4 + 1 + (at % 3)]!;
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
