// Doubles -> exact sums and products as expansions: f64 lists, least first, no zeros, whose real sum is the
// value. Shewchuk, Adaptive precision floating-point arithmetic, 1997, s2. Empty list = 0. Valid while
// nothing under- or overflows.

// 2^27 + 1: cuts a double into two halves of 26 bits (Dekker), since wasm has no fused multiply-add.
const SPLITTER: f64 = 134217729.0;

// The part of a + b that `sum`, its rounding, lost.
export function sumTail(a: f64, b: f64, sum: f64): f64 {
  const bPart = sum - a;
  return a - (sum - bPart) + (b - bPart);
}

// The part of a - b that `difference`, its rounding, lost.
export function differenceTail(a: f64, b: f64, difference: f64): f64 {
  const bPart = a - difference;
  return a - (difference + bPart) + (bPart - b);
}

function highHalf(a: f64): f64 {
  const shifted = SPLITTER * a;
  return shifted - (shifted - a);
}

// The part of a * b that `product`, its rounding, lost; halves of b given, so that a loop cuts it once.
function productTailOfHalves(a: f64, bHigh: f64, bLow: f64, product: f64): f64 {
  const aHigh = highHalf(a);
  const aLow = a - aHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

// The part of a * b that `product`, its rounding, lost.
export function productTail(a: f64, b: f64, product: f64): f64 {
  const bHigh = highHalf(b);
  return productTailOfHalves(a, bHigh, b - bHigh, product);
}

// Appends `value` unless it is zero; returns the end.
export function push(end: usize, value: f64): usize {
  store<f64>(end, value);
  return value == 0 ? end : end + 8;
}

// Sum of the expansions e and f (`eCount`, `fCount` terms) -> expansion at `out` (up to both counts); returns
// its count.
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

// Expansion e times the double `factor` -> expansion at `out` (up to twice as many terms); returns its count.
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

// Expansion e times (high + low) -> expansion at `out` (up to 4 eCount terms); returns its count. `work`: 4
// eCount terms.
export function multiplyExpansion(e: usize, eCount: i32, high: f64, low: f64, out: usize, work: usize): i32 {
  if (low == 0) return high == 0 ? 0 : scaleExpansion(e, eCount, high, out);
  const lowCount = scaleExpansion(e, eCount, low, work);
  const highAt = work + ((<usize>eCount) << 4);
  return addExpansions(work, lowCount, highAt, scaleExpansion(e, eCount, high, highAt), out);
}

// Sign of an expansion: that of its last, greatest term.
export function signOfExpansion(e: usize, eCount: i32): i32 {
  if (eCount == 0) return 0;
  return load<f64>(e + ((<usize>eCount) << 3) - 8) > 0 ? 1 : -1;
}
