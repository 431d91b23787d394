// Explains why no test finds some mutants. An explanation begins with one of three words. 'equivalent': no result can
// differ. 'speed': only the amount or the order of work differs. 'gap': a test could find the mutant, and none does.

interface Explanation {
  /** Matched with the place of a mutant, such as 'assembly/simd/boxes.ts:12'. */
  places: RegExp;
  /** Matched with the description of its error; any error if missing. */
  changes?: RegExp;
  why: string;
}

/** The first explanation that matches counts. */
export const explanations: readonly Explanation[] = [];
