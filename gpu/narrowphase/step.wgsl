// parts: boxes
// A pair of boxes of a front and a number from 0 to 15 -> one of the pairs of boxes below it.

struct Step { slotA: u32, slotB: u32, a: u32, b: u32, isThere: bool }

// A leaf stands in for its own children. Of a box with itself each two children come once.
fn stepOf(pair: u32, slotA: u32, slotB: u32, which: u32) -> Step {
  let firstA = pairs[pair].firstNodeA;
  let firstB = pairs[pair].firstNodeB;
  let i = which & 3u;
  let j = which >> 2u;
  let ownA = below(firstA, slotA);
  let ownB = below(firstB, slotB);
  var step = Step(slotA, slotB, ownA, ownB, true);
  if (isLeaf(ownA)) { step.isThere = i == 0u; }
  else { step.slotA = 4u * ownA + i; step.a = below(firstA, step.slotA); }
  if (isLeaf(ownB)) { step.isThere = step.isThere && j == 0u; }
  else { step.slotB = 4u * ownB + j; step.b = below(firstB, step.slotB); }
  let isSelf = pairs[pair].firstVertices != NOTHING && slotA == slotB;
  step.isThere = step.isThere && step.a != NOTHING && step.b != NOTHING && !(isSelf && i > j);
  return step;
}
