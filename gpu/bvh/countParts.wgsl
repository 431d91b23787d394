// Borders of a node's parts -> how many of them become nodes, and above 16 bits how many leaves: sums of a
// workgroup's fit.

fn countParts(borders: array<u32, 5>) -> u32 {
  var own = borders;
  var counts = 0u;
  for (var i = 0u; i < WIDTH; i++) {
    let size = own[i + 1u] - own[i];
    if (size > WIDTH) { counts += 1u; } else if (size > 0u) { counts += 0x10000u; }
  }
  return counts;
}
