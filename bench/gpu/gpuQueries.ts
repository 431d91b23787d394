// Measures queries for all intersecting triangle pairs of placed meshes and of cloths on a GPU, and the same
// queries on one thread of the CPU. Also measures the share of each step in the GPU's time (Zhang and Kim
// 2014, Fig. 5).
//
// Counters are the same on every GPU adapter; from them, the bench `gpuModel` models times on named GPUs.
// Measured times hold only for the adapter that their row names. On a software adapter, nothing is timed.

import type { Gpu } from '../../dist/gpu/device/gpu.js';
import type { GpuQueryAnswer } from '../../dist/gpu/gpuQueries.js';
import { createEngine, type PairsCopy } from '../../dist/index.js';
import { gpuLimits } from '../../dist/records/gpuLayout.js';
import {
  adapterName,
  type GpuCases,
  GpuQueryRunner,
  makeGpuCases,
  openGpu,
  SEED,
} from '../support/gpuCases.js';
import { type CountedWork, countWork, stepRows, workRows } from '../support/gpuRows.js';
import { isTimed, stagesText } from '../support/gpuTimes.js';
import { isQuick, Report, type Row } from '../support/report.js';
import { median, sum, summarize } from '../support/statistics.js';
import { interleaveAsync } from '../support/timing.js';

const ITERATIONS = isQuick ? 1 : 5;
/** The steps of a query, as in the paper, each with the kernels that perform it. */
const STEPS: readonly (readonly [step: string, kernels: readonly string[]])[] = [
  ['front', ['growFront', 'testFront']],
  ['traversal', ['traverse']],
  ['triangle tests', ['testLeafPairs']],
  ['sizes of passes', ['writePassSize']],
];
const COUNTED = ['frontNodes', 'boxTests', 'leafPairs', 'exactTests', 'passes', 'reruns'] as const;
const DEVICE_COUNTERS = ['dispatches', 'submits', 'uploadedBytes', 'readBytes'] as const;
const NAMES: Readonly<Record<(typeof COUNTED)[number] | (typeof DEVICE_COUNTERS)[number], string>> = {
  frontNodes: 'front nodes',
  boxTests: 'box tests',
  leafPairs: 'leaf pairs',
  exactTests: 'uncertain triangle pairs',
  passes: 'passes',
  reruns: 'reruns',
  dispatches: 'dispatches',
  submits: 'submits',
  uploadedBytes: 'bytes uploaded',
  readBytes: 'bytes read back',
};

const report = new Report('gpuQueries', SEED, ['webgpu']);

/**
 * Maps the name of each kernel to its total time. `each` maps the name to the times of the kernel's single
 * dispatches, in order.
 */
class PassTimes extends Map<string, number> {
  readonly each = new Map<string, number[]>();

  override set(name: string, total: number): this {
    const own = total - (this.get(name) ?? 0);
    const times = this.each?.get(name);
    if (times) times.push(own);
    else this.each?.set(name, [own]);
    return super.set(name, total);
  }
}

class Comparison {
  private readonly gpu: Gpu;
  private readonly runner: GpuQueryRunner;
  private readonly gpuCases: GpuCases;
  private readonly cases: number[];
  private readonly rowBase: Pick<Row, 'scene' | 'variant'>;

  constructor(gpu: Gpu, runner: GpuQueryRunner, gpuCases: GpuCases) {
    [this.gpu, this.runner, this.gpuCases] = [gpu, runner, gpuCases];
    this.cases = Array.from({ length: gpuCases.caseCount }, (_, at) => at);
    this.rowBase = { scene: gpuCases.name, variant: adapterName(gpu) };
  }

  async measure(): Promise<void> {
    const first = await this.countQuery(0);
    const answers: Awaited<ReturnType<Comparison['countQuery']>>[] = [];
    for (const at of this.cases) {
      const found = await this.countQuery(at);
      expectSame(this.rowBase.scene, found.answer, this.gpuCases.onCpu(at));
      answers.push(found);
    }
    const note = `${sum(answers.map(({ answer }) => answer.count))} pairs in ${this.cases.length} cases, the same as on the CPU`;
    report.add({
      ...this.rowBase,
      measure: 'bytes uploaded, first query',
      unit: 'bytes',
      n: 1,
      median: first.counted.stages.counters.uploadedBytes,
      note,
    });
    const { dispatches, up, down } = answers.at(-1)!.counted.stages;
    const stages: Partial<Record<(typeof DEVICE_COUNTERS)[number], Map<string, number>>> = {
      dispatches,
      uploadedBytes: up,
      readBytes: down,
    };
    for (const name of DEVICE_COUNTERS) {
      const stage = stages[name];
      report.add({
        ...this.rowBase,
        measure: NAMES[name],
        unit: /Bytes/.test(name) ? 'bytes' : 'count',
        ...summarize(answers.map(({ counted: { stages: all } }) => all.counters[name])),
        note: stage && `last case: ${stagesText(stage)}`,
      });
    }
    for (const name of COUNTED)
      report.add({
        ...this.rowBase,
        measure: NAMES[name],
        unit: 'count',
        ...summarize(answers.map(({ answer }) => answer.stats[name])),
      });
    const lists = Object.entries(this.runner.listBytes);
    report.add({
      ...this.rowBase,
      measure: 'capacity of all lists',
      unit: 'bytes',
      n: 1,
      median: sum(lists.map(([, bytes]) => bytes)),
      note: lists.map(([name, bytes]) => `${name} ${bytes}`).join(', '),
    });
    const works = answers.map(({ counted }) => counted);
    this.addUndecided(works);
    report.add(...workRows(this.rowBase, works), ...stepRows(this.rowBase, works, STEPS));
    if (!isTimed(this.gpu)) return;
    await this.compareTimes();
    if (this.gpu.device.features.has('timestamp-query')) await this.measureSteps();
  }

  // Runs one query and counts the device's work for it.
  private async countQuery(at: number) {
    const { gpu, runner, gpuCases } = this;
    gpuCases.prepare(at);
    let answer!: GpuQueryAnswer;
    const counted = await countWork(gpu, async () => {
      answer = await gpuCases.onGpu(runner.queries, at);
    });
    return { answer, counted };
  }

  // Adds the share of uncertain pairs, which are left to the CPU, among all triangle pairs that the filter did
  // not drop.
  private addUndecided(works: readonly CountedWork[]): void {
    const lengths = works.map(({ stages: { batches } }) => {
      const [counts] = batches.findLast(({ reads }) => reads.has('counts'))!.reads.get('counts')!;
      return { certain: counts[gpuLimits.CERTAIN_COUNT], uncertain: counts[gpuLimits.UNCERTAIN_COUNT] };
    });
    report.add({
      ...this.rowBase,
      measure: 'undecided share',
      unit: 'share',
      ...summarize(lengths.map(({ certain, uncertain }) => uncertain / Math.max(1, certain + uncertain))),
      note: `in all cases ${sum(lengths.map(({ uncertain }) => uncertain))} uncertain triangle pairs, ${sum(lengths.map(({ certain }) => certain))} that certainly intersect`,
    });
  }

  private async compareTimes(): Promise<void> {
    const { gpuCases, runner, rowBase } = this;
    const prepare = (at: number): void => gpuCases.prepare(at);
    const [onGpu, onCpu] = await interleaveAsync(
      this.cases,
      [
        { name: rowBase.variant, prepare, run: at => gpuCases.onGpu(runner.queries, at) },
        { name: '1 thread', prepare, run: at => gpuCases.onCpu(at) },
      ],
      ITERATIONS,
    );
    for (const { name, perCase: _, ...times } of [onGpu!, onCpu!]) {
      report.add({
        ...rowBase,
        measure: 'all pairs, end to end',
        variant: name,
        unit: 'ms',
        ...times,
        rival: '1 thread',
        ratio: onCpu!.mean / times.mean,
      });
    }
  }

  // Measures the share of each step. Each timed kernel has a compute pass of its own, so the total time is a
  // little longer than in compareTimes.
  private async measureSteps(): Promise<void> {
    const { gpu, runner, gpuCases, rowBase } = this;
    const wholes: number[] = [];
    const runs: number[] = [];
    const kernels: number[] = [];
    const steps = STEPS.map((): number[] => []);
    let passes = '';
    for (let iteration = -1; iteration < ITERATIONS; iteration++) {
      for (const at of this.cases) {
        gpuCases.prepare(at);
        const times = (gpu.times = new PassTimes());
        const startedAt = performance.now();
        const { stats } = await gpuCases.onGpu(runner.queries, at);
        const whole = performance.now() - startedAt;
        if (iteration < 0) continue;
        wholes.push(whole);
        runs.push(runner.runMilliseconds);
        kernels.push(sum([...times.values()]) / 1e6);
        STEPS.forEach(([, names], i) => steps[i].push(sum(names.map(name => times.get(name) ?? 0)) / 1e6));
        passes = (times.each.get('traverse') ?? [])
          .slice(0, stats.passes)
          .map(time => (time / 1e6).toFixed(3))
          .join(', ');
      }
    }
    gpu.times = undefined;
    const row = (measure: string, samples: readonly number[], note?: string): void =>
      report.add({
        ...rowBase,
        measure,
        unit: 'ms',
        ...summarize(samples),
        note: [shareText(samples, wholes), note].filter(Boolean).join('; '),
      });
    row('whole, timed', wholes);
    STEPS.forEach(([step], i) =>
      row(step, steps[i], step === 'traversal' ? `last case's passes ${passes}` : undefined),
    );
    row(
      'submit, wait, read back',
      runs.map((time, i) => time - kernels[i]),
    );
    row(
      'CPU: records, exact, sort',
      wholes.map((time, i) => time - runs[i]),
    );
  }
}

const shareText = (samples: readonly number[], wholes: readonly number[]): string =>
  `${((100 * median(samples)) / median(wholes)).toFixed(1)} % of the whole`;

function expectSame(scene: string, found: GpuQueryAnswer, expected: PairsCopy): void {
  const { a, b } = expected;
  const isSame =
    found.count === expected.count &&
    found.a.every((value, i) => value === a[i]) &&
    found.b.every((value, i) => value === b[i]);
  if (!isSame)
    throw new Error(`${scene}: the pairs differ: the GPU found ${found.count}, the CPU ${expected.count}`);
}

const gpu = await openGpu();
if (gpu) {
  const engine = await createEngine({ threads: 1 });
  for (const gpuCases of await makeGpuCases(engine)) {
    const runner = new GpuQueryRunner(engine, gpu);
    await new Comparison(gpu, runner, gpuCases).measure();
    runner.dispose();
    gpuCases.dispose();
  }
  engine.dispose();
  gpu.dispose();
  report.save();
}
