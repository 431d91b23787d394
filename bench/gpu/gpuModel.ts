// Models the times of queries on named GPUs, and compares them with measured times. Needs no GPU: it reads the
// counted work from the rows of one machine, and the times from the rows of a machine with an NVIDIA H100. The
// other GPU benches recorded both.
//
// The costs of a dispatch, of a round trip and of a transferred byte are fitted to the measured times. If the
// time of the CPU's work was measured, it is subtracted from the end-to-end times before the fit, and added to
// the modeled end-to-end times. For kernels, mean times are used, because kernels are timed one by one,
// with a clock that advances in steps of 0.066 ms. For end-to-end times, medians are used. The work of a query
// that ran several times is the median of its runs.

import { readRows } from '../support/csv.mjs';
import {
  type FittedCosts,
  FORMULA,
  fitCosts,
  type GpuLoad,
  H100,
  KERNELS_FORMULA,
  LAPTOP,
  modelKernels,
  modelQuery,
  type TimedLoad,
} from '../support/gpuModel.js';
import { Report } from '../support/report.js';
import { median, sum } from '../support/statistics.js';

const COUNTED_ON = 'amd-epyc-2c';
const MEASURED_ON = 'intel-xeon-16c';
/** The steps of a query on the GPU. Their measured times add up to the time of the query's kernels. */
const STEPS = ['front', 'traversal', 'triangle tests', 'sizes of passes'] as const;
const CPU_STEP = 'CPU: records, exact, sort';
/** The step in which the GPU filters the feature pairs of deforming meshes. */
const FILTER = 'GPU: filter alone';
/**
 * The speed-ups of a GPU over the CPU that are reported in papers, by scene. Zhang and Kim report two
 * speed-ups, one for each of two GPUs.
 */
const PAPER_SPEED_UPS: Readonly<Record<string, string>> = {
  'cloth-ball 92K': '30 x and 45 x',
  'cubes 20000': '4.2 x',
};

/**
 * The number of robots in Du, Liu and Suzumura, section 5.3, and the milliseconds of a step of these robots on
 * the 12 GPUs of the paper.
 */
const ROBOTS = 100_000;
const ROBOTS_MILLISECONDS = 300;

interface Recorded {
  bench: string;
  scene: string;
  measure: string;
  variant: string;
  median: string;
  mean: string;
}

/**
 * A query whose work was counted, and the milliseconds that were measured, if any. whole: end to end, with the
 * CPU's part. cpu: the time in which the CPU works on the answer; 0 if it was not measured. oneThread: the same
 * query on one thread of the CPU.
 */
interface Sample extends TimedLoad {
  bench: string;
  scene: string;
  cpu: number;
  oneThread: number | undefined;
}

/** The costs of a modeled GPU. */
type Model = FittedCosts & { variant: string };

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
  isOf: (variant: string) => boolean = () => true,
): number | undefined {
  const row = rows.find(
    one => one.bench === bench && one.scene === scene && one.measure === measure && isOf(one.variant),
  );
  return row && Number(row[field]);
}

const isGpu = (variant: string): boolean => /nvidia/i.test(variant);
const isOneThread = (variant: string): boolean =>
  variant === '1 thread' || variant === 'CPU' || variant === 'CPU, 1 thread';

function countedValue(bench: string, scene: string, measure: string): number {
  const found = recordedValue(counted, bench, scene, measure);
  if (found === undefined) throw new Error(`${COUNTED_ON} has no row ${bench}, ${scene}, ${measure}`);
  return found;
}

function loadOf(bench: string, scene: string, prefix: string): GpuLoad {
  const value = (measure: string): number => countedValue(bench, scene, prefix + measure);
  return {
    dispatches: value('dispatches'),
    roundTrips: value('round trips'),
    kernelBytes: value('bytes read by kernels') + value('bytes written by kernels'),
    transferredBytes: value('bytes transferred'),
  };
}

const stepOf = (bench: string, scene: string, step: string): Pick<GpuLoad, 'dispatches' | 'kernelBytes'> => ({
  dispatches: countedValue(bench, scene, `${step}, dispatches`),
  kernelBytes: countedValue(bench, scene, `${step}, bytes of kernels`),
});

const scenesOf = (bench: string, measure: string): string[] => [
  ...new Set(counted.filter(row => row.bench === bench && row.measure === measure).map(({ scene }) => scene)),
];

function samples(): Sample[] {
  const time = (
    bench: string,
    scene: string,
    measure: string,
    field?: 'median' | 'mean',
    isOf: (variant: string) => boolean = isGpu,
  ): number | undefined => recordedValue(measured, bench, scene, measure, field, isOf);
  const boxes = scenesOf('gpuBoxes', 'round trips').map((scene): Sample => {
    const whole = 'all pairs, end to end';
    const isPaper = (variant: string): boolean => variant === '1 queue of one adapter';
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

// Fits the costs of the H100, and adds rows with these costs to the report. Returns the models of the H100 and
// of the laptop GPU.
function fit(all: readonly Sample[]): Model[] {
  const costs = fitCosts(
    all.map(({ bench, load, kernels, whole, cpu }) => ({
      load,
      kernels,
      // The paper's scenes of boxes are left out, because another bench measured them, while three more
      // devices were open.
      whole: whole === undefined || (bench === 'gpuBoxes' && kernels === undefined) ? undefined : whole - cpu,
    })),
    H100.memory,
  );
  const add = (
    measure: string,
    value: number,
    { count, error }: FittedCosts['kernels'],
    extra?: string,
  ): void =>
    report.add({
      scene: 'all',
      measure,
      variant: H100.variant,
      unit: 'us',
      n: count,
      median: 1e3 * value,
      how: 'modeled: least squares of relative errors, see bench/support/gpuModel.ts',
      note: [
        extra,
        `root mean square of the relative errors ${(100 * error).toFixed(0)} %`,
        `for ${LAPTOP.variant}, assumed to be the same`,
      ]
        .filter(Boolean)
        .join('; '),
    });
  const { dispatch, roundTrip, transfer, kernels, wholes } = costs;
  add('time of a dispatch', dispatch, kernels);
  add('time of a round trip', roundTrip, wholes);
  add('time of a transferred megabyte', 1e9 / transfer, wholes, `${(transfer / 1e9).toPrecision(3)} GB/s`);
  for (const { variant, memory, source } of [H100, LAPTOP])
    report.add({
      scene: 'all',
      measure: 'time of a megabyte in memory',
      variant,
      unit: 'us',
      n: 1,
      median: 1e12 / memory,
      how: 'modeled: a megabyte / memory bandwidth',
      note: `${memory / 1e9} GB/s; ${source}`,
    });
  return [H100, LAPTOP].map(({ variant, memory }) => ({ ...costs, variant, memory }));
}

type Measure = 'kernels' | 'end to end' | 'part of the GPU' | 'filter of feature pairs';

/** Adds rows with the modeled times. Rows of the H100 compare them with measured times, if there are any. */
function compare(all: readonly Sample[], models: readonly Model[]): void {
  const ratios = new Map<Measure, number[]>();
  for (const model of models) {
    const add = (
      scene: string,
      measure: Measure,
      time: number,
      known: number | undefined,
      note = '',
    ): void => {
      const isKnown = model.variant === H100.variant && known !== undefined;
      if (isKnown) ratios.set(measure, [...(ratios.get(measure) ?? []), time / known]);
      report.add({
        scene,
        measure: `${measure}, modeled`,
        variant: model.variant,
        unit: 'ms',
        n: 1,
        median: time,
        ...(isKnown ? { rival: 'measured on an H100', ratio: known / time } : {}),
        how: measure === 'end to end' || measure === 'part of the GPU' ? FORMULA : KERNELS_FORMULA,
        note: `${isKnown ? `measured ${known.toPrecision(3)} ms` : 'not measured'}${note}`,
      });
    };
    for (const { bench, scene, load, kernels, whole, cpu } of all) {
      const name = `${bench}: ${scene}`;
      add(name, 'kernels', modelKernels(load, model), kernels);
      add(
        name,
        'end to end',
        modelQuery(load, model) + cpu,
        whole,
        cpu > 0
          ? `; includes ${cpu.toPrecision(3)} ms of the CPU, as measured on the machine of the H100`
          : '',
      );
    }
    // Only the GPU's part of these queries is modeled. This part was not measured alone. The rest of each
    // query runs on the CPU.
    for (const scene of scenesOf('gpuSweep', 'round trips'))
      add(
        `gpuSweep: ${scene}`,
        'part of the GPU',
        modelQuery(loadOf('gpuSweep', scene, ''), model),
        undefined,
        '; without the times of contact, which the CPU computes',
      );
    for (const scene of scenesOf('gpuSweep', `${FILTER}, dispatches`))
      add(
        `gpuSweep: ${scene}`,
        'filter of feature pairs',
        modelKernels(stepOf('gpuSweep', scene, FILTER), model),
        recordedValue(measured, 'gpuSweep', scene, FILTER, 'mean', isGpu),
      );
  }
  for (const [measure, values] of ratios)
    report.add({
      scene: 'all',
      measure: `${measure}, model over measured`,
      variant: H100.variant,
      unit: 'x',
      n: values.length,
      median: median(values),
      max: Math.max(...values),
      how: measure === 'end to end' ? FORMULA : KERNELS_FORMULA,
      note: `from ${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`,
    });
}

// Adds the modeled time of the GPU's part in a step of moving robots, scaled to the number of robots of the
// paper. Robots that move at random have the same density for every number of robots.
function addRobots(scene: string, model: Model): void {
  const count = Number.parseInt(scene, 10);
  const scale = ROBOTS / count;
  const load = loadOf('gpuSweep', scene, '');
  const scaled = {
    ...load,
    kernelBytes: scale * load.kernelBytes,
    transferredBytes: scale * load.transferredBytes,
  };
  report.add({
    scene: `gpuSweep: ${scene}`,
    measure: `near pairs and filter of ${ROBOTS} robots, ${scale === 1 ? 'modeled' : 'extrapolated'}`,
    variant: model.variant,
    unit: 'ms',
    n: 1,
    median: modelQuery(scaled, model),
    figure: 'Du, Liu and Suzumura, s5.3',
    how:
      scale === 1
        ? FORMULA
        : `${FORMULA}; all bytes of ${count} robots * ${scale}, the same dispatches and round trips`,
    note: `without the times of contact, which the CPU computes; the paper's whole step: ${ROBOTS_MILLISECONDS} ms on 12 GPUs of 4 nodes; not measured`,
  });
}

/**
 * Adds rows that reproduce figures of papers: speed-ups over one thread, and the share of each step in the time
 * of a query.
 */
function reproduce(all: readonly Sample[], models: readonly Model[]): void {
  for (const { bench, scene, load, cpu, whole, oneThread } of all) {
    if (bench === 'gpuTrees' || oneThread === undefined) continue;
    const figure =
      bench === 'gpuBoxes'
        ? 'Avril, Gouranton and Arnaldi, Fig. 12'
        : /cloth/.test(scene)
          ? 'Zhang and Kim, s5.2.3'
          : undefined;
    report.add({
      scene: `${bench}: ${scene}`,
      measure: 'speed-up over one thread, modeled',
      variant: H100.variant,
      unit: 'x',
      n: 1,
      median: oneThread / (modelQuery(load, models[0]) + cpu),
      figure,
      how: FORMULA,
      note: [
        ...(whole === undefined ? [] : [`measured ${(oneThread / whole).toPrecision(3)} x`]),
        ...(scene in PAPER_SPEED_UPS ? [`the paper: ${PAPER_SPEED_UPS[scene]}`] : []),
      ].join('; '),
    });
  }
  for (const scene of scenesOf('gpuSweep', 'round trips').filter(name => /robots/.test(name)))
    addRobots(scene, models[0]);
  for (const scene of scenesOf('gpuQueries', 'round trips')) {
    const known = STEPS.map(step => recordedValue(measured, 'gpuQueries', scene, step, 'mean', isGpu) ?? 0);
    const isKnown = sum(known) > 0;
    for (const model of models) {
      const times = STEPS.map(step => modelKernels(stepOf('gpuQueries', scene, step), model));
      STEPS.forEach((step, i) =>
        report.add({
          scene: `gpuQueries: ${scene}`,
          measure: `${step}, share of all steps, modeled`,
          variant: model.variant,
          unit: 'share',
          n: 1,
          median: times[i] / sum(times),
          figure: 'Zhang and Kim, Fig. 5',
          how: KERNELS_FORMULA,
          note: [
            `${times[i].toPrecision(3)} ms of ${sum(times).toPrecision(3)} ms`,
            isKnown && model.variant === H100.variant
              ? `measured ${(known[i] / sum(known)).toPrecision(3)}`
              : 'not measured',
          ].join('; '),
        }),
      );
    }
  }
}

const all = samples();
const models = fit(all);
compare(all, models);
reproduce(all, models);
report.save();
