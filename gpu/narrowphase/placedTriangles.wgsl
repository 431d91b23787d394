// Reads the triangles of two leaves, one of A and one of B, and computes error bounds of their coordinates.
// All coordinates are relative to the origin of A's leaf, because floats are most precise near the origin.

struct Triangle { a: vec3<f32>, b: vec3<f32>, c: vec3<f32> }
struct PlacedTriangle { corners: Triangle, error: f32 }

fn maxAbs(v: vec3<f32>) -> f32 {
  let size = abs(v);
  return max(max(size.x, size.y), size.z);
}

fn maxAbsOf(t: Triangle) -> f32 { return max(max(maxAbs(t.a), maxAbs(t.b)), maxAbs(t.c)); }

fn laneOf(leaf: u32, lane: u32) -> Triangle {
  return Triangle(
    vec3(leaves[leaf].ax[lane], leaves[leaf].ay[lane], leaves[leaf].az[lane]),
    vec3(leaves[leaf].bx[lane], leaves[leaf].by[lane], leaves[leaf].bz[lane]),
    vec3(leaves[leaf].cx[lane], leaves[leaf].cy[lane], leaves[leaf].cz[lane]));
}

fn originOf(leaf: u32) -> vec3<f32> { return vec3(leaves[leaf].originX, leaves[leaf].originY, leaves[leaf].originZ); }

// Forces the compiler to round a sum to float before the sum is used. Otherwise, if the sum is a term of a
// larger sum, a compiler may regroup the terms of both sums: (o - a) + d might be computed as (o + d) - a, with
// a far larger rounding error. `zero` is 0, but compilers do not know that.
fn settled(sum: vec3<f32>, zero: u32) -> vec3<f32> { return bitcast<vec3<f32>>(bitcast<vec3<u32>>(sum) ^ vec3(zero)); }

struct Split { whole: i32, rest: f32 }

// Splits a number of at most 1 in size into an integer multiple of 2^-14 and a remainder. It works on the
// number's bits, so the result is exact however the device rounds floats.
fn split(value: f32) -> Split {
  let bits = bitcast<u32>(value);
  let exponent = (bits >> 23u) & 255u;
  if (exponent < 113u) { return Split(0, value); }
  // The last bit stands for 2^(exponent - 150).
  let digits = (bits & 0x7fffffu) | 0x800000u;
  let shift = 136u - min(exponent, 127u);
  let whole = i32(digits >> shift);
  let step = bitcast<f32>((bits & 0x80000000u) | ((exponent - 23u) << 23u));
  return Split(select(whole, -whole, (bits & 0x80000000u) != 0u), f32(digits & ((1u << shift) - 1u)) * step);
}

// Computes one coordinate of the difference: the origin of B's leaf, in the frame of A, minus the origin of
// A's leaf. The entries of the transform and the two origins are each split into an integer part and a small
// remainder (see putOffset in fillGpuPair.ts). The terms that consist of integer parts are multiples of
// `unit`. They are added as integers, whose sum is at most 5 * 2^28, so cancellation causes no rounding error.
fn offsetOf(head: vec4<i32>, tail: vec4<f32>, o: vec3<f32>, wholeO: vec3<i32>, restO: vec3<f32>, a: f32, unit: f32, shift: u32) -> f32 {
  let splitA = split(a);
  let whole = head.x * wholeO.x + head.y * wholeO.y + head.z * wholeO.z + head.w - (splitA.whole << shift);
  let rest = dot(tail.xyz, o) + dot(vec3<f32>(head.xyz), restO) * (unit * 16384.0) + (tail.w - splitA.rest);
  return f32(whole) * unit + rest;
}

// Returns the origin of B's leaf, in the frame of A, minus the origin of A's leaf. If both leaves belong to
// one mesh (in a self-query), this difference is rounded once. Otherwise, its large terms are added exactly
// (see offsetOf).
fn leafOffset(pair: u32, leafA: u32, leafB: u32) -> vec3<f32> {
  let a = originOf(leafA);
  let o = originOf(leafB);
  let at = &pairs[pair];
  if ((*at).firstVertices != NOTHING) { return settled(o - a, (*at).zero); }
  let x = split(o.x);
  let y = split(o.y);
  let z = split(o.z);
  let wholeO = vec3(x.whole, y.whole, z.whole);
  let restO = vec3(x.rest, y.rest, z.rest);
  return vec3(
    offsetOf((*at).head0, (*at).tail0, o, wholeO, restO, a.x, (*at).unit, (*at).shift),
    offsetOf((*at).head1, (*at).tail1, o, wholeO, restO, a.y, (*at).unit, (*at).shift),
    offsetOf((*at).head2, (*at).tail2, o, wholeO, restO, a.z, (*at).unit, (*at).shift));
}

fn placed(pair: u32, d: vec3<f32>, offset: vec3<f32>) -> vec3<f32> {
  let at = &pairs[pair];
  return settled(vec3(dot((*at).toA0.xyz, d), dot((*at).toA1.xyz, d), dot((*at).toA2.xyz, d)) + offset, (*at).zero);
}

// Returns the triangle in a lane of B's leaf, relative to the origin of A's leaf, and its error bound.
// fillGpuPair.ts derives localError and offsetError.
fn placedLane(pair: u32, leafA: u32, leafB: u32, lane: u32) -> PlacedTriangle {
  let offset = leafOffset(pair, leafA, leafB);
  let own = laneOf(leafB, lane);
  let at = &pairs[pair];
  let error = (*at).pointErrorB + (*at).localError * maxAbsOf(own) + (*at).offsetError * maxAbs(offset);
  return PlacedTriangle(Triangle(placed(pair, own.a, offset), placed(pair, own.b, offset), placed(pair, own.c, offset)), error);
}
