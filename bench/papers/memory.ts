// Measures how many bytes the front of a query needs, by the number of triangles m and the number of work
// lists p. The front is the list of node pairs from which the traversal starts. Compares its size with that of
// the maximal front, which would contain every node pair at which the traversal ends.
//
// Each mesh moves through a copy of itself. Reproduces Zhang and Kim 2014, section 5.3: Fig. 10 (bytes in each
// frame, for one m and one p) and Fig. 11 (mean bytes, by p and by m). The size of the maximal front is
// estimated from counters. A box test either ends at a node of the maximal front (a leaf pair, or a node pair
// whose boxes do not overlap) or leads to at least 4 more box tests. Therefore at most a quarter of all box
// tests lead to more tests, and at least three quarters of all box tests end at nodes of the maximal front. A
// node needs at least 8 bytes, for two handles.

import { createEngine, type Engine } from '../../dist/index.js';
import { triangleCount } from '../../dist/samples/index.js';
import { loadMesh, type NamedMesh } from '../support/meshes.js';
import { PATH_STEPS, Placed, path, runQuery, totals } from '../support/motion.js';
import { isQuick, Report, saveFigure } from '../support/report.js';
import { median, summarize } from '../support/statistics.js';

const HANDLES_BYTES = 8;
const MIN_SHARE = 0.75;
const PARTS = isQuick ? [4, 64] : [2, 4, 8, 16, 32, 64];
const FIGURE_10_PARTS = 4;

const report = new Report('memory');

interface Frame {
  frame: number;
  bytes: number;
  nodes: number;
  maximalNodes: number;
}
interface Stage {
  engine: Engine;
  placed: Placed;
}

// Returns, for each frame, a lower bound on the number of nodes of the maximal front.
const maximalFronts = ({ engine, placed }: Stage, frames: readonly number[]): number[] =>
  frames.map(
    frame => MIN_SHARE * totals(runQuery(engine, placed.pairsAt(frame), { order: 'any', parts: 1 })).boxTests,
  );

function walk(
  { engine, placed }: Stage,
  parts: number,
  frames: readonly number[],
  maximal: readonly number[],
): Frame[] {
  return frames.map((frame, i) => {
    const pairs = placed.pairsAt(frame);
    const { frontBytes, startingFrontNodes, frontNodes } = runQuery(engine, pairs, {
      order: 'any',
      parts,
      coherence: 'on',
      stealing: 'off',
    }).stats;
    return { frame, bytes: frontBytes, nodes: startingFrontNodes + frontNodes, maximalNodes: maximal[i] };
  });
}

async function measure(mesh: NamedMesh): Promise<void> {
  const engine = await createEngine({ threads: 1 });
  const stage = { engine, placed: new Placed(engine, { ...path(mesh), firstFrame: 0 }) };
  const { name } = mesh;
  // As in the paper, the frames cover the whole path.
  const step = isQuick ? 40 : 4;
  const frames = Array.from({ length: PATH_STEPS / step }, (_, i) => i * step);
  const maximalNodes = maximalFronts(stage, frames);
  for (const parts of PARTS) {
    const walked = walk(stage, parts, frames, maximalNodes);
    const bytes = summarize(walked.map(frame => frame.bytes));
    const ratios = walked
      .filter(frame => frame.maximalNodes > 0)
      .map(frame => (frame.maximalNodes * HANDLES_BYTES) / frame.bytes);
    const nodes = Math.round(summarize(walked.map(frame => frame.nodes)).mean);
    const maximal = Math.round(summarize(walked.map(frame => frame.maximalNodes)).mean);
    report.add({
      scene: name,
      measure: `N_s + N_p, p = ${parts}`,
      variant: 'pfront',
      unit: 'bytes',
      ...bytes,
      rival: 'maximal front',
      ratio: (maximal * HANDLES_BYTES) / bytes.mean,
      figure: 'Zhang and Kim, Fig. 11',
      note: `m = ${triangleCount(mesh.data)}; ${nodes} nodes, maximal front >= ${maximal} nodes; at the median frame ${median(ratios).toFixed(1)} x`,
    });
    if (parts === FIGURE_10_PARTS) {
      const { frame, ...peak } = walked.reduce((best, at) => (at.bytes > best.bytes ? at : best));
      report.add({
        scene: name,
        measure: `N_s + N_p over the path, p = ${parts}`,
        variant: 'pfront',
        unit: 'bytes',
        ...bytes,
        figure: 'Zhang and Kim, Fig. 10',
        note: `m = ${triangleCount(mesh.data)}; from ${Math.min(...walked.map(at => at.bytes))} bytes to ${peak.bytes} (${peak.nodes} nodes) at step ${frame} of ${PATH_STEPS}; the paper: m = 500K, a chart without numbers`,
      });
    }
    if (parts === FIGURE_10_PARTS && name.endsWith('810K')) {
      saveFigure(
        'figure10-dragon-810k',
        ['step', 'front bytes', 'front nodes', 'maximal front nodes (lower bound)'],
        walked.map(frame => [frame.frame, frame.bytes, frame.nodes, frame.maximalNodes]),
      );
    }
  }
  report.add({
    scene: name,
    measure: 'memory of the engine',
    variant: 'pfront',
    unit: 'bytes',
    n: 1,
    mean: runQuery(engine, stage.placed.pairsAt(PATH_STEPS / 2), { order: 'any' }).stats.bytes,
    note: 'mesh, tree, lists, fronts',
  });
  engine.dispose();
}

for (const name of [
  'bunny',
  'dragon 203K',
  ...(isQuick ? [] : ['dragon 810K' as const, 'dragon 3.2M' as const]),
] as const) {
  const mesh = await loadMesh(name);
  if (mesh) await measure(mesh);
}
report.save();
