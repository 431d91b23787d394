// Turns the building about its vertical axis.
import { product, rotation, type Scene, translation } from 'pfront/samples';

const CENTER = [7.2, 4.8, 3.4] as const;
const toCenter = translation([-CENTER[0], -CENTER[1], -CENTER[2]]);

/** Returns the transforms of all parts, turned by an angle in radians: column-major, 16 doubles each. */
export function turned(building: Scene, angle: number): Float64Array {
  const turn = product(rotation([0, 0, 1], angle), toCenter);
  const placed = building.frame(0);
  for (let at = 0; at < placed.length; at += 16) placed.set(product(turn, placed.subarray(at, at + 16)), at);
  return placed;
}
