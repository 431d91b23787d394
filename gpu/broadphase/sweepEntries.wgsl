// Calls report(a, b) exactly once, with a < b, for each pair of overlapping boxes that their flags do not
// exclude (see kindOf). The kernel that includes this file defines `report`. A sweep over the sorted entries
// finds the pairs of boxes that have entries. Large boxes overlap too many cells and have no entries, so they
// are tested against all boxes.
// uses: boxKeys, kindOf

fn reportBoth(first: u32, second: u32) { report(min(first, second), max(first, second)); }

// Tests the box of an entry against the boxes of later entries in the same cell. Stops at the first box that
// begins after the box of the entry ends.
fn sweepEntry(at: u32, count: u32) {
  let own = entries[at];
  for (var next = at + 1u; next < count && keys[next] <= own.high.w; next++) {
    let other = entries[next];
    if (((own.low.w & other.low.w) >> BOX_BITS) == 0u && all(own.low.xyz <= other.high.xyz) && all(other.low.xyz <= own.high.xyz)) {
      reportBoth(own.low.w & ((1u << BOX_BITS) - 1u), other.low.w & ((1u << BOX_BITS) - 1u));
    }
  }
}

// Tests box i against all large boxes. A pair of two large boxes is reported only when i is the larger of their
// numbers. A nonempty box without entries is large.
fn testLarge(i: u32, largeCount: u32) {
  let box = boxAt(i);
  if (!isBox(box)) { return; }
  let kind = kindOf(i, box.low);
  let isLarge = counts[i] == counts[i + 1u];
  for (var at = 0u; at < largeCount; at++) {
    let other = atomicLoad(&counters[FIRST_LARGE + at]);
    let large = boxAt(other);
    if (other == i || (isLarge && other > i) || (kind & kindOf(other, large.low)) != 0u) { continue; }
    if (all(box.low <= large.high) && all(large.low <= box.high)) { reportBoth(i, other); }
  }
}

// Processes the entries and the boxes with the indices `first`, `first + stride`, `first + 2 * stride` and so
// on. Does nothing if the entries or the large boxes did not fit in their lists: the host then runs the search
// again.
fn sweepAll(first: u32, stride: u32) {
  let count = counts[params.count];
  let largeCount = atomicLoad(&counters[LARGE_COUNT]);
  if (count > params.entries || largeCount > params.maxLarge) { return; }
  for (var at = first; at < count; at += stride) { sweepEntry(at, count); }
  if (largeCount == 0u) { return; }
  for (var i = first; i < params.count; i += stride) { testLarge(i, largeCount); }
}
