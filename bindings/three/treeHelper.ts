// Draws the bounding boxes in the tree of a mesh as three.js lines, to inspect the tree.
import {
  BufferAttribute,
  BufferGeometry,
  type ColorRepresentation,
  LineBasicMaterial,
  LineSegments,
} from 'three';
import { treeBoxes } from '../bvh/treeBoxes.js';
import {
  anyValue,
  checkValue,
  copyOptions,
  integer,
  type OptionTable,
  rejectExtraArgument,
} from '../core/checkOptions.js';
import type { Mesh } from '../mesh/mesh.js';

/** Options of TreeHelper; all are optional. */
export interface TreeHelperOptions {
  /** Number of levels of boxes below the root's box, a whole number from 0 to 2^31. Default 4. */
  depth?: number;
  /** Color of the edges. Default: green (0x2ecc40). */
  color?: ColorRepresentation;
}

const DEPTH = integer(0, 2 ** 31);
const TREE_HELPER: OptionTable<TreeHelperOptions> = { depth: DEPTH, color: anyValue };

// The numbers of the two corners of each of the 12 edges of a box. Bit k of the number of a corner is set if
// the corner has the maximum coordinate on axis k. The numbers of the two corners of an edge differ in one bit.
const EDGES = [1, 2, 4].flatMap(bit =>
  [0, 1, 2, 3, 4, 5, 6, 7].filter(corner => !(corner & bit)).flatMap(corner => [corner, corner | bit]),
);

/**
 * A three.js object that draws the boxes of a mesh's tree in the mesh's own coordinates. Add the helper to
 * the three.js object that shows the mesh.
 */
export class TreeHelper extends LineSegments<BufferGeometry, LineBasicMaterial> {
  /** The type name in three.js. */
  override readonly type = 'TreeHelper';
  /** Number of levels of boxes below the root's box; call `update` after changing it. */
  depth: number;
  private readonly mesh: Mesh;

  /**
   * Creates a helper that shows the current tree.
   * @throws Unsupported if an option is unknown or invalid; Disposed
   */
  constructor(mesh: Mesh, options: TreeHelperOptions = {}) {
    rejectExtraArgument(arguments[2], 'TreeHelper(mesh, options)');
    const { depth = 4, color = 0x2ecc40 } = copyOptions(TREE_HELPER, options);
    super(new BufferGeometry(), new LineBasicMaterial({ color, toneMapped: false }));
    this.mesh = mesh;
    this.depth = depth;
    this.update();
  }

  /** Number of boxes that are drawn. */
  get boxCount(): number {
    return this.geometry.attributes.position!.count / 24;
  }

  /** Redraws the current tree, down to the current `depth`. @throws Unsupported if it is invalid; Disposed */
  update(): void {
    checkValue('depth', this.depth, DEPTH);
    const boxes = treeBoxes(this.mesh, this.depth);
    const positions = new Float32Array(boxes.length * 12);
    for (let box = 0, to = 0; box < boxes.length; box += 6) {
      for (const corner of EDGES)
        for (let axis = 0; axis < 3; axis++) positions[to++] = boxes[box + axis + ((corner >> axis) & 1) * 3];
    }
    this.geometry.dispose();
    this.geometry.setAttribute('position', new BufferAttribute(positions, 3));
    this.geometry.computeBoundingSphere();
  }

  /** Frees the helper's GPU resources. */
  override dispose(): void {
    this.dispatchEvent({ type: 'dispose' });
    this.geometry.dispose();
    this.material.dispose();
  }
}
