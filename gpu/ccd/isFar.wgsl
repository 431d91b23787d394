// Returns true only if the CPU's filter would certainly find two moving features apart during the whole
// motion. start, end: the first three differences of the features' points, at the start and at the end.
// uses: farApart, neverCoplanar

fn isFar(start: array<vec3f, 3>, end: array<vec3f, 3>) -> bool {
  var d = Differences(start[0], start[1], start[2], completed(start[0], start[1], start[2]), end[0], end[1], end[2], completed(end[0], end[1], end[2]));
  let maxSize = maxAbsolute(&d);
  if (!(max(max(maxSize.x, maxSize.y), maxSize.z) <= MAX_DIFFERENCE)) { return false; }
  let center = centerDirection(&d, maxSize);
  return areBeyond(&d, center, maxSize) || areBeyond(&d, normalDirection(&d, maxSize), maxSize) || (params.isSeparated == 0u && neverCoplanar(&d, maxSize)) || isFarByRotations(&d, center, maxSize);
}
