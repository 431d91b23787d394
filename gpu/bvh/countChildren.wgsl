// Counts the children of a node. The low 16 bits of the result count the children that are nodes; the high 16
// bits count the children that are leaves. A node has up to four children, so each of the two counts still fits
// in 16 bits if the results for all nodes of a workgroup are added up. Child i has the triangles from
// borders[i] up to, but not including, borders[i + 1].

fn countChildren(borders: array<u32, 5>) -> u32 {
  var own = borders;
  var counts = 0u;
  for (var i = 0u; i < WIDTH; i++) {
    let size = own[i + 1u] - own[i];
    if (size > WIDTH) { counts += 1u; } else if (size > 0u) { counts += 0x10000u; }
  }
  return counts;
}
