// Every record that crosses a language, described once -> field offsets for TypeScript, AssemblyScript and WGSL.
// A scalar is one 32-bit word; f64 is a pair of words, 8-aligned; 'name*n' fields repeat. Imports nothing.

type Scalar = 'u32' | 'f32' | 'f64';
type Fields = Record<string, Scalar | readonly [Scalar, number]>;

export interface RecordLayout<F extends Fields> {
  /** Byte offset of each field. */
  readonly at: { readonly [K in keyof F]: number };
  /** Bytes of one record, a multiple of 16. */
  readonly size: number;
  readonly fields: F;
}

function record<const F extends Fields>(fields: F): RecordLayout<F> {
  const at: Record<string, number> = {};
  let offset = 0;
  for (const [name, type] of Object.entries(fields)) {
    const [scalar, count] = typeof type === 'string' ? [type, 1] as const : type;
    const bytes = scalar === 'f64' ? 8 : 4;
    offset = Math.ceil(offset / bytes) * bytes;
    at[name] = offset;
    offset += bytes * count;
  }
  return { at: at as RecordLayout<F>['at'], size: Math.ceil(offset / 16) * 16, fields };
}

/** Four child boxes of a 4-wide tree, structure of arrays, and where they lead. */
export const Node = record({
  centerX: ['f32', 4], centerY: ['f32', 4], centerZ: ['f32', 4],
  halfX: ['f32', 4], halfY: ['f32', 4], halfZ: ['f32', 4],
  child: ['u32', 4],
  parent: 'u32', spare: ['u32', 3],
});

/** Up to four triangles, structure of arrays; unused lanes repeat lane 0 and carry NOTHING as id. */
export const Leaf = record({
  ax: ['f32', 4], ay: ['f32', 4], az: ['f32', 4],
  bx: ['f32', 4], by: ['f32', 4], bz: ['f32', 4],
  cx: ['f32', 4], cy: ['f32', 4], cz: ['f32', 4],
  id: ['u32', 4],
});

/** A mesh and its tree: user's data, normalisation (stored = (x - center) * scale) and where the tree lies. */
export const MeshRecord = record({
  positionsAt: 'u32', indicesAt: 'u32', vertexCount: 'u32', triangleCount: 'u32',
  nodesAt: 'u32', nodeCount: 'u32', leavesAt: 'u32', leafCount: 'u32',
  depth: 'u32', centerX: 'f32', centerY: 'f32', centerZ: 'f32',
  scale: 'f32', halfX: 'f32', halfY: 'f32', halfZ: 'f32',
  /** Greatest error of a stored coordinate: 0 where center is 0, else 2^-25. */
  storedError: 'f32', middleX: 'f32', middleY: 'f32', middleZ: 'f32',
});

/** Two placed meshes: the relative transform both ways, its error bounds, and the exact placements. */
export const PairRecord = record({
  /** B's normalised frame -> A's: three rows of four, float32, for boxes; and |linear part| by rows of three, rounded up. */
  toA: ['f32', 12], absToA: ['f32', 9],
  /** A's normalised frame -> B's. Where there is no inverse: zeros, and slackB is infinite. */
  toB: ['f32', 12], absToB: ['f32', 9],
  /** Added to the extents in A's (B's) frame: covers storing, transform and test. */
  slackA: 'f32', slackB: 'f32',
  /** Error of a placed coordinate = pointError + localError * greatest local coordinate. */
  pointError: 'f32', localError: 'f32',
  nodesA: 'u32', leavesA: 'u32', nodesB: 'u32', leavesB: 'u32',
  meshA: 'u32', meshB: 'u32',
  /** 1 where the mesh has a placement, 0 where its positions are the points themselves. */
  placedA: 'u32', placedB: 'u32',
  /** B's normalised frame -> A's in doubles: brings leaf pairs to a local origin. */
  toAExact: ['f64', 12],
  /** The users' transforms, three rows of four: what the exact stage places vertices with. */
  placementA: ['f64', 12], placementB: ['f64', 12],
});

/** A node of a front: two boxes named by slots (node * 4 + lane), the pair they belong to, and what they cost. */
export const FrontNode = record({
  pair: 'u32', slotA: 'u32', slotB: 'u32',
  /** Index of the starting node it sprouted from. */
  start: 'u32',
  /** Predicted cost before; box tests and leaf pairs measured after. */
  cost: 'f32', boxTests: 'u32', leafPairs: 'u32', spare: 'u32',
});

/** One worker's list of front nodes, its stacks and rings (structures of two arrays), and its output. */
export const ListRecord = record({
  orderAt: 'u32', orderCount: 'u32',
  /** Each stack: first array at ...At, second one `stride` bytes on. */
  nodesAt: 'u32', nodesStride: 'u32', mixedAAt: 'u32', mixedBAt: 'u32', mixedStride: 'u32', leavesAt: 'u32', leavesStride: 'u32',
  /** Local copies of a chunk of leaf pairs, its candidates, and room for expansions. */
  scratchAt: 'u32', candidatesAt: 'u32', unsureAt: 'u32', exactAt: 'u32',
  pairsAAt: 'u32', pairsBAt: 'u32', pairsCapacity: 'u32', pairsCount: 'u32',
  /** (pair, first output index) at every change of pair. */
  runsAt: 'u32', runsCount: 'u32',
  /** (pair, a, b) whose doubles span too many exponents for expansions: settled in TypeScript. */
  wideAt: 'u32', wideCapacity: 'u32', wideCount: 'u32',
  hit: 'u32', rest: 'u32',
  boxTests: 'f64', leafPairs: 'f64', triangleTests: 'f64', unsure: 'f64', milliseconds: 'f64',
});

/** The job of `traverse` and `touchAny`: slice i runs list i. */
export const TraverseJob = record({
  pairsAt: 'u32', frontAt: 'u32', listsAt: 'u32', packTableAt: 'u32',
  /** Word that turns 1 at the first hit. */
  stopAt: 'u32', budget: 'u32',
});

/** The job of `weighFront`: starting nodes in, bounded front out, one output list per slice. */
export const WeighJob = record({
  pairsAt: 'u32', startAt: 'u32', startCount: 'u32', sliceCount: 'u32',
  /** Slice i writes from outAt + i * outCapacity nodes and counts, past the capacity too, in countsAt[i]. */
  outAt: 'u32', outCapacity: 'u32', countsAt: 'u32', stackAt: 'u32', stackBytes: 'u32',
  /** A node that costs at least this is expanded (eq. 1, 4, 5). */
  bound: 'f32',
});

/** The job of `sortPairs`: radix sort of (a, b) by a, then b. */
export const SortJob = record({
  aAt: 'u32', bAt: 'u32', count: 'u32', spareAAt: 'u32', spareBAt: 'u32',
  histogramAt: 'u32', bitsA: 'u32', bitsB: 'u32',
});

/** The job of `decideTriangles`: 18 f64 a pair in, one u32 verdict a pair out, EXACT_SCRATCH_BYTES of scratch a slice. */
export const DecideJob = record({ pointsAt: 'u32', pairCount: 'u32', verdictsAt: 'u32', scratchAt: 'u32', sliceCount: 'u32' });

export const records = { Node, Leaf, MeshRecord, PairRecord, FrontNode, ListRecord, TraverseJob, WeighJob, SortJob, DecideJob };

/** Numbers that both sides agree on. */
export const limits = {
  /** No child, no triangle, no parent. */
  NOTHING: 0xffffffff,
  /** Set in a child handle that names a leaf. */
  LEAF_BIT: 0x80000000,
  /** Children of a node, triangles of a leaf. */
  WIDTH: 4,
  /** Leaf pairs that are brought to a local frame together. */
  LEAF_CHUNK: 32,
  /** Scratch of one exact triangle test: whole cache lines. */
  EXACT_SCRATCH_BYTES: 5632,
  /** Verdicts of the exact triangle test; TOO_WIDE: settle it with trianglesMeetExact. */
  APART: 0, MEET: 1, TOO_WIDE: 2,
} as const;
