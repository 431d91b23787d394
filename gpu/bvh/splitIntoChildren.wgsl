// Splits a range of sorted Morton codes into up to four children. Repeatedly splits the largest child that has
// more than WIDTH codes, by the highest bit in which the codes of this child differ: codes with a 0 go to the
// left, codes with a 1 to the right.

// Splits the range of codes from `begin` up to, but not including, `end`. The range must have at least two
// codes. Returns the first index of the right half. If all codes are equal, splits near the middle, so that the
// left half consists of full leaves.
fn splitRange(begin: u32, end: u32) -> u32 {
  let differing = codes[begin] ^ codes[end - 1u];
  if (differing == 0u) { return min(begin + ((((end - begin + 1u) >> 1u) + WIDTH - 1u) & ~(WIDTH - 1u)), end - 1u); }
  let bit = 1u << firstLeadingBit(differing);
  var left = begin;
  for (var length = end - begin - 1u; length > 0u;) {
    let step = (length + 1u) >> 1u;
    if ((codes[left + step] & bit) == 0u) { left += step; }
    length -= step;
  }
  return left + 1u;
}

// Returns the borders of the children: child i begins at borders[i] and ends before borders[i + 1]. Missing
// children begin and end at `end`.
fn splitIntoChildren(begin: u32, end: u32) -> array<u32, 5> {
  var borders = array<u32, 5>(begin, end, end, end, end);
  for (var count = 1u; count < WIDTH; count++) {
    var largest = WIDTH;
    var size = WIDTH;
    for (var i = 0u; i < count; i++) {
      let own = borders[i + 1u] - borders[i];
      if (own > size) { size = own; largest = i; }
    }
    if (largest == WIDTH) { break; }
    let middle = splitRange(borders[largest], borders[largest + 1u]);
    for (var i = count; i > largest; i--) { borders[i + 1u] = borders[i]; }
    borders[largest + 1u] = middle;
  }
  return borders;
}
