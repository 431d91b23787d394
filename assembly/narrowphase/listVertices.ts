// Writes the triangle and vertex numbers of each leaf (LeafVertices) of a mesh's tree. Also lists, for each
// vertex, the triangles that have it as a corner.
import { Leaf, LeafVertices, MeshRecord, NOTHING, SelfTree } from '../records';

/** Runs on one thread; the slice is ignored. */
export function listVertices(tree: usize, begin: u32, end: u32): void {
  const mesh: usize = load<u32>(tree, SelfTree.meshAt);
  const starts: usize = load<u32>(tree, SelfTree.startsAt);
  const endOffset = (<usize>load<u32>(mesh, MeshRecord.vertexCount)) << 2;
  memory.fill(starts, 0, endOffset + 4);
  fillLeaves(tree, mesh, starts);
  // Turn the counts into the ends of the lists. listCorners then fills each list from its end backward, which
  // turns the ends into starts.
  let sum: u32 = 0;
  for (let at = starts; at <= starts + endOffset; at += 4) {
    sum += load<u32>(at);
    store<u32>(at, sum);
  }
  listCorners(tree, mesh, starts);
}

function fillLeaves(tree: usize, mesh: usize, counts: usize): void {
  const indices: usize = load<u32>(mesh, MeshRecord.indicesAt);
  const numbers: usize = load<u32>(tree, SelfTree.numbersAt);
  const leafCount = load<u32>(mesh, MeshRecord.leafCount);
  let leaf: usize = load<u32>(mesh, MeshRecord.leavesAt);
  let to: usize = load<u32>(tree, SelfTree.verticesAt);
  for (let i: u32 = 0; i < leafCount; i++, leaf += Leaf.SIZE, to += LeafVertices.SIZE) {
    v128.store(to, v128.load(leaf, Leaf.id), LeafVertices.id);
    for (let lane: usize = 0; lane < 16; lane += 4) {
      const triangle = load<u32>(leaf + lane, Leaf.id);
      for (let corner: usize = 0; corner < 3; corner++) {
        let vertex = NOTHING;
        if (triangle != NOTHING) {
          vertex = load<u32>(indices + <usize>triangle * 12 + (corner << 2));
          if (numbers != 0) vertex = load<u32>(numbers + ((<usize>vertex) << 2));
          const count = counts + ((<usize>vertex) << 2);
          store<u32>(count, load<u32>(count) + 1);
        }
        store<u32>(to + lane + (corner << 4), vertex);
      }
    }
  }
}

// Lists the triangles at each vertex. The entry of a triangle is 4 times the number of its leaf plus its
// lane. The entries of a vertex are in ascending order.
function listCorners(tree: usize, mesh: usize, starts: usize): void {
  const entries: usize = load<u32>(tree, SelfTree.entriesAt);
  const vertices: usize = load<u32>(tree, SelfTree.verticesAt);
  for (let leaf = load<u32>(mesh, MeshRecord.leafCount); leaf-- > 0; ) {
    for (let lane: u32 = 4; lane-- > 0; ) {
      for (let corner: usize = 0; corner < 48; corner += 16) {
        const vertex = load<u32>(vertices + <usize>leaf * LeafVertices.SIZE + ((<usize>lane) << 2) + corner);
        if (vertex == NOTHING) break;
        const start = starts + ((<usize>vertex) << 2);
        const to = load<u32>(start) - 1;
        store<u32>(start, to);
        store<u32>(entries + ((<usize>to) << 2), (leaf << 2) + lane);
      }
    }
  }
}
