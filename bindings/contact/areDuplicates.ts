// Decides whether two placed meshes have the same triangles at the same positions. The order of the triangles
// and of their corners does not matter.
import type { Surface } from './surface.js';

export function areDuplicates(a: Surface, b: Surface): boolean {
  const count = a.mesh.triangleCount;
  if (count !== b.mesh.triangleCount || a.bounds.some((value, i) => value !== b.bounds[i])) return false;
  const found = new Map<string, number>();
  for (let triangle = 0; triangle < count; triangle++) {
    const key = keyOf(a, triangle);
    found.set(key, (found.get(key) ?? 0) + 1);
  }
  for (let triangle = 0; triangle < count; triangle++) {
    const key = keyOf(b, triangle);
    const left = found.get(key) ?? 0;
    if (left === 0) return false;
    found.set(key, left - 1);
  }
  return true;
}

const corners = new Float64Array(9);

// Returns a key of a triangle: its placed corners in an order that depends only on their coordinates. The
// coordinates 0 and -0 give the same key, because both are printed as 0.
function keyOf(surface: Surface, triangle: number): string {
  surface.writeCorners(triangle, corners, 0);
  return [0, 3, 6]
    .map(at => `${corners[at]} ${corners[at + 1]} ${corners[at + 2]}`)
    .sort()
    .join();
}
