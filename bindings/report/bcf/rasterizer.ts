// Draws triangles into a depth buffer, for the pictures of BCF viewpoints.
import { type Camera, TANGENT_OF_HALF } from './camera.js';
import { cross, dot, subtract, type Vector } from './vectors.js';

/** A picture with the brightness of the nearest surface in each pixel, row by row from the top. */
export interface DepthImage {
  width: number;
  height: number;
  /** 1 / distance along the direction of the camera; 0 where there is no surface. */
  nearness: Float32Array;
  /** 0 to 1: the cosine of the angle between the surface's normal and the ray to the camera. */
  brightness: Float32Array;
}

/**
 * A mesh, and the matrix from its coordinates to the frame in which the camera is given: 12 numbers,
 * row-major.
 */
export interface PlacedMesh {
  positions: Float32Array;
  indices: Uint32Array;
  matrix: Float64Array;
}

/** Max number of corners of a triangle that is clipped at the near plane. */
const MAX_CORNERS = 4;
/** In a triangle that is wider than this number of pixels, only the pixels between the edges are tested. */
const WIDE = 8;
/** The near plane is at this share of the distance from the camera to the clash. */
const NEAR_SHARE = 1 / 64;

export function emptyImage(width: number, height: number): DepthImage {
  return {
    width,
    height,
    nearness: new Float32Array(width * height),
    brightness: new Float32Array(width * height),
  };
}

/** Removes all surfaces from a picture. */
export const clear = ({ nearness }: DepthImage): void => {
  nearness.fill(0);
};

/**
 * Returns the pixel at which a point appears: column, row and 1 / distance. The point must be in front of the
 * camera.
 */
export function project(camera: Camera, point: Vector, width: number, height: number): Vector {
  const [x, y, z] = viewOf(camera, subtract(point, camera.position));
  const scale = height / 2 / TANGENT_OF_HALF / z;
  return [width / 2 + scale * x, height / 2 - scale * y, 1 / z];
}

/**
 * Draws a mesh.
 *
 * @param target - The point that the camera looks at.
 */
export function draw(
  image: DepthImage,
  camera: Camera,
  target: Vector,
  { positions, indices, matrix }: PlacedMesh,
): void {
  const rows = viewMatrix(camera, matrix);
  const near = NEAR_SHARE * dot(subtract(target, camera.position), camera.direction);
  const corners = new Float64Array(3 * MAX_CORNERS);
  const triangle = new Float64Array(9);
  for (let i = 0; i < indices.length; i += 3) {
    for (let corner = 0; corner < 3; corner++) {
      const at = 3 * indices[i + corner];
      for (let axis = 0; axis < 3; axis++) {
        const row = 4 * axis;
        triangle[3 * corner + axis] =
          rows[row] * positions[at] +
          rows[row + 1] * positions[at + 1] +
          rows[row + 2] * positions[at + 2] +
          rows[row + 3];
      }
    }
    const count = cutAtNearPlane(triangle, near, corners);
    if (count < 3) continue;
    const shade = brightnessOf(triangle);
    toPixels(corners, count, image);
    fill(image, corners, 0, 1, 2, shade);
    if (count === 4) fill(image, corners, 0, 2, 3, shade);
  }
}

// Returns the coordinates of a vector in the directions right, up and forward of the camera.
function viewOf({ direction, up }: Camera, vector: Vector): Vector {
  return [dot(cross(direction, up), vector), dot(up, vector), dot(direction, vector)];
}

// Returns the matrix from the coordinates of a mesh to the directions right, up and forward of the camera.
function viewMatrix(camera: Camera, matrix: Float64Array): Float64Array {
  const rows = new Float64Array(12);
  for (let column = 0; column < 4; column++) {
    const vector: Vector = [matrix[column], matrix[4 + column], matrix[8 + column]];
    viewOf(camera, column === 3 ? subtract(vector, camera.position) : vector).forEach((value, row) => {
      rows[4 * row + column] = value;
    });
  }
  return rows;
}

// Writes the part of a triangle that is beyond the near plane, a convex polygon, to `corners`. Returns the
// number of its corners.
function cutAtNearPlane(triangle: Float64Array, near: number, corners: Float64Array): number {
  let count = 0;
  for (let i = 0; i < 9; i += 3) {
    const next = (i + 3) % 9;
    const z = triangle[i + 2];
    const nextZ = triangle[next + 2];
    if (z >= near) {
      for (let axis = 0; axis < 3; axis++) corners[3 * count + axis] = triangle[i + axis];
      count++;
    }
    if (z >= near === nextZ >= near) continue;
    const share = (near - z) / (nextZ - z);
    for (let axis = 0; axis < 3; axis++)
      corners[3 * count + axis] = triangle[i + axis] + share * (triangle[next + axis] - triangle[i + axis]);
    corners[3 * count + 2] = near;
    count++;
  }
  return count;
}

function brightnessOf(p: Float64Array): number {
  const normal = cross([p[3] - p[0], p[4] - p[1], p[5] - p[2]], [p[6] - p[0], p[7] - p[1], p[8] - p[2]]);
  const ray: Vector = [p[0], p[1], p[2]];
  return Math.abs(dot(normal, ray)) / Math.sqrt(dot(normal, normal) * dot(ray, ray)) || 0;
}

// Converts corners from camera coordinates to pixels and 1 / distance, which is a linear function of the
// position in the picture.
function toPixels(corners: Float64Array, count: number, { width, height }: DepthImage): void {
  const factor = height / 2 / TANGENT_OF_HALF;
  for (let i = 0; i < 3 * count; i += 3) {
    const inverse = 1 / corners[i + 2];
    corners[i] = width / 2 + factor * corners[i] * inverse;
    corners[i + 1] = height / 2 - factor * corners[i + 1] * inverse;
    corners[i + 2] = inverse;
  }
}

// Fills the pixels whose centers are in the triangle of three corners. Runs for each triangle of each picture,
// so it allocates nothing if the triangle is small.
function fill(
  { width, height, nearness, brightness }: DepthImage,
  corners: Float64Array,
  a: number,
  b: number,
  c: number,
  shade: number,
): void {
  const ax = corners[3 * a];
  const ay = corners[3 * a + 1];
  const az = corners[3 * a + 2];
  const bx = corners[3 * b];
  const by = corners[3 * b + 1];
  const bz = corners[3 * b + 2];
  const cx = corners[3 * c];
  const cy = corners[3 * c + 1];
  const cz = corners[3 * c + 2];
  const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  if (area === 0) return;
  const left = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5));
  const right = Math.min(width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
  const top = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5));
  const bottom = Math.min(height - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
  for (let row = top; row <= bottom; row++) {
    const y = row + 0.5;
    let [first, last] = [left, right];
    if (right - left > WIDE) {
      const [from, to] = crossings(y, ax, ay, bx, by, cx, cy);
      first = Math.max(left, Math.floor(from) - 1);
      last = Math.min(right, Math.ceil(to));
    }
    for (let column = first; column <= last; column++) {
      const x = column + 0.5;
      const wa = ((bx - x) * (cy - y) - (by - y) * (cx - x)) / area;
      const wb = ((cx - x) * (ay - y) - (cy - y) * (ax - x)) / area;
      const wc = 1 - wa - wb;
      if (wa < 0 || wb < 0 || wc < 0) continue;
      const inverse = wa * az + wb * bz + wc * cz;
      const pixel = row * width + column;
      if (inverse <= nearness[pixel]) continue;
      nearness[pixel] = inverse;
      brightness[pixel] = shade;
    }
  }
}

// Returns where a row meets the edges of a triangle: the min and max x.
function crossings(
  y: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
): [from: number, to: number] {
  let from = Infinity;
  let to = -Infinity;
  const cut = (px: number, py: number, qx: number, qy: number): void => {
    if ((y < py && y < qy) || (y > py && y > qy)) return;
    const x = py === qy ? px : px + ((y - py) / (qy - py)) * (qx - px);
    from = Math.min(from, x, py === qy ? qx : x);
    to = Math.max(to, x, py === qy ? qx : x);
  };
  cut(ax, ay, bx, by);
  cut(bx, by, cx, cy);
  cut(cx, cy, ax, ay);
  return [from, to];
}
