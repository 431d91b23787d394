// Rounds the coordinates that Open CASCADE computes, so that faces that touch in a model touch after reading.

/** Coordinates below this length are rounded to float32, whose spacing is then at most `SPACING`. */
const FLOAT_END = 2 ** 8;
/** The spacing of larger coordinates after rounding, in mm: about 15 nm. */
const SPACING = 2 ** -16;
/**
 * From this length (134 km) on, the spacing grows with the coordinate, because the rounding errors of doubles
 * also grow with it.
 */
const SPACING_END = 2 ** 27;

/**
 * Rounds a coordinate in mm: to float32 below `FLOAT_END`, and to a multiple of the spacing from there on. All
 * coordinates of STEP and IGES files are rounded in this way.
 *
 * Open CASCADE computes equal coordinates of two parts with different errors. In the six assemblies among the
 * sample files of occt-import-js, coordinates reach 3,810 mm. If the coordinates along an axis are sorted, two
 * successive ones differ either by less than 1e-7 mm, because of such errors, or by at least 1e-5 mm. The
 * rounding depends only on the coordinate, so that parts of different files may touch, too.
 */
export function roundCadCoordinate(value: number): number {
  const size = Math.abs(value);
  if (size < FLOAT_END) return Math.fround(value);
  const spacing =
    size < SPACING_END ? SPACING : SPACING * 2 ** (1 + Math.floor(Math.log2(size / SPACING_END)));
  return Math.round(value / spacing) * spacing;
}
