// As append, where the device has subgroups: they add up what their invocations have, and one of each goes on
// with the sum. A subgroup's sums and its speaker are taken where all of the workgroup is; between them lies
// a barrier, after which all are together again.

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
