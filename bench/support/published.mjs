// Finds the published numbers with which recorded rows are compared. Some of these numbers are recorded as
// separate rows. Others are in the fields of our rows: a ratio to the paper, or the text of a note or a limit.

/** Returns the value of a row that tables and charts show, or undefined if the row has none. */
export function numberOf(row) {
  const text = row.median || row.mean || row.max;
  return text ? Number(text) : undefined;
}

const countText = (count, name) => `${count} ${name}${Number(count) === 1 ? '' : 's'}`;
/** The number of threads, processes, machines or devices with which a row's `variant` begins. */
const countOf = ({ variant }) => /^\d+/.exec(variant)?.[0];

/**
 * If the row is a number of a paper, returns `measure`, the measure of our rows to compare it with, and
 * `variant`, a label. Otherwise returns undefined.
 */
export function publishedRow({ measure, variant }) {
  const count = /^thesis, (\d+) /.exec(variant)?.[1];
  if (count) {
    const table = /, thesis's (Table [\d.]+)$/.exec(measure);
    return {
      measure: table ? measure.slice(0, table.index) : measure,
      variant: `thesis,${table ? ` ${table[1]},` : ''} ${countText(count, 'processor')}`,
    };
  }
  return variant.startsWith('paper') ? { measure, variant } : undefined;
}

/** Returns a row's number of cores as text. Measured rows and rows in virtual time have the same text. */
const coresOf = ({ variant }) => variant.replace(/, virtual time$/, '');

// Each rule finds one kind of text in a row, and returns the comparisons with the paper that the text states.
// `published` has the numbers of the paper. `measure`, `unit` and `value` describe the quantity that is
// compared. If they are missing, the row's own measure, unit and value are compared.
const RULES = [
  // "2.17 s for 1000 steps (paper: SPHERE 3265 s)": the row's value is the time of one step.
  ({ note, variant }) => {
    const steps = / s for (\d+) steps/.exec(note);
    const found = /\(paper: (?:(\w+) )?([\d.]+) s\)/.exec(note);
    return steps && found
      ? [
          {
            published: [
              { variant: found[1] ?? variant, value: (1000 * Number(found[2])) / Number(steps[1]) },
            ],
          },
        ]
      : [];
  },
  // "the paper: 300 ms on 12 GPUs"
  ({ limit, unit }) => {
    const found = /^the paper: ([\d.]+) ms on (.+)$/.exec(limit);
    return found && unit === 'ms' ? [{ published: [{ variant: found[2], value: Number(found[1]) }] }] : [];
  },
  // "the paper: 2.6 x": the speed-up over the row's rival.
  ({ limit, measure, rival, ratio }) => {
    const found = /^the paper: ([\d.]+) x$/.exec(limit);
    return found && ratio
      ? [
          {
            measure: `${measure}: speed-up over ${rival}`,
            unit: 'x',
            value: Number(ratio),
            published: [{ value: Number(found[1]) }],
          },
        ]
      : [];
  },
  // "the paper: 7.5 x on 8 cores": compared only with a speed-up for the same number of lists, here 8.
  ({ note, measure, variant, unit }) => {
    const found = /the paper: ([\d.]+) (?:x|times) on (\d+) cores/.exec(note);
    const lists = /(\d+) lists$/.exec(measure)?.[1] ?? /p = (\d+)$/.exec(variant)?.[1];
    return found && unit === 'x' && lists === found[2]
      ? [{ published: [{ variant: `${found[2]} cores`, value: Number(found[1]) }] }]
      : [];
  },
  // "the paper: typically less than 0.01"
  ({ note }) => {
    const found = /the paper: (typically less than) ([\d.]+)/.exec(note);
    return found ? [{ published: [{ variant: found[1], value: Number(found[2]) }] }] : [];
  },
  // "<= 0.01": the max share of a query's time that making the front may take.
  ({ figure, limit }) => {
    const found = /^<= ([\d.]+)$/.exec(limit);
    return found && figure === 'Zhang and Kim, s5.3'
      ? [{ published: [{ variant: 'less than', value: Number(found[1]) }] }]
      : [];
  },
  // "20908 % of the CPU's time, 1.00 x one device; the paper: 24 %"
  ({ note, measure, variant }) => {
    const [ours, theirs] = [/^([\d.]+) % of the CPU's time/.exec(note), /the paper: ([\d.]+) %/.exec(note)];
    return ours && theirs
      ? [
          {
            measure: `${measure}: share of the CPU's time`,
            unit: 'share',
            value: Number(ours[1]) / 100,
            published: [{ variant: countText(countOf({ variant }), 'GPU'), value: Number(theirs[1]) / 100 }],
          },
        ]
      : [];
  },
  // "speed-up 1.72, the paper 1.79"
  row => {
    const found = /speed-up ([\d.]+), the paper ([\d.]+)/.exec(row.note);
    return found
      ? [
          {
            measure: `${row.measure}: speed-up`,
            unit: 'x',
            value: Number(found[1]),
            published: [{ variant: coresOf(row), value: Number(found[2]) }],
          },
        ]
      : [];
  },
  // "efficiency 0.97 (paper: 2.697, 0.674)": the paper's speed-up and efficiency. Only the speed-up is used.
  ({ note, unit }) => {
    const found = /\(paper: ([\d.]+), [\d.]+\)/.exec(note);
    return found && unit === 'x' ? [{ published: [{ value: Number(found[1]) }] }] : [];
  },
  // "the paper: more than 4, at most 8"
  ({ note, unit }) => {
    const found = /the paper: (more than \d+, at most) (\d+)/.exec(note);
    return found && unit === 'count' ? [{ published: [{ variant: found[1], value: Number(found[2]) }] }] : [];
  },
  // "thesis, Table 5.1: 761 ms, speedup 1.92; Table 5.3: 965 ms, speedup 1.77"
  ({ note, measure, variant, ratio }) => {
    const found = [...note.matchAll(/(Table [\d.]+): ([\d.]+) ms, speedup ([\d.]+)/g)];
    const publishedBy = column =>
      found.map(texts => ({
        variant: `${texts[1]}, ${countText(countOf({ variant }), 'processor')}`,
        value: Number(texts[column]),
      }));
    return found.length > 0
      ? [
          { published: publishedBy(2) },
          { measure: `${measure}: speed-up`, unit: 'x', value: Number(ratio), published: publishedBy(3) },
        ]
      : [];
  },
  // "thesis, 40 processors: MergeSlaveResults() of a slave 38.6 ms, of the master 791.5 ms"
  ({ note, unit }) => {
    const found = /thesis, (\d+ processors): (.+)$/.exec(note);
    const times = found ? [...found[2].matchAll(/([^\s,][^,]*) ([\d.]+) ms/g)] : [];
    return unit === 'ms' && times.length > 0
      ? [
          {
            published: times.map(([, stage, value]) => ({
              variant: `${found[1]}, ${stage}`,
              value: Number(value),
            })),
          },
        ]
      : [];
  },
];

// The row has the ratio of the paper's value to its own mean. Both were rounded when they were recorded, so the
// result differs from the paper's value by up to 0.1 %.
function comparisonByRatio(row) {
  const value = Number(row.ratio) * Number(row.mean || row.median);
  return { published: [{ variant: coresOf(row), value }] };
}

/**
 * Returns the comparisons of one of our rows with its paper: { measure, unit, value, published }. `value` is
 * our value. `published` has the numbers of the paper: { variant, value }.
 */
export function comparisonsOf(row) {
  const source = row.figure?.startsWith('Lucchesi') ? 'thesis' : 'paper';
  const texts = { ...row, note: row.note ?? '', limit: row.limit ?? '' };
  const found = publishedRow(row) ? [] : RULES.flatMap(rule => rule(texts));
  const hasOwn = found.some(({ measure }) => measure === undefined);
  if (!hasOwn && row.rival === 'paper' && row.ratio) found.push(comparisonByRatio(row));
  return found.map(({ measure = row.measure, unit = row.unit, value = numberOf(row), published }) => ({
    measure,
    unit,
    value,
    published: published.map(number => ({
      variant: number.variant ? `${source}, ${number.variant}` : source,
      value: number.value,
    })),
  }));
}
