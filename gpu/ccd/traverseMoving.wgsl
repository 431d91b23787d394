// Runs one pass of the traversal of pairs of moving bodies: for each pair of boxes in `list`, tests all pairs
// of their children. A box is enlarged to contain its triangles during the whole linear motion. Overlapping
// pairs of leaves go to one list, and all other overlapping pairs to the list of the next pass. If a list is
// full, the pair of bodies is marked as CUT, and the host tests it again with longer lists.
// uses: append, childPair, movingBodies

@group(0) @binding(0) var<uniform> params: TraverseMovingParams;
@group(0) @binding(1) var<storage, read> pairs: array<vec2u>;
@group(0) @binding(2) var<storage, read> bodies: array<GpuMovingBody>;
@group(0) @binding(3) var<storage, read> nodes: array<Node>;
@group(0) @binding(4) var<storage, read> passes: array<GpuPass>;
// Pairs of boxes: the pair of bodies, the slot of A's box, and the slot of B's box.
@group(0) @binding(5) var<storage, read> list: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> next: array<vec4u>;
@group(0) @binding(7) var<storage, read_write> leafPairs: array<u32>;
// The lengths of the lists. From COUNTS on, the state of each pair of bodies: 0, CUT or NEAR.
@group(0) @binding(8) var<storage, read_write> counts: array<atomic<u32>>;

// Returns the bounds of a placed box, enlarged by the margin. place: the origin of the body.
fn placedBounds(r0: vec4f, r1: vec4f, r2: vec4f, place: vec4i, box: Box) -> Bounds {
  let center = imageOf(r0, r1, r2, box.center) + offsetFromOrigin(place.xyz);
  let half = imageOf(abs(r0), abs(r1), abs(r2), box.half) + params.margin;
  return Bounds(center - half, center + half);
}

// Returns the bounds of a node's box during the whole motion.
fn sweptBounds(body: u32, box: Box) -> Bounds {
  let at = &bodies[body];
  let scaled = Box(box.center * (*at).frame.w + (*at).frame.xyz, box.half * (*at).frame.w);
  let start = placedBounds((*at).from0, (*at).from1, (*at).from2, (*at).fromAt, scaled);
  let end = placedBounds((*at).to0, (*at).to1, (*at).to2, (*at).toAt, scaled);
  return Bounds(min(start.low, end.low), max(start.high, end.high));
}

fn boundsAt(body: u32, slot: u32) -> Bounds { return sweptBounds(body, boxOf(bodies[body].firstNode + (slot >> 2u), slot & 3u)); }

// Sixteen invocations process one pair of boxes, one for each pair of children.
@compute @workgroup_size(WORKGROUP)
fn traverseMoving(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) local: u32) {
  let end = 16u * passes[params.level].count;
  for (var base = group.x * WORKGROUP; base < end; base += groups.x * WORKGROUP) {
    let index = base + local;
    var item = vec4u(0u);
    var child = ChildPair(0u, 0u, 0u, 0u, false);
    if (index < end) {
      item = list[index >> 4u];
      let a = pairs[item.x].x;
      let b = pairs[item.x].y;
      origin = bodies[a].fromAt.xyz;
      child = childPairOf(bodies[a].firstNode, bodies[b].firstNode, false, item.y, item.z, index & 15u);
      if (child.exists) { child.exists = !areApart(boundsAt(a, child.slotA), boundsAt(b, child.slotB)); }
    }
    let isLeafPair = child.exists && isLeaf(child.a) && isLeaf(child.b);
    let isInner = child.exists && !isLeafPair;
    let place = appendAt(params.level + 1u, select(0u, 1u, isInner), local);
    let leafPlace = appendAt(LEAF_PAIR_COUNT, select(0u, 1u, isLeafPair), local);
    if ((isInner && place >= params.listCapacity) || (isLeafPair && leafPlace >= params.leafCapacity)) { atomicMax(&counts[COUNTS + item.x], CUT); }
    else if (isInner) { next[place] = vec4u(item.x, child.slotA, child.slotB, 0u); }
    else if (isLeafPair) {
      leafPairs[3u * leafPlace] = item.x;
      leafPairs[3u * leafPlace + 1u] = child.a & ~LEAF_BIT;
      leafPairs[3u * leafPlace + 2u] = child.b & ~LEAF_BIT;
    }
  }
}
