// Rounds the coordinates that Open CASCADE computes, so that faces that touch in a model touch after reading.

/** Coordinates below this length are rounded to float32, whose spacing is then at most `SPACING`. */
const FLOAT_END = 2 ** 8;
/** The spacing of larger coordinates in mm: 15 nm. */
const SPACING = 2 ** -16;
/** At this length (134 km), the errors of doubles approach the spacing, so it grows with larger coordinates. */
const SPACING_END = 2 ** 27;

/**
 * Returns a coordinate in mm with the nearest value among those that parts of STEP and IGES files have.
 *
 * Open CASCADE computes equal coordinates of two parts with different errors. In the six assemblies among the
 * sample files of occt-import-js, with coordinates up to 3,810 mm, sorted coordinates along an axis are either
 * less than 1e-7 mm apart, which are such errors, or at least 1e-5 mm. The rounding depends only on the
 * coordinate, so that parts of different files may touch, too.
 */
export function roundCadCoordinate(value: number): number {
  const size = Math.abs(value);
  if (size < FLOAT_END) return Math.fround(value);
  const spacing =
    size < SPACING_END ? SPACING : SPACING * 2 ** (1 + Math.floor(Math.log2(size / SPACING_END)));
  return Math.round(value / spacing) * spacing;
}
