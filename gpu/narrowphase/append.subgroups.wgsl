// Variant of append.wgsl for devices with subgroups. A subgroup sums the counts of its invocations, and one
// of its invocations adds the sum to the workgroup's counter. Subgroup operations run where control flow is
// uniform in the workgroup: the barrier after the `if` restores uniformity for subgroupBroadcastFirst.

var<workgroup> appendCount: atomic<u32>;
var<workgroup> appendFrom: u32;

// All invocations of the workgroup call it together.
fn appendAt(slot: u32, count: u32, local: u32) -> u32 {
  if (local == 0u) { atomicStore(&appendCount, 0u); }
  workgroupBarrier();
  let before = subgroupExclusiveAdd(count);
  let sum = subgroupAdd(count);
  var within = 0u;
  if (subgroupElect()) { within = atomicAdd(&appendCount, sum); }
  workgroupBarrier();
  within = before + subgroupBroadcastFirst(within);
  if (local == 0u) { appendFrom = atomicAdd(&counts[slot], atomicLoad(&appendCount)); }
  workgroupBarrier();
  let start = appendFrom;
  workgroupBarrier();
  return start + within;
}
