// Computes exact sums and products of doubles as expansions. An expansion is a list of nonzero doubles,
// ordered by increasing magnitude; its value is their exact sum. An empty list is 0. Source: Shewchuk,
// Adaptive precision floating-point arithmetic and fast robust geometric predicates, 1997, section 2. The
// results are exact as long as no operation underflows or overflows.

// 2^27 + 1: splits a double into two halves of 26 bits (Dekker), since wasm has no fused multiply-add.
const SPLITTER: f64 = 134217729.0;

// Returns the rounding error of a + b, given the rounded `sum`.
export function sumTail(a: f64, b: f64, sum: f64): f64 {
  const bVirtual = sum - a;
  return a - (sum - bVirtual) + (b - bVirtual);
}

// Returns the rounding error of a - b, given the rounded `difference`.
export function differenceTail(a: f64, b: f64, difference: f64): f64 {
  const bVirtual = a - difference;
  return a - (difference + bVirtual) + (bVirtual - b);
}

function highHalf(a: f64): f64 {
  const shifted = SPLITTER * a;
  return shifted - (shifted - a);
}

// Returns the rounding error of a * b, given the rounded `product` and the halves of b, so that a loop splits
// b only once.
function productTailOfHalves(a: f64, bHigh: f64, bLow: f64, product: f64): f64 {
  const aHigh = highHalf(a);
  const aLow = a - aHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

// Returns the rounding error of a * b, given the rounded `product`.
export function productTail(a: f64, b: f64, product: f64): f64 {
  const bHigh = highHalf(b);
  return productTailOfHalves(a, bHigh, b - bHigh, product);
}

// Appends `value` at `end` unless it is zero, and returns the new end.
export function push(end: usize, value: f64): usize {
  store<f64>(end, value);
  return value == 0 ? end : end + 8;
}

// Adds the expansions e and f (`eCount` and `fCount` terms). Writes at most eCount + fCount terms to `out`
// and returns their count.
export function addExpansions(e: usize, eCount: i32, f: usize, fCount: i32, out: usize): i32 {
  const eEnd = e + ((<usize>eCount) << 3);
  const fEnd = f + ((<usize>fCount) << 3);
  let end = out;
  let carry: f64 = 0;
  while (e < eEnd || f < fEnd) {
    let term: f64;
    if (f == fEnd || (e < eEnd && abs(load<f64>(e)) < abs(load<f64>(f)))) {
      term = load<f64>(e);
      e += 8;
    } else {
      term = load<f64>(f);
      f += 8;
    }
    const sum = carry + term;
    end = push(end, sumTail(carry, term, sum));
    carry = sum;
  }
  return <i32>((push(end, carry) - out) >> 3);
}

// Multiplies the expansion e by the double `factor`. Writes at most 2 eCount terms to `out` and returns their
// count.
export function scaleExpansion(e: usize, eCount: i32, factor: f64, out: usize): i32 {
  const factorHigh = highHalf(factor);
  const factorLow = factor - factorHigh;
  const eEnd = e + ((<usize>eCount) << 3);
  let end = out;
  let carry: f64 = 0;
  for (; e < eEnd; e += 8) {
    const term = load<f64>(e);
    const product = term * factor;
    const low = productTailOfHalves(term, factorHigh, factorLow, product);
    const sum = carry + low;
    end = push(end, sumTail(carry, low, sum));
    carry = product + sum;
    end = push(end, sum - (carry - product));
  }
  return <i32>((push(end, carry) - out) >> 3);
}

// Multiplies the expansion e by high + low. Writes at most 4 eCount terms to `out` and returns their count.
// `work` must have room for 4 eCount terms.
export function multiplyExpansion(e: usize, eCount: i32, high: f64, low: f64, out: usize, work: usize): i32 {
  if (low == 0) return high == 0 ? 0 : scaleExpansion(e, eCount, high, out);
  const lowCount = scaleExpansion(e, eCount, low, work);
  const highAt = work + ((<usize>eCount) << 4);
  return addExpansions(work, lowCount, highAt, scaleExpansion(e, eCount, high, highAt), out);
}

// Returns the sign of an expansion: the sign of its last term, which has the largest magnitude.
export function signOfExpansion(e: usize, eCount: i32): i32 {
  if (eCount == 0) return 0;
  return load<f64>(e + ((<usize>eCount) << 3) - 8) > 0 ? 1 : -1;
}
