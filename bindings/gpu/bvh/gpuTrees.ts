// Triangles on a GPU -> their tree in the records that the CPU has, built along the Morton curve; and trees
// of either refitted to vertices that moved. Every number in them is, to the bit, what the CPU makes of the
// same triangles in the same leaves: kernels compute with whole numbers.
import {
  CodeParams,
  FillParams,
  GpuLevel,
  GpuRange,
  GpuSpan,
  JoinParams,
  LevelParams,
  LinkParams,
  StoreParams,
} from '../../records/gpuTreeLayout.js';
import { limits, MeshRecord, Node } from '../../records/layout.js';
import type { Arena } from '../../runtime/memory.js';
import { Commands } from '../device/commands.js';
import { type Gpu, GpuRoom } from '../device/gpu.js';
import { type KeyedValues, RadixSort } from '../device/radixSort.js';
import { GpuTreeShape, headWords, readShape, shapeWords, type TreeLevel } from './gpuTreeShape.js';

/** Bits of a code, cells on an axis. */
const CODE_BITS = 30;
const CELLS = 1024;
/**
 * Levels that are recorded before the first look: so many, and one for every four times as many triangles.
 */
const LEVELS_AHEAD = 4;
const LEVELS_A_DOUBLING = 0.5;
/** No tree is deeper: each cut takes one of 30 bits from the codes of a range, or halves it. */
const MOST_LEVELS = limits.STACK_DEPTH;

/**
 * Vertices, three floats each, and triangles, three of their numbers each, from given places of buffers on.
 */
export interface GpuTriangles {
  positions: GPUBuffer;
  firstVertex: number;
  vertexCount: number;
  indices: GPUBuffer;
  firstTriangle: number;
  triangleCount: number;
}

/** stored = (x - center) * scale, as MeshRecord has it. */
export interface StoredFrame {
  center: readonly [number, number, number];
  scale: number;
}

/**
 * Where a tree lies: Node and Leaf records from given places of buffers on. Handles in them count from there.
 */
export interface TreePlace {
  nodes: GPUBuffer;
  firstNode: number;
  leaves: GPUBuffer;
  firstLeaf: number;
}

/** The frame of a mesh in engine memory. */
export function frameOf({ f32 }: Arena, recordAt: number): StoredFrame {
  const at = (field: 'centerX' | 'centerY' | 'centerZ' | 'scale') =>
    f32[(recordAt + MeshRecord.at[field]) / 4];
  return { center: [at('centerX'), at('centerY'), at('centerZ')], scale: at('scale') };
}

/** One build after the other: they share their working buffers. */
export class GpuTrees {
  /** To be prepared before the first use. */
  static readonly kernels = [
    'storeVertices',
    'codeTriangles',
    'splitRanges',
    'placeRanges',
    'linkTree',
    'fillLeaves',
    'joinNodes',
    ...RadixSort.kernels,
  ] as const;
  readonly #gpu: Gpu;
  readonly #sort: RadixSort;
  readonly #rooms = new Map<string, GpuRoom>();

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
    this.#sort = new RadixSort(gpu);
  }

  /**
   * Builds a tree. bounds: least x, y, z and greatest of all triangles, in the user's units; only how good
   * the tree is depends on them. place: where it goes, when its counts are known; `commands` are done before
   * the tree is written.
   * @throws GpuUnfit, GpuLost
   */
  async build(
    triangles: GpuTriangles,
    frame: StoredFrame,
    bounds: ArrayLike<number>,
    place: (commands: Commands, nodeCount: number, leafCount: number) => TreePlace,
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
   * The shape of a tree that a CPU built, whose nodes and leaves are put in their place by the caller. nodes:
   * its Node records. @throws GpuUnfit
   */
  adopt(commands: Commands, nodes: Uint32Array, leafCount: number): GpuTreeShape {
    const { levels, words } = readShape(nodes, leafCount);
    return this.#makeShape(commands, words, { levels, nodeCount: nodes.length / (Node.size / 4), leafCount });
  }

  /**
   * Room for refits of meshes with so many vertices at most: where several are recorded before a submit,
   * before the first of them. @throws GpuUnfit
   */
  reserve(mostVertices: number): void {
    this.#room('vertices', 12 * mostVertices);
  }

  /** Leaves and boxes of a tree anew, from the vertices as they are now. @throws GpuUnfit */
  refit(
    commands: Commands,
    shape: GpuTreeShape,
    triangles: GpuTriangles,
    frame: StoredFrame,
    place: TreePlace,
  ): void {
    this.#store(commands, triangles, frame);
    this.#fill(commands, shape, triangles, place);
  }

  dispose(): void {
    this.#sort.dispose();
    for (const room of this.#rooms.values()) room.dispose();
  }

  // Sorts the triangles and cuts them up, level by level, more levels at a time than the tree is likely to
  // have.
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
      const ahead = Math.min(
        MOST_LEVELS,
        level + Math.ceil(LEVELS_AHEAD + LEVELS_A_DOUBLING * Math.log2(triangleCount + 1)),
      );
      for (; level < ahead; level++) this.#splitLevel(commands, buffers, codes, level);
      commands.read(buffers.levels, 0, (level + 1) * GpuLevel.size);
      const counted = readLevels((await commands.submit())[0]);
      if (counted) return { ...counted, ids };
      if (level === MOST_LEVELS) throw new Error('a tree is deeper than its codes can make it');
      commands = new Commands(this.#gpu);
    }
  }

  #store(
    commands: Commands,
    { positions, firstVertex, vertexCount }: GpuTriangles,
    { center, scale }: StoredFrame,
  ): void {
    const [centerX, centerY, centerZ] = new Uint32Array(Float32Array.from(center).buffer) as unknown as [
      number,
      number,
      number,
    ];
    const uniform = {
      layout: StoreParams,
      values: {
        firstVertex,
        vertexCount,
        scaleExponent: Math.round(Math.log2(scale)),
        centerX,
        centerY,
        centerZ,
      },
    };
    this.reserve(vertexCount);
    commands.run('storeVertices', uniform, { positions, vertices: this.#room('vertices', 0) }, vertexCount);
  }

  #sortTriangles(
    commands: Commands,
    { indices, firstTriangle, triangleCount }: GpuTriangles,
    frame: StoredFrame,
    bounds: ArrayLike<number>,
    items: KeyedValues,
    spare: KeyedValues,
  ): KeyedValues {
    const uniform = {
      layout: CodeParams,
      values: { firstTriangle, triangleCount, ...cellsOf(frame, bounds) },
    };
    commands.run(
      'codeTriangles',
      uniform,
      { vertices: this.#room('vertices', 0), indices, codes: items.keys, ids: items.values },
      triangleCount,
    );
    return this.#sort.record(commands, items, spare, triangleCount, CODE_BITS);
  }

  #takeItems(name: string, count: number): KeyedValues {
    return {
      keys: this.#room(`${name} codes`, 4 * count),
      values: this.#room(`${name} triangles`, 4 * count),
    };
  }

  // A node has four children or more triangles than a leaf: there are no more nodes than a third of the
  // triangles, and one.
  #takeLevels(triangleCount: number): LevelBuffers {
    const mostNodes = Math.ceil(triangleCount / 3) + 1;
    const tableBytes = (MOST_LEVELS + 1) * GpuLevel.size;
    return {
      levels: this.#room('levels', tableBytes),
      even: this.#room('dispatches of even levels', tableBytes),
      odd: this.#room('dispatches of odd levels', tableBytes),
      ranges: this.#room('ranges', GpuRange.size * mostNodes),
      parts: this.#room('parts', 16 * mostNodes),
      spans: this.#room('spans', GpuSpan.size * triangleCount),
      totals: this.#room('totals', 4 * Math.ceil(mostNodes / this.#gpu.workgroup)),
    };
  }

  #putRoot(commands: Commands, { levels, even, odd, ranges }: LevelBuffers, triangleCount: number): void {
    const table = new Uint32Array((MOST_LEVELS + 1) * 4);
    commands.upload(odd, 0, table);
    commands.upload(even, 0, withFirst(table, [1, 1, 1]));
    commands.upload(levels, 0, withFirst(table, [0, 1, 0]));
    commands.upload(ranges, 0, Uint32Array.of(0, triangleCount, limits.NOTHING, 0));
  }

  // A kernel cannot write to the buffer that tells its own workgroups: those of the next level stand in
  // another.
  #splitLevel(
    commands: Commands,
    { levels, even, odd, ranges, parts, spans, totals }: LevelBuffers,
    codes: GPUBuffer,
    level: number,
  ): void {
    const [own, dispatches] = level % 2 === 0 ? [even, odd] : [odd, even];
    const uniform = { layout: LevelParams, values: { level, groups: this.#gpu.limits.workgroups } };
    commands.runIndirect('splitRanges', uniform, { levels, ranges, codes, parts, totals }, own, 16 * level);
    commands.runIndirect(
      'placeRanges',
      uniform,
      { totals, levels, ranges, parts, spans, dispatches },
      own,
      16 * level,
    );
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
    { nodes, firstNode, leaves, firstLeaf }: TreePlace,
  ): void {
    const { nodeCount, leafCount, orderAt, slotsAt } = shape;
    const values = { nodeCount, leafCount, firstNode, firstLeaf, orderAt, slotsAt };
    const buffers = {
      ranges: this.#room('ranges', 0),
      parts: this.#room('parts', 0),
      spans: this.#room('spans', 0),
      ids,
      nodes,
      leaves,
      shape: shape.buffer,
    };
    commands.run('linkTree', { layout: LinkParams, values }, buffers, Math.max(nodeCount, leafCount));
  }

  // Levels that follow each other and are at most a workgroup's nodes each are one dispatch.
  #fill(
    commands: Commands,
    { buffer: shape, levels, leafCount, orderAt, slotsAt }: GpuTreeShape,
    { indices, firstTriangle }: GpuTriangles,
    { nodes, firstNode, leaves, firstLeaf }: TreePlace,
  ): void {
    if (leafCount === 0) return;
    const uniform = {
      layout: FillParams,
      values: { leafCount, firstNode, firstLeaf, firstTriangle, slotsAt },
    };
    commands.run(
      'fillLeaves',
      uniform,
      { vertices: this.#room('vertices', 0), indices, shape, nodes, leaves },
      leafCount,
    );
    const isFew = (level: number) => levels[level].count <= this.#gpu.workgroup;
    for (let deepest = levels.length - 1, highest = deepest; deepest >= 0; deepest = highest = highest - 1) {
      while (isFew(deepest) && highest > 0 && isFew(highest - 1)) highest--;
      const count = isFew(deepest) ? 1 : levels[deepest].count;
      commands.run(
        'joinNodes',
        { layout: JoinParams, values: { deepest, highest, firstNode, orderAt } },
        { shape, nodes },
        count,
      );
    }
  }

  #room(name: string, bytes: number): GPUBuffer {
    const room = this.#rooms.get(name) ?? new GpuRoom(this.#gpu, name);
    this.#rooms.set(name, room);
    return room.reserve(bytes);
  }
}

interface Counted {
  levels: TreeLevel[];
  nodeCount: number;
  leafCount: number;
}
type LevelBuffers = Record<'levels' | 'even' | 'odd' | 'ranges' | 'parts' | 'spans' | 'totals', GPUBuffer>;

const withFirst = (table: Uint32Array, first: readonly number[]): Uint32Array => {
  const copy = table.slice();
  copy.set(first);
  return copy;
};

// What GpuLevel records say of a whole tree; nothing where the last of them still has nodes.
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

// Cells of the curve are cubes, and as many as fit on the longest axis.
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
