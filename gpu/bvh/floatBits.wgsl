// Adds, subtracts and compares float32 in integer arithmetic, four at a time. If the operands are finite and
// the result does not overflow, results equal the CPU's bit by bit: they are rounded to nearest, ties to even,
// with denormals and signed zeros. With WGSL's own float operations, a device may round up or down, fuse
// operations, and flush denormals to 0.

const SIGNS = vec4(0x80000000u);
// All float32 are multiples of 2^-149.
const MIN_EXPONENT = vec4(-149);

fn fractionOf(a: vec4<u32>) -> vec4<u32> { return (a & vec4(0x7fffffu)) | select(vec4(0u), vec4(0x800000u), (a & vec4(0x7f800000u)) != vec4(0u)); }

// Returns e + 150, where |a| = fractionOf(a) * 2^e.
fn scaleOf(a: vec4<u32>) -> vec4<u32> { return max((a >> vec4(23u)) & vec4(255u), vec4(1u)); }

// Rounds fraction * 2^exponent to a float32. fraction is less than 2^30. Its lowest bit may be a sticky bit,
// which is set if any lower bit was cut off. A sticky bit leads to the same rounding as the bits that were
// cut off.
fn rounded4(sign: vec4<u32>, fraction: vec4<u32>, exponent: vec4<i32>) -> vec4<u32> {
  let grid = max(exponent + vec4(8) - vec4<i32>(countLeadingZeros(fraction)), MIN_EXPONENT);
  let right = vec4<u32>(clamp(grid - exponent, vec4(0), vec4(31)));
  let wide = fraction << vec4<u32>(clamp(exponent - grid, vec4(0), vec4(31)));
  let quotient = wide >> right;
  let remainder = wide & ((vec4(1u) << right) - vec4(1u));
  let isUp = (right != vec4(0u)) & (remainder + (quotient & vec4(1u)) > ((vec4(1u) << right) >> vec4(1u)));
  // A fraction that was rounded up to the next power of two carries into the exponent.
  let bits = (vec4<u32>(grid - MIN_EXPONENT) << vec4(23u)) + quotient + select(vec4(0u), vec4(1u), isUp);
  return sign | select(bits, vec4(0u), fraction == vec4(0u));
}

fn add4(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
  let isLess = (a & ~SIGNS) < (b & ~SIGNS);
  let big = select(a, b, isLess);
  let small = select(b, a, isLess);
  // Three guard bits below the last bit; the lowest of them is sticky.
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

// Returns a * 2^power.
fn scaled4(a: vec4<u32>, power: i32) -> vec4<u32> { return rounded4(a & SIGNS, fractionOf(a), vec4<i32>(scaleOf(a)) + vec4(power - 150)); }

// Returns a * (1 + 2^-23) for a >= 0. A normal float grows by at least one unit in the last place. So if `a`
// was rounded to nearest, the result is at least the exact value. Zero stays zero.
fn stepUp4(a: vec4<u32>) -> vec4<u32> {
  let fraction = fractionOf(a);
  let more = (fraction >> vec4(20u)) | select(vec4(0u), vec4(1u), (fraction & vec4(0xfffffu)) != vec4(0u));
  return rounded4(vec4(0u), (fraction << vec4(3u)) + more, vec4<i32>(scaleOf(a)) - vec4(153));
}

// Returns integers in the same order as the floats. Both zeros give the same integer.
fn keys4(a: vec4<u32>) -> vec4<u32> {
  let ordered = select(a | SIGNS, ~a, (a & SIGNS) != vec4(0u));
  return select(ordered, SIGNS, (a & ~SIGNS) == vec4(0u));
}

// Return the min and the max of two floats. If a and b are equal, such as 0 and -0, both functions return a, as
// the CPU does.
fn min4(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> { return select(a, b, keys4(b) < keys4(a)); }
fn max4(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> { return select(a, b, keys4(a) < keys4(b)); }
