// Finds the color of a part of a STEP or IGES file. The faces of the part may have colors of their own.
import type { OcctMesh } from 'occt-import-js';

type Color = [red: number, green: number, blue: number];

/**
 * Returns the color that covers the largest area of a mesh, in sRGB, as `#rrggbb`. Returns an empty object if
 * the faces without a color cover a larger area. If areas are equal, the color that occurs first in the list of
 * faces is chosen.
 */
export function colorOf({ attributes, index, brep_faces, color }: OcctMesh): { color?: string } {
  const areas = new Map<string, number>();
  for (const { first, last, color: own } of brep_faces) {
    const text = textOf(own ?? color);
    let area = areas.get(text) ?? 0;
    for (let triangle = first; triangle <= last; triangle++)
      area += areaOf(attributes.position.array, index.array, triangle);
    areas.set(text, area);
  }
  const [[text] = ['']] = [...areas].sort(([, x], [, y]) => y - x);
  return text === '' ? {} : { color: text };
}

// Returns twice the area.
function areaOf(points: readonly number[], corners: readonly number[], triangle: number): number {
  const [a, b, c] = [0, 1, 2].map(k => 3 * corners[3 * triangle + k]);
  const edge = (to: number, axis: number): number => points[to + axis] - points[a + axis];
  const cross = (u: number, v: number): number => edge(b, u) * edge(c, v) - edge(b, v) * edge(c, u);
  const [x, y, z] = [cross(1, 2), cross(2, 0), cross(0, 1)];
  return Math.sqrt(x * x + y * y + z * z);
}

function textOf(color: Color | null | undefined): string {
  return color ? `#${color.map(value => byteOf(value).toString(16).padStart(2, '0')).join('')}` : '';
}

// Converts a linear intensity, which Open CASCADE returns, back to the sRGB byte of the file.
function byteOf(linear: number): number {
  const value = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055));
}
