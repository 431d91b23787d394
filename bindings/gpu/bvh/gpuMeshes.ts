// Trees in engine memory -> the same trees on a GPU: one buffer of nodes and one of leaves, each mesh from a
// place of its own on.
import { Leaf, limits, MeshRecord, Node } from '../../records/layout.js';
import type { Arena } from '../../runtime/memory.js';
import type { Commands } from '../device/commands.js';
import type { Gpu } from '../device/gpu.js';
import { GpuUnfit } from '../device/gpuErrors.js';
import { GpuRefits, type GpuTree } from './gpuRefits.js';

/** Where a mesh's tree begins. */
export interface GpuPlace {
  firstNode: number;
  firstLeaf: number;
}

/**
 * Elements of one size in a buffer, one mesh after the other; what was freed is found again when all are put
 * in anew.
 */
class Shelf {
  readonly elementBytes: number;
  readonly #gpu: Gpu;
  readonly #label: string;
  #held: GPUBuffer | undefined;
  used = 0;

  constructor(gpu: Gpu, label: string, elementBytes: number) {
    this.#gpu = gpu;
    this.#label = label;
    this.elementBytes = elementBytes;
  }

  get buffer(): GPUBuffer {
    return (this.#held ??= this.#gpu.createBuffer(this.#label, this.elementBytes));
  }

  /**
   * @returns the first of `count` elements that nobody has, in a longer buffer with the same contents where
   * need be. @throws GpuUnfit
   */
  take(commands: Commands, count: number): number {
    // A mesh without triangles, too, needs a buffer that kernels can bind.
    const wanted = Math.max(1, this.used + count) * this.elementBytes;
    if (!this.#held || this.#held.size < wanted) {
      const most = this.#gpu.limits.bindingBytes;
      const longer = this.#gpu.createBuffer(
        this.#label,
        wanted <= most ? Math.min(2 * wanted, most - (most % 16)) : wanted,
      );
      if (this.#held) commands.replace(this.#held, longer);
      this.#held = longer;
    }
    this.used += count;
    return this.used - count;
  }

  dispose(): void {
    this.#held?.destroy();
    this.#held = undefined;
    this.used = 0;
  }
}

interface Placed extends GpuPlace {
  version: number;
  treeVersion: number;
  nodeCount: number;
  leafCount: number;
}

export class GpuMeshes {
  readonly #arena: Arena;
  readonly #nodeShelf: Shelf;
  readonly #leafShelf: Shelf;
  readonly #vertexShelf: Shelf;
  readonly #refits: GpuRefits;
  readonly #places = new Map<GpuTree, Placed>();
  #refitted: Placed[] = [];
  #vertexPlaces = new Map<GpuTree, { first: number; version: number; isWelded: boolean }>();

  constructor(arena: Arena, gpu: Gpu) {
    this.#arena = arena;
    this.#refits = new GpuRefits(arena, gpu);
    this.#nodeShelf = new Shelf(gpu, 'nodes', Node.size);
    this.#leafShelf = new Shelf(gpu, 'leaves', Leaf.size);
    this.#vertexShelf = new Shelf(gpu, 'vertices', 12);
  }

  get nodes(): GPUBuffer {
    return this.#nodeShelf.buffer;
  }
  get leaves(): GPUBuffer {
    return this.#leafShelf.buffer;
  }
  /** Three vertices a triangle of meshes that `placeVertices` was asked for. */
  get vertices(): GPUBuffer {
    return this.#vertexShelf.buffer;
  }

  /** What has to be prepared before `place`. */
  kernelsFor(meshes: readonly GpuTree[]): readonly string[] {
    return meshes.some(mesh => this.#hasMoved(mesh)) ? GpuRefits.kernels : [];
  }

  /**
   * Puts in those of the meshes that are not there as they are now. @returns their places. @throws GpuUnfit
   */
  place(commands: Commands, meshes: readonly GpuTree[]): GpuPlace[] {
    this.#forgetGone();
    this.#refitted = [];
    const mostVertices = meshes.reduce((most, mesh) => Math.max(most, mesh.vertexCount), 0);
    const placeAll = (): GpuPlace[] => meshes.map(mesh => this.#placeOne(commands, mesh, mostVertices));
    try {
      // Buffers that refits write to stay as they are: what is put in comes first.
      for (const mesh of meshes) if (!this.#hasMoved(mesh)) this.#placeOne(commands, mesh, mostVertices);
      return placeAll();
    } catch (error) {
      if (!(error instanceof GpuUnfit)) throw error;
      // Without those that are not asked for there may be room.
      this.dispose();
      return placeAll();
    }
  }

  /**
   * Steps that the last `place` recorded were not done: what they would have refitted is put in anew the next
   * time.
   */
  undo(): void {
    for (const placed of this.#refitted) placed.version = placed.treeVersion = 0;
  }

  /**
   * Puts in the vertices' numbers of a mesh's triangles; isWelded: those of the same coordinates are one.
   * @returns the place of the first word. @throws GpuUnfit
   */
  placeVertices(commands: Commands, mesh: GpuTree, isWelded: boolean): number {
    const known = this.#vertexPlaces.get(mesh);
    if (known && known.isWelded === isWelded && known.version === mesh.version) return 3 * known.first;
    const arena = this.#arena;
    const { u32 } = this.#arena;
    const record = mesh.recordAt / 4;
    const at = MeshRecord.at;
    const indicesAt = u32[record + at.indicesAt / 4] / 4;
    const indices = u32.slice(indicesAt, indicesAt + 3 * mesh.triangleCount);
    const numbers = isWelded
      ? weld(arena, u32[record + at.positionsAt / 4] / 4, u32[record + at.vertexCount / 4])
      : undefined;
    const first = known ? known.first : this.#vertexShelf.take(commands, mesh.triangleCount);
    commands.upload(this.vertices, 12 * first, numbers ? indices.map(vertex => numbers[vertex]) : indices);
    this.#vertexPlaces.set(mesh, { first, version: mesh.version, isWelded });
    return 3 * first;
  }

  dispose(): void {
    for (const part of [this.#nodeShelf, this.#leafShelf, this.#vertexShelf, this.#refits]) part.dispose();
    this.#places.clear();
    this.#vertexPlaces.clear();
  }

  #placeOne(commands: Commands, mesh: GpuTree, mostVertices: number): GpuPlace {
    const known = this.#places.get(mesh);
    if (known?.version === mesh.version) return known;
    if (known && this.#hasMoved(mesh)) {
      this.#refits.refit(commands, mesh, { nodes: this.nodes, leaves: this.leaves, ...known }, mostVertices);
      known.version = mesh.version;
      this.#refitted.push(known);
      return known;
    }
    const arena = this.#arena;
    const { u32 } = this.#arena;
    const record = mesh.recordAt / 4;
    const at = MeshRecord.at;
    const nodeCount = u32[record + at.nodeCount / 4];
    const leafCount = u32[record + at.leafCount / 4];
    const nodesAt = u32[record + at.nodesAt / 4];
    const leavesAt = u32[record + at.leavesAt / 4];
    const fits = known && nodeCount <= known.nodeCount && leafCount <= known.leafCount;
    const place = fits
      ? known
      : {
          firstNode: this.#nodeShelf.take(commands, nodeCount),
          firstLeaf: this.#leafShelf.take(commands, leafCount),
          nodeCount,
          leafCount,
          version: 0,
          treeVersion: 0,
        };
    commands.upload(
      this.nodes,
      place.firstNode * Node.size,
      arena.u8.subarray(nodesAt, nodesAt + nodeCount * Node.size),
    );
    commands.upload(
      this.leaves,
      place.firstLeaf * Leaf.size,
      arena.u8.subarray(leavesAt, leavesAt + leafCount * Leaf.size),
    );
    place.version = mesh.version;
    place.treeVersion = mesh.treeVersion;
    this.#places.set(mesh, place);
    return place;
  }

  // Its tree is there with the same shape, but other coordinates.
  #hasMoved(mesh: GpuTree): boolean {
    const known = this.#places.get(mesh);
    return (
      known !== undefined &&
      known.version !== mesh.version &&
      known.treeVersion === mesh.treeVersion &&
      mesh.triangleCount > 0
    );
  }

  #forget(mesh: GpuTree): void {
    this.#places.delete(mesh);
    this.#vertexPlaces.delete(mesh);
    this.#refits.forget(mesh);
  }

  // Where half of what is there belongs to nobody, all are put in anew.
  #forgetGone(): void {
    let live = 0;
    for (const [mesh, { nodeCount }] of this.#places) {
      if (mesh.isDisposed) this.#forget(mesh);
      else live += nodeCount;
    }
    if (this.#nodeShelf.used > 2 * live + 1024) this.dispose();
  }
}

// For every vertex the least one of the same coordinates; -0 is 0.
function weld({ u32, f32 }: Arena, at: number, count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  const bits = Math.ceil(Math.log2(2 * count + 2));
  const table = new Uint32Array(2 ** bits).fill(limits.NOTHING);
  const same = (a: number, b: number): boolean =>
    [0, 1, 2].every(axis => f32[at + 3 * a + axis] === f32[at + 3 * b + axis]);
  for (let vertex = 0; vertex < count; vertex++) {
    let hash = 0;
    for (let axis = 0; axis < 3; axis++)
      hash =
        Math.imul(hash ^ (f32[at + 3 * vertex + axis] === 0 ? 0 : u32[at + 3 * vertex + axis]), 0x9e3779b1) ^
        (hash >>> 15);
    let slot = hash >>> (32 - bits);
    while (table[slot] !== limits.NOTHING && !same(table[slot], vertex)) slot = (slot + 1) & (2 ** bits - 1);
    if (table[slot] === limits.NOTHING) table[slot] = vertex;
    numbers[vertex] = table[slot];
  }
  return numbers;
}
