// Decides whether two moving features are certainly never coplanar, from the differences of their points.
// Counterpart of assembly/ccd/neverCoplanar.ts, whose limit is 128 u P + 2^-80, where P = M.x M.y M.z.
// farApart.wgsl defines u, e and M. The CPU's volumes exceed that limit if the volumes here exceed 640 u P +
// 2^-78, plus the effect of e. The reason: a volume is the sum of up to 18 products of three differences. In
// each product, the rounding of the three differences causes an error of 3 u P (plus the effect of their error
// e), and the two multiplications add 2 u P. Each of the 17 additions, in any order, rounds a value of at most
// 18 P. The total is 396 u P. The error of the CPU's volumes is 99 u P. An error e of all differences changes a
// volume by at most 18 e A, where A = M.x M.y + M.y M.z + M.z M.x (`areas` in the code). The code adds this
// term only once for both devices, because e already bounds the sum of their errors. It uses 24 instead of 18,
// to cover the rounding of the term.
const VOLUME_ERROR = 640f * 0x1p-23f;
const MIN_VOLUME = 0x1p-78f;

fn neverCoplanar(d: ptr<function, Differences>, maxSize: vec3f) -> bool {
  let early = cross((*d)[1], (*d)[2]);
  let late = cross((*d)[5], (*d)[6]);
  let between = cross((*d)[1], (*d)[6]) + cross((*d)[5], (*d)[2]);
  let first = dot((*d)[0], early);
  let next = dot((*d)[4], early) + dot((*d)[0], between);
  let after = dot((*d)[4], between) + dot((*d)[0], late);
  let last = dot((*d)[4], late);
  let areas = maxSize.x * maxSize.y + maxSize.y * maxSize.z + maxSize.z * maxSize.x;
  let limit = VOLUME_ERROR * (maxSize.x * maxSize.y * maxSize.z) + 24f * params.pointError * areas + MIN_VOLUME;
  return min(min(first, next), min(after, last)) > limit || max(max(first, next), max(after, last)) < -limit;
}
