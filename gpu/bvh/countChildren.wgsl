// Counts the children of a node that are nodes (in the low 16 bits) and those that are leaves (in the high
// 16 bits). A node has up to four children. Sums of these counts over a workgroup fit
// in 16 bits.

fn countChildren(borders: array<u32, 5>) -> u32 {
  var own = borders;
  var counts = 0u;
  for (var i = 0u; i < WIDTH; i++) {
    let size = own[i + 1u] - own[i];
    if (size > WIDTH) { counts += 1u; } else if (size > 0u) { counts += 0x10000u; }
  }
  return counts;
}
