// Fills the LeafLinks of each leaf of a mesh. The links list the leaf itself and leaves with larger numbers
// that share a vertex with it: at most LINKED_LEAVES leaves in all. For each listed leaf, a mask tells which
// triangle pairs of the two leaves share no vertex.

import {
  LeafLinks,
  LeafVertices,
  LINKED_LEAVES,
  LINKS_AT,
  MeshRecord,
  NOTHING,
  SelfBoxes,
  SelfTree,
  STRICT_UPPER_TRIANGLE,
} from '../records';
import { maskBits } from '../simd/lanes';

/** Slice i writes an equal share of the leaves. */
export function linkLeaves(tree: usize, begin: u32, end: u32): void {
  const mesh: usize = load<u32>(tree, SelfTree.meshAt);
  const boxes =
    <usize>load<u32>(tree, SelfTree.boxesAt) + <usize>load<u32>(mesh, MeshRecord.nodeCount) * SelfBoxes.SIZE;
  const leafCount: u64 = load<u32>(mesh, MeshRecord.leafCount);
  const sliceCount: u64 = load<u32>(tree, SelfTree.sliceCount);
  const last = <u32>((<u64>end * leafCount) / sliceCount);
  for (let leaf = <u32>((<u64>begin * leafCount) / sliceCount); leaf < last; leaf++)
    linkLeaf(tree, leaf, boxes + <usize>leaf * SelfBoxes.SIZE + <usize>LINKS_AT);
}

// Marks all triangle pairs as unrelated, and then clears the mark of each pair that has a common vertex.
function linkLeaf(tree: usize, leaf: u32, links: usize): void {
  const starts: usize = load<u32>(tree, SelfTree.startsAt);
  const entries: usize = load<u32>(tree, SelfTree.entriesAt);
  const vertices = <usize>load<u32>(tree, SelfTree.verticesAt) + <usize>leaf * LeafVertices.SIZE;
  const u = v128.load(vertices, LeafVertices.first);
  const v = v128.load(vertices, LeafVertices.second);
  const w = v128.load(vertices, LeafVertices.third);
  v128.store(links, i32x4.splat(0), LeafLinks.steps);
  v128.store(links, i32x4.splat(-1), LeafLinks.unrelated);
  let count: u32 = 1;
  let hasOverflow = false;
  for (let corner: u32 = 0; corner < 12; corner++) {
    const vertex = load<u32>(vertices + ((<usize>corner) << 2));
    const wanted = i32x4.splat(vertex);
    const ofU = maskBits(i32x4.eq(u, wanted));
    const ofV = maskBits(i32x4.eq(v, wanted));
    const ofW = maskBits(i32x4.eq(w, wanted));
    // Process each vertex only once, for all triangles of the leaf that have this vertex.
    if (vertex == NOTHING || ctz(ofU | (ofV << 4) | (ofW << 8)) != corner) continue;
    const lanes: u32 = ofU | ofV | ofW;
    const start = starts + ((<usize>vertex) << 2);
    const first = entries + ((<usize>load<u32>(start)) << 2);
    // The entries of a vertex are in ascending order of their leaves. Go backward, and stop at the first leaf
    // whose number is below the number of this leaf: that leaf lists this leaf in its own links.
    for (let at = entries + ((<usize>load<u32>(start, 4)) << 2) - 4; at >= first; ) {
      const other = load<u32>(at) >> 2;
      if (other < leaf) break;
      let related: u32 = 0;
      for (; at >= first && load<u32>(at) >> 2 == other; at -= 4)
        related |= lanes << ((load<u32>(at) & 3) << 2);
      const place = placeOf(links, count, other - leaf);
      if (place == LINKED_LEAVES) {
        hasOverflow = true;
        continue;
      }
      if (place == count) {
        store<u16>(links + ((<usize>count) << 1), <u16>(other - leaf), LeafLinks.steps);
        count++;
      }
      const unrelated = links + ((<usize>place) << 1);
      store<u16>(
        unrelated,
        <u16>(<u32>load<u16>(unrelated, LeafLinks.unrelated) & ~related),
        LeafLinks.unrelated,
      );
    }
  }
  // In the leaf's link to itself, keep each pair of two different triangles only once. Bit 0 then stands for no
  // pair. It is set if the links do not list all leaves with larger numbers that share a vertex with this leaf.
  store<u16>(
    links,
    <u16>((<u32>load<u16>(links, LeafLinks.unrelated) & STRICT_UPPER_TRIANGLE) | <u32>hasOverflow),
    LeafLinks.unrelated,
  );
}

// Finds a listed leaf by its step: its number minus the number of the leaf that has the links. Returns the
// place of this step in the links, or the next free place if the step is not listed yet. Returns
// LINKED_LEAVES if the links are full, or if `step` is too large to be stored.
function placeOf(links: usize, count: u32, step: u32): u32 {
  if (step >= 0xffff) return LINKED_LEAVES;
  for (let place: u32 = 0; place < count; place++)
    if (load<u16>(links + ((<usize>place) << 1), LeafLinks.steps) == step) return place;
  return count;
}
