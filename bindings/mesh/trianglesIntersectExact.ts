// Decides exactly, in BigInt, whether two triangles of doubles intersect. Used if the exponents of the
// coordinates differ by too much for the expansions of the kernels. TypeScript twin of
// assembly/exact/trianglesIntersect.ts, but with the simplest test for triangles whose planes cross.

type Point = readonly [bigint, bigint, bigint];
type Triangle = readonly [Point, Point, Point];

const AXES = [0, 1, 2] as const;
const EDGES = [
  [0, 1],
  [1, 2],
  [2, 0],
] as const;

/**
 * Tests exactly whether two closed triangles intersect; touching counts as intersecting. A degenerate
 * triangle is the segment or point that it spans. `points`: 18 finite doubles, A's three vertices, then
 * B's.
 */
export function trianglesIntersectExact(points: Float64Array): boolean {
  const integers = toExactIntegers(points);
  const vertex = (i: number): Point => [integers[i * 3], integers[i * 3 + 1], integers[i * 3 + 2]];
  const a: Triangle = [vertex(0), vertex(1), vertex(2)];
  const b: Triangle = [vertex(3), vertex(4), vertex(5)];
  const sides = [...b.map(point => side(...a, point)), ...a.map(point => side(...b, point))];
  if (sides.some(sign => sign !== 0)) return edgesPierce(a, b) || edgesPierce(b, a);
  // All six points lie in one plane, or both triangles are segments on skew lines.
  if (EDGES.some(([i, j]) => EDGES.some(([k, l]) => side(a[i], a[j], b[k], b[l]) !== 0))) return false;
  return boxesOverlap(a, b) && AXES.every(axis => !edgeSeparates(a, b, axis) && !edgeSeparates(b, a, axis));
}

/**
 * Scales doubles to integers by one common power of two. It maps the lowest bit of the nonzero value with the
 * smallest exponent to 1.
 */
export function toExactIntegers(values: Float64Array): bigint[] {
  const bits = new BigUint64Array(
    values.buffer.slice(values.byteOffset, values.byteOffset + values.byteLength),
  );
  const exponents = Array.from(bits, word => Math.max(1, Number((word >> 52n) & 0x7ffn)));
  const minExponent = Math.min(...exponents.filter((_, i) => values[i] !== 0), 2047);
  return Array.from(bits, (word, i) => {
    if (values[i] === 0) return 0n;
    const fraction = word & 0xfffffffffffffn;
    const size =
      (((word >> 52n) & 0x7ffn) === 0n ? fraction : fraction | (1n << 52n)) <<
      BigInt(exponents[i] - minExponent);
    return word >> 63n === 0n ? size : -size;
  });
}

const signOf = (value: bigint): number => (value > 0n ? 1 : value < 0n ? -1 : 0);

// (b - a) x (c - a) in the projection along `axis`: its sign is the orientation of a, b, c.
function orient2d(a: Point, b: Point, c: Point, axis: number): bigint {
  const u = (axis + 1) % 3;
  const v = (axis + 2) % 3;
  return (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
}

// Returns on which side of the plane through a, b, c the point p lies: 1 or -1, or 0 if p is on the plane or
// if a, b and c span no plane.
function side(a: Point, b: Point, c: Point, p: Point): number {
  return signOf(AXES.reduce((sum, axis) => sum + orient2d(a, b, c, axis) * (p[axis] - a[axis]), 0n));
}

// Whether an edge of s that does not lie in t's plane intersects the closed triangle t.
function edgesPierce(s: Triangle, t: Triangle): boolean {
  return EDGES.some(([i, j]) => {
    const from = side(...t, s[i]);
    const to = side(...t, s[j]);
    if (from * to > 0 || (from === 0 && to === 0)) return false;
    const around = EDGES.map(([k, l]) => side(s[i], s[j], t[k], t[l]));
    return !(around.includes(1) && around.includes(-1));
  });
}

// Whether the closed bounding boxes overlap. This decides triangles on one line, which no edge separates.
function boxesOverlap(a: Triangle, b: Triangle): boolean {
  const below = (s: Triangle, t: Triangle, axis: 0 | 1 | 2) => s.every(p => t.every(q => p[axis] < q[axis]));
  return AXES.every(axis => !below(a, b, axis) && !below(b, a, axis));
}

// Whether, in the projection along `axis`, the line through an edge of t has t on one closed side and s
// strictly on the other.
function edgeSeparates(t: Triangle, s: Triangle, axis: number): boolean {
  const own = signOf(orient2d(...t, axis));
  return EDGES.some(([i, j]) => {
    const signs = s.map(point => signOf(orient2d(t[i], t[j], point, axis)));
    return signs[0] !== 0 && signs[0] !== own && signs.every(sign => sign === signs[0]);
  });
}
