// Computes child pair `which` (0 to 15) of a pair of boxes.
// parts: boxes

struct ChildPair { slotA: u32, slotB: u32, a: u32, b: u32, exists: bool }

// A leaf counts as its own only child. If a box is paired with itself (in a self-query), each unordered pair
// of its children occurs once.
fn childPairOf(pair: u32, slotA: u32, slotB: u32, which: u32) -> ChildPair {
  let firstA = pairs[pair].firstNodeA;
  let firstB = pairs[pair].firstNodeB;
  let i = which & 3u;
  let j = which >> 2u;
  let ownA = below(firstA, slotA);
  let ownB = below(firstB, slotB);
  var child = ChildPair(slotA, slotB, ownA, ownB, true);
  if (isLeaf(ownA)) { child.exists = i == 0u; }
  else { child.slotA = 4u * ownA + i; child.a = below(firstA, child.slotA); }
  if (isLeaf(ownB)) { child.exists = child.exists && j == 0u; }
  else { child.slotB = 4u * ownB + j; child.b = below(firstB, child.slotB); }
  let isSelf = pairs[pair].firstVertices != NOTHING && slotA == slotB;
  child.exists = child.exists && child.a != NOTHING && child.b != NOTHING && !(isSelf && i > j);
  return child;
}
