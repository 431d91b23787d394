// Differences of two features' points in motion -> is there surely a constant direction that shows them to be
// apart all the time? The twin of assembly/ccd/separatingDirections.ts; kernels have params.separation,
// params.isSeparated and params.pointError.
//
// What is dropped here the CPU's filter drops too, by the same direction: so answers do not depend on who
// filters, and the proof that nothing is missed is the CPU's. With u = 2^-23, one rounding up or down, e =
// pointError, and M the greatest |x|, |y|, |z| of the differences (these are vectors: bounds hold axis by
// axis), a number here and the CPU's are both as near to the exact one as
//   a difference D          u M + e: a float of an exact integer, or the CPU's own float whose denormals are
//   lost (e >= 2^-125);
//   the fourth one          8 u M + 3 e, and 3 M in size: three others, two sums;
//   a direction n           `error`, see each;
//   a height along it       20 u W + error.|D| + 3 e |n|, W = |n|.M: differences 8, products and sums in any
//   order 4 of 3 M each.
// The CPU's limit is 16 u W, the separation times |n|, and 2^-100. So where a height is beyond 57 u W + 2
// error.|D| + 6.1 e |n| and that, the CPU's is beyond its limit; where it is as far below, the CPU's is not.
// `error` counts for n where it multiplies u or e; what is taken beyond that is for how the bounds themselves
// are rounded. Flushed products lose 2^-126 each.

const ULP = 0x1p-23f;
// Differences up to this size have heights, volumes and squares of directions that floats can hold; the CPU
// takes larger ones.
const GREATEST = 0x1p28f;
const LEAST_HEIGHT = 0x1p-98f;
// A shorter direction's square may have lost what counts.
const LEAST_SQUARE = 0x1p-100f;
// Of a length: a root of 5 ulps, its square, products, and what the CPU's limit is longer.
const LENGTH_ERROR = 0x1p-14f;
const TURNS = 4u;
const TURN = 1.3f;

// Four at the start, four at the end. The fourth of a vertex and a face is the third once more.
alias Differences = array<vec3f, 8>;

fn completed(first: vec3f, second: vec3f, third: vec3f) -> vec3f { return select(third, third + (first - second), params.isEdge != 0u); }

// The greatest |x|, |y|, |z| that the CPU may see, or exact ones be.
fn mostOf(d: ptr<function, Differences>) -> vec3f {
  let start = max(max(abs((*d)[0]), abs((*d)[1])), abs((*d)[2]));
  let end = max(max(abs((*d)[4]), abs((*d)[5])), abs((*d)[6]));
  return max(start, end) * (1f + 4f * ULP) + 2f * params.pointError;
}

// A direction, and how far it and the CPU's may be from the exact one, axis by axis.
struct Direction { along: vec3f, error: vec3f }

// To the middle of all: u M and e of six differences, and five sums in any order.
fn middleOf(d: ptr<function, Differences>, most: vec3f) -> Direction {
  var along = (*d)[0] + (*d)[2] + (*d)[4] + (*d)[6];
  var sizes = abs((*d)[0]) + abs((*d)[2]) + abs((*d)[4]) + abs((*d)[6]);
  if (params.isEdge == 0u) {
    along += (*d)[1] + (*d)[5];
    sizes += abs((*d)[1]) + abs((*d)[5]);
  }
  return Direction(along, 1.01f * ULP * (5f * sizes + 6f * most) + 8f * params.pointError);
}

// Upright on what they span halfway. The two sides are off by 16 u M + 4 e each, products and differences add
// 2 u of 4 M times the other's size.
fn uprightOf(d: ptr<function, Differences>, most: vec3f) -> Direction {
  let second = (*d)[1] + (*d)[5];
  let side = second - ((*d)[0] + (*d)[4]);
  let next = ((*d)[2] + (*d)[6]) - second;
  let sideError = 40f * ULP * most + 8f * params.pointError;
  let sizes = abs(side) + abs(next) + sideError;
  return Direction(cross(side, next), sizes.yzx * sideError.zxy + sizes.zxy * sideError.yzx + 0x1p-122f);
}

// What heights are compared with, beside what `error` does to each: less than x the CPU's are surely not
// beyond its limit, more than y they are.
fn limitsOf(direction: Direction, most: vec3f) -> vec2f {
  let size = abs(direction.along) + direction.error;
  let gap = 72f * ULP * dot(size, most) + 10f * params.pointError * (size.x + size.y + size.z) + LEAST_HEIGHT;
  if (params.isSeparated == 0u) { return vec2f(-gap, gap); }
  let square = dot(direction.along, direction.along);
  if (square < LEAST_SQUARE) { return vec2f(-0x1p100f, 0x1p100f); }
  let length = sqrt(square);
  let away = params.separation * length;
  let more = gap + params.separation * (LENGTH_ERROR * length + 3f * (direction.error.x + direction.error.y + direction.error.z));
  return vec2f(away - more, away + more);
}

fn gapAt(point: vec3f, direction: Direction) -> f32 { return 2.1f * dot(direction.error, abs(point)); }

// Are all differences beyond the limit, on this side or on the other? The CPU turns an upright direction to
// the middle: so do they where all are beyond it, as their sum is the middle's height.
fn areBeyond(d: ptr<function, Differences>, direction: Direction, most: vec3f) -> bool {
  var low = 0x1p120f;
  var high = -0x1p120f;
  for (var i = 0u; i < 8u; i++) {
    let height = dot(direction.along, (*d)[i]);
    let gap = gapAt((*d)[i], direction);
    low = min(low, height - gap);
    high = max(high, height + gap);
  }
  let limit = limitsOf(direction, most).y;
  return low > limit || high < -limit;
}

// Directions from the middle on, each turned away from those that lay behind the one before it, as long as it
// is sure which the CPU turns away from. Errors of share and direction follow what they are made of, for this
// one and for the CPU's, whose numbers are not farther from the exact ones: `reach` has room for both, as 5/4
// has where the square is known to a 16th.
fn farByTurns(d: ptr<function, Differences>, middle: Direction, most: vec3f) -> bool {
  var direction = middle;
  for (var turn = 0u; turn < TURNS; turn++) {
    let limits = limitsOf(direction, most);
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
    let behindError = 1.01f * (weight * (ULP * most + params.pointError) + ULP * count * sizes);
    let reach = abs(behind) + 4f * behindError;
    let square = dot(behind, behind);
    let squareError = 2.1f * dot(reach, behindError) + 4f * ULP * square + 0x1p-120f;
    if (!(square > 16f * squareError)) { return false; }
    let along = dot(direction.along, behind);
    let alongError = 1.01f * (dot(abs(direction.along), behindError) + dot(direction.error, reach)) + 4f * ULP * dot(abs(direction.along), reach) + 0x1p-120f;
    let share = TURN * along / square;
    let shareError = 1.25f * (TURN * alongError + abs(share) * squareError) / square + 8f * ULP * abs(share);
    direction.error += 1.01f * (abs(share) * behindError + shareError * reach) + 4f * ULP * (abs(direction.along) + abs(share) * reach) + 0x1p-120f;
    direction.along -= share * behind;
  }
  return false;
}
