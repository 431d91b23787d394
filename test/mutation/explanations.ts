// Explains why some mutants of the kernels are found by no test: for each file here, one reason holds for all
// of its mutants that match. The reasons for single mutants are in survivors.json. An explanation begins with one
// of four words. 'equivalent': no result can differ. 'speed': the results are the same, but more or less work is
// done. 'counter': only a count of work in `stats` differs. 'gap': a test could find the mutant, and none does.

interface Explanation {
  /** Matched with the place of a mutant, such as 'assembly/simd/boxes.ts:12'. */
  places: RegExp;
  /** Matched with the description of the mutant's error. If missing, any error matches. */
  changes?: RegExp;
  /** Matched with the kernels that run the changed code. If missing, any kernels match. */
  kernels?: RegExp;
  why: string;
}

/** The explanations, in order of priority: the first one that matches a mutant applies. */
export const explanations: readonly Explanation[] = [
  {
    // In proximity.wasm, the traversal of any-hit queries gets the mode as a parameter. This mode is never SELF
    // or SPHERES.
    places: /assembly\/(hybrid\/|narrowphase\/(testSelfLeafPairs|selfTriangles|sharedVertices)\.ts)/,
    kernels: /^testPoses, anyHitNear$/,
    why: 'equivalent: the code of other traversal modes is in the file, but never runs',
  },
  {
    places: /narrowphase\/predictCost\.ts/,
    why: 'speed: costs and weights decide which nodes are in the front, and how they are distributed; any front gives all pairs',
  },
  {
    places: /broadphase\/sampleBoxes\.ts/,
    why: 'speed: decides the method or the size of the grid; all methods and sizes give the same pairs',
  },
  {
    places: /bvh\/morton\.ts/,
    why: 'speed: another tree over the same triangles or boxes gives the same pairs',
  },
  {
    places: /ccd\/planSubsteps\.ts/,
    changes: /constant/,
    why: 'speed: decides how finely the first substeps of a rotation are divided',
  },
];
