// Six float32 a box, as bits -> numbers that order as they do. No float is ever looked at as one: a device
// may take small ones for 0.

struct KeyBox { low: vec3<u32>, high: vec3<u32> }

// -0 is 0.
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

// Where it is empty it meets nothing.
fn isBox(box: KeyBox) -> bool { return all(box.low <= box.high); }
