// Enumerates the cells that a box overlaps. The splits form a binary tree whose root is node 1. The children
// of node i are 2 i and 2 i + 1. The cells are the nodes below the last level of splits.

// `open` has a bit for each level at which the second child is still to be visited.
struct Walk { node: u32, open: u32 }

fn descend(node: u32, level: u32, open: u32, box: KeyBox) -> Walk {
  var walk = Walk(node, open);
  for (var at = level; at < params.depth; at++) {
    let split = splits[walk.node];
    let isBefore = box.low[split.x] < split.y;
    if (isBefore && box.high[split.x] >= split.y) { walk.open |= 1u << at; }
    walk.node = 2u * walk.node + u32(!isBefore);
  }
  return walk;
}

fn firstCell(box: KeyBox) -> Walk { return descend(1u, 0u, 0u, box); }

// Moves on to the next cell. Call it only while walk.open is not 0.
fn nextCell(walk: Walk, box: KeyBox) -> Walk {
  let level = firstLeadingBit(walk.open);
  return descend(2u * (walk.node >> (params.depth - level)) + 1u, level + 1u, walk.open & ~(1u << level), box);
}
