// Records the rounds of a job: how long each round took, and the costs that its tasks reported.
import type { BoxPairsStage } from '../../core/stats.js';
import type { OctreeRound, OctreeStages } from './job.js';
import type { taskCosts } from './messages.js';

/** The costs that every task reports: see `taskCosts`. */
type TaskCosts = Record<keyof typeof taskCosts, number>;

/** Returns the sum of a field over all results. */
export const sumOf = <Field extends string>(
  results: readonly Record<Field, number>[],
  field: Field,
): number => results.reduce((sum, report) => sum + report[field], 0);

/** Returns a computation's milliseconds by reported stage. `scan` is the sum of 'gather' and 'search'. */
export const stagesOf = ({
  codes = 0,
  sort = 0,
  merge = 0,
  gather = 0,
  search = 0,
}: Partial<Record<BoxPairsStage | 'merge', number>>): OctreeStages => ({
  codes,
  sort,
  merge,
  scan: gather + search,
});

/** Returns the maximum of a field over all results, or 0 if there are none. */
export const maxOf = <Field extends string>(
  results: readonly Record<Field, number>[],
  field: Field,
): number => Math.max(0, ...results.map(result => result[field]));

export class RoundLog {
  readonly rounds: OctreeRound[] = [];
  /** CPU milliseconds of each node since that node first heard of the run. */
  private readonly cpu = new Map<number, number>();

  /**
   * Runs the tasks of a round and records the round. run: runs the tasks, and calls `note` with each result
   * and the node that computed it.
   */
  async measure<Report extends TaskCosts>(
    name: string,
    tasks: number,
    run: (note: (report: Report, i: number, node: number) => void) => Promise<Report[]>,
  ): Promise<Report[]> {
    const startedAt = performance.now();
    const { cpu } = this;
    const cpuBefore = new Map(cpu);
    const results = await run((report, _, node) => {
      cpu.set(node, Math.max(cpu.get(node) ?? 0, report.cpu));
    });
    const cpus = [...cpu].map(([node, spent]) => spent - (cpuBefore.get(node) ?? 0));
    this.add(name, tasks, startedAt, {
      maxComputed: maxOf(results, 'computed'),
      computed: sumOf(results, 'computed'),
      stages: {
        codes: maxOf(results, 'codes'),
        sort: maxOf(results, 'sort'),
        merge: maxOf(results, 'merge'),
        scan: maxOf(results, 'scan'),
      },
      fromCaller: sumOf(results, 'fromCaller'),
      fromNodes: sumOf(results, 'fromNodes'),
      fromSelf: sumOf(results, 'fromSelf'),
      maxBytesRead: Math.max(
        0,
        ...results.map(({ fromCaller, fromNodes, fromSelf }) => fromCaller + fromNodes + fromSelf),
      ),
      maxCpu: Math.max(0, ...cpus),
      cpu: cpus.reduce((sum, spent) => sum + spent, 0),
    });
    return results;
  }

  /** Records a round that ends now. startedAt: when it started, milliseconds of `performance.now()`. */
  add(name: string, tasks: number, startedAt: number, costs: Partial<OctreeRound> = {}): void {
    this.rounds.push({
      name,
      tasks,
      milliseconds: performance.now() - startedAt,
      maxComputed: 0,
      computed: 0,
      stages: { codes: 0, sort: 0, merge: 0, scan: 0 },
      fromCaller: 0,
      fromNodes: 0,
      fromSelf: 0,
      maxBytesRead: 0,
      maxCpu: 0,
      cpu: 0,
      ...costs,
    });
  }
}
