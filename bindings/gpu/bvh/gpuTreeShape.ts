// Describes the shape of a tree for refits on a GPU: a list of the node numbers, sorted by level, and the slot
// of each leaf (4 times the number of its parent node, plus its place among the children). Each tree has one
// buffer of words.
import { gpuTreeLimits } from '../../records/gpuTreeLayout.js';
import { limits, Node } from '../../records/layout.js';

const { LEVELS_AT } = gpuTreeLimits;
const { LEAF_BIT, NOTHING, WIDTH } = limits;

/** A level of a tree: `count` consecutive entries of the list of node numbers, starting at entry `first`. */
export interface TreeLevel {
  readonly first: number;
  readonly count: number;
}

export class GpuTreeShape {
  readonly nodeCount: number;
  readonly leafCount: number;
  readonly levels: readonly TreeLevel[];
  /** The words of the shape; see `readShape`. */
  readonly buffer: GPUBuffer;

  constructor(buffer: GPUBuffer, levels: readonly TreeLevel[], nodeCount: number, leafCount: number) {
    this.buffer = buffer;
    this.levels = levels;
    this.nodeCount = nodeCount;
    this.leafCount = leafCount;
  }

  /** Number of levels, including the root's. */
  get depth(): number {
    return this.levels.length;
  }
  /** Word offset of the list of node numbers, which is sorted by level. */
  get orderAt(): number {
    return LEVELS_AT + 2 * this.depth;
  }
  /** Word offset of the slots of the leaves. */
  get slotsAt(): number {
    return this.orderAt + this.nodeCount;
  }

  dispose(): void {
    this.buffer.destroy();
  }
}

/** Returns the number of words of a shape. */
export const shapeWords = (depth: number, nodeCount: number, leafCount: number): number =>
  LEVELS_AT + 2 * depth + nodeCount + leafCount;

/**
 * Returns the words of a shape that precede its list of node numbers: room for the box of the whole tree,
 * which kernels write, and then the levels.
 */
export const headWords = (levels: readonly TreeLevel[]): Uint32Array<ArrayBuffer> =>
  Uint32Array.from([
    ...new Array<number>(LEVELS_AT).fill(0),
    ...levels.flatMap(({ first, count }) => [first, count]),
  ]);

/**
 * Computes the shape of a tree. nodes: the Node records of the tree. Children must have larger numbers than
 * their parents.
 */
export function readShape(
  nodes: Uint32Array,
  leafCount: number,
): { levels: TreeLevel[]; words: Uint32Array<ArrayBuffer> } {
  const nodeCount = nodes.length / (Node.size / 4);
  const depths = new Uint8Array(nodeCount);
  const slots = new Uint32Array(leafCount);
  const counts: number[] = [];
  for (let node = 0; node < nodeCount; node++) {
    const depth = depths[node];
    counts[depth] = (counts[depth] ?? 0) + 1;
    for (let lane = 0; lane < WIDTH; lane++) {
      const child = nodes[(node * Node.size + Node.at.child) / 4 + lane];
      if (child === NOTHING) continue;
      if (child >= LEAF_BIT) slots[child - LEAF_BIT] = node * WIDTH + lane;
      else depths[child] = depth + 1;
    }
  }
  let total = 0;
  const levels = counts.map(count => ({ first: (total += count) - count, count }));
  const next = levels.map(({ first }) => first);
  const order = new Uint32Array(nodeCount);
  depths.forEach((depth, node) => {
    order[next[depth]++] = node;
  });
  const words = new Uint32Array(shapeWords(levels.length, nodeCount, leafCount));
  words.set(headWords(levels));
  words.set(order, LEVELS_AT + 2 * levels.length);
  words.set(slots, LEVELS_AT + 2 * levels.length + nodeCount);
  return { levels, words };
}
