// Draws the picture of a BCF viewpoint: the two parts, each in its color, and a mark at the place where they
// meet. If one part is behind the other, it shines through the front part.
import type { Camera } from './camera.js';
import { PART_COLORS } from './documents.js';
import { clear, draw, emptyImage, type PlacedMesh, project } from './rasterizer.js';
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

/** Draws the pictures of an archive. They share the depth buffers, which take 11 MB. */
export class SnapshotPainter {
  readonly #layers = [0, 1].map(() => emptyImage(WIDTH * SAMPLES, HEIGHT * SAMPLES));
  readonly #sum = new Float64Array(3);

  /**
   * Returns a picture: three bytes for each pixel, row by row from the top.
   *
   * @param meshes - The two parts, in meters, z up.
   * @param point - The place where they meet.
   */
  draw(camera: Camera, point: Vector, meshes: readonly [PlacedMesh, PlacedMesh]): Uint8Array {
    meshes.forEach((mesh, i) => {
      clear(this.#layers[i]);
      draw(this.#layers[i], camera, point, mesh);
    });
    const mark = project(camera, point, WIDTH, HEIGHT);
    const pixels = new Uint8Array(3 * WIDTH * HEIGHT);
    for (let row = 0; row < HEIGHT; row++)
      for (let column = 0; column < WIDTH; column++) {
        const at = 3 * (row * WIDTH + column);
        const color = markColor(column + 0.5 - mark[0], row + 0.5 - mark[1]);
        if (color) pixels.set(color, at);
        else if (this.#isEmpty(row, column)) pixels.set(BACKGROUND, at);
        else this.#writeMean(row, column, pixels, at);
      }
    return pixels;
  }

  // Returns whether a pixel shows no part. This saves time, because most pixels are empty.
  #isEmpty(row: number, column: number): boolean {
    const [{ nearness: a }, { nearness: b }] = this.#layers;
    for (let y = 0; y < SAMPLES; y++) {
      const first = sampleAt(row, column, y);
      for (let sample = first; sample < first + SAMPLES; sample++)
        if (a[sample] !== 0 || b[sample] !== 0) return false;
    }
    return true;
  }

  // Writes the mean color of the samples of a pixel.
  #writeMean(row: number, column: number, pixels: Uint8Array, at: number): void {
    this.#sum.fill(0);
    for (let y = 0; y < SAMPLES; y++) {
      const first = sampleAt(row, column, y);
      for (let x = 0; x < SAMPLES; x++) this.#addSample(first + x);
    }
    for (let i = 0; i < 3; i++) pixels[at + i] = this.#sum[i] / SAMPLES ** 2;
  }

  // Adds the color of a sample to the sum. Allocates nothing, because a picture has 691,200 samples.
  #addSample(sample: number): void {
    const [a, b] = this.#layers;
    const nearA = a.nearness[sample];
    const nearB = b.nearness[sample];
    const factorA = AMBIENT + (1 - AMBIENT) * a.brightness[sample];
    const factorB = AMBIENT + (1 - AMBIENT) * b.brightness[sample];
    const [colorA, colorB] = PART_COLORS;
    for (let i = 0; i < 3; i++) {
      const shadedA = colorA[i] * factorA;
      const shadedB = colorB[i] * factorB;
      if (nearA === 0 && nearB === 0) this.#sum[i] += BACKGROUND[i];
      else if (nearB === 0) this.#sum[i] += shadedA;
      else if (nearA === 0) this.#sum[i] += shadedB;
      else this.#sum[i] += nearA >= nearB ? mix(shadedA, shadedB) : mix(shadedB, shadedA);
    }
  }
}

// Returns the first sample of a pixel in one of its rows of samples.
const sampleAt = (row: number, column: number, y: number): number =>
  (row * SAMPLES + y) * WIDTH * SAMPLES + column * SAMPLES;

function markColor(x: number, y: number): Color | undefined {
  const square = x * x + y * y;
  return square <= MARK_RADIUS ** 2 ? MARK : square <= MARK_EDGE_RADIUS ** 2 ? MARK_EDGE : undefined;
}

const mix = (front: number, back: number): number => OPACITY * front + (1 - OPACITY) * back;
