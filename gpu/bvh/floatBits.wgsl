// Four float32 as their bits -> sums, differences, least and greatest, to the bit what a CPU has: rounded to
// nearest, ties to even, with denormals and the sign of 0. Floats of WGSL may be rounded either way, fused
// and flushed; whole numbers are what they are.

const SIGNS = vec4(0x80000000u);
// 2^-149, of which all floats are multiples.
const LEAST_EXPONENT = vec4(-149);

fn fractionOf(a: vec4<u32>) -> vec4<u32> { return (a & vec4(0x7fffffu)) | select(vec4(0u), vec4(0x800000u), (a & vec4(0x7f800000u)) != vec4(0u)); }

// The exponent that goes with fractionOf, 150 more than it is.
fn scaleOf(a: vec4<u32>) -> vec4<u32> { return max((a >> vec4(23u)) & vec4(255u), vec4(1u)); }

// fraction * 2^exponent, rounded; fraction below 2^30. A one that stands for all that was cut off below
// rounds as that would.
fn rounded4(sign: vec4<u32>, fraction: vec4<u32>, exponent: vec4<i32>) -> vec4<u32> {
  let grid = max(exponent + vec4(8) - vec4<i32>(countLeadingZeros(fraction)), LEAST_EXPONENT);
  let right = vec4<u32>(clamp(grid - exponent, vec4(0), vec4(31)));
  let wide = fraction << vec4<u32>(clamp(exponent - grid, vec4(0), vec4(31)));
  let kept = wide >> right;
  let cut = wide & ((vec4(1u) << right) - vec4(1u));
  let isUp = (right != vec4(0u)) & (cut + (kept & vec4(1u)) > ((vec4(1u) << right) >> vec4(1u)));
  // A fraction that has grown to the next power of two carries into the exponent.
  let bits = (vec4<u32>(grid - LEAST_EXPONENT) << vec4(23u)) + kept + select(vec4(0u), vec4(1u), isUp);
  return sign | select(bits, vec4(0u), fraction == vec4(0u));
}

fn add4(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
  let isLess = (a & ~SIGNS) < (b & ~SIGNS);
  let big = select(a, b, isLess);
  let small = select(b, a, isLess);
  // Three bits below the last one; the lowest of them stands for what lies deeper.
  let away = min(scaleOf(big) - scaleOf(small), vec4(31u));
  let fine = fractionOf(small) << vec4(3u);
  let shifted = (fine >> away) | select(vec4(0u), vec4(1u), (fine & ((vec4(1u) << away) - vec4(1u))) != vec4(0u));
  let isOpposite = ((big ^ small) & SIGNS) != vec4(0u);
  let whole = fractionOf(big) << vec4(3u);
  let sum = select(whole + shifted, whole - shifted, isOpposite);
  let sign = select(big & SIGNS, vec4(0u), isOpposite & (sum == vec4(0u)));
  return rounded4(sign, sum, vec4<i32>(scaleOf(big)) - vec4(153));
}

fn sub4(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> { return add4(a, b ^ SIGNS); }

// a * 2^power.
fn scaled4(a: vec4<u32>, power: i32) -> vec4<u32> { return rounded4(a & SIGNS, fractionOf(a), vec4<i32>(scaleOf(a)) + vec4(power - 150)); }

// a * (1 + 2^-23) for a >= 0: one step up, which more than makes good what rounding to nearest took off. Zero
// stays zero.
fn stepUp4(a: vec4<u32>) -> vec4<u32> {
  let fraction = fractionOf(a);
  let more = (fraction >> vec4(20u)) | select(vec4(0u), vec4(1u), (fraction & vec4(0xfffffu)) != vec4(0u));
  return rounded4(vec4(0u), (fraction << vec4(3u)) + more, vec4<i32>(scaleOf(a)) - vec4(153));
}

// Numbers in the order of the floats, both zeros being one.
fn keys4(a: vec4<u32>) -> vec4<u32> {
  let ordered = select(a | SIGNS, ~a, (a & SIGNS) != vec4(0u));
  return select(ordered, SIGNS, (a & ~SIGNS) == vec4(0u));
}

// Of equal ones the first, as on the CPU.
fn least4(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> { return select(a, b, keys4(b) < keys4(a)); }
fn most4(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> { return select(a, b, keys4(a) < keys4(b)); }
