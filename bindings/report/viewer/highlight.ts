// Computes the corners of highlighted triangles in the 3D view, and the box in which the parts of a clash
// meet.
import { Box3, type Matrix4, Vector3 } from 'three';
import type { ReportContent } from '../content.js';
import type { Placement } from './placement.js';

/**
 * Returns the corners of the highlighted triangles of a clash, nine numbers per triangle. The triangles of
 * part a come first, then those of part b.
 */
export function cornersOf(content: ReportContent, { toStage }: Placement, clash: number): Float32Array {
  const { a, b } = content.header.clashes[clash];
  const triangles = content.triangles[clash];
  const corners = new Float32Array(9 * (triangles.a.length + triangles.b.length));
  placeCorners(content, a, toStage[a], triangles.a, corners);
  placeCorners(content, b, toStage[b], triangles.b, corners.subarray(9 * triangles.a.length));
  return corners;
}

/** Returns the corners of the highlighted triangles of several clashes. Each triangle occurs once. */
export function cornersOfAll(
  content: ReportContent,
  { toStage }: Placement,
  clashes: number[],
): Float32Array {
  const trianglesOfPart = new Map<number, Set<number>>();
  const add = (part: number, triangles: Uint32Array): void => {
    let set = trianglesOfPart.get(part);
    if (!set) trianglesOfPart.set(part, (set = new Set()));
    for (const triangle of triangles) set.add(triangle);
  };
  for (const clash of clashes) {
    const { a, b } = content.header.clashes[clash];
    add(a, content.triangles[clash].a);
    add(b, content.triangles[clash].b);
  }
  const corners = new Float32Array(
    [...trianglesOfPart.values()].reduce((sum, { size }) => sum + 9 * size, 0),
  );
  let at = 0;
  for (const [part, triangles] of trianglesOfPart) {
    placeCorners(content, part, toStage[part], triangles, corners.subarray(at));
    at += 9 * triangles.size;
  }
  return corners;
}

/**
 * Returns the box in which the parts of a clash meet. For each part, it takes the box of the highlighted
 * triangles, or of the whole part if no triangles are highlighted. The result is the overlap of these two
 * boxes, or the gap between them if they are apart.
 *
 * @param matrices - The matrix of each part. It maps the coordinates of the mesh to the coordinates of the
 * result: the coordinates of the 3D view or of the files.
 */
export function sharedBox(content: ReportContent, matrices: Matrix4[], clash: number): Box3 {
  const { a, b } = content.header.clashes[clash];
  const boxOf = (part: number, triangles: Iterable<number>): Box3 => {
    const box = new Box3();
    const corner = new Vector3();
    eachCorner(content, part, matrices[part], triangles, corner, () => {
      box.expandByPoint(corner);
    });
    return box;
  };
  const { a: trianglesA, b: trianglesB } = content.triangles[clash];
  if (trianglesA.length === 0) return boxBetween(boxOf(a, allOf(content, a)), boxOf(b, allOf(content, b)));
  // Boxes that touch may be slightly apart after rounding. boxBetween handles overlapping and separate boxes.
  return boxBetween(boxOf(a, trianglesA), boxOf(b, trianglesB));
}

function boxBetween(a: Box3, b: Box3): Box3 {
  const low = a.min.clone().max(b.min);
  const high = a.max.clone().min(b.max);
  return new Box3(low.clone().min(high), low.clone().max(high));
}

function* allOf({ header, meshes }: ReportContent, part: number): Generator<number> {
  for (let triangle = 0; triangle < meshes[header.parts[part].mesh].indices.length / 3; triangle++)
    yield triangle;
}

function placeCorners(
  content: ReportContent,
  part: number,
  matrix: Matrix4,
  triangles: Iterable<number>,
  corners: Float32Array,
): void {
  const corner = new Vector3();
  let at = 0;
  eachCorner(content, part, matrix, triangles, corner, () => {
    corner.toArray(corners, at);
    at += 3;
  });
}

function eachCorner(
  { header, meshes }: ReportContent,
  part: number,
  matrix: Matrix4,
  triangles: Iterable<number>,
  corner: Vector3,
  use: () => void,
): void {
  const { positions, indices } = meshes[header.parts[part].mesh];
  for (const triangle of triangles) {
    for (let i = 3 * triangle; i < 3 * triangle + 3; i++) {
      corner.fromArray(positions, 3 * indices[i]).applyMatrix4(matrix);
      use();
    }
  }
}
