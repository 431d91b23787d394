// Reserves space in a list for the items of each invocation, with one atomic addition per workgroup. The
// counter of the list is counts[slot]. The kernel declares `counts` as a binding, because not every browser
// accepts pointers to atomics as parameters. The order of the workgroups varies, so results that depend on
// this order are sorted later.

var<workgroup> appendCount: atomic<u32>;
var<workgroup> appendFrom: u32;

// Returns where this invocation writes its items. All invocations of the workgroup call it together.
fn appendAt(slot: u32, count: u32, local: u32) -> u32 {
  if (local == 0u) { atomicStore(&appendCount, 0u); }
  workgroupBarrier();
  let within = atomicAdd(&appendCount, count);
  workgroupBarrier();
  if (local == 0u) { appendFrom = atomicAdd(&counts[slot], atomicLoad(&appendCount)); }
  workgroupBarrier();
  let start = appendFrom;
  workgroupBarrier();
  return start + within;
}
