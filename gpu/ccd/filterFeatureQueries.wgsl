// Tests pairs of moving features, given by differences of their points as floats. Writes one bit per pair: 1
// if the features are not certainly apart during the whole motion.
// uses: isFar

@group(0) @binding(0) var<uniform> params: FeatureQueryParams;
// Six differences per pair: three at the start of the motion, then three at the end. For each difference,
// the array first has the x of all pairs, then the y of all pairs, then the z of all pairs.
@group(0) @binding(1) var<storage, read> differences: array<f32>;
@group(0) @binding(2) var<storage, read_write> kept: array<u32>;

var<workgroup> bits: array<atomic<u32>, WORKGROUP / 32u>;

fn differenceAt(place: u32, pair: u32) -> vec3f {
  let at = 3u * place * params.count + pair;
  return vec3f(differences[at], differences[at + params.count], differences[at + 2u * params.count]);
}

fn isPairFar(pair: u32) -> bool {
  let start = array(differenceAt(0u, pair), differenceAt(1u, pair), differenceAt(2u, pair));
  return isFar(start, array(differenceAt(3u, pair), differenceAt(4u, pair), differenceAt(5u, pair)));
}

@compute @workgroup_size(WORKGROUP)
fn filterFeatureQueries(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) local: u32) {
  let tiles = (params.count + WORKGROUP - 1u) / WORKGROUP;
  for (var tile = group.x; tile < tiles; tile += groups.x) {
    if (local < WORKGROUP / 32u) { atomicStore(&bits[local], 0u); }
    workgroupBarrier();
    let pair = tile * WORKGROUP + local;
    if (pair < params.count && !isPairFar(pair)) { atomicOr(&bits[local / 32u], 1u << (local % 32u)); }
    workgroupBarrier();
    if (local < WORKGROUP / 32u) { kept[tile * (WORKGROUP / 32u) + local] = atomicLoad(&bits[local]); }
    workgroupBarrier();
  }
}
