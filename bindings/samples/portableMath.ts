// Mathematical functions that give the same bits in every JavaScript engine. ECMAScript does not specify the
// rounding of Math.sin and similar functions, so samples that used them would differ between browsers. The
// functions of this file use only powers of two and the operations whose rounding IEEE 754 specifies: + - * /
// and the square root.

/**
 * Pi / 2 as a sum of two numbers. The first number has 33 bits, so its product with an integer of up to 20
 * bits is exact.
 */
const HALF_PI = 1.5707963267341256;
const HALF_PI_REST = 6.077100506506192e-11;

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
const alternate = (n: number): number => (n % 2 === 0 ? 1 : -1);
const coefficients = (count: number, of: (n: number) => number): readonly number[] =>
  Array.from({ length: count }, (_, n) => of(n));
const SINE = coefficients(11, n => alternate(n) / factorial(2 * n + 1));
const COSINE = coefficients(12, n => alternate(n) / factorial(2 * n));
const EXPONENTIAL = coefficients(18, n => 1 / factorial(n));
const ARC_TANGENT = coefficients(10, n => alternate(n) / (2 * n + 1));
const AREA_TANGENT = coefficients(11, n => 1 / (2 * n + 1));

function polynomial(terms: readonly number[], x: number): number {
  let sum = 0;
  for (let n = terms.length - 1; n >= 0; n--) sum = sum * x + terms[n];
  return sum;
}

// Returns the sine of the sum of an angle and a number of right angles. For angles up to a million radians,
// `count` has at most 20 bits, so count * HALF_PI is exact, and the error of the sine is about 1e-16.
function sineOf(angle: number, rightAngles: number): number {
  const count = Math.round(angle / HALF_PI);
  const rest = angle - count * HALF_PI - count * HALF_PI_REST;
  const quadrant = (((count + rightAngles) % 4) + 4) % 4;
  const value = quadrant % 2 === 0 ? rest * polynomial(SINE, rest * rest) : polynomial(COSINE, rest * rest);
  return quadrant < 2 ? value : -value;
}

/** The max magnitude of an angle of `sin` and `cos`, in radians. */
export const MAX_ANGLE = 1e6;

/** Returns the sine of an angle in radians, whose magnitude must be at most MAX_ANGLE. */
export const sin = (angle: number): number => sineOf(angle, 0);

/** Returns the cosine of an angle in radians, whose magnitude must be at most MAX_ANGLE. */
export const cos = (angle: number): number => sineOf(angle, 1);

export const tan = (angle: number): number => sin(angle) / cos(angle);

function atan(x: number): number {
  if (Math.abs(x) > 1) return Math.sign(x) * (Math.PI / 2) - atan(1 / x);
  // Halves the angle four times, so that the series converges fast.
  let tangent = x;
  for (let halving = 0; halving < 4; halving++) tangent /= 1 + Math.sqrt(1 + tangent * tangent);
  return 16 * tangent * polynomial(ARC_TANGENT, tangent * tangent);
}

/** Returns the angle of the point (x, y) in radians, from -pi to pi. */
export function atan2(y: number, x: number): number {
  if (x > 0) return atan(y / x);
  if (y === 0) return x < 0 ? Math.PI : 0;
  return Math.sign(y) * (Math.PI / 2) - atan(x / y);
}

/** Returns the angle from 0 to pi whose cosine is x. */
export const acos = (x: number): number => atan2(Math.sqrt((1 - x) * (1 + x)), x);

/** Returns e to the power of x, for |x| up to 700. */
export function exp(x: number): number {
  const exponent = Math.round(x / Math.LN2);
  return polynomial(EXPONENTIAL, x - exponent * Math.LN2) * 2 ** exponent;
}

/** Returns the natural logarithm of a positive number. */
export function log(x: number): number {
  let exponent = 0;
  let fraction = x;
  for (; fraction > Math.SQRT2; exponent++) fraction /= 2;
  for (; fraction < Math.SQRT1_2; exponent--) fraction *= 2;
  const ratio = (fraction - 1) / (fraction + 1);
  return exponent * Math.LN2 + 2 * ratio * polynomial(AREA_TANGENT, ratio * ratio);
}

/** Returns the cube root of a number that is not negative. */
export function cbrt(x: number): number {
  if (x === 0) return 0;
  let root = 1;
  while (root * root * root < x) root *= 2;
  // `root` is now at least the cube root. From there, the steps of Newton's method decrease it until rounding
  // stops them.
  for (;;) {
    const next = root - (root - x / (root * root)) / 3;
    if (!(next < root)) return root;
    root = next;
  }
}

/** Returns the length of a vector. */
export const hypot = (...vector: readonly number[]): number =>
  Math.sqrt(vector.reduce((sum, part) => sum + part * part, 0));
