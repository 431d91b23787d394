// Tests the triangles of leaf pairs (three words each: pair of meshes, leaf of A, leaf of B). Writes two lists
// of triangle pairs (pair of meshes, triangle of A, triangle of B): pairs that certainly intersect, and
// uncertain pairs, which exact arithmetic has to decide. If isAny is set, sets a flag for each pair of meshes
// that certainly intersects, instead of writing the first list. Four invocations per leaf pair test the boxes
// of its triangle pairs; then one invocation per triangle pair with overlapping boxes tests the triangles.
// uses: append, placedTriangles, filterTriTri, separatesInPlane

@group(0) @binding(0) var<uniform> params: LeafPairParams;
@group(0) @binding(1) var<storage, read> passes: array<u32>;
@group(0) @binding(2) var<storage, read> leafPairs: array<u32>;
@group(0) @binding(3) var<storage, read> pairs: array<GpuPair>;
@group(0) @binding(4) var<storage, read> leaves: array<Leaf>;
@group(0) @binding(5) var<storage, read> vertices: array<u32>;
@group(0) @binding(6) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> certain: array<u32>;
@group(0) @binding(8) var<storage, read_write> uncertain: array<u32>;

const LEAF_PAIRS = WORKGROUP / 4u;

// Triangle pairs with overlapping boxes, collected until every invocation has one. An entry is 16 times the
// index of the leaf pair, plus 4 times B's lane, plus A's lane.
var<workgroup> queue: array<u32, 5u * WORKGROUP>;
var<workgroup> queueEnd: atomic<u32>;
var<workgroup> queued: u32;

fn leafPairAt(index: u32, pair: ptr<function, u32>) -> vec2<u32> {
  let at = 3u * index;
  *pair = leafPairs[at];
  return vec2(leafPairs[at + 1u] + pairs[*pair].firstLeafA, leafPairs[at + 2u] + pairs[*pair].firstLeafB);
}

fn minOf3(a: vec4<f32>, b: vec4<f32>, c: vec4<f32>) -> vec4<f32> { return min(min(a, b), c); }
fn maxOf3(a: vec4<f32>, b: vec4<f32>, c: vec4<f32>) -> vec4<f32> { return max(max(a, b), c); }

// Returns one bit per lane of A's leaf. A bit is set if the box of the triangle in its lane may overlap the box
// of the triangle in lane `lane` of B's leaf. The slack is twice the sum of both triangles' errors: once for
// the errors themselves, and once more for the rounding of the compared values, which is less than this sum.
fn overlappingLanes(pair: u32, leafA: u32, leafB: u32, lane: u32) -> u32 {
  let b = placedLane(pair, leafA, leafB, lane);
  let low = min(min(b.corners.a, b.corners.b), b.corners.c);
  let high = max(max(b.corners.a, b.corners.b), b.corners.c);
  let a = &leaves[leafA];
  let slack = 2.0 * (pairs[pair].pointErrorA + 0x1p-21 * (*a).size + b.error);
  let overlaps = ((*a).id != vec4(NOTHING))
    & (minOf3((*a).ax, (*a).bx, (*a).cx) - slack <= vec4(high.x)) & (maxOf3((*a).ax, (*a).bx, (*a).cx) + slack >= vec4(low.x))
    & (minOf3((*a).ay, (*a).by, (*a).cy) - slack <= vec4(high.y)) & (maxOf3((*a).ay, (*a).by, (*a).cy) + slack >= vec4(low.y))
    & (minOf3((*a).az, (*a).bz, (*a).cz) - slack <= vec4(high.z)) & (maxOf3((*a).az, (*a).bz, (*a).cz) + slack >= vec4(low.z));
  return dot(select(vec4(0u), vec4(1u, 2u, 4u, 8u), overlaps), vec4(1u));
}

fn hasVertex(vertex: u32, at: u32) -> bool { return vertex == vertices[at] || vertex == vertices[at + 1u] || vertex == vertices[at + 2u]; }

fn shareVertex(first: u32, a: u32, b: u32) -> bool {
  let own = first + 3u * a;
  let other = first + 3u * b;
  return hasVertex(vertices[own], other) || hasVertex(vertices[own + 1u], other) || hasVertex(vertices[own + 2u], other);
}

// Returns whether a self-query tests a pair of triangles. It tests each pair once, and skips triangles that
// share a vertex.
fn isTested(first: u32, leafA: u32, laneA: u32, leafB: u32, laneB: u32) -> bool {
  return (leafA != leafB || laneA < laneB) && !shareVertex(first, leaves[leafA].id[laneA], leaves[leafB].id[laneB]);
}

fn gather(index: u32, lane: u32) {
  var pair: u32;
  let at = leafPairAt(index, &pair);
  if (leaves[at.y].id[lane] == NOTHING || (params.isAny != 0u && atomicLoad(&counts[COUNTS + pair]) != 0u)) { return; }
  var lanes = overlappingLanes(pair, at.x, at.y, lane);
  let first = pairs[pair].firstVertices;
  if (first != NOTHING) {
    for (var laneA = 0u; laneA < 4u; laneA++) {
      if ((lanes & (1u << laneA)) != 0u && !isTested(first, at.x, laneA, at.y, lane)) { lanes &= ~(1u << laneA); }
    }
  }
  if (lanes == 0u) { return; }
  var to = atomicAdd(&queueEnd, countOneBits(lanes));
  for (; lanes != 0u; lanes &= lanes - 1u) {
    queue[to] = (index << 4u) | (lane << 2u) | firstTrailingBit(lanes);
    to++;
  }
}

// Tests a queued triangle pair and returns the verdict. Writes to `triple` the words that report the pair.
fn testQueued(entry: u32, triple: ptr<function, vec3<u32>>) -> u32 {
  var pair: u32;
  let at = leafPairAt(entry >> 4u, &pair);
  let laneA = entry & 3u;
  let laneB = (entry >> 2u) & 3u;
  let a = laneOf(at.x, laneA);
  // Rounding a corner to the nearest float changes it by at most 2^-24 of its size; 2^-23 includes a margin.
  let errorA = pairs[pair].pointErrorA + 0x1p-23 * maxAbsOf(a);
  let b = placedLane(pair, at.x, at.y, laneB);
  let idA = leaves[at.x].id[laneA];
  let idB = leaves[at.y].id[laneB];
  let isSelf = pairs[pair].firstVertices != NOTHING;
  *triple = vec3(pair, select(idA, min(idA, idB), isSelf), select(idB, max(idA, idB), isSelf));
  let verdict = filterTriTri(a, errorA, b.corners, b.error);
  return select(verdict, APART, verdict == UNCERTAIN && areSeparate(a, errorA, b.corners, b.error));
}

// Tests the queue's entries from `first` on, one per invocation. All invocations call it together.
fn testQueue(first: u32, local: u32) {
  var triple: vec3<u32>;
  var verdict = APART;
  if (first + local < queued) { verdict = testQueued(queue[first + local], &triple); }
  if (params.isAny != 0u && verdict == INTERSECT) {
    if (atomicExchange(&counts[COUNTS + triple.x], 1u) == 0u) { atomicAdd(&counts[HIT_COUNT], 1u); }
    verdict = APART;
  }
  let certainAt = appendAt(params.certainSlot, select(0u, 1u, verdict == INTERSECT), local);
  if (verdict == INTERSECT && certainAt < params.certainCapacity) {
    certain[3u * certainAt] = triple.x;
    certain[3u * certainAt + 1u] = triple.y;
    certain[3u * certainAt + 2u] = triple.z;
  }
  let uncertainAt = appendAt(params.uncertainSlot, select(0u, 1u, verdict == UNCERTAIN), local);
  if (verdict == UNCERTAIN && uncertainAt < params.uncertainCapacity) {
    uncertain[3u * uncertainAt] = triple.x;
    uncertain[3u * uncertainAt + 1u] = triple.y;
    uncertain[3u * uncertainAt + 2u] = triple.z;
  }
}

@compute @workgroup_size(WORKGROUP)
fn testLeafPairs(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let count = min(passes[params.slot], params.capacity);
  let tiles = (count + LEAF_PAIRS - 1u) / LEAF_PAIRS;
  for (var tile = group.x; tile < tiles; tile += groups.x) {
    let index = tile * LEAF_PAIRS + local / 4u;
    if (index < count) { gather(index, local & 3u); }
    workgroupBarrier();
    if (local == 0u) { queued = atomicLoad(&queueEnd); }
    var left = workgroupUniformLoad(&queued);
    let isLast = tile + groups.x >= tiles;
    while (left >= WORKGROUP || (isLast && left > 0u)) {
      let first = left - min(left, WORKGROUP);
      testQueue(first, local);
      if (local == 0u) { queued = first; }
      left = workgroupUniformLoad(&queued);
    }
    if (local == 0u) { atomicStore(&queueEnd, left); }
    workgroupBarrier();
  }
}
