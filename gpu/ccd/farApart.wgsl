// Decides whether a constant direction certainly separates two moving features during the whole motion. The
// input consists of the differences of the features' points at the start and at the end. Counterpart of
// assembly/ccd/separatingDirections.ts. The kernel that includes this file defines params.isEdge,
// params.separation, params.isSeparated and params.pointError.
//
// If this code drops a pair, the CPU's filter would also drop it, by the same direction. So the answers do not
// depend on the device that filters, and the proof that the CPU's filter misses no contact holds for this code
// too. Let u = 2^-23, the relative error of one rounding, up or down. Let e = pointError. Let M be the vector
// of the max |x|, |y| and |z| of the first three differences at the start and at the end; all bounds hold per
// axis. Each item of this list gives a value and an error bound. Both the number that this code computes and
// the number that the CPU computes differ from the exact value by at most this bound:
// - a difference D: u M + e. It is an exact integer converted to a float, or the CPU's own float with
// denormals flushed (e >= 2^-125), or computed from placements in floats (e covers the errors).
// - the fourth difference: 8 u M + 3 e. It is computed from the three others by two sums. Its size is at
// most 3 M.
// - a direction n: Direction.error. The comments of centerDirection, normalDirection and isFarByRotations
// derive it.
// - a height n.D of a difference D along n: 20 u W + error.|D| + 3 e |n|, where W = |n|.M. The differences
// contribute 8 u W; products and sums in any order contribute at most 4 roundings of at most 3 u W each.
//
// The CPU's limit for heights is 16 u W, plus the separation times the length of n, plus 2^-100. Let g = 57 u W
// + 2 error.|D| + 6.1 e |n|. This covers the errors of both heights, and the term 16 u W of the CPU's limit.
// Let r be the other two terms of the limit. If a height is above r + g, the CPU's height exceeds the CPU's
// limit; if it is below r - g, the CPU's height does not. In products of n with u or e, the code uses |n| +
// error instead of |n|. The factors in the code are larger than those in this comment, to cover the rounding of
// the bounds themselves. A product that is flushed to zero loses up to 2^-126; MIN_HEIGHT and the added
// constants 0x1p-120f and 0x1p-122f cover this.

const ULP = 0x1p-23f;
// For differences up to this size, floats can hold heights, squares of directions, and the volumes that
// neverCoplanar.wgsl computes. Pairs with larger differences are left to the CPU.
const MAX_DIFFERENCE = 0x1p28f;
const MIN_HEIGHT = 0x1p-98f;
// Minimum squared length of a direction. The square of a shorter direction may have lost significant bits.
const MIN_SQUARE = 0x1p-100f;
// Relative error of a length. It covers a square root with an error of 5 ulps, the rounding of the square and
// of products, and the factor LENGTH_FACTOR of separatingDirections.ts, by which the CPU multiplies the
// separation.
const LENGTH_ERROR = 0x1p-14f;
const ROTATIONS = 4u;
const ROTATION = 1.3f;

// Four differences at the start, then four at the end. For a vertex and a face, the fourth difference is a
// copy of the third.
alias Differences = array<vec3f, 8>;

fn completed(first: vec3f, second: vec3f, third: vec3f) -> vec3f { return select(third, third + (first - second), params.isEdge != 0u); }

// Returns upper bounds of the |x|, |y| and |z| of the first three differences at the start and at the end. The
// bounds hold for the exact differences, and for the differences that the CPU computes.
fn maxAbsolute(d: ptr<function, Differences>) -> vec3f {
  let start = max(max(abs((*d)[0]), abs((*d)[1])), abs((*d)[2]));
  let end = max(max(abs((*d)[4]), abs((*d)[5])), abs((*d)[6]));
  return max(start, end) * (1f + 4f * ULP) + 2f * params.pointError;
}

// A direction. error: per axis, an upper bound of the difference between the exact direction and `along`, and
// of the difference between the exact direction and the CPU's direction.
struct Direction { along: vec3f, error: vec3f }

// Returns the direction to the center of all differences. Error: u M + e for each of six differences, and
// the rounding of five sums in any order.
fn centerDirection(d: ptr<function, Differences>, maxSize: vec3f) -> Direction {
  var along = (*d)[0] + (*d)[2] + (*d)[4] + (*d)[6];
  var sizes = abs((*d)[0]) + abs((*d)[2]) + abs((*d)[4]) + abs((*d)[6]);
  if (params.isEdge == 0u) {
    along += (*d)[1] + (*d)[5];
    sizes += abs((*d)[1]) + abs((*d)[5]);
  }
  return Direction(along, 1.01f * ULP * (5f * sizes + 6f * maxSize) + 8f * params.pointError);
}

// Returns the normal of the plane that the differences span at the middle of the motion. Each of the two
// vectors of the cross product has an error of 16 u M + 4 e. Each component of the cross product is the
// difference of two products of a component of one vector and a component of the other. Rounding adds to each
// of the two products an error of at most 2 u times the product. One factor is at most 4 M, so this is at most
// 8 u M times the other factor.
fn normalDirection(d: ptr<function, Differences>, maxSize: vec3f) -> Direction {
  let second = (*d)[1] + (*d)[5];
  let side = second - ((*d)[0] + (*d)[4]);
  let next = ((*d)[2] + (*d)[6]) - second;
  let sideError = 40f * ULP * maxSize + 8f * params.pointError;
  let sizes = abs(side) + abs(next) + sideError;
  return Direction(cross(side, next), sizes.yzx * sideError.zxy + sizes.zxy * sideError.yzx + 0x1p-122f);
}

// Returns two limits, x and y, for heights. A height below x is certainly not beyond the CPU's limit; a
// height above y certainly is. The limits do not include the effect of direction.error on a height: callers
// add it with gapAt.
fn limitsOf(direction: Direction, maxSize: vec3f) -> vec2f {
  let size = abs(direction.along) + direction.error;
  let gap = 72f * ULP * dot(size, maxSize) + 10f * params.pointError * (size.x + size.y + size.z) + MIN_HEIGHT;
  if (params.isSeparated == 0u) { return vec2f(-gap, gap); }
  let square = dot(direction.along, direction.along);
  if (square < MIN_SQUARE) { return vec2f(-0x1p100f, 0x1p100f); }
  let length = sqrt(square);
  let away = params.separation * length;
  let more = gap + params.separation * (LENGTH_ERROR * length + 3f * (direction.error.x + direction.error.y + direction.error.z));
  return vec2f(away - more, away + more);
}

fn gapAt(point: vec3f, direction: Direction) -> f32 { return 2.1f * dot(direction.error, abs(point)); }

// Returns whether the heights of all differences are beyond the limit on the same side: all positive or all
// negative. The CPU orients the normal toward the center of the differences and tests only the side of the
// center. This code tests both sides, but with the same result: the height of the center is the mean of the
// heights, so if all heights are beyond the limit on one side, the center lies on the same side.
fn areBeyond(d: ptr<function, Differences>, direction: Direction, maxSize: vec3f) -> bool {
  var low = 0x1p120f;
  var high = -0x1p120f;
  for (var i = 0u; i < 8u; i++) {
    let height = dot(direction.along, (*d)[i]);
    let gap = gapAt((*d)[i], direction);
    low = min(low, height - gap);
    high = max(high, height + gap);
  }
  let limit = limitsOf(direction, maxSize).y;
  return low > limit || high < -limit;
}

// Tries a sequence of directions that starts with the center direction. Each next direction is the previous
// one, minus a multiple (`share`) of `behind`. `behind` is the sum of the differences that are not beyond the
// limit along the previous direction. With ROTATION = 1, the next direction would be perpendicular to `behind`;
// the larger factor turns it further. Returns true if, along one of the directions, all differences are
// certainly beyond the limit. Returns false if it is uncertain which differences the CPU adds up, if the error
// of `square` is too large, or if ROTATIONS directions do not suffice. The error bounds of `share` and of the
// direction are computed from the error bounds of their inputs. They also hold for the CPU: the bounds of the
// inputs hold for both devices, and `reach` bounds |behind| on both. Each device divides by its own value of
// `square`. The relative error of `square` is below 1/16; the factor 5/4 in shareError covers it.
fn isFarByRotations(d: ptr<function, Differences>, center: Direction, maxSize: vec3f) -> bool {
  var direction = center;
  for (var rotation = 0u; rotation < ROTATIONS; rotation++) {
    let limits = limitsOf(direction, maxSize);
    var behind = vec3f(0f);
    var sizes = vec3f(0f);
    var weight = 0f;
    var count = 0f;
    for (var i = 0u; i < 8u; i++) {
      let point = (*d)[i];
      let height = dot(direction.along, point);
      let gap = gapAt(point, direction);
      if (height > limits.y + gap) { continue; }
      if (!(height < limits.x - gap)) { return false; }
      behind += point;
      sizes += abs(point);
      count += 1f;
      weight += select(1f, 8f, params.isEdge != 0u && i % 4u == 3u);
    }
    if (count == 0f) { return true; }
    let behindError = 1.01f * (weight * (ULP * maxSize + params.pointError) + ULP * count * sizes);
    let reach = abs(behind) + 4f * behindError;
    let square = dot(behind, behind);
    let squareError = 2.1f * dot(reach, behindError) + 4f * ULP * square + 0x1p-120f;
    if (!(square > 16f * squareError)) { return false; }
    let along = dot(direction.along, behind);
    let alongError = 1.01f * (dot(abs(direction.along), behindError) + dot(direction.error, reach)) + 4f * ULP * dot(abs(direction.along), reach) + 0x1p-120f;
    let share = ROTATION * along / square;
    let shareError = 1.25f * (ROTATION * alongError + abs(share) * squareError) / square + 8f * ULP * abs(share);
    direction.error += 1.01f * (abs(share) * behindError + shareError * reach) + 4f * ULP * (abs(direction.along) + abs(share) * reach) + 0x1p-120f;
    direction.along -= share * behind;
  }
  return false;
}
