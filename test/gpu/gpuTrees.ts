// Helps to test bounding-volume trees that a GPU builds and refits: uploads meshes, reads the trees back,
// and can replace a mesh's tree in engine memory with another tree.

import type { GpuTreeShape } from '../../dist/gpu/bvh/gpuTreeShape.js';
import {
  frameOf,
  GpuTrees,
  type GpuTriangles,
  type StoredFrame,
  type TreeBuffers,
} from '../../dist/gpu/bvh/gpuTrees.js';
import { Commands } from '../../dist/gpu/device/commands.js';
import type { Gpu } from '../../dist/gpu/device/gpu.js';
import type { Mesh, MeshData } from '../../dist/mesh/mesh.js';
import { Leaf, MeshRecord, Node } from '../../dist/records/layout.js';
import type { EngineContext } from '../../dist/runtime/engineContext.js';

/**
 * The words of a tree. nodes, leaves: its records. depth: its max depth. box: the center and half extents of
 * the box of the whole mesh.
 */
export interface TreeWords {
  nodes: Uint32Array;
  leaves: Uint32Array;
  depth: number;
  box: Uint32Array;
}

export interface BuiltTree {
  triangles: GpuTriangles;
  shape: GpuTreeShape;
  place: TreeBuffers;
  words: TreeWords;
}

export async function makeTrees(gpu: Gpu): Promise<GpuTrees> {
  await gpu.prepare(GpuTrees.kernels);
  return new GpuTrees(gpu);
}

export const fieldOf = ({ arena }: EngineContext, mesh: Mesh, field: keyof typeof MeshRecord.at): number =>
  arena.u32[(mesh.recordAt + MeshRecord.at[field]) / 4];

/**
 * Uploads vertices and triangles to two buffers. In each buffer, the first `before` places are not used: they
 * stand for the vertices or triangles of other meshes.
 */
export function uploadTriangles(gpu: Gpu, { positions, indices }: MeshData, before = 0): GpuTriangles {
  const numbers = Uint32Array.from(indices ?? Array.from({ length: positions.length / 3 }, (_, i) => i));
  const put = (label: string, data: Uint32Array | Float32Array): GPUBuffer => {
    const buffer = gpu.createBuffer(label, 12 * before + data.byteLength);
    gpu.device.queue.writeBuffer(
      buffer,
      12 * before,
      data.buffer as ArrayBuffer,
      data.byteOffset,
      data.byteLength,
    );
    return buffer;
  };
  return {
    positions: put('positions', positions),
    firstVertex: before,
    vertexCount: positions.length / 3,
    indices: put('indices', numbers),
    firstTriangle: before,
    triangleCount: numbers.length / 3,
  };
}

/**
 * Makes buffers for the nodes and leaves of a tree. In each buffer, the first `before` places are not used:
 * they stand for the nodes or leaves of other trees.
 */
export const makePlace = (gpu: Gpu, nodeCount: number, leafCount: number, before = 0): TreeBuffers => ({
  nodes: gpu.createBuffer('nodes', (before + nodeCount) * Node.size),
  firstNode: before,
  leaves: gpu.createBuffer('leaves', (before + leafCount) * Leaf.size),
  firstLeaf: before,
});

export async function readTree(
  gpu: Gpu,
  shape: GpuTreeShape,
  { nodes, firstNode, leaves, firstLeaf }: TreeBuffers,
): Promise<TreeWords> {
  const commands = new Commands(gpu);
  commands.read(nodes, firstNode * Node.size, shape.nodeCount * Node.size);
  commands.read(leaves, firstLeaf * Leaf.size, shape.leafCount * Leaf.size);
  commands.read(shape.buffer, 0, 24);
  const [nodeWords, leafWords, box] = await commands.submit();
  return { nodes: nodeWords, leaves: leafWords, depth: shape.depth, box };
}

/**
 * Builds a tree of a mesh on the GPU, from the coordinate frame and the bounds that the engine has stored for
 * the mesh.
 */
export async function buildOnGpu(
  gpu: Gpu,
  trees: GpuTrees,
  context: EngineContext,
  mesh: Mesh,
  data: MeshData,
  before = 0,
): Promise<BuiltTree> {
  const triangles = uploadTriangles(gpu, data, before);
  let place: TreeBuffers | undefined;
  const shape = await trees.build(
    triangles,
    frameOf(context.arena, mesh.recordAt),
    mesh.bounds,
    (_, nodeCount, leafCount) => (place = makePlace(gpu, nodeCount, leafCount, before)),
  );
  return { triangles, shape, place: place!, words: await readTree(gpu, shape, place!) };
}

/** Returns the CPU's tree of a mesh. */
export function treeOf({ arena, ...rest }: EngineContext, mesh: Mesh): TreeWords {
  const backend = { arena, ...rest };
  const word = (field: keyof typeof MeshRecord.at) => fieldOf(backend, mesh, field);
  const words = (at: number, bytes: number) => arena.u32.slice(at / 4, (at + bytes) / 4);
  return {
    nodes: words(word('nodesAt'), word('nodeCount') * Node.size),
    leaves: words(word('leavesAt'), word('leafCount') * Leaf.size),
    depth: word('depth'),
    box: Uint32Array.from((['middleX', 'middleY', 'middleZ', 'halfX', 'halfY', 'halfZ'] as const).map(word)),
  };
}

/**
 * Replaces the tree of a mesh in engine memory with another tree of the same triangles. @returns a function
 * that restores the original tree
 */
export function exchangeTree(
  context: EngineContext,
  mesh: Mesh,
  { nodes, leaves, depth, box }: TreeWords,
): () => void {
  const { arena } = context;
  const from = mesh.recordAt / 4;
  const record = arena.u32.slice(from, from + MeshRecord.size / 4);
  const nodesAt = arena.allocate(nodes.byteLength);
  const leavesAt = arena.allocate(Math.max(leaves.byteLength, 1));
  arena.u32.set(nodes, nodesAt / 4);
  arena.u32.set(leaves, leavesAt / 4);
  arena.u32.set(
    [nodesAt, nodes.byteLength / Node.size, leavesAt, leaves.byteLength / Leaf.size, depth],
    from + MeshRecord.at.nodesAt / 4,
  );
  box.forEach((bits, i) => {
    arena.u32[
      from + MeshRecord.at[(['middleX', 'middleY', 'middleZ', 'halfX', 'halfY', 'halfZ'] as const)[i]] / 4
    ] = bits;
  });
  return () => {
    arena.u32.set(record, from);
    arena.release(nodesAt);
    arena.release(leavesAt);
  };
}

/** Uploads to GPU buffers a tree that the CPU built. */
export async function adoptTree(
  gpu: Gpu,
  trees: GpuTrees,
  { nodes, leaves }: TreeWords,
  before = 0,
): Promise<{ shape: GpuTreeShape; place: TreeBuffers }> {
  const leafCount = leaves.byteLength / Leaf.size;
  const commands = new Commands(gpu);
  const place = makePlace(gpu, nodes.byteLength / Node.size, leafCount, before);
  commands.upload(place.nodes, before * Node.size, nodes);
  commands.upload(place.leaves, before * Leaf.size, leaves);
  const shape = trees.uploadShape(commands, nodes, leafCount);
  await commands.submit();
  return { shape, place };
}

/** Uploads moved vertices and refits the tree on the GPU. */
export async function refitOnGpu(
  gpu: Gpu,
  trees: GpuTrees,
  shape: GpuTreeShape,
  triangles: GpuTriangles,
  frame: StoredFrame,
  place: TreeBuffers,
  positions: Float32Array,
): Promise<TreeWords> {
  const commands = new Commands(gpu);
  commands.upload(triangles.positions, 12 * triangles.firstVertex, positions);
  trees.refit(commands, shape, triangles, frame, place);
  await commands.submit();
  return readTree(gpu, shape, place);
}
