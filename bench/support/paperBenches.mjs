// Lists the benches whose rows reproduce figures and tables of papers: `npm run papers` runs them.
import { benchFiles } from './benchFiles.mjs';

/** The benches outside the folder `papers` whose rows reproduce figures, or that docs/papers.md uses. */
const SHARED = ['clusterOctree', 'cost', 'frontCost', 'octree', 'persistent', 'threads'];

/** The benches that need a GPU. */
export const gpuPaperBenches = ['deviceRuns', 'gpuFrontStages'];

/** The names of all benches of papers. */
export const paperBenches = [...benchFiles]
  .filter(([name, file]) => file.startsWith('papers/') || SHARED.includes(name))
  .map(([name]) => name)
  .sort();
