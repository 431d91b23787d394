// Draws the picture of a BCF viewpoint: the two parts, each in its color, and a mark at the place where they
// meet. If one part is behind the other, it shines through the front part.
import type { Camera } from './camera.js';
import { PART_COLORS } from './documents.js';
import { type DepthImage, draw, emptyImage, type PlacedMesh, project } from './rasterizer.js';
import type { Vector } from './vectors.js';

/** Width and height in pixels, in the aspect ratio of the camera. */
export const WIDTH = 480;
export const HEIGHT = 360;

type Color = readonly [red: number, green: number, blue: number];

/** The picture is drawn at this multiple of its size, and then reduced, so that edges are smooth. */
const SAMPLES = 2;
const BACKGROUND: Color = [0xf4, 0xf5, 0xf7];
const MARK: Color = [0xd5, 0x20, 0x2f];
const MARK_EDGE: Color = [0xff, 0xff, 0xff];
/** Radii of the mark, in pixels of the picture. */
const MARK_RADIUS = 4.5;
const MARK_EDGE_RADIUS = 6;
/** The share of the front part's color where the other part is behind it. */
const OPACITY = 0.62;
/** The brightness of a surface that is seen edge-on. */
const AMBIENT = 0.5;

/**
 * Returns the picture: three bytes for each pixel, row by row from the top.
 *
 * @param meshes - The two parts, in meters, z up.
 * @param point - The place where they meet.
 */
export function drawSnapshot(camera: Camera, point: Vector, meshes: PlacedMesh[]): Uint8Array {
  const layers = meshes.map(mesh => {
    const image = emptyImage(WIDTH * SAMPLES, HEIGHT * SAMPLES);
    draw(image, camera, point, mesh);
    return image;
  });
  const mark = project(camera, point, WIDTH, HEIGHT);
  const pixels = new Uint8Array(3 * WIDTH * HEIGHT);
  for (let row = 0; row < HEIGHT; row++)
    for (let column = 0; column < WIDTH; column++) {
      const color = markColor(column + 0.5 - mark[0], row + 0.5 - mark[1]) ?? pixelColor(layers, row, column);
      pixels.set(color, 3 * (row * WIDTH + column));
    }
  return pixels;
}

function markColor(x: number, y: number): Color | undefined {
  const square = x * x + y * y;
  return square <= MARK_RADIUS ** 2 ? MARK : square <= MARK_EDGE_RADIUS ** 2 ? MARK_EDGE : undefined;
}

// Returns the mean color of the samples of a pixel.
function pixelColor(layers: DepthImage[], row: number, column: number): Color {
  const sum: [number, number, number] = [0, 0, 0];
  for (let y = 0; y < SAMPLES; y++)
    for (let x = 0; x < SAMPLES; x++) {
      const sample = (row * SAMPLES + y) * WIDTH * SAMPLES + column * SAMPLES + x;
      const color = sampleColor(layers, sample);
      for (let i = 0; i < 3; i++) sum[i] += color[i];
    }
  return [sum[0] / SAMPLES ** 2, sum[1] / SAMPLES ** 2, sum[2] / SAMPLES ** 2];
}

function sampleColor([a, b]: DepthImage[], sample: number): Color {
  const [nearA, nearB] = [a.nearness[sample], b.nearness[sample]];
  if (nearA === 0 && nearB === 0) return BACKGROUND;
  if (nearB === 0) return shaded(0, a.brightness[sample]);
  if (nearA === 0) return shaded(1, b.brightness[sample]);
  const front = nearA >= nearB ? 0 : 1;
  return mix(
    shaded(front, (front === 0 ? a : b).brightness[sample]),
    shaded(1 - front, (front === 0 ? b : a).brightness[sample]),
  );
}

function shaded(part: number, brightness: number): Color {
  const factor = AMBIENT + (1 - AMBIENT) * brightness;
  const [red, green, blue] = PART_COLORS[part];
  return [red * factor, green * factor, blue * factor];
}

const mix = (front: Color, back: Color): Color => [
  OPACITY * front[0] + (1 - OPACITY) * back[0],
  OPACITY * front[1] + (1 - OPACITY) * back[1],
  OPACITY * front[2] + (1 - OPACITY) * back[2],
];
