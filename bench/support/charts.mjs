// Draws the charts of docs/benchmarks.md as SVG from the recorded rows in bench/results.
// `npm run charts` writes them to docs/pictures.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const machine = 'amd-epyc-2c';

// bars: [label, bench, scene, measure, who]; the last matching row of the file counts.
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

// Fields may be quoted and contain commas; quotes in them are doubled.
const fieldsOf = line =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'),
  );

export function readRows(name = machine) {
  const [head, ...lines] = readFileSync(`${root}bench/results/${name}.csv`, 'utf8').trim().split('\n');
  const keys = fieldsOf(head);
  return lines.map(line => Object.fromEntries(fieldsOf(line).map((value, i) => [keys[i], value])));
}

const escapeXml = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const timeText = ms =>
  ms >= 1000
    ? `${(ms / 1000).toPrecision(3)} s`
    : ms >= 1
      ? `${ms.toPrecision(3)} ms`
      : `${(1000 * ms).toPrecision(3)} µs`;

/** Draws one chart with a bar for each row; its length is proportional to the logarithm of the time. */
export function drawChart({ title, bars }, rows) {
  const times = bars.map(([label, bench, scene, measure, who]) => {
    const row = rows.findLast(
      r => r.bench === bench && r.scene === scene && r.measure === measure && r.who === who,
    );
    if (!row)
      throw new Error(`${machine}.csv has no row for ${label}: ${bench}, ${scene}, ${measure}, ${who}`);
    return Number(row.mean || row.median);
  });
  const low = Math.floor(Math.log10(Math.min(...times)));
  const high = Math.ceil(Math.log10(Math.max(...times)));
  const [left, width, step, top] = [230, 400, 22, 56];
  const at = ms => (width * (Math.log10(ms) - low)) / (high - low);
  const bottom = top + step * bars.length;
  const decades = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 ${bottom + 28}" role="img" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="720" height="${bottom + 28}" fill="#fff"/>`,
    `<text x="16" y="24" font-size="15" font-weight="600">${escapeXml(title)}</text>`,
    '<text x="16" y="42" fill="#666">time of a call, logarithmic scale; shorter is better</text>',
    ...decades.map(
      ms =>
        `<path d="M${left + at(ms)} ${top}V${bottom}" stroke="#ddd"/><text x="${left + at(ms)}" y="${bottom + 16}" fill="#666" text-anchor="middle">${ms >= 1 && ms < 1000 ? `${ms} ms` : timeText(ms)}</text>`,
    ),
    ...bars.map(([label], i) => {
      const y = top + step * i;
      const length = Math.max(2, at(times[i])).toFixed(1);
      const color = label.endsWith(': pfront') ? '#0b7285' : '#adb5bd';
      return `<text x="${left - 8}" y="${y + 15}" text-anchor="end">${escapeXml(label)}</text><rect x="${left}" y="${y + 4}" width="${length}" height="${step - 8}" rx="2" fill="${color}"/><text x="${left + Number(length) + 6}" y="${y + 15}">${timeText(times[i])}</text>`;
    }),
    '</svg>',
    '',
  ].join('\n');
}

/** Returns the text of every chart by its path in the repository. */
export function drawCharts() {
  const rows = readRows();
  return new Map(charts.map(chart => [`docs/pictures/${chart.file}.svg`, drawChart(chart, rows)]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(`${root}docs/pictures`, { recursive: true });
  for (const [file, text] of drawCharts()) writeFileSync(root + file, text);
}
