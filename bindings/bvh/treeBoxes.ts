// Lists the boxes of the upper levels of a mesh's tree in the user's units, for display.

import type { Mesh } from '../mesh/mesh.js';
import { MeshRecord, Node } from '../records/layout.js';
import { treeLimits } from '../records/treeLimits.js';

const NODE_WORDS = Node.size / 4;
const HALF = Node.at.halfX / 4;

/**
 * Returns six floats per box: minimum x, y, z, then maximum. The box of the whole mesh comes first, then the
 * boxes of each level, down to level `depth`.
 * @throws Disposed
 */
export function treeBoxes(
  {
    context: {
      arena: { u32, f32 },
    },
    recordAt: meshAt,
    bounds,
  }: Mesh,
  depth: number,
): Float32Array {
  const word = (field: number): number => (meshAt + field) / 4;
  const center = word(MeshRecord.at.centerX);
  const scale = f32[word(MeshRecord.at.scale)];
  const nodes = u32[word(MeshRecord.at.nodesAt)] / 4;
  const boxes: number[] = u32[word(MeshRecord.at.triangleCount)] > 0 ? [...bounds] : [];
  // A node holds the boxes of its children, so the boxes of a level are read from the nodes one level above.
  for (
    let level = boxes.length > 0 && depth > 0 ? [0] : [], left = depth;
    level.length > 0 && left > 0;
    left--
  ) {
    const next: number[] = [];
    for (const node of level) {
      const at = nodes + node * NODE_WORDS;
      for (let lane = 0; lane < treeLimits.WIDTH; lane++) {
        const child = u32[at + Node.at.child / 4 + lane];
        if (child === treeLimits.NOTHING) continue;
        if (child < treeLimits.LEAF_BIT) next.push(child);
        for (const side of [-1, 1]) {
          for (let axis = 0; axis < 3; axis++) {
            const stored = f32[at + axis * 4 + lane] + side * f32[at + HALF + axis * 4 + lane];
            boxes.push(stored / scale + f32[center + axis]);
          }
        }
      }
    }
    level = next;
  }
  return Float32Array.from(boxes);
}
