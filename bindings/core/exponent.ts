// Finds exponents of doubles, for modules. The core has its own function in bvh/normalize.ts: sharing one would
// make the core larger than it may be.

/** Returns the smallest e with 2^e >= x, for x >= 0; for 0 it is -Infinity. */
export function ceilLog2(x: number): number {
  // ECMAScript leaves the rounding of Math.log2 to the engine, so the result may be off by 1.
  const e = Math.ceil(Math.log2(x));
  return 2 ** e < x ? e + 1 : 2 ** (e - 1) < x ? e : e - 1;
}
