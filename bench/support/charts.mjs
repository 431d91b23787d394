// Draws the charts of docs/benchmarks.md as SVG from the recorded rows in bench/results.
// `npm run charts` writes them to docs/pictures.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { drawBars } from './barChart.mjs';
import { readRows } from './csv.mjs';
import { timeText } from './svg.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const machine = 'amd-epyc-2c';

// Each bar is [label, bench, scene, measure, variant]. It shows the time of the last recorded row of `machine`
// that has these values of bench, scene, measure and variant.
const charts = [
  {
    file: 'mesh-pairs',
    title: 'All intersecting triangles of two meshes, one thread',
    bars: ['bunny 69K', 'dragon 203K', 'dragon 810K', 'worm gear 64K', 'epicyclic train 149K'].flatMap(
      scene => [
        [`${scene}: pfront`, 'meshMesh', scene, 'all pairs, order any', 'pfront'],
        [`${scene}: three-mesh-bvh`, 'meshMesh', scene, 'all pairs', 'three-mesh-bvh'],
      ],
    ),
  },
  {
    file: 'first-hit',
    title: 'Whether two meshes intersect, one thread',
    bars: ['bunny 69K', 'dragon 203K', 'dragon 810K', 'worm gear 64K', 'epicyclic train 149K'].flatMap(
      scene => [
        [`${scene}: pfront`, 'meshMesh', scene, 'first hit', 'pfront'],
        [`${scene}: three-mesh-bvh`, 'meshMesh', scene, 'first hit', 'three-mesh-bvh'],
      ],
    ),
  },
  {
    file: 'trees',
    title: 'Building and refitting the tree of a mesh, one thread',
    bars: ['bunny 69K', 'dragon 203K', 'dragon 810K'].flatMap(scene => [
      [`${scene}, SAH build: pfront`, 'build', scene, 'build', 'pfront sah'],
      [`${scene}, Morton build: pfront`, 'build', scene, 'build', 'pfront morton'],
      [`${scene}, build: three-mesh-bvh`, 'build', scene, 'build', 'three-mesh-bvh'],
      [`${scene}, refit: pfront`, 'build', scene, 'refit', 'pfront sah'],
      [`${scene}, refit: three-mesh-bvh`, 'build', scene, 'refit', 'three-mesh-bvh'],
    ]),
  },
  {
    file: 'boxes',
    title: 'All overlapping pairs of boxes from scratch, one thread',
    bars: [
      'uniform 10K',
      'clustered 10K',
      'uniform 100K',
      'clustered 100K',
      'uniform 1M',
      'clustered 1M',
    ].flatMap(scene => [
      [`${scene}: pfront`, 'boxes', scene, 'all pairs from scratch', 'sap, any order'],
      [`${scene}: box-intersect`, 'boxes', scene, 'all pairs from scratch', 'box-intersect'],
    ]),
  },
  {
    file: 'motion',
    title: 'A frame of moving bodies, poses or cloth, one thread',
    bars: [
      ['1,000 tori in contact: pfront', 'bodies', '1000 tori of 700', 'a frame', 'any, 1 thread'],
      ['1,000 tori in contact: rapier', 'bodies', '1000 tori of 700', 'a frame', 'rapier3d-simd-compat'],
      ['4,000 robot poses: pfront', 'poses', 'arm, 15 bodies, at random', '4000 poses', '1 thread, any'],
      [
        '4,000 robot poses: three-mesh-bvh',
        'poses',
        'arm, 15 bodies, at random',
        '4000 poses',
        'three-mesh-bvh',
      ],
      ['cloth 92K: pfront', 'selfQuery', 'crumpling cloth 92K', 'refit and self pairs', '1 thread, refit'],
      [
        'cloth 92K: three-mesh-bvh',
        'selfQuery',
        'crumpling cloth 92K',
        'refit and self pairs',
        'three-mesh-bvh',
      ],
    ],
  },
];

/** Draws one chart on a logarithmic time scale, with a bar for each entry of `bars`. */
export function drawChart({ title, bars }, rows) {
  const times = bars.map(([label, bench, scene, measure, variant]) => {
    const row = rows.findLast(
      r => r.bench === bench && r.scene === scene && r.measure === measure && r.variant === variant,
    );
    if (!row)
      throw new Error(`${machine}.csv has no row for ${label}: ${bench}, ${scene}, ${measure}, ${variant}`);
    return Number(row.mean || row.median);
  });
  return drawBars({
    title,
    subtitle: 'time of a call, logarithmic scale; shorter is better',
    bars: bars.map(([label], i) => ({
      label,
      value: times[i],
      color: label.endsWith(': pfront') ? '#0b7285' : '#adb5bd',
    })),
    text: timeText,
    tickText: ms => (ms >= 1 && ms < 1000 ? `${ms} ms` : timeText(ms)),
    isLog: true,
  });
}

/** Returns the text of every chart by its path in the repository. */
export function drawCharts() {
  const rows = readRows(machine);
  return new Map(charts.map(chart => [`docs/pictures/${chart.file}.svg`, drawChart(chart, rows)]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(`${root}docs/pictures`, { recursive: true });
  for (const [file, text] of drawCharts()) writeFileSync(root + file, text);
}
