// Makes the HTML page that shows the recorded rows for the papers' figures and tables. Each figure has a
// table of its rows, bar charts of its measures, and line charts of its curves.
import { drawBars } from './barChart.mjs';
import { groupBy } from './csv.mjs';
import { drawLines } from './lineChart.mjs';
import { comparisonsOf, numberOf, publishedRow } from './published.mjs';
import { escapeXml, timeText } from './svg.mjs';

/** Charts with more bars are divided by scene, and then by machine. */
const MAX_BARS = 40;
const OURS = '#0b7285';
/** The color of numbers that a paper states. */
export const PAPER = '#d9731a';

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

function textOf(value, unit) {
  if (value === undefined) return '';
  if (unit === 'ms') return timeText(value);
  if (unit === 'us') return timeText(value / 1e3);
  if (unit === 'ns') return timeText(value / 1e6);
  if (unit === 'share') return `${(100 * value).toPrecision(3)} %`;
  if (unit === 'x') return `${value.toPrecision(4)} x`;
  return `${value.toLocaleString('en-US')}${unit === 'bytes' ? ' bytes' : ''}`;
}

// "2.000 x" -> "2 x"
const withoutZeros = text => text.replace(/(\.\d*?)0+(?!\d)/, '$1').replace(/\.(?!\d)/, '');

const isLogarithmic = values => Math.min(...values) > 0 && Math.max(...values) > 20 * Math.min(...values);
const scaleText = isLog => (isLog ? 'logarithmic scale' : 'linear scale');

// Returns the bars of a row: the row's value, the quantities that are derived from the row to compare them with
// the paper, and the paper's numbers.
function barsOf(row) {
  const { scene, unit, machine } = row;
  const published = publishedRow(row);
  if (published) return [{ ...published, scene, unit, value: numberOf(row), isPublished: true }];
  const ours = { scene, variant: row.variant, machine, isPublished: false };
  const comparisons = comparisonsOf(row);
  return [
    { ...ours, measure: row.measure, unit, value: numberOf(row) },
    ...comparisons
      .filter(({ measure }) => measure !== row.measure)
      .map(({ published: _, ...derived }) => ({ ...ours, ...derived })),
    ...comparisons.flatMap(({ measure, unit: ofNumbers, published: numbers }) =>
      numbers.map(number => ({ ...number, scene, measure, unit: ofNumbers, isPublished: true })),
    ),
  ];
}

// Drops bars without a value. If several rows are compared with the same number of the paper, only the first
// bar of this number remains.
function distinct(bars) {
  const known = new Set();
  return bars.filter(({ measure, unit, scene, variant, value, isPublished }) => {
    if (value === undefined) return false;
    const key = [measure, unit, scene, variant].join('\n');
    if (isPublished && known.has(key)) return false;
    if (isPublished) known.add(key);
    return true;
  });
}

// Divides the bars of a chart that would be too long: by scene, and then by machine if a scene still has too
// many bars. The bars of each machine are followed by all numbers of the paper for the scene.
function partsOf(bars) {
  if (bars.length <= MAX_BARS) return [bars];
  return [...groupBy(bars, ({ scene }) => scene).values()].flatMap(ofScene => {
    if (ofScene.length <= MAX_BARS) return [ofScene];
    const published = ofScene.filter(({ isPublished }) => isPublished);
    const ours = groupBy(
      ofScene.filter(({ isPublished }) => !isPublished),
      ({ machine }) => machine,
    );
    return [...ours.values()].map(ofMachine => [...ofMachine, ...published]);
  });
}

/**
 * Returns the bar charts of a figure: { measure, unit, scene, machine, bars }. A chart has the bars of one
 * measure and unit. `isPublished` of a bar says whether it is a number of the paper. scene, machine: undefined
 * if the chart has several.
 */
export function chartsOf(rows) {
  const groups = groupBy(distinct(rows.flatMap(barsOf)), ({ measure, unit }) => `${measure}\n${unit}`);
  return [...groups.values()]
    .flatMap(partsOf)
    .filter(bars => bars.length > 1 && bars.some(({ value }) => value > 0))
    .map(bars => {
      const only = values => (new Set(values).size === 1 ? values[0] : undefined);
      return {
        measure: bars[0].measure,
        unit: bars[0].unit,
        scene: only(bars.map(({ scene }) => scene)),
        machine: only(bars.filter(({ isPublished }) => !isPublished).map(({ machine }) => machine)),
        // For each scene, the bars of our rows come first, and then those of the paper's numbers.
        bars: [...groupBy(bars, ({ scene }) => scene).values()].flatMap(ofScene =>
          ofScene.toSorted((a, b) => Number(a.isPublished) - Number(b.isPublished)),
        ),
      };
    });
}

function drawChart(figure, { measure, unit, scene, machine, bars }) {
  const isLog = isLogarithmic(bars.map(({ value }) => value));
  return drawBars({
    title: [`${figure}: ${measure}`, scene].filter(text => text !== undefined).join(', '),
    subtitle: [scaleText(isLog), machine].filter(text => text !== undefined).join('; '),
    bars: bars.map(bar => ({
      label: [
        ...(scene === undefined ? [`${bar.scene}: `] : []),
        bar.variant,
        ...(machine === undefined && bar.machine !== undefined ? [` (${bar.machine})`] : []),
      ].join(''),
      value: bar.value,
      color: bar.isPublished ? PAPER : OURS,
    })),
    text: value => textOf(value, unit),
    tickText: value => withoutZeros(textOf(value, unit)),
    isLog,
  });
}

const unitOfTitle = title => /\b(ms|bytes|share|x)\b/.exec(title)?.[0] ?? 'count';
/** Titles of charts that have several lines, by unit. */
const QUANTITIES = {
  ms: 'time',
  bytes: 'bytes',
  share: 'share',
  count: 'number',
  x: 'max load of a node / mean load',
};

/**
 * Draws the curves of a figure: one line for each column and one chart for each unit. If the second column is
 * the number of a list, there is one chart for each further column, with one line for each list.
 */
export function drawCurves(figure, { machine, titles, rows }) {
  const [xName, second] = titles;
  const numbers = (title, among = rows) => among.map(row => Number(row[title]));
  const draw = (title, unit, among, lines) => {
    const isLog = isLogarithmic(lines.flatMap(({ values }) => values));
    return drawLines({
      title: `${figure}: ${title}`,
      subtitle: `${scaleText(isLog)}; ${machine}`,
      xName,
      xs: numbers(xName, among),
      lines,
      text: value => withoutZeros(textOf(value, unit)),
      isLog,
    });
  };
  if (second === 'list') {
    const lists = [...groupBy(rows, row => row.list).values()];
    return titles.slice(2).map(title =>
      draw(
        title,
        unitOfTitle(title),
        lists[0],
        lists.map(own => ({ label: `list ${own[0].list}`, values: numbers(title, own) })),
      ),
    );
  }
  return [...groupBy(titles.slice(1), unitOfTitle)].map(([unit, own]) =>
    draw(
      own.length === 1 ? own[0] : QUANTITIES[unit],
      unit,
      rows,
      own.map(title => ({ label: title.replace(/, (ms|x)$/, ''), values: numbers(title) })),
    ),
  );
}

const cells = (tag, values) => `<tr>${values.map(value => `<${tag}>${value}</${tag}>`).join('')}</tr>`;

function tableOf(rows) {
  return [
    '<table>',
    cells('th', [
      'Scene',
      'Measure',
      'Variant',
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
          row.variant,
          textOf(numberOf(row), row.unit),
          row.ratio ? `${row.ratio} x ${row.rival}` : '',
          // In old rows, the field `how` is empty.
          row.how || (publishedRow(row) ? 'published' : ''),
          `${row.machine}, ${row.date}, ${row.commit || 'unknown'}`,
          row.note ?? '',
        ].map(escapeXml),
      ),
    ),
    '</table>',
  ].join('\n');
}

const figureOf = (key, { figure }) => figure.slice(key.length).replace(/^[,:]?\s*/, '');

// Groups the rows and curves of a paper by the figure that they reproduce. If the figure of some rows names
// several tables, rows that reproduce only one of these tables are put into the same group.
export function byFigure(key, own) {
  const names = new Set(own.map(one => figureOf(key, one)));
  const nameOf = name => [...names].find(other => other !== name && other.split(', ').includes(name)) ?? name;
  return groupBy(own, one => nameOf(figureOf(key, one)));
}

/**
 * Returns the HTML of the page's article. rows: objects with the fields of a recorded row. Their field
 * `machine` is the name of the machine. curves: as readPaperCurves returns them.
 */
export function papersPage(rows, curves = []) {
  const sections = papers.map(({ key, title, source }) => {
    const figures = [
      ...byFigure(
        key,
        [...rows, ...curves].filter(({ figure }) => figure?.startsWith(key)),
      ),
    ];
    return [
      `<h2>${escapeXml(title)}</h2>`,
      `<p>${escapeXml(source)}.</p>`,
      ...(figures.length === 0 ? ['<p>No rows are recorded.</p>'] : []),
      ...figures
        .sort(([x], [y]) => x.localeCompare(y, 'en', { numeric: true }))
        .map(([figure, all]) => {
          const list = all.filter(one => !curves.includes(one));
          return [
            `<h3>${escapeXml(figure)}</h3>`,
            ...chartsOf(list).map(chart => drawChart(figure, chart)),
            ...all.filter(one => curves.includes(one)).flatMap(one => drawCurves(figure, one)),
            `<details><summary>${list.length} rows</summary>${tableOf(list)}</details>`,
          ].join('\n');
        }),
    ].join('\n');
  });
  return `<h1>Figures and tables of the papers</h1>
<p>pfront implements the systems of five papers. This page shows the results of pfront for the figures and tables of these papers, as <code>npm run papers</code> records them. The values of <b>measured</b> rows come from a clock or a meter. The values of <b>counted</b> rows come from counters that are the same in every run. The values of <b>modeled</b> rows are computed from measured inputs with the given formula. <b>Published</b> rows, and orange bars, show numbers that a paper states. <a href="docs/papers.html">Papers</a> describes the code, and where it differs from the papers.</p>
${sections.join('\n')}`;
}
