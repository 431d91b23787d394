// Counts the parts of a node that become nodes (in the low 16 bits) and those that become leaves (in the high
// 16 bits). The triangles of a node are split into up to four parts. Sums of these counts over a workgroup fit
// in 16 bits.

fn countParts(borders: array<u32, 5>) -> u32 {
  var own = borders;
  var counts = 0u;
  for (var i = 0u; i < WIDTH; i++) {
    let size = own[i + 1u] - own[i];
    if (size > WIDTH) { counts += 1u; } else if (size > 0u) { counts += 0x10000u; }
  }
  return counts;
}
