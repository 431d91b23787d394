// Triangles on a GPU -> their tree in the records that the CPU has, built along the Morton curve; and trees of either refitted to vertices that moved.
// Every number in them is, to the bit, what the CPU makes of the same triangles in the same leaves: kernels compute with whole numbers.
import { CodeParams, FillParams, GpuLevel, GpuRange, GpuSpan, JoinParams, LevelParams, LinkParams, StoreParams } from '../gpuTreeLayout.js';
import { limits, MeshRecord } from '../layout.js';
import type { Arena } from '../memory.js';
import { Commands } from '../webgpu/commands.js';
import { type Gpu, GpuRoom } from '../webgpu/gpu.js';
import { type KeyedValues, RadixSort } from '../webgpu/radixSort.js';
import { GpuTreeShape, headWords, readShape, shapeWords, type TreeLevel } from './gpuTreeShape.js';

/** Bits of a code, cells on an axis. */
const CODE_BITS = 30, CELLS = 1024;
/** Levels that a tree is taken to have at least; and more of them, for each doubling of the triangles. */
const LEVELS_AHEAD = 5, LEVELS_A_DOUBLING = 0.6;
/** Levels of which one workgroup joins all nodes in so many rounds are joined by one in a row. */
const ROUNDS_ALONE = 4;
/** No tree is deeper: each cut takes one of 30 bits from the codes of a range, or halves it. */
const MOST_LEVELS = limits.STACK_DEPTH;

/** Vertices, three floats each, and triangles, three of their numbers each, from given places of buffers on. */
export interface GpuTriangles {
  positions: GPUBuffer; firstVertex: number; vertexCount: number;
  indices: GPUBuffer; firstTriangle: number; triangleCount: number;
}

/** stored = (x - center) * scale, as MeshRecord has it. */
export interface StoredFrame { center: readonly [number, number, number]; scale: number }

/** Where a tree lies: Node and Leaf records from given places of buffers on. Handles in them count from there. */
export interface TreePlace { nodes: GPUBuffer; firstNode: number; leaves: GPUBuffer; firstLeaf: number }

/** The frame of a mesh in engine memory. */
export function frameOf({ f32 }: Arena, recordAt: number): StoredFrame {
  const at = (field: 'centerX' | 'centerY' | 'centerZ' | 'scale') => f32[(recordAt + MeshRecord.at[field]) / 4]!;
  return { center: [at('centerX'), at('centerY'), at('centerZ')], scale: at('scale') };
}

/** One build after the other: they share their working buffers. */
export class GpuTrees {
  /** To be prepared before the first use. */
  static readonly kernels = ['storeVertices', 'codeTriangles', 'splitRanges', 'placeRanges', 'linkTree', 'fillLeaves', 'joinNodes', ...RadixSort.kernels] as const;
  private readonly gpu: Gpu;
  private readonly sort: RadixSort;
  private readonly rooms = new Map<string, GpuRoom>();

  constructor(gpu: Gpu) {
    this.gpu = gpu;
    this.sort = new RadixSort(gpu);
  }

  /**
   * Builds a tree. bounds: least x, y, z and greatest of all triangles, in the user's units; only how good the tree is depends on them.
   * place: where it goes, when its counts are known; `commands` are done before the tree is written.
   * @throws GpuUnfit, GpuLost
   */
  async build(triangles: GpuTriangles, frame: StoredFrame, bounds: ArrayLike<number>, place: (commands: Commands, nodeCount: number, leafCount: number) => TreePlace): Promise<GpuTreeShape> {
    const levels = await this.split(triangles, frame, bounds);
    const commands = new Commands(this.gpu), { nodeCount, leafCount } = countsOf(levels);
    const shape = this.makeShape(commands, headWords(levels), levels, nodeCount, leafCount), to = place(commands, nodeCount, leafCount);
    this.link(commands, shape, to);
    this.fill(commands, shape, triangles, to);
    await commands.submit();
    return shape;
  }

  /** The shape of a tree that a CPU built, whose nodes and leaves are put in their place by the caller. nodes: its Node records. @throws GpuUnfit */
  adopt(commands: Commands, nodes: Uint32Array, leafCount: number): GpuTreeShape {
    const { levels, words } = readShape(nodes, leafCount);
    return this.makeShape(commands, words, levels, countsOf(levels).nodeCount, leafCount);
  }

  /** Leaves and boxes of a tree anew, from the vertices as they are now. @throws GpuUnfit */
  refit(commands: Commands, shape: GpuTreeShape, triangles: GpuTriangles, frame: StoredFrame, place: TreePlace): void {
    this.store(commands, triangles, frame);
    this.fill(commands, shape, triangles, place);
  }

  dispose(): void {
    this.sort.dispose();
    for (const room of this.rooms.values()) room.dispose();
  }

  // Sorts the triangles and cuts them up, level by level, more levels at a time than the tree is likely to have.
  private async split(triangles: GpuTriangles, frame: StoredFrame, bounds: ArrayLike<number>): Promise<TreeLevel[]> {
    const { triangleCount } = triangles;
    let commands = new Commands(this.gpu), level = 0;
    this.store(commands, triangles, frame);
    const ids = this.sortTriangles(commands, triangles, frame, bounds);
    const buffers = this.levelBuffers(commands, triangleCount, ids);
    for (;;) {
      const ahead = Math.min(MOST_LEVELS, level + Math.ceil(LEVELS_AHEAD + LEVELS_A_DOUBLING * Math.log2(triangleCount + 1)));
      for (; level < ahead; level++) this.splitLevel(commands, level, buffers);
      commands.read(buffers.levels, 0, (level + 1) * GpuLevel.size);
      const found = readLevels((await commands.submit())[0]!);
      if (found.length <= level) return found;
      commands = new Commands(this.gpu);
    }
  }

  private sortTriangles(commands: Commands, { indices, firstTriangle, triangleCount }: GpuTriangles, frame: StoredFrame, bounds: ArrayLike<number>): KeyedValues {
    const take = (name: string): KeyedValues => ({ keys: this.room(`${name} codes`, 4 * triangleCount), values: this.room(`${name} triangles`, 4 * triangleCount) });
    const items = take('sorted'), spare = take('spare'), { offset: [offsetX, offsetY, offsetZ], factor } = cellsOf(frame, bounds);
    const uniform = { layout: CodeParams, values: { firstTriangle, triangleCount, offsetX, offsetY, offsetZ, factor } };
    commands.run('codeTriangles', uniform, { vertices: this.room('vertices', 0), indices, codes: items.keys, ids: items.values }, triangleCount);
    return this.sort.record(commands, items, spare, triangleCount, CODE_BITS);
  }
}
