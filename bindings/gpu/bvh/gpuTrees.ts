// Builds trees of triangles on a GPU along the Morton curve, and refits trees to moved vertices. The records
// have the same layouts as on the CPU. If the CPU's tree has the same triangles in the same leaves, the values
// in the records are also the same, bit for bit, because the kernels use integer arithmetic.
import {
  FillParams,
  GpuLevel,
  GpuRange,
  GpuSpan,
  LevelParams,
  LinkParams,
  RefitNodesParams,
  StoreParams,
  TriangleCodesParams,
} from '../../records/gpuTreeLayout.js';
import { limits, MeshRecord, Node } from '../../records/layout.js';
import type { Arena } from '../../runtime/memory.js';
import { Commands, UNKNOWN_COUNT, uniformOf } from '../device/commands.js';
import { type Gpu, ScratchBuffer } from '../device/gpu.js';
import { type KeyedValues, RadixSort } from '../device/radixSort.js';
import { GpuTreeShape, headWords, readShape, shapeWords, type TreeLevel } from './gpuTreeShape.js';

/** CODE_BITS: bits of a Morton code. CELLS: cells of the Morton curve per axis. */
const CODE_BITS = 30;
const CELLS = 1024;
/**
 * LEVELS_AHEAD + LEVELS_PER_DOUBLING * log2(number of triangles) levels are recorded before each readback.
 */
const LEVELS_AHEAD = 4;
const LEVELS_PER_DOUBLING = 0.5;
/**
 * Max depth of a tree. No build exceeds it: codes have only 30 bits in which they can differ, and each split
 * of a range of triangles uses up at least one of these bits or, if all codes of the range are equal, halves
 * the range.
 */
const MAX_LEVELS = limits.STACK_DEPTH;

/**
 * Triangles in GPU buffers. Their vertices begin at vertex `firstVertex` of `positions`, which has three floats
 * for each vertex. The triangles begin at triangle `firstTriangle` of `indices`, which has three vertex numbers
 * for each triangle.
 */
export interface GpuTriangles {
  positions: GPUBuffer;
  firstVertex: number;
  vertexCount: number;
  indices: GPUBuffer;
  firstTriangle: number;
  triangleCount: number;
}

/** The coordinate frame of a mesh's stored coordinates, as in MeshRecord: stored = (x - center) * scale. */
export interface StoredFrame {
  center: readonly [number, number, number];
  scale: number;
}

/**
 * The location of a tree: its Node records begin at `firstNode` in `nodes`, its Leaf records at `firstLeaf`
 * in `leaves`. Node and leaf numbers in the tree are relative to these offsets.
 */
export interface TreeBuffers {
  nodes: GPUBuffer;
  firstNode: number;
  leaves: GPUBuffer;
  firstLeaf: number;
}

/** Reads the coordinate frame of a mesh's stored coordinates from engine memory. */
export function frameOf({ f32 }: Arena, recordAt: number): StoredFrame {
  const at = (field: 'centerX' | 'centerY' | 'centerZ' | 'scale') =>
    f32[(recordAt + MeshRecord.at[field]) / 4];
  return { center: [at('centerX'), at('centerY'), at('centerZ')], scale: at('scale') };
}

/**
 * Builds and refits trees on a GPU. Only one tree can be built at a time, because all builds share the
 * working buffers.
 */
export class GpuTrees {
  /** The kernels to prepare before the first use. */
  static readonly kernels = [
    'storeVertices',
    'computeTriangleCodes',
    'splitRanges',
    'placeRanges',
    'linkTree',
    'fillLeaves',
    'refitNodes',
    ...RadixSort.kernels,
  ] as const;
  readonly #gpu: Gpu;
  readonly #sort: RadixSort;
  readonly #buffers = new Map<string, ScratchBuffer>();

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
    this.#sort = new RadixSort(gpu);
  }

  /**
   * Builds a tree. bounds: min x, y, z and max x, y, z of all triangles, in the user's units; they affect
   * only the quality of the tree. place: a function that takes the node count and the leaf count, and returns
   * where to write the tree. Steps that this function records in `commands` run before the tree is written.
   * @throws GpuUnfit, GpuLost
   */
  async build(
    triangles: GpuTriangles,
    frame: StoredFrame,
    bounds: ArrayLike<number>,
    place: (commands: Commands, nodeCount: number, leafCount: number) => TreeBuffers,
  ): Promise<GpuTreeShape> {
    const counted = await this.#split(triangles, frame, bounds);
    const commands = new Commands(this.#gpu);
    const to = place(commands, counted.nodeCount, counted.leafCount);
    const shape = this.#makeShape(commands, headWords(counted.levels), counted);
    this.#link(commands, shape, counted.ids, to);
    this.#fill(commands, shape, triangles, to);
    await commands.submit();
    return shape;
  }

  /**
   * Uploads the shape of a tree that the CPU built; the caller uploads its nodes and leaves. nodes: its Node
   * records. @throws GpuUnfit
   */
  uploadShape(commands: Commands, nodes: Uint32Array, leafCount: number): GpuTreeShape {
    const { levels, words } = readShape(nodes, leafCount);
    return this.#makeShape(commands, words, { levels, nodeCount: nodes.length / (Node.size / 4), leafCount });
  }

  /**
   * Reserves memory for refits of meshes with up to this number of vertices. If several refits are recorded
   * before a submit, call `reserve` before the first refit. @throws GpuUnfit
   */
  reserve(maxVertices: number): void {
    this.#buffer('vertices', 12 * maxVertices);
  }

  /** Recomputes the leaves and boxes of a tree from the current vertices. @throws GpuUnfit */
  refit(
    commands: Commands,
    shape: GpuTreeShape,
    triangles: GpuTriangles,
    frame: StoredFrame,
    place: TreeBuffers,
  ): void {
    this.#store(commands, triangles, frame);
    this.#fill(commands, shape, triangles, place);
  }

  dispose(): void {
    this.#sort.dispose();
    for (const scratch of this.#buffers.values()) scratch.dispose();
  }

  // Sorts the triangles by Morton code, and splits the sorted list level by level. A readback then tells
  // whether the tree is complete. More levels are recorded than the tree is likely to have, so that one
  // readback is usually enough.
  async #split(
    triangles: GpuTriangles,
    frame: StoredFrame,
    bounds: ArrayLike<number>,
  ): Promise<Counted & { ids: GPUBuffer }> {
    const { triangleCount } = triangles;
    const buffers = this.#takeLevels(triangleCount);
    const items = this.#takeItems('sorted', triangleCount);
    const spare = this.#takeItems('spare', triangleCount);
    this.#sort.reserve(triangleCount);
    let commands = new Commands(this.#gpu);
    let level = 0;
    this.#store(commands, triangles, frame);
    const { keys: codes, values: ids } = this.#sortTriangles(
      commands,
      triangles,
      frame,
      bounds,
      items,
      spare,
    );
    this.#putRoot(commands, buffers, triangleCount);
    for (;;) {
      const endLevel = Math.min(
        MAX_LEVELS,
        level + Math.ceil(LEVELS_AHEAD + LEVELS_PER_DOUBLING * Math.log2(triangleCount + 1)),
      );
      for (; level < endLevel; level++) this.#splitLevel(commands, buffers, codes, level);
      commands.read(buffers.levels, 0, (level + 1) * GpuLevel.size);
      const counted = readLevels((await commands.submit())[0]);
      if (counted) return { ...counted, ids };
      if (level === MAX_LEVELS) throw new Error('the tree is deeper than its Morton codes allow');
      commands = new Commands(this.#gpu);
    }
  }

  #store(
    commands: Commands,
    { positions, firstVertex, vertexCount }: GpuTriangles,
    { center, scale }: StoredFrame,
  ): void {
    const [centerX, centerY, centerZ] = new Uint32Array(Float32Array.from(center).buffer);
    const uniform = uniformOf(StoreParams, {
      firstVertex,
      vertexCount,
      scaleExponent: Math.round(Math.log2(scale)),
      centerX,
      centerY,
      centerZ,
    });
    this.reserve(vertexCount);
    commands.run('storeVertices', uniform, { positions, vertices: this.#buffer('vertices', 0) }, vertexCount);
  }

  #sortTriangles(
    commands: Commands,
    { indices, firstTriangle, triangleCount }: GpuTriangles,
    frame: StoredFrame,
    bounds: ArrayLike<number>,
    items: KeyedValues,
    spare: KeyedValues,
  ): KeyedValues {
    const uniform = uniformOf(TriangleCodesParams, {
      firstTriangle,
      triangleCount,
      ...cellsOf(frame, bounds),
    });
    commands.run(
      'computeTriangleCodes',
      uniform,
      { vertices: this.#buffer('vertices', 0), indices, codes: items.keys, ids: items.values },
      triangleCount,
    );
    return this.#sort.record(commands, items, spare, triangleCount, CODE_BITS);
  }

  #takeItems(name: string, count: number): KeyedValues {
    return {
      keys: this.#buffer(`${name} codes`, 4 * count),
      values: this.#buffer(`${name} triangles`, 4 * count),
    };
  }

  // Each node other than the root has four children, or its children are all leaves, with more than four
  // triangles in total. So the number of nodes is at most a third of the number of triangles, plus one.
  #takeLevels(triangleCount: number): LevelBuffers {
    const maxNodes = Math.ceil(triangleCount / 3) + 1;
    const tableBytes = (MAX_LEVELS + 1) * GpuLevel.size;
    return {
      levels: this.#buffer('levels', tableBytes),
      ranges: this.#buffer('ranges', GpuRange.size * maxNodes),
      children: this.#buffer('children', 16 * maxNodes),
      spans: this.#buffer('spans', GpuSpan.size * triangleCount),
      totals: this.#buffer('totals', 4 * Math.ceil(maxNodes / this.#gpu.workgroupSize)),
    };
  }

  #putRoot(commands: Commands, { levels, ranges }: LevelBuffers, triangleCount: number): void {
    const table = new Uint32Array((MAX_LEVELS + 1) * 4);
    table.set([0, 1, 0]);
    commands.upload(levels, 0, table);
    commands.upload(ranges, 0, Uint32Array.of(0, triangleCount, limits.NOTHING, 0));
  }

  #splitLevel(
    commands: Commands,
    { levels, ranges, children, spans, totals }: LevelBuffers,
    codes: GPUBuffer,
    level: number,
  ): void {
    const uniform = uniformOf(LevelParams, { level });
    const nodes = Math.min(UNKNOWN_COUNT, limits.WIDTH ** level);
    commands.run('splitRanges', uniform, { levels, ranges, codes, children, totals }, nodes);
    commands.run('placeRanges', uniform, { totals, levels, ranges, children, spans }, nodes);
  }

  #makeShape(
    commands: Commands,
    words: Uint32Array,
    { levels, nodeCount, leafCount }: Counted,
  ): GpuTreeShape {
    const buffer = this.#gpu.createBuffer(
      'shape of a tree',
      4 * shapeWords(levels.length, nodeCount, leafCount),
    );
    commands.upload(buffer, 0, words);
    return new GpuTreeShape(buffer, levels, nodeCount, leafCount);
  }

  #link(
    commands: Commands,
    shape: GpuTreeShape,
    ids: GPUBuffer,
    { nodes, firstNode, leaves, firstLeaf }: TreeBuffers,
  ): void {
    const { nodeCount, leafCount, orderAt, slotsAt } = shape;
    const values = { nodeCount, leafCount, firstNode, firstLeaf, orderAt, slotsAt };
    const buffers = {
      ranges: this.#buffer('ranges', 0),
      children: this.#buffer('children', 0),
      spans: this.#buffer('spans', 0),
      ids,
      nodes,
      leaves,
      shape: shape.buffer,
    };
    commands.run('linkTree', uniformOf(LinkParams, values), buffers, Math.max(nodeCount, leafCount));
  }

  // Fills the leaves, then the nodes from the deepest level up. Consecutive levels that each fit one
  // workgroup share a dispatch.
  #fill(
    commands: Commands,
    { buffer: shape, levels, leafCount, orderAt, slotsAt }: GpuTreeShape,
    { indices, firstTriangle }: GpuTriangles,
    { nodes, firstNode, leaves, firstLeaf }: TreeBuffers,
  ): void {
    if (leafCount === 0) return;
    const uniform = uniformOf(FillParams, { leafCount, firstNode, firstLeaf, firstTriangle, slotsAt });
    commands.run(
      'fillLeaves',
      uniform,
      { vertices: this.#buffer('vertices', 0), indices, shape, nodes, leaves },
      leafCount,
    );
    const fitsWorkgroup = (level: number) => levels[level].count <= this.#gpu.workgroupSize;
    for (let deepest = levels.length - 1, highest = deepest; deepest >= 0; deepest = highest = highest - 1) {
      while (fitsWorkgroup(deepest) && highest > 0 && fitsWorkgroup(highest - 1)) highest--;
      const count = fitsWorkgroup(deepest) ? 1 : levels[deepest].count;
      commands.run(
        'refitNodes',
        uniformOf(RefitNodesParams, { deepest, highest, firstNode, orderAt }),
        { shape, nodes },
        count,
      );
    }
  }

  #buffer(name: string, bytes: number): GPUBuffer {
    const scratch = this.#buffers.get(name) ?? new ScratchBuffer(this.#gpu, name);
    this.#buffers.set(name, scratch);
    return scratch.reserve(bytes);
  }
}

interface Counted {
  levels: TreeLevel[];
  nodeCount: number;
  leafCount: number;
}
type LevelBuffers = Record<'levels' | 'ranges' | 'children' | 'spans' | 'totals', GPUBuffer>;

// Reads the GpuLevel records of a tree. Returns undefined if the tree is incomplete, that is, if the last
// recorded level still has nodes.
function readLevels(words: Uint32Array): Counted | undefined {
  const at = (level: number, field: 'first' | 'count' | 'firstLeaf') =>
    words[(level * GpuLevel.size + GpuLevel.at[field]) / 4];
  const last = words.length / 4 - 1;
  const levels: TreeLevel[] = [];
  while (levels.length < last && at(levels.length, 'count') > 0)
    levels.push({ first: at(levels.length, 'first'), count: at(levels.length, 'count') });
  return at(levels.length, 'count') > 0
    ? undefined
    : { levels, nodeCount: at(levels.length, 'first'), leafCount: at(levels.length, 'firstLeaf') };
}

// Returns the grid of the Morton curve. Its cells are cubes; CELLS of them cover the longest axis.
function cellsOf(
  { center, scale }: StoredFrame,
  bounds: ArrayLike<number>,
): Record<'offsetX' | 'offsetY' | 'offsetZ' | 'factor', number> {
  const stored = (bound: number) => Math.fround(Math.fround(bounds[bound] - center[bound % 3]) * scale);
  const extent = 2 * Math.max(...[0, 1, 2].map(axis => stored(axis + 3) - stored(axis)));
  return {
    offsetX: 2 * stored(0),
    offsetY: 2 * stored(1),
    offsetZ: 2 * stored(2),
    factor: extent > 2 ** -100 ? (CELLS - 1) / extent : 0,
  };
}
