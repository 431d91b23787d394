// Measures the clashes of a model once, and prints the time in milliseconds. Arguments: the file, the number of
// copies of the model that stand beside each other, the number of threads.
import { performance } from 'node:perf_hooks';
import { FIGURES } from '../../dist/cli/clash/classifyParts.js';
import { measurePairs, placedPairs } from '../../dist/cli/clash/measurePairs.js';
import { startClashEngine } from '../../dist/cli/clashEngine.js';
import { findClashes } from '../../dist/cli/findClashes.js';
import { mapTransforms } from '../../dist/formats/part.js';
import { readContents } from '../../dist/formats/readFiles.js';

const IDLE = { begin() {}, step() {}, end() {} };
/** Distance of neighboring copies: more than the length of the building, in the unit of the file. */
const DISTANCE = 1000;

const [file, copies, threads] = process.argv.slice(2);
const { parts } = await readContents(file!, { keepsDoubles: true }, () => {});
const all = Array.from({ length: Number(copies) }, (_, copy) =>
  parts.map(part =>
    mapTransforms(part, transform =>
      transform.map((value, at) => (at === 12 ? value + copy * DISTANCE : value)),
    ),
  ),
).flat();
const engine = await startClashEngine(Number(threads), false);
const { meshes, clashes } = findClashes(engine, all, IDLE);
const pairs = placedPairs(all, clashes, { clearance: 0, tolerance: 0, ...FIGURES });
const startedAt = performance.now();
await measurePairs(engine, 'classify', { parts: all, meshes }, pairs, () => {});
console.log(performance.now() - startedAt);
engine.dispose();
