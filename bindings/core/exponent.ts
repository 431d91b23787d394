// Computes base-2 exponents of doubles, for modules. The core of an engine has its own function in
// bvh/normalize.ts, because its bundle would exceed its size limit if it shared this file.

/** Returns the smallest e with 2^e >= x, for x >= 0; returns -Infinity for 0. */
export function ceilLog2(x: number): number {
  // ECMAScript leaves the rounding of Math.log2 to the JavaScript engine, so the result may be off by 1.
  const e = Math.ceil(Math.log2(x));
  return 2 ** e < x ? e + 1 : 2 ** (e - 1) < x ? e : e - 1;
}
