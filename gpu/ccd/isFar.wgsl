// parts: farApart, neverCoplanar
// The first three differences at the start and at the end -> are the features surely apart all the time, as
// the CPU's filter would find?

fn isFar(start: array<vec3f, 3>, end: array<vec3f, 3>) -> bool {
  var d = Differences(start[0], start[1], start[2], completed(start[0], start[1], start[2]), end[0], end[1], end[2], completed(end[0], end[1], end[2]));
  let most = mostOf(&d);
  if (!(max(max(most.x, most.y), most.z) <= GREATEST)) { return false; }
  let middle = middleOf(&d, most);
  return areBeyond(&d, middle, most) || areBeyond(&d, uprightOf(&d, most), most) || (params.isSeparated == 0u && neverCoplanar(&d, most)) || farByTurns(&d, middle, most);
}
