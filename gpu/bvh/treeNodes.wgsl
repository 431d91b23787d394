// Reads the boxes and children of tree nodes. The kernel that includes this file declares `nodes`.

struct Box { center: vec3<f32>, half: vec3<f32> }

fn boxOf(node: u32, lane: u32) -> Box {
  return Box(
    vec3(nodes[node].centerX[lane], nodes[node].centerY[lane], nodes[node].centerZ[lane]),
    vec3(nodes[node].halfX[lane], nodes[node].halfY[lane], nodes[node].halfZ[lane]));
}

// Returns the handle of the node or leaf in a slot; NOTHING if the slot is unused. The handle of a leaf has
// LEAF_BIT set. The slot is 4 * node + lane, or NOTHING for the root.
fn below(firstNode: u32, slot: u32) -> u32 {
  if (slot == NOTHING) { return 0u; }
  return nodes[firstNode + (slot >> 2u)].child[slot & 3u];
}

fn isLeaf(handle: u32) -> bool { return (handle & LEAF_BIT) != 0u; }
