// Files of the truth data -> plain arrays and the answers that belong to them. For tests; reads only these files' shapes.

import { readFileSync } from 'node:fs';
import { havePlaneBetween, isDegenerate } from '../oracle/separatingPlane.js';
import { boxPairs, triangleBoxes, type Pair } from '../oracle/bruteForce.js';
import { placeTriangles } from '../oracle/place.js';
import { dataPath } from './data.js';
import { readBytes, readObj, readPly, type TruthMesh } from './meshFile.js';

export type { TruthMesh };

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
  /** What the file lists: hash of pairs of triangle numbers of the whole, part of a < part of b. */
  listedPairCount: number;
  listedPairHash: string;
  /** Pairs that the file lists although a plane lies between them: see listedThoughApart. */
  wrongPairs: Pair[];
  /** Listed pairs less the wrong ones. */
  pairCount: number;
  /** partA < partB, and how many triangle pairs they share, without the wrong ones; sorted as in the file. */
  partPairs: [partA: number, partB: number, pairCount: number][];
}

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
    const isWrong = label && areBothDegenerate(corners) && havePlaneBetween(corners);
    return { kind: fields[0]!, corners, label, doMeet: label && !isWrong };
  });
}

const areBothDegenerate = (corners: Float64Array): boolean =>
  isDegenerate(corners.subarray(0, 9)) && isDegenerate(corners.subarray(9, 18));

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
  const parts: TruthPart[] = truth.parts.map((part: { name: string; firstFace: number; faces: number }) => ({
    name: part.name,
    firstTriangle: part.firstFace,
    triangleCount: part.faces,
    mesh: cutOut(whole, part.firstFace, part.faces),
  }));
  const partOf = Uint32Array.from(parts.flatMap((part, number) => Array(part.triangleCount).fill(number)));
  const wrongPairs = listedThoughApart(whole, partOf);
  const rightCount = ([partA, partB, count]: number[]) =>
    count! - wrongPairs.filter(([a, b]) => partOf[a] === partA && partOf[b] === partB).length;
  return {
    whole,
    parts,
    partBoxPairCount: truth.part_box_pairs,
    boxPairCount: truth.face_box_pairs,
    boxPairHash: truth.face_box_sha256,
    listedPairCount: truth.intersecting_face_pairs,
    listedPairHash: truth.intersecting_sha256,
    wrongPairs,
    pairCount: truth.intersecting_face_pairs - wrongPairs.length,
    partPairs: truth.part_pairs
      .map((row: number[]) => [row[0], row[1], rightCount(row)])
      .filter((row: number[]) => row[2]! > 0),
  };
}

// The files call every two triangles without area a hit when their boxes overlap. Those among them with a plane between
// are wrong: an exact answer and these pairs together are the listed ones.
function listedThoughApart(whole: TruthMesh, partOf: Uint32Array): Pair[] {
  const corners = placeTriangles(whole);
  const cornersOf = (triangle: number) => corners.subarray(triangle * 9, triangle * 9 + 9);
  const degenerate = Array.from(partOf.keys()).filter(triangle => isDegenerate(cornersOf(triangle)));
  const boxes = triangleBoxes(Float64Array.from(degenerate.flatMap(triangle => Array.from(cornersOf(triangle)))));
  return boxPairs(boxes, boxes)
    .map(([a, b]): Pair => [degenerate[a]!, degenerate[b]!])
    .filter(([a, b]) => partOf[a]! < partOf[b]!)
    .filter(([a, b]) => havePlaneBetween([...cornersOf(a), ...cornersOf(b)]));
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
