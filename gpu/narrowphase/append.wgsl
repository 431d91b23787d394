// How many words each invocation of a workgroup has -> where each writes them: one atomic addition a
// workgroup. The kernel's atomic words are `counts`: not every browser takes pointers to them. Which
// workgroup comes first is chance; what depends on it is sorted before anyone sees it.

var<workgroup> appendCount: atomic<u32>;
var<workgroup> appendFrom: u32;

// All invocations of the workgroup call it together.
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
