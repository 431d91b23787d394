// A mesh record with positions, indices and frame -> its 4-wide tree (nodes and leaves in engine memory), built or refitted.
import type { Backend } from './backend.js';
import { Blocks } from './blocks.js';
import {
  BoundTrianglesJob, BoxPart, BuildRecord, Leaf, limits, MeshRecord, Node, Subtree,
} from './layout.js';

const LEAF_SIZE = 4;
/** Triangles a thread bounds at least. */
const SLICE_TRIANGLES = 8192;

/** Words of a record at a byte address, by field. */
const wordOf = (at: number, field: number): number => (at + field) / 4;

/** Boxes of all triangles in the mesh's frame. @returns least and greatest stored x, y, z, or none for no triangles. */
export function boundTriangles(backend: Backend, meshAt: number, recordsAt: number): Float32Array {
  const { arena, pool } = backend;
  const count = arena.u32[wordOf(meshAt, MeshRecord.at.triangleCount)]!;
  const sliceCount = Math.max(1, Math.min(pool.threadCount, Math.floor(count / SLICE_TRIANGLES)));
  const blocks = new Blocks(arena);
  try {
    const partsAt = blocks.take(sliceCount * BoxPart.size);
    const jobAt = blocks.take(BoundTrianglesJob.size);
    arena.u32[wordOf(jobAt, BoundTrianglesJob.at.meshAt)] = meshAt;
    arena.u32[wordOf(jobAt, BoundTrianglesJob.at.recordsAt)] = recordsAt;
    arena.u32[wordOf(jobAt, BoundTrianglesJob.at.partsAt)] = partsAt;
    arena.u32[wordOf(jobAt, BoundTrianglesJob.at.sliceCount)] = sliceCount;
    pool.run('boundTriangles', jobAt, sliceCount);
    const box = new Float32Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
    for (let part = 0; part < sliceCount; part++) {
      const at = (partsAt + part * BoxPart.size) / 4;
      for (let axis = 0; axis < 3; axis++) {
        box[axis] = Math.min(box[axis]!, arena.f32[at + axis]!);
        box[axis + 3] = Math.max(box[axis + 3]!, arena.f32[at + 4 + axis]!);
      }
    }
    return box;
  } finally {
    blocks.releaseAll();
  }
}

/**
 * Builds the tree over the triangles' records; sets nodes, leaves, counts, depth, middle and half of the mesh record.
 * @returns the blocks that hold nodes and leaves. @throws Capacity, with nothing kept.
 */
export function buildTree(backend: Backend, meshAt: number, recordsAt: number, box: Float32Array): Blocks {
  const { arena, pool } = backend;
  const count = arena.u32[wordOf(meshAt, MeshRecord.at.triangleCount)]!;
  if (count === 0) return buildEmpty(backend, meshAt);
  const blocks = new Blocks(arena);
  const kept = new Blocks(arena);
  try {
    const subtreesAt = blocks.take(Subtree.size);
    writeSubtree(backend, subtreesAt, count, box);
    const orderAt = blocks.takeWords([0]);
    const listsAt = blocks.takeWords([0, 1]);
    const shapesAt = blocks.take(count * BuildRecord.size);
    const scratchBytes = limits.GROW_SCRATCH_BYTES + (count + 1) * BuildRecord.size * 3;
    const jobAt = blocks.takeWords([recordsAt, subtreesAt, orderAt, listsAt, shapesAt, blocks.take(scratchBytes), scratchBytes, count]);
    pool.run('growSubtrees', jobAt, 1);
    const nodeCount = Math.max(1, arena.u32[wordOf(subtreesAt, Subtree.at.nodeCount)]!);
    const leafCount = arena.u32[wordOf(subtreesAt, Subtree.at.leafCount)]!;
    const nodesAt = kept.take(nodeCount * Node.size);
    const leavesAt = kept.take(leafCount * Leaf.size);
    arena.u32[wordOf(meshAt, MeshRecord.at.nodesAt)] = nodesAt;
    arena.u32[wordOf(meshAt, MeshRecord.at.nodeCount)] = nodeCount;
    arena.u32[wordOf(meshAt, MeshRecord.at.leavesAt)] = leavesAt;
    arena.u32[wordOf(meshAt, MeshRecord.at.leafCount)] = leafCount;
    arena.u32[wordOf(meshAt, MeshRecord.at.depth)] = Math.max(1, arena.u32[wordOf(subtreesAt, Subtree.at.nodeDepth)]!);
    writeEmptyNode(backend, nodesAt);
    if (count <= LEAF_SIZE) arena.u32[wordOf(nodesAt, Node.at.child)] = limits.LEAF_BIT;
    arena.u32[wordOf(subtreesAt, Subtree.at.nodesFrom)] = 1;
    const rangesAt = blocks.takeWords([0, nodeCount, 0, 0]);
    const fillAt = blocks.takeWords([meshAt, subtreesAt, orderAt, listsAt, shapesAt, rangesAt]);
    pool.run('fillTree', fillAt, 1);
    return kept;
  } catch (error) {
    kept.releaseAll();
    throw error;
  } finally {
    blocks.releaseAll();
  }
}

function writeSubtree({ arena }: Backend, at: number, count: number, box: Float32Array): void {
  arena.u32[wordOf(at, Subtree.at.begin)] = 0;
  arena.u32[wordOf(at, Subtree.at.end)] = count;
  arena.u32[wordOf(at, Subtree.at.depth)] = 0;
  arena.u32[wordOf(at, Subtree.at.root)] = 0;
  arena.u32[wordOf(at, Subtree.at.leavesFrom)] = 0;
  for (let axis = 0; axis < 4; axis++) {
    const low = axis < 3 ? box[axis]! : 0;
    const high = axis < 3 ? box[axis + 3]! : 0;
    arena.f32[wordOf(at, Subtree.at.low) + axis] = low;
    arena.f32[wordOf(at, Subtree.at.high) + axis] = high;
    arena.f32[wordOf(at, Subtree.at.centroidLow) + axis] = 2 * low;
    arena.f32[wordOf(at, Subtree.at.centroidHigh) + axis] = 2 * high;
  }
}

function writeEmptyNode({ arena }: Backend, nodeAt: number): void {
  const at = nodeAt / 4;
  arena.f32.fill(0, at, at + Node.at.halfX / 4);
  arena.f32.fill(-Infinity, at + Node.at.halfX / 4, at + Node.at.child / 4);
  arena.u32.fill(limits.NOTHING, at + Node.at.child / 4, at + Node.at.parent / 4 + 1);
  arena.u32.fill(0, at + Node.at.spare / 4, at + Node.size / 4);
}

function buildEmpty(backend: Backend, meshAt: number): Blocks {
  const kept = new Blocks(backend.arena);
  const nodesAt = kept.take(Node.size);
  writeEmptyNode(backend, nodesAt);
  const { u32, f32 } = backend.arena;
  u32[wordOf(meshAt, MeshRecord.at.nodesAt)] = nodesAt;
  u32[wordOf(meshAt, MeshRecord.at.nodeCount)] = 1;
  u32[wordOf(meshAt, MeshRecord.at.leavesAt)] = nodesAt;
  u32[wordOf(meshAt, MeshRecord.at.leafCount)] = 0;
  u32[wordOf(meshAt, MeshRecord.at.depth)] = 1;
  for (const field of ['halfX', 'halfY', 'halfZ', 'middleX', 'middleY', 'middleZ'] as const) f32[wordOf(meshAt, MeshRecord.at[field])] = 0;
  return kept;
}
