// Two triangles in doubles of any range -> do they share a point? In integers, for what the kernels call too
// wide. Twin of assembly/exact/trianglesMeet.ts with the crossing case in its plainest form.

type Point = readonly [bigint, bigint, bigint];
type Triangle = readonly [Point, Point, Point];

const AXES = [0, 1, 2] as const;
const EDGES = [
  [0, 1],
  [1, 2],
  [2, 0],
] as const;

/**
 * `points`: 18 finite doubles, A's three vertices, then B's. Closed triangles: touching counts; a degenerate
 * triangle is the segment or point that it spans.
 */
export function trianglesMeetExact(points: Float64Array): boolean {
  const whole = onFinestGrid(points);
  const vertex = (i: number): Point => [whole[i * 3], whole[i * 3 + 1], whole[i * 3 + 2]];
  const a: Triangle = [vertex(0), vertex(1), vertex(2)];
  const b: Triangle = [vertex(3), vertex(4), vertex(5)];
  const sides = [...b.map(point => side(...a, point)), ...a.map(point => side(...b, point))];
  if (sides.some(sign => sign !== 0)) return edgesPierce(a, b) || edgesPierce(b, a);
  // All six points in one plane, or two segments of lines that miss each other.
  if (EDGES.some(([i, j]) => EDGES.some(([k, l]) => side(a[i], a[j], b[k], b[l]) !== 0))) return false;
  return boxesMeet(a, b) && AXES.every(axis => !edgeSeparates(a, b, axis) && !edgeSeparates(b, a, axis));
}

/** Doubles -> integers with one common factor, the greatest power of two that all allow. */
export function onFinestGrid(values: Float64Array): bigint[] {
  const bits = new BigUint64Array(
    values.buffer.slice(values.byteOffset, values.byteOffset + values.byteLength),
  );
  const exponents = Array.from(bits, word => Math.max(1, Number((word >> 52n) & 0x7ffn)));
  const least = Math.min(...exponents.filter((_, i) => values[i] !== 0), 2047);
  return Array.from(bits, (word, i) => {
    if (values[i] === 0) return 0n;
    const fraction = word & 0xfffffffffffffn;
    const size =
      (((word >> 52n) & 0x7ffn) === 0n ? fraction : fraction | (1n << 52n)) << BigInt(exponents[i] - least);
    return word >> 63n === 0n ? size : -size;
  });
}

const signOf = (value: bigint): number => (value > 0n ? 1 : value < 0n ? -1 : 0);

// Sign of (b - a) x (c - a) in the projection along `axis`.
function turn(a: Point, b: Point, c: Point, axis: number): bigint {
  const u = (axis + 1) % 3;
  const v = (axis + 2) % 3;
  return (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
}

// Side of p against the plane through a, b, c: 0 on it, and wherever they span none.
function side(a: Point, b: Point, c: Point, p: Point): number {
  return signOf(AXES.reduce((sum, axis) => sum + turn(a, b, c, axis) * (p[axis] - a[axis]), 0n));
}

// Does an edge of s, unless it lies in t's plane, go through the closed triangle t?
function edgesPierce(s: Triangle, t: Triangle): boolean {
  return EDGES.some(([i, j]) => {
    const from = side(...t, s[i]);
    const to = side(...t, s[j]);
    if (from * to > 0 || (from === 0 && to === 0)) return false;
    const around = EDGES.map(([k, l]) => side(s[i], s[j], t[k], t[l]));
    return !(around.includes(1) && around.includes(-1));
  });
}

// Closed boxes overlap: decides triangles on one line, which no edge separates.
function boxesMeet(a: Triangle, b: Triangle): boolean {
  const below = (s: Triangle, t: Triangle, axis: 0 | 1 | 2) => s.every(p => t.every(q => p[axis] < q[axis]));
  return AXES.every(axis => !below(a, b, axis) && !below(b, a, axis));
}

// In the projection along `axis`: is there an edge of t whose line has t on one closed side and s strictly on
// the other?
function edgeSeparates(t: Triangle, s: Triangle, axis: number): boolean {
  const own = signOf(turn(...t, axis));
  return EDGES.some(([i, j]) => {
    const signs = s.map(point => signOf(turn(t[i], t[j], point, axis)));
    return signs[0] !== 0 && signs[0] !== own && signs.every(sign => sign === signs[0]);
  });
}
