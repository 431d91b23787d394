// Triangles of a clash -> their corners on the stage, and the box that holds every point which the two parts share.
import { Box3, Vector3, type Matrix4 } from 'three';
import type { ClashTriangles, ReportContent } from '../content.js';
import type { Placement } from './placement.js';

/** Nine numbers a triangle: those of part a, then those of part b. */
export function cornersOf(content: ReportContent, { toStage }: Placement, clash: number): Float32Array {
  const { a, b } = content.header.clashes[clash];
  const triangles = content.triangles[clash];
  const corners = new Float32Array(9 * (triangles.a.length + triangles.b.length));
  placeCorners(content, a, toStage[a], triangles.a, corners);
  placeCorners(content, b, toStage[b], triangles.b, corners.subarray(9 * triangles.a.length));
  return corners;
}

/** Of all clashes: each triangle once, though it may be of many clashes. */
export function cornersOfAll(content: ReportContent, { toStage }: Placement): Float32Array {
  const ofParts = new Map<number, Set<number>>();
  const add = (part: number, triangles: Uint32Array): void => {
    let known = ofParts.get(part);
    if (!known) ofParts.set(part, known = new Set());
    for (const triangle of triangles) known.add(triangle);
  };
  content.header.clashes.forEach(({ a, b }, clash) => {
    add(a, content.triangles[clash].a);
    add(b, content.triangles[clash].b);
  });
  const corners = new Float32Array([...ofParts.values()].reduce((sum, { size }) => sum + 9 * size, 0));
  let at = 0;
  for (const [part, triangles] of ofParts) {
    placeCorners(content, part, toStage[part], triangles, corners.subarray(at));
    at += 9 * triangles.size;
  }
  return corners;
}

/** Of the triangles of both parts: where their boxes overlap. matrices: of each part, to the stage or to the file. */
export function sharedBox(content: ReportContent, matrices: Matrix4[], clash: number): Box3 {
  const { a, b } = content.header.clashes[clash];
  const boxOf = (part: number, triangles: ClashTriangles['a']): Box3 => {
    const box = new Box3(), corner = new Vector3();
    eachCorner(content, part, matrices[part], triangles, corner, () => { box.expandByPoint(corner); });
    return box;
  };
  const { a: trianglesA, b: trianglesB } = content.triangles[clash];
  const boxA = boxOf(a, trianglesA), boxB = boxOf(b, trianglesB);
  // Rounding may part boxes that touch.
  const overlap = boxA.clone().intersect(boxB);
  return overlap.isEmpty() ? boxA : overlap;
}

function placeCorners(content: ReportContent, part: number, matrix: Matrix4, triangles: Iterable<number>, corners: Float32Array): void {
  const corner = new Vector3();
  let at = 0;
  eachCorner(content, part, matrix, triangles, corner, () => {
    corner.toArray(corners, at);
    at += 3;
  });
}

function eachCorner({ header, meshes }: ReportContent, part: number, matrix: Matrix4, triangles: Iterable<number>, corner: Vector3, use: () => void): void {
  const { positions, indices } = meshes[header.parts[part].mesh];
  for (const triangle of triangles) {
    for (let i = 3 * triangle; i < 3 * triangle + 3; i++) {
      corner.fromArray(positions, 3 * indices[i]).applyMatrix4(matrix);
      use();
    }
  }
}
