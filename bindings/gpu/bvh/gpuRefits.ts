// Refits trees on a GPU after the vertices of their meshes have moved. The first refit of a tree uploads the
// shape of the tree and the indices and coordinates of the mesh. Later refits upload only the coordinates.
import { MeshRecord, Node } from '../../records/layout.js';
import type { Arena } from '../../runtime/memory.js';
import type { Commands } from '../device/commands.js';
import type { Gpu } from '../device/gpu.js';
import type { GpuTreeShape } from './gpuTreeShape.js';
import { frameOf, GpuTrees, type TreeBuffers } from './gpuTrees.js';

/** The properties of a mesh that GPU trees use. */
export interface GpuMeshSource {
  readonly recordAt: number;
  readonly version: number;
  readonly treeVersion: number;
  readonly isDisposed: boolean;
  readonly triangleCount: number;
  readonly vertexCount: number;
}

/**
 * A mesh's data on the GPU. `shape` and `indices` are valid while the mesh has this `treeVersion`;
 * `positions` receives the current coordinates at each refit.
 */
interface RefitState {
  shape: GpuTreeShape;
  treeVersion: number;
  indices: GPUBuffer;
  positions: GPUBuffer;
}

export class GpuRefits {
  static readonly kernels = ['storeVertices', 'fillLeaves', 'refitNodes'] as const;
  readonly #arena: Arena;
  readonly #gpu: Gpu;
  readonly #trees: GpuTrees;
  readonly #states = new Map<GpuMeshSource, RefitState>();

  constructor(arena: Arena, gpu: Gpu) {
    this.#arena = arena;
    this.#gpu = gpu;
    this.#trees = new GpuTrees(gpu);
  }

  /**
   * Records the refit of the tree at `place`. maxVertices: an upper bound of the vertex counts of all meshes
   * that are refitted before the next submit. @throws GpuUnfit
   */
  refit(commands: Commands, mesh: GpuMeshSource, place: TreeBuffers, maxVertices: number): void {
    const arena = this.#arena;
    const { u8, u32 } = arena;
    const word = (field: keyof typeof MeshRecord.at): number =>
      u32[(mesh.recordAt + MeshRecord.at[field]) / 4];
    const { shape, positions, indices } = this.#stateOf(commands, mesh);
    const vertexCount = word('vertexCount');
    const at = word('positionsAt');
    this.#trees.reserve(maxVertices);
    commands.upload(positions, 0, u8.subarray(at, at + 12 * vertexCount));
    this.#trees.refit(
      commands,
      shape,
      {
        positions,
        firstVertex: 0,
        vertexCount,
        indices,
        firstTriangle: 0,
        triangleCount: mesh.triangleCount,
      },
      frameOf(arena, mesh.recordAt),
      place,
    );
  }

  forget(mesh: GpuMeshSource): void {
    const state = this.#states.get(mesh);
    if (!state) return;
    state.shape.dispose();
    for (const buffer of [state.indices, state.positions]) buffer.destroy();
    this.#states.delete(mesh);
  }

  dispose(): void {
    for (const mesh of [...this.#states.keys()]) this.forget(mesh);
    this.#trees.dispose();
  }

  #stateOf(commands: Commands, mesh: GpuMeshSource): RefitState {
    const known = this.#states.get(mesh);
    if (known?.treeVersion === mesh.treeVersion) return known;
    this.forget(mesh);
    const { u8, u32 } = this.#arena;
    const gpu = this.#gpu;
    const word = (field: keyof typeof MeshRecord.at): number =>
      u32[(mesh.recordAt + MeshRecord.at[field]) / 4];
    const nodesAt = word('nodesAt') / 4;
    const indicesAt = word('indicesAt');
    const vertexBytes = 12 * word('vertexCount');
    const indexBytes = 12 * mesh.triangleCount;
    const shape = this.#trees.uploadShape(
      commands,
      u32.slice(nodesAt, nodesAt + (word('nodeCount') * Node.size) / 4),
      word('leafCount'),
    );
    const buffers: GPUBuffer[] = [];
    try {
      for (const [label, bytes] of [
        ['indices', indexBytes],
        ['positions', vertexBytes],
      ] as const)
        buffers.push(gpu.createBuffer(label, bytes));
    } catch (error) {
      for (const resource of [shape.buffer, ...buffers]) resource.destroy();
      throw error;
    }
    const state = { shape, treeVersion: mesh.treeVersion, indices: buffers[0], positions: buffers[1] };
    commands.upload(state.indices, 0, u8.subarray(indicesAt, indicesAt + indexBytes));
    this.#states.set(mesh, state);
    return state;
  }
}
