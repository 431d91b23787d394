// The vertices of each leaf and the leaves of each vertex -> LeafLinks: the leaves that share a vertex with each, and which of their triangles do not.
import { LeafLinks, LeafVertices, LINKED_LEAVES, MeshRecord, NOTHING, SelfTree, TWO_CHILDREN } from '../layout';
import { shared16 } from '../sharedVertices';

const EVERY: u32 = 0xffff;

/** Slice i writes its even share of the leaves. */
export function linkLeaves(tree: usize, begin: u32, end: u32): void {
  const leafCount: u64 = load<u32>(load<u32>(tree, SelfTree.meshAt), MeshRecord.leafCount), sliceCount: u64 = load<u32>(tree, SelfTree.sliceCount);
  const nodeCount = load<u32>(load<u32>(tree, SelfTree.meshAt), MeshRecord.nodeCount);
  const last = <u32>(<u64>end * leafCount / sliceCount);
  for (let leaf = <u32>(<u64>begin * leafCount / sliceCount); leaf < last; leaf++) link(tree, leaf, nodeCount);
}

function link(tree: usize, leaf: u32, nodeCount: u32): void {
  const links = <usize>load<u32>(tree, SelfTree.linksAt) + <usize>leaf * LeafLinks.SIZE, vertices: usize = load<u32>(tree, SelfTree.verticesAt);
  const ends: usize = load<u32>(tree, SelfTree.endsAt), starts: usize = load<u32>(tree, SelfTree.startsAt), entries: usize = load<u32>(tree, SelfTree.entriesAt);
  const own = vertices + <usize>leaf * LeafVertices.SIZE;
  memory.fill(links, 0xff, LeafLinks.SIZE);
  store<u16>(links, 0, openAt);
  store<u32>(links, nodeCount + leaf, LeafLinks.leaves);
  store<u16>(links, <u16>(~shared16(own, own) & <i32>TWO_CHILDREN), LeafLinks.allowed);
  let count: u32 = 1;
  for (let corner = own; corner < own + LeafVertices.SIZE; corner += 4) {
    const vertex = load<u32>(corner);
    if (vertex == NOTHING) continue;
    const start = entries + (<usize>load<u32>(starts + (<usize>vertex << 2)) << 2);
    // The last ones are the greatest; lesser leaves than this one have it in their own links.
    for (let at = entries + (<usize>load<u32>(ends + (<usize>vertex << 2)) << 2) - 4; at >= start; at -= 4) {
      const other = load<u32>(at);
      if (other <= leaf) break;
      if (isLinked(links, count, nodeCount + other)) continue;
      if (count == LINKED_LEAVES) { store<u16>(links, 1, openAt); return; }
      store<u32>(links + (<usize>count << 2), nodeCount + other, LeafLinks.leaves);
      store<u16>(links + (<usize>count << 1), <u16>(~shared16(own, vertices + <usize>other * LeafVertices.SIZE) & <i32>EVERY), LeafLinks.allowed);
      count++;
    }
  }
}

const openAt: usize = LeafLinks.allowed + 2 * <usize>(LINKED_LEAVES + 1);

// @ts-ignore: decorator
@inline function isLinked(links: usize, count: u32, record: u32): bool {
  for (let i: u32 = 1; i < count; i++) if (load<u32>(links + (<usize>i << 2), LeafLinks.leaves) == record) return true;
  return false;
}
