// Keeps copies of meshes' trees on a GPU. One buffer holds the nodes of all trees, one tree after the other;
// another buffer holds the leaves. A third buffer holds the vertex numbers of triangles, for self-queries.
import { weldPositions } from '../../core/weldPositions.js';
import { Leaf, MeshRecord, Node } from '../../records/layout.js';
import type { Arena } from '../../runtime/memory.js';
import type { Commands } from '../device/commands.js';
import type { Gpu } from '../device/gpu.js';
import { GpuUnfit } from '../device/gpuErrors.js';
import type { KernelName } from '../device/kernelSource.js';
import { type GpuMeshSource, GpuRefits } from './gpuRefits.js';

/** Where the tree of a mesh begins in the buffers. */
export interface TreeLocation {
  firstNode: number;
  firstLeaf: number;
}

/**
 * A GPU buffer that holds the nodes, the leaves or the vertex numbers of all meshes, one mesh after the other.
 * The space of disposed meshes is reclaimed only when all buffers are cleared.
 */
class MeshBuffer {
  readonly elementBytes: number;
  readonly #gpu: Gpu;
  readonly #label: string;
  #allocated: GPUBuffer | undefined;
  used = 0;

  constructor(gpu: Gpu, label: string, elementBytes: number) {
    this.#gpu = gpu;
    this.#label = label;
    this.elementBytes = elementBytes;
  }

  get buffer(): GPUBuffer {
    return (this.#allocated ??= this.#gpu.createBuffer(this.#label, this.elementBytes));
  }

  /**
   * Allocates `count` elements. If they do not fit, first replaces the buffer by a longer one with the same
   * contents. @returns the index of the first allocated element. @throws GpuUnfit
   */
  allocate(commands: Commands, count: number): number {
    // Kernels need a buffer to bind even if no mesh has triangles.
    const neededBytes = Math.max(1, this.used + count) * this.elementBytes;
    if (!this.#allocated || this.#allocated.size < neededBytes) {
      const maxBytes = this.#gpu.limits.bindingBytes;
      const longer = this.#gpu.createBuffer(
        this.#label,
        neededBytes <= maxBytes ? Math.min(2 * neededBytes, maxBytes - (maxBytes % 16)) : neededBytes,
      );
      if (this.#allocated) commands.replace(this.#allocated, longer);
      this.#allocated = longer;
    }
    this.used += count;
    return this.used - count;
  }

  dispose(): void {
    this.#allocated?.destroy();
    this.#allocated = undefined;
    this.used = 0;
  }
}

interface Placed extends TreeLocation {
  version: number;
  treeVersion: number;
  nodeCount: number;
  leafCount: number;
}

export class GpuMeshes {
  readonly #arena: Arena;
  readonly #gpu: Gpu;
  readonly #nodeBuffer: MeshBuffer;
  readonly #leafBuffer: MeshBuffer;
  readonly #vertexBuffer: MeshBuffer;
  readonly #refits: GpuRefits;
  readonly #places = new Map<GpuMeshSource, Placed>();
  #refitted: Placed[] = [];
  #vertexPlaces = new Map<GpuMeshSource, { first: number; version: number; isWelded: boolean }>();

  constructor(arena: Arena, gpu: Gpu) {
    this.#arena = arena;
    this.#gpu = gpu;
    this.#refits = new GpuRefits(arena, gpu);
    this.#nodeBuffer = new MeshBuffer(gpu, 'nodes', Node.size);
    this.#leafBuffer = new MeshBuffer(gpu, 'leaves', Leaf.size);
    this.#vertexBuffer = new MeshBuffer(gpu, 'vertices', 12);
  }

  get nodes(): GPUBuffer {
    return this.#nodeBuffer.buffer;
  }
  get leaves(): GPUBuffer {
    return this.#leafBuffer.buffer;
  }
  /** Three vertex numbers per triangle, of the meshes that were passed to `uploadVertices`. */
  get vertices(): GPUBuffer {
    return this.#vertexBuffer.buffer;
  }

  /**
   * Prepares these kernels, and the kernels that `update` needs for these meshes. Call it before `update`.
   * @throws GpuLost
   */
  async prepare(kernels: readonly KernelName[], meshes: readonly GpuMeshSource[]): Promise<void> {
    const needed = (): readonly KernelName[] =>
      meshes.some(mesh => this.#hasMoved(mesh)) ? [...kernels, ...GpuRefits.kernels] : kernels;
    // A mesh may be deformed while kernels are compiled. Then the kernels that refit its tree are also needed.
    for (let names: readonly KernelName[] = []; names.length < needed().length; ) {
      names = needed();
      await this.#gpu.prepare(names);
    }
  }

  /**
   * Copies or refits the trees that are missing or outdated on the GPU. @returns the location of each mesh's
   * tree. @throws GpuUnfit
   */
  update(commands: Commands, meshes: readonly GpuMeshSource[]): TreeLocation[] {
    this.#forgetDisposed();
    this.#refitted = [];
    const maxVertices = meshes.reduce((max, mesh) => Math.max(max, mesh.vertexCount), 0);
    const placeAll = (): TreeLocation[] => meshes.map(mesh => this.#placeOne(commands, mesh, maxVertices));
    try {
      // Missing trees are copied first, because copying may replace the buffers, and a refit must be recorded
      // with the final buffers.
      for (const mesh of meshes) if (!this.#hasMoved(mesh)) this.#placeOne(commands, mesh, maxVertices);
      return placeAll();
    } catch (error) {
      if (!(error instanceof GpuUnfit)) throw error;
      // Without the meshes of other queries there may be enough space.
      this.dispose();
      return placeAll();
    }
  }

  /**
   * Call this if the steps that the last `update` recorded did not run. The next `update` then copies the
   * trees that these steps would have refitted.
   */
  undo(): void {
    for (const placed of this.#refitted) placed.version = placed.treeVersion = 0;
  }

  /**
   * Copies the vertex numbers of a mesh's triangles. isWelded: whether vertices with the same coordinates get
   * the same number. @returns the offset of the first word. @throws GpuUnfit
   */
  uploadVertices(commands: Commands, mesh: GpuMeshSource, isWelded: boolean): number {
    const known = this.#vertexPlaces.get(mesh);
    if (known && known.isWelded === isWelded && known.version === mesh.version) return 3 * known.first;
    const { u32, f32 } = this.#arena;
    const record = mesh.recordAt / 4;
    const at = MeshRecord.at;
    const positionsAt = u32[record + at.positionsAt / 4] / 4;
    const indicesAt = u32[record + at.indicesAt / 4] / 4;
    const indices = u32.slice(indicesAt, indicesAt + 3 * mesh.triangleCount);
    const numbers = isWelded
      ? weldPositions(f32.subarray(positionsAt, positionsAt + 3 * mesh.vertexCount))
      : undefined;
    const first = known ? known.first : this.#vertexBuffer.allocate(commands, mesh.triangleCount);
    commands.upload(this.vertices, 12 * first, numbers ? indices.map(vertex => numbers[vertex]) : indices);
    this.#vertexPlaces.set(mesh, { first, version: mesh.version, isWelded });
    return 3 * first;
  }

  dispose(): void {
    for (const resource of [this.#nodeBuffer, this.#leafBuffer, this.#vertexBuffer, this.#refits])
      resource.dispose();
    this.#places.clear();
    this.#vertexPlaces.clear();
  }

  #placeOne(commands: Commands, mesh: GpuMeshSource, maxVertices: number): TreeLocation {
    const known = this.#places.get(mesh);
    if (known?.version === mesh.version) return known;
    if (known && this.#hasMoved(mesh)) {
      this.#refits.refit(commands, mesh, { nodes: this.nodes, leaves: this.leaves, ...known }, maxVertices);
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
          firstNode: this.#nodeBuffer.allocate(commands, nodeCount),
          firstLeaf: this.#leafBuffer.allocate(commands, leafCount),
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

  // Returns whether a mesh's tree on the GPU has the current shape, but outdated coordinates.
  #hasMoved(mesh: GpuMeshSource): boolean {
    const known = this.#places.get(mesh);
    return (
      known !== undefined &&
      known.version !== mesh.version &&
      known.treeVersion === mesh.treeVersion &&
      mesh.triangleCount > 0
    );
  }

  #forget(mesh: GpuMeshSource): void {
    this.#places.delete(mesh);
    this.#vertexPlaces.delete(mesh);
    this.#refits.forget(mesh);
  }

  // Forgets disposed meshes. If the unused nodes outnumber the used nodes by more than 1024, clears all
  // buffers. Later calls of `update` then copy all meshes again.
  #forgetDisposed(): void {
    let remaining = 0;
    for (const [mesh, { nodeCount }] of this.#places) {
      if (mesh.isDisposed) this.#forget(mesh);
      else remaining += nodeCount;
    }
    if (this.#nodeBuffer.used > 2 * remaining + 1024) this.dispose();
  }
}
