// Fits the costs of the GPU model to recorded times, and compares the model with these times. Needs no GPU: it
// reads the counted work from the rows of one machine, and the times from the rows of a machine with an NVIDIA
// H100. The other GPU benches recorded both.
//
// Method: the time of a dispatch is fitted to the times of kernels, less the modeled time of their bytes. The
// time of a round trip and the transfer rate are fitted together to the end-to-end times, less the modeled time
// of the kernels and, where it was measured, less the work of the CPU. All fits are least squares of relative
// errors. Kernels are timed one by one, with a clock whose steps are 0.066 ms, so means are used for kernels,
// and medians for end-to-end times.

import { readRows } from '../support/csv.mjs';
import {
  costsText,
  FORMULA,
  type GpuLoad,
  H100,
  KERNELS_FORMULA,
  modelKernels,
  modelQuery,
} from '../support/gpuModel.js';
import { Report } from '../support/report.js';
import { fitLeastSquares, median } from '../support/statistics.js';

const COUNTED_ON = 'amd-epyc-2c';
const MEASURED_ON = 'intel-xeon-16c';
/** The steps of a query whose measured times add up to the time of its kernels. */
const STEPS = ['front', 'traversal', 'triangle tests', 'sizes of passes'] as const;
const CPU_STEP = 'CPU: records, exact, sort';
const FIGURE_5 = 'Zhang and Kim, Fig. 5';
/** A scene, and the speed-up of one GPU over the CPU that Avril, Gouranton and Arnaldi report for it. */
const AVRIL = { scene: 'cubes 20000', speedUp: 4.2 } as const;

/** Number of robots, and the paper's time of a step of them on 12 GPUs (Du, Liu and Suzumura, section 5.3). */
const ROBOTS = 100_000;
const ROBOTS_MILLISECONDS = 300;

interface Recorded {
  bench: string;
  scene: string;
  measure: string;
  who: string;
  median: string;
  mean: string;
}

/** A query whose work was counted, with its measured milliseconds as far as there are any. */
interface Sample {
  bench: string;
  scene: string;
  load: GpuLoad;
  kernels: number | undefined;
  /** End to end, and the part of it in which the CPU works on the answer. */
  whole: number | undefined;
  cpu: number;
  oneThread: number | undefined;
}

const report = new Report('gpuModel', undefined, []);
const counted = readRows(COUNTED_ON) as Recorded[];
const measured = readRows(MEASURED_ON) as Recorded[];
const ofPaper = readRows(`papers-${MEASURED_ON}`) as Recorded[];

function recordedValue(
  rows: readonly Recorded[],
  bench: string,
  scene: string,
  measure: string,
  field: 'median' | 'mean' = 'median',
  isOf: (who: string) => boolean = () => true,
): number | undefined {
  const row = rows.find(
    one => one.bench === bench && one.scene === scene && one.measure === measure && isOf(one.who),
  );
  return row && Number(row[field]);
}

const isGpu = (who: string): boolean => /nvidia/i.test(who);
const isOneThread = (who: string): boolean => who === '1 thread' || who === 'CPU' || who === 'CPU, 1 thread';

function loadOf(bench: string, scene: string, prefix: string): GpuLoad {
  const value = (measure: string): number => {
    const found = recordedValue(counted, bench, scene, prefix + measure);
    if (found === undefined)
      throw new Error(`${COUNTED_ON} has no row ${bench}, ${scene}, ${prefix}${measure}`);
    return found;
  };
  return {
    dispatches: value('dispatches'),
    roundTrips: value('round trips'),
    kernelBytes: value('bytes read by kernels') + value('bytes written by kernels'),
    transferredBytes: value('bytes transferred'),
  };
}

const scenesOf = (bench: string, measure: string): string[] => [
  ...new Set(counted.filter(row => row.bench === bench && row.measure === measure).map(({ scene }) => scene)),
];

function samples(): Sample[] {
  const time = (
    bench: string,
    scene: string,
    measure: string,
    field?: 'median' | 'mean',
    isOf: (who: string) => boolean = isGpu,
  ): number | undefined => recordedValue(measured, bench, scene, measure, field, isOf);
  const boxes = scenesOf('gpuBoxes', 'round trips').map((scene): Sample => {
    const whole = 'all pairs, end to end';
    const isPaper = (who: string): boolean => who === '1 queue of one adapter';
    return {
      bench: 'gpuBoxes',
      scene,
      load: loadOf('gpuBoxes', scene, ''),
      kernels: time('gpuBoxes', scene, 'all kernels', 'mean'),
      whole:
        time('gpuBoxes', scene, whole) ??
        recordedValue(ofPaper, 'deviceRuns', scene, 'all pairs', 'median', isPaper),
      cpu: 0,
      oneThread: recordedValue(ofPaper, 'deviceRuns', scene, 'all pairs', 'median', isOneThread),
    };
  });
  const queries = scenesOf('gpuQueries', 'round trips').map((scene): Sample => {
    const steps = STEPS.map(step => time('gpuQueries', scene, step, 'mean'));
    // The steps leave out the kernels that refit trees of deforming meshes.
    const isWhole = steps.every(step => step !== undefined) && !/cloth/.test(scene);
    return {
      bench: 'gpuQueries',
      scene,
      load: loadOf('gpuQueries', scene, ''),
      kernels: isWhole ? steps.reduce((total: number, step) => total + (step ?? 0), 0) : undefined,
      whole: time('gpuQueries', scene, 'all pairs, end to end'),
      cpu: time('gpuQueries', scene, CPU_STEP) ?? 0,
      oneThread: time('gpuQueries', scene, 'all pairs, end to end', 'median', isOneThread),
    };
  });
  const trees = ['build', 'refit'].flatMap(step =>
    scenesOf('gpuTrees', `${step}, round trips`).map(
      (scene): Sample => ({
        bench: 'gpuTrees',
        scene: `${scene}, ${step}`,
        load: loadOf('gpuTrees', scene, `${step}, `),
        kernels: time('gpuTrees', scene, `${step}, kernels`, 'mean'),
        whole: time('gpuTrees', scene, `${step}, end to end`),
        cpu: 0,
        oneThread: time('gpuTrees', scene, `${step}, end to end`, 'median', isOneThread),
      }),
    ),
  );
  return [...boxes, ...queries, ...trees];
}

/** Adds the fitted costs. */
function fit(all: readonly Sample[]): void {
  const timed = all.flatMap(({ kernels, load }) => (kernels === undefined ? [] : [{ kernels, load }]));
  const dispatch = fitLeastSquares(
    [timed.map(({ load }) => load.dispatches)],
    timed.map(({ kernels, load }) => kernels - modelKernels({ ...load, dispatches: 0 }, H100)),
  );
  const ended = all.flatMap(({ bench, whole, kernels, cpu, load }) =>
    // The frames of the paper's scenes were measured by another bench, with more work of the host.
    whole === undefined || (bench === 'gpuBoxes' && kernels === undefined) ? [] : [{ whole, cpu, load }],
  );
  const trip = fitLeastSquares(
    [ended.map(({ load }) => load.roundTrips), ended.map(({ load }) => load.transferredBytes)],
    ended.map(
      ({ whole, cpu, load }) => whole - cpu - modelKernels(load, { ...H100, dispatch: dispatch.weights[0] }),
    ),
  );
  const how = 'modeled: least squares of relative errors, see bench/gpu/gpuModel.ts' as const;
  const errorText = (error: number): string =>
    `root mean square of the relative errors ${(100 * error).toFixed(0)} %`;
  report.add(
    {
      scene: 'all',
      measure: 'time of a dispatch',
      who: H100.who,
      unit: 'us',
      n: timed.length,
      median: 1e3 * dispatch.weights[0],
      how,
      note: `${errorText(dispatch.error)}; used: ${costsText(H100)}`,
    },
    {
      scene: 'all',
      measure: 'time of a round trip',
      who: H100.who,
      unit: 'us',
      n: ended.length,
      median: 1e3 * trip.weights[0],
      how,
      note: errorText(trip.error),
    },
    {
      scene: 'all',
      measure: 'time of a transferred megabyte',
      who: H100.who,
      unit: 'us',
      n: ended.length,
      median: 1e9 * trip.weights[1],
      how,
      note: `${(1e-6 / trip.weights[1]).toFixed(2)} GB/s`,
    },
  );
}

/** Adds the modeled times beside the measured ones. */
function compare(all: readonly Sample[]): void {
  const ratios: Record<string, number[]> = { kernels: [], 'end to end': [] };
  const add = (sample: Sample, measure: string, model: number, time: number | undefined, note = ''): void => {
    if (time !== undefined) ratios[measure].push(model / time);
    report.add({
      scene: `${sample.bench}: ${sample.scene}`,
      measure: `${measure}, modeled`,
      who: H100.who,
      unit: 'ms',
      n: 1,
      median: model,
      ...(time === undefined ? {} : { rival: 'measured on an H100', ratio: time / model }),
      how: measure === 'kernels' ? KERNELS_FORMULA : FORMULA,
      note: `${time === undefined ? 'not measured' : `measured ${time.toPrecision(3)} ms`}${note}`,
    });
  };
  for (const sample of all) {
    const { load, kernels, whole, cpu } = sample;
    add(sample, 'kernels', modelKernels(load, H100), kernels);
    add(
      sample,
      'end to end',
      modelQuery(load, H100) + cpu,
      whole,
      cpu > 0 ? `; includes ${cpu.toPrecision(3)} ms of the CPU, as measured` : '',
    );
  }
  for (const [measure, values] of Object.entries(ratios))
    report.add({
      scene: 'all',
      measure: `${measure}, model over measured`,
      who: H100.who,
      unit: 'x',
      n: values.length,
      median: median(values),
      max: Math.max(...values),
      how: measure === 'kernels' ? KERNELS_FORMULA : FORMULA,
      note: `from ${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`,
    });
}

/** Adds the figures of papers: speed-ups over one thread, and the shares of the steps of a query. */
function reproduce(all: readonly Sample[]): void {
  for (const { bench, scene, load, cpu, whole, oneThread } of all) {
    if (bench === 'gpuTrees' || oneThread === undefined) continue;
    const isQuery = bench === 'gpuQueries';
    report.add({
      scene: `${bench}: ${scene}`,
      measure: 'speed-up over one thread, modeled',
      who: H100.who,
      unit: 'x',
      n: 1,
      median: oneThread / (modelQuery(load, H100) + cpu),
      figure: isQuery ? 'Zhang and Kim, s5.2.3' : 'Avril, Gouranton and Arnaldi, Fig. 12',
      how: FORMULA,
      note: [
        ...(whole === undefined ? [] : [`measured ${(oneThread / whole).toPrecision(3)} x`]),
        ...(isQuery ? ['the paper: 30 x and 45 x'] : []),
        ...(scene === AVRIL.scene ? [`the paper: ${AVRIL.speedUp} x`] : []),
      ].join('; '),
    });
  }
  for (const scene of scenesOf('gpuSweep', 'round trips').filter(name => /robots/.test(name))) {
    const load = loadOf('gpuSweep', scene, '');
    // Robots that move at random have the same density for every number of robots.
    const scale = ROBOTS / Number.parseInt(scene, 10);
    const time = modelQuery(
      {
        ...load,
        kernelBytes: scale * load.kernelBytes,
        transferredBytes: scale * load.transferredBytes,
      },
      H100,
    );
    report.add({
      scene: `gpuSweep: ${scene}`,
      measure: 'near pairs and filter, modeled',
      who: H100.who,
      unit: 'ms',
      n: 1,
      median: time,
      rival: 'the paper, 12 GPUs on 4 nodes',
      ratio: ROBOTS_MILLISECONDS / time,
      figure: 'Du, Liu and Suzumura, s5.3',
      how: FORMULA,
      note: 'bytes scaled to 100,000 robots; the GPU finds near pairs and drops pairs that are apart; the CPU then computes the times of contact, which this does not include; not measured',
    });
  }
  for (const scene of scenesOf('gpuQueries', 'round trips')) {
    const times = STEPS.map(step => recordedValue(measured, 'gpuQueries', scene, step, 'mean', isGpu) ?? 0);
    const whole = times.reduce((total, time) => total + time, 0);
    STEPS.forEach((step, i) =>
      report.add({
        scene: `gpuQueries: ${scene}`,
        measure: `${step}, share of all steps, modeled`,
        who: H100.who,
        unit: 'share',
        n: 1,
        median:
          recordedValue(
            counted,
            'gpuQueries',
            scene,
            `${step}, share of all steps, modeled`,
            'median',
            who => who === H100.who,
          ) ?? NaN,
        figure: FIGURE_5,
        how: KERNELS_FORMULA,
        note: whole > 0 ? `measured ${(times[i] / whole).toPrecision(3)}` : 'not measured',
      }),
    );
  }
}

const all = samples();
fit(all);
compare(all);
reproduce(all);
report.save();
