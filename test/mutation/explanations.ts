// Explains why some mutants of the kernels are found by no test. An explanation begins with one of four words.
// 'equivalent': no result can differ. 'speed': the results are the same, but more or less work is done.
// 'counter': only a count of work in `stats` differs. 'gap': a test could find the mutant, and none does.

interface Explanation {
  /** Matched with the place of a mutant, such as 'assembly/simd/boxes.ts:12'. */
  places: RegExp;
  /** Matched with the description of the mutant's error. If missing, any error matches. */
  changes?: RegExp;
  /** Matched with the kernels that run the changed code. If missing, any kernels match. */
  kernels?: RegExp;
  why: string;
}

const COUNTS = 'counter: only the count of tests of boxes, leaves or triangles differs';
const COSTS =
  'speed: costs and weights decide which nodes are in the front, and how they are distributed; any front gives all pairs';
const PLAN = 'speed: decides the method or the size of the grid; all methods and sizes give the same pairs';
const TREE = 'speed: another tree over the same triangles or boxes gives the same pairs';

/** The explanations, in order of priority: the first one that matches a mutant applies. */
export const explanations: readonly Explanation[] = [
  // In proximity.wasm, the traversal of any-hit queries gets the mode as a parameter. This mode is never SELF
  // or SPHERES.
  {
    places: /assembly\/(hybrid\/|narrowphase\/(testSelfLeafPairs|selfTriangles|sharedVertices)\.ts)/,
    kernels: /^testPoses, anyHitNear$/,
    why: 'equivalent: the code of other traversal modes is in the file, but never runs',
  },
  {
    places: /assembly\/narrowphase\/testLeafPairs\.ts:(256|26[02]|31[67])$/,
    kernels: /^testPoses, anyHitNear$/,
    why: 'equivalent: only the number of pairs is read, not the pairs',
  },

  // Counters.
  { places: /octree\/scanOctants\.ts:87$/, why: COUNTS },
  { places: /broadphase\/sweepColumn\.ts:194$/, why: COUNTS },
  { places: /broadphase\/traverseBoxTree\.ts:(80|138)$/, why: COUNTS },
  { places: /narrowphase\/anyHit\.ts:16[56]$/, why: COUNTS },
  { places: /narrowphase\/traverse\.ts:76$/, why: COUNTS },
  { places: /proximity\/testNearLeafPairs\.ts:28$/, why: COUNTS },
  { places: /proximity\/measureLeaves\.ts:319$/, why: COUNTS },
  { places: /proximity\/writeNearChildren\.ts:(48|50)$/, why: COUNTS },
  { places: /poses\/testPoses\.ts:219$/, why: COUNTS },

  // Costs, fronts and the order of work.
  { places: /narrowphase\/predictCost\.ts/, why: COSTS },
  { places: /narrowphase\/storeCosts\.ts:(20|22|24)$/, why: COSTS },
  { places: /narrowphase\/distributeNodes\.ts:(38|43)$/, why: COSTS },
  { places: /narrowphase\/expandFront\.ts:(70|158)$/, why: COSTS },
  {
    places: /narrowphase\/overlaps\.ts:(191|200)/,
    changes: /constant -1 to -2$/,
    why: 'equivalent: the weight of boxes that do not overlap may be any negative number',
  },
  { places: /narrowphase\/overlaps\.ts:(5\d|17\d|191)/, why: COSTS },
  {
    places: /narrowphase\/anyHit\.ts:110$/,
    changes: /^f32 constant 12 to 24$/,
    why: 'speed: decides when a list stops and lets other threads continue',
  },
  {
    places: /narrowphase\/deepestOverlap16\.ts:9\d/,
    why: 'speed: decides into which of several overlapping pairs the search descends first',
  },

  {
    places: /narrowphase\/steal\.ts:25$/,
    changes: /i32\.lt_u to i32\.ge_u|constant 0 to 1/,
    why: 'speed: a thread finds no list to steal from, or not the first one',
  },

  {
    places: /proximity\/refineDistance\.ts:47$/,
    changes: /branch never taken/,
    why: 'speed: pairs of nodes that cannot be nearer than the best pair are visited all the same',
  },
  {
    places: /ccd\/(isFarApart\.ts:40|separatingDirections\.ts:95)$/,
    changes: /i32\.or to i32\.and|branch never taken/,
    why: 'speed: the filter returns later, or leaves more pairs to later tests',
  },

  {
    places: /scene\/placeBodyPairs\.ts:40$/,
    changes: /constant -1 to -2$/,
    why: 'equivalent: only the sign of the number is read',
  },

  // Methods and grids of box pairs.
  {
    places: /broadphase\/computeBoxStatistics\.ts:(5[1-3]|89)$/,
    why: 'speed: the grid contains the origin, too, or another method is chosen',
  },
  { places: /broadphase\/sampleBoxes\.ts/, why: PLAN },
  { places: /broadphase\/mergeStatistics\.ts:30$/, why: PLAN },
  { places: /broadphase\/slabs\.ts:(29|39)$/, why: PLAN },
  {
    places: /broadphase\/slabs\.ts:102$/,
    changes: /1e\+38/,
    why: 'equivalent: a limit that only has to keep the scale finite; both limits do',
  },
  {
    places: /broadphase\/cells\.ts:22$/,
    changes: /0\.5 to 1$/,
    why: 'gap: the cells of a grid far from the origin',
  },
  {
    places: /broadphase\/(cells\.ts:23$|sapBox\.ts:41)/,
    changes: /32751 to 65502$/,
    why: 'gap: cells of boxes outside of the grid',
  },
  { places: /broadphase\/writeNextCodes\.ts:14$/, why: TREE },
  { places: /bvh\/morton\.ts/, why: TREE },

  {
    places: /broadphase\/incremental\/endpoints\.ts:47$/,
    why: 'equivalent for min endpoints: at equal coordinates they come first, so -0 may be sorted below 0',
  },

  // Building trees.
  { places: /bvh\/bins\.ts:(34|36)/, why: TREE },
  {
    places: /bvh\/bins\.ts:58$/,
    changes: /constant -1 to -2$/,
    why: 'equivalent: may be any value below all bins',
  },
  { places: /bvh\/splits\.ts:27$/, why: TREE },
  { places: /bvh\/growSubtrees\.ts:177$/, why: TREE },
  { places: /bvh\/collapse\.ts:(15|76)$/, changes: /\.lt to f32\.le$/, why: `${TREE}; only ties differ` },
  {
    places: /bvh\/boundTriangles\.ts:36$/,
    changes: /constant 1 to 2$/,
    why: 'equivalent: the lane is unused, and may be any ordinary float',
  },

  // Bounds that became larger: filters separate fewer pairs, so exact tests decide more of them.
  {
    places:
      /(narrowphase\/fillBoxes\.ts:23|hybrid\/computeSphereStretch\.ts:24|proximity\/nearest\.ts:150|ccd\/findFacesInRegion\.ts:96)$/,
    changes: /constant \d to \d$/,
    why: 'speed: the bound of an error is twice as large, so a filter separates less and later tests decide more',
  },
  {
    places: /ccd\/planSubsteps\.ts/,
    changes: /constant/,
    why: 'speed: decides how finely the first substeps of a rotation are divided',
  },
  {
    places: /ccd\/evaluateMoment\.ts:29$/,
    why: 'speed: decides which of two valid directions of separation is tried',
  },
  {
    places: /ccd\/separatingDirections\.ts:147/,
    why: 'speed: pairs above the limit are left to double precision',
  },
  {
    places: /ccd\/startPairs\.ts:49$/,
    changes: /1e-300/,
    why: 'gap: faces whose size is near the smallest double',
  },
  {
    places: /ccd\/makeMotion\.ts:66$/,
    changes: /0\.25 to 0\.5$/,
    why: 'gap: differences that overflow by a factor of more than two',
  },
  {
    places: /ccd\/sweepBodies\.ts:152/,
    why: 'gap: boxes whose coordinates are almost too large for float32',
  },

  // Exact arithmetic.
  {
    places: /exact\/expansion\.ts:22$/,
    why: 'gap: a product of doubles whose lowest bits are set, so that one half of a split double needs one more bit than it has',
  },
  {
    places: /exact\/orient\.ts:7[12]$/,
    changes: /e\+101|e-49/,
    why: 'gap: coordinates whose exponents are near the limits of expansions',
  },

  // Guards and bounds.
  {
    places: /narrowphase\/linkLeaves\.ts:90$/,
    why: 'gap: the guard against more links between leaves than fit into 16 bits',
  },
  {
    places: /assembly\/mesh\/placedMesh\.ts/,
    why: 'gap: a bound of the rounding errors of a placement is too small or too large',
  },
  {
    places: /assembly\/narrowphase\/(filterTriTri\.ts:(84|200)|selfTriangles\.ts:128)/,
    changes: /pmax to f32x4\.pmin/,
    why: 'gap: a bound of a rounding error is too small; no test has an input whose error is that large',
  },
  {
    places: /hybrid\/computeSphereStretch\.ts:4\d$/,
    why: 'gap: the stretch of a placement is too small; for rigid placements it is about 1',
  },

  // Bounds that became smaller or zero.
  {
    places: /simd\/rounding\.ts/,
    changes: /3\.40282/,
    why: 'gap: values beyond the range of float32, which would be rounded to infinity instead of the largest float',
  },
  {
    places: /assembly/,
    changes: /constant [\d.]+e-(3\d|[4-9]\d|\d{3}) to/,
    why: 'gap: a bound of underflow; a test would need values near the smallest float or double',
  },
  {
    places: /assembly/,
    changes: /constant ([\d.]+e-\d+|0\.0000\d+|1\.0000\d+) to/,
    why: 'gap: a bound of a rounding error is halved or dropped; no test has an input whose error is that large',
  },
];
