// Differences of two features' points in motion -> is there surely no moment at which these lie in one plane?
// The twin of assembly/ccd/neverCoplanar.ts, whose bound is 128 u P, P = M.x M.y M.z (see farApart), and
// 2^-80: the CPU's volumes are beyond it where these here are beyond 640 u P. Up to 18 products: 3 u and 3 e
// for the differences of each, 2 u for products, and 17 sums in any order of 18 P: 396 u P; the CPU's are off
// by 99.
const VOLUME_ERROR = 640f * 0x1p-23f;
const LEAST_VOLUME = 0x1p-78f;

fn neverCoplanar(d: ptr<function, Differences>, most: vec3f) -> bool {
  let early = cross((*d)[1], (*d)[2]);
  let late = cross((*d)[5], (*d)[6]);
  let between = cross((*d)[1], (*d)[6]) + cross((*d)[5], (*d)[2]);
  let first = dot((*d)[0], early);
  let next = dot((*d)[4], early) + dot((*d)[0], between);
  let after = dot((*d)[4], between) + dot((*d)[0], late);
  let last = dot((*d)[4], late);
  let areas = most.x * most.y + most.y * most.z + most.z * most.x;
  let limit = VOLUME_ERROR * (most.x * most.y * most.z) + 24f * params.pointError * areas + LEAST_VOLUME;
  return min(min(first, next), min(after, last)) > limit || max(max(first, next), max(after, last)) < -limit;
}
