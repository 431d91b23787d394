// Reads boxes, each as the bits of six float32, and converts their coordinates to keys: integers in the same
// order as the floats. The code never uses float operations, because a device may flush denormals to 0.

struct KeyBox { low: vec3<u32>, high: vec3<u32> }

// -0 and 0 have the same key.
fn keyOf(bits: u32) -> u32 {
  if (bits >= 0x80000000u) { return ~bits + u32(bits == 0x80000000u); }
  return bits | 0x80000000u;
}

fn boxAt(i: u32) -> KeyBox {
  let at = 6u * i;
  return KeyBox(
    vec3(keyOf(boxes[at]), keyOf(boxes[at + 1u]), keyOf(boxes[at + 2u])),
    vec3(keyOf(boxes[at + 3u]), keyOf(boxes[at + 4u]), keyOf(boxes[at + 5u])));
}

// False for empty boxes, which overlap nothing.
fn isBox(box: KeyBox) -> bool { return all(box.low <= box.high); }
