// Reads the truth data as plain arrays: meshes and triangle pairs, together with their known results.
// Supports only the variants of the file formats that occur in these data.

import { readFileSync } from 'node:fs';
import { dataPath } from './data.js';
import { readBytes, readObj, readPly, type TruthMesh } from './meshFile.js';

export type { TruthMesh };

export interface TriangleRow {
  kind: string;
  /** 18 doubles: a0 a1 a2 b0 b1 b2. */
  corners: Float64Array;
  doIntersect: boolean;
}

export interface Placement {
  /**
   * Transform of the second mesh, 16 entries, column-major: a signed permutation of the axes and an exact
   * translation.
   */
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
  /**
   * The mesh of this part, with only its own vertices. Its triangle t is triangle firstTriangle + t of
   * `whole`.
   */
  mesh: TruthMesh;
}

export interface PartsTruth {
  whole: TruthMesh;
  parts: TruthPart[];
  partBoxPairCount: number;
  boxPairCount: number;
  boxPairHash: string;
  pairCount: number;
  /**
   * Hash of all triangle pairs. Triangles are numbered as in `whole`. In each pair, the triangle of the part
   * with the lower index comes first.
   */
  pairHash: string;
  /** For each pair of parts, in the file's order: indices partA < partB and the number of triangle pairs. */
  partPairs: [partA: number, partB: number, pairCount: number][];
}

const readJson = (name: string) => JSON.parse(readFileSync(dataPath(name), 'utf8'));

// Reads 5,000 published triangle pairs, of which 2,500 intersect, and then 15,000 adversarial pairs. The
// coordinates of the adversarial pairs are exact float32 values.
export function readTriangleRows(): TriangleRow[] {
  return [
    ...readShen('tritri/shen2003-intersected-2500.txt.gz', true),
    ...readShen('tritri/shen2003-separated-2500.txt.gz', false),
    ...readAdversarial('tritri/tritri-adversarial-f32-corrected.csv.gz'),
  ];
}

function readShen(name: string, doIntersect: boolean): TriangleRow[] {
  const numbers = readBytes(name).toString('latin1').trim().split(/\s+/).map(Number);
  const rows: TriangleRow[] = [];
  for (let at = 0; at < numbers.length; at += 18) {
    rows.push({ kind: 'shen2003', corners: Float64Array.from(numbers.slice(at, at + 18)), doIntersect });
  }
  return rows;
}

function readAdversarial(name: string): TriangleRow[] {
  const lines = readBytes(name).toString('latin1').trim().split('\n').slice(1);
  return lines.map(line => {
    const fields = line.split(',');
    return {
      kind: fields[0],
      corners: Float64Array.from(fields.slice(1, 19), Number),
      doIntersect: Number(fields[19]) === 1,
    };
  });
}

// Reads the bunny, whose coordinates are multiples of 2^-20, and 24 placements of a second, equal bunny.
export function readMeshPairs(): { mesh: TruthMesh; placements: Placement[] } {
  const truth = readJson('mesh-pairs/bunny-bunny-24.json');
  return { mesh: readPly(`mesh-pairs/${truth.meshA}`), placements: truth.configs.map(toPlacement) };
}

// Converts a placement from the format of the file. The placement moves a vertex to the point `placed`, where
// placed[c] = sign[c] * vertex[perm[c]] + t[c] / 2^20.
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

// Reads the CAD model of a two-cylinder engine: 67 parts with 121,496 triangles in world space.
export const readEngine = (): PartsTruth =>
  readParts('assembly/2CylinderEngine', 'assembly/2CylinderEngine-truth-corrected.json');
// Reads a building of 215 parts with 26,774 triangles in world space.
export const readDuplex = (): PartsTruth => readParts('bim/duplex', 'bim/duplex-truth.json');

function readParts(name: string, truthName: string): PartsTruth {
  const whole = readPly(`${name}-world-f32.ply.gz`);
  const truth = readJson(truthName);
  const parts: TruthPart[] = truth.parts.map((part: { name: string; firstFace: number; faces: number }) => ({
    name: part.name,
    firstTriangle: part.firstFace,
    triangleCount: part.faces,
    mesh: cutOut(whole, part.firstFace, part.faces),
  }));
  return {
    whole,
    parts,
    partBoxPairCount: truth.part_box_pairs,
    boxPairCount: truth.face_box_pairs,
    boxPairHash: truth.face_box_sha256,
    pairCount: truth.intersecting_face_pairs,
    pairHash: truth.intersecting_sha256,
    partPairs: truth.part_pairs,
  };
}

// Returns a range of triangles with only the vertices that they use, in order of first use.
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

// Reads an .obj.gz or .ply.gz file of triangles. name: a path below the data folder, such as
// 'mesh/stanford-bunny.obj.gz'.
export const readTruthMesh = (name: string): TruthMesh =>
  name.endsWith('.obj.gz') ? readObj(name) : readPly(name);
export const readBunny = (): TruthMesh => readObj('mesh/stanford-bunny.obj.gz');
export const readDragon = (): TruthMesh => readPly('mesh/stanford-dragon-res2.ply.gz');
export const readFineDragon = (): TruthMesh => readPly('mesh/stanford-dragon-res2-loop1-810k.ply.gz');
