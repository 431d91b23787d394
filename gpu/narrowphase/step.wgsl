// parts: boxes
// Computes child pair `which` (0 to 15) of a pair of boxes.

struct Step { slotA: u32, slotB: u32, a: u32, b: u32, exists: bool }

// A leaf is its own only child. For a box paired with itself, each pair of children occurs once.
fn stepOf(pair: u32, slotA: u32, slotB: u32, which: u32) -> Step {
  let firstA = pairs[pair].firstNodeA;
  let firstB = pairs[pair].firstNodeB;
  let i = which & 3u;
  let j = which >> 2u;
  let ownA = below(firstA, slotA);
  let ownB = below(firstB, slotB);
  var step = Step(slotA, slotB, ownA, ownB, true);
  if (isLeaf(ownA)) { step.exists = i == 0u; }
  else { step.slotA = 4u * ownA + i; step.a = below(firstA, step.slotA); }
  if (isLeaf(ownB)) { step.exists = step.exists && j == 0u; }
  else { step.slotB = 4u * ownB + j; step.b = below(firstB, step.slotB); }
  let isSelf = pairs[pair].firstVertices != NOTHING && slotA == slotB;
  step.exists = step.exists && step.a != NOTHING && step.b != NOTHING && !(isSelf && i > j);
  return step;
}
