// Computes child pair `which` (0 to 15) of a pair of boxes.
// uses: treeNodes

struct ChildPair { slotA: u32, slotB: u32, a: u32, b: u32, exists: bool }

// firstA, firstB: where the trees begin in `nodes`. A leaf counts as its own only child. If isSelf is true and
// a box is paired with itself, each unordered pair of its children occurs once.
fn childPairOf(firstA: u32, firstB: u32, isSelf: bool, slotA: u32, slotB: u32, which: u32) -> ChildPair {
  let i = which & 3u;
  let j = which >> 2u;
  let ownA = below(firstA, slotA);
  let ownB = below(firstB, slotB);
  var child = ChildPair(slotA, slotB, ownA, ownB, true);
  if (isLeaf(ownA)) { child.exists = i == 0u; }
  else { child.slotA = 4u * ownA + i; child.a = below(firstA, child.slotA); }
  if (isLeaf(ownB)) { child.exists = child.exists && j == 0u; }
  else { child.slotB = 4u * ownB + j; child.b = below(firstB, child.slotB); }
  child.exists = child.exists && child.a != NOTHING && child.b != NOTHING && !(isSelf && slotA == slotB && i > j);
  return child;
}
