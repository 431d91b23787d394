// Makes the HTML page that shows the recorded rows for the papers' figures and tables. Each figure has a
// table of its rows, and a chart for each measure that has 2 to MAX_BARS rows.
import { drawBars, escapeXml, timeText } from './barChart.mjs';
import { groupBy } from './csv.mjs';

const MAX_BARS = 40;
const OURS = '#0b7285';
const PAPER = '#d9731a';

/** The papers in the order of the page. The field `figure` of a row begins with the `key` of its paper. */
export const papers = [
  {
    key: 'Zhang and Kim',
    title: 'p-partition front',
    source:
      'Zhang and Kim, Scalable Collision Detection Using p-Partition Fronts on Many-Core Processors, 2014',
  },
  {
    key: 'Avril, Gouranton and Arnaldi',
    title: 'Sweep and prune',
    source:
      'Avril, Gouranton and Arnaldi, Collision Detection: Broad Phase Adaptation from Multi-Core to Multi-GPU Architecture, 2014',
  },
  {
    key: 'Du, Liu and Suzumura',
    title: 'Continuous collision on a cluster',
    source:
      'Du, Liu and Suzumura, Parallel Continuous Collision Detection for High-Performance GPU Cluster, 2017',
  },
  {
    key: 'Lucchesi',
    title: 'Linear octree',
    source: "Lucchesi, A Parallel Linear Octree Collision Detection Algorithm, master's thesis, 2002",
  },
  {
    key: 'S-AABB',
    title: 'Spheres and boxes',
    source: 'A shared memory parallel collision detection algorithm, Journal of Software 19, 2008',
  },
];

const figureValue = row => Number(row.median || row.mean || row.max);

function textOf(value, unit) {
  if (unit === 'ms') return timeText(value);
  if (unit === 'us') return timeText(value / 1e3);
  if (unit === 'ns') return timeText(value / 1e6);
  if (unit === 'share') return `${(100 * value).toPrecision(3)} %`;
  if (unit === 'x') return `${value.toPrecision(4)} x`;
  return `${value.toLocaleString('en-US')}${unit === 'bytes' ? ' bytes' : ''}`;
}

// "2.000 x" -> "2 x"
const withoutZeros = text => text.replace(/(\.\d*?)0+(?!\d)/, '$1').replace(/\.(?!\d)/, '');

// Draws one chart for each measure and unit that has 2 to MAX_BARS rows, all with positive values.
function chartsOf(figure, rows) {
  const groups = groupBy(rows, row => `${row.measure}\n${row.unit}`);
  return [...groups.values()]
    .filter(group => group.length > 1 && group.length <= MAX_BARS)
    .filter(group => group.every(row => figureValue(row) > 0))
    .map(group => {
      const [{ measure, unit }] = group;
      const values = group.map(figureValue);
      const isLog = Math.max(...values) > 20 * Math.min(...values);
      return drawBars({
        title: `${figure}: ${measure}`,
        subtitle: isLog ? 'logarithmic scale' : 'linear scale',
        bars: group.map(row => ({
          label: `${row.scene}: ${row.who}`,
          value: figureValue(row),
          color: row.who.startsWith('paper') ? PAPER : OURS,
        })),
        text: value => textOf(value, unit),
        tickText: value => withoutZeros(textOf(value, unit)),
        isLog,
      });
    });
}

const cells = (tag, values) => `<tr>${values.map(value => `<${tag}>${value}</${tag}>`).join('')}</tr>`;

function tableOf(rows) {
  return [
    '<table>',
    cells('th', [
      'Scene',
      'Measure',
      'Who',
      'Value',
      'Compared with',
      'How',
      'Machine, date, commit',
      'Note',
    ]),
    ...rows.map(row =>
      cells(
        'td',
        [
          row.scene,
          row.measure,
          row.who,
          textOf(figureValue(row), row.unit),
          row.ratio ? `${row.ratio} x ${row.rival}` : '',
          row.how ?? '',
          `${row.machine}, ${row.date}, ${row.commit || 'unknown'}`,
          row.note ?? '',
        ].map(escapeXml),
      ),
    ),
    '</table>',
  ].join('\n');
}

const figureOf = (key, row) => row.figure.slice(key.length).replace(/^[,:]?\s*/, '');

/**
 * Returns the HTML of the page's article. rows: objects with the fields of a recorded row. Their field
 * `machine` is the name of the machine.
 */
export function papersPage(rows) {
  const sections = papers.map(({ key, title, source }) => {
    const own = rows.filter(row => row.figure?.startsWith(key));
    const figures = [...groupBy(own, row => figureOf(key, row))].sort(([x], [y]) =>
      x.localeCompare(y, 'en', { numeric: true }),
    );
    return [
      `<h2>${escapeXml(title)}</h2>`,
      `<p>${escapeXml(source)}.</p>`,
      ...(figures.length === 0 ? ['<p>No rows are recorded.</p>'] : []),
      ...figures.map(([figure, list]) =>
        [
          `<h3>${escapeXml(figure)}</h3>`,
          ...chartsOf(figure, list),
          `<details><summary>${list.length} rows</summary>${tableOf(list)}</details>`,
        ].join('\n'),
      ),
    ].join('\n');
  });
  return `<h1>Figures and tables of the papers</h1>
<p>pfront implements the systems of five papers. This page shows the results of pfront for the figures and tables of these papers, as <code>npm run papers</code> records them. The values of <b>measured</b> rows come from a clock or a meter. The values of <b>counted</b> rows come from counters that are the same in every run. The values of <b>modeled</b> rows are computed from measured inputs with the given formula. Orange bars show numbers that a paper states. <a href="docs/papers.html">Papers</a> describes the code, and where it differs from the papers.</p>
${sections.join('\n')}`;
}
