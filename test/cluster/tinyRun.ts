// Runs a job of small mesh queries on a cluster. Each query is a separate task, and tests can examine the
// ledger, which records the node of each task.
import { writeMesh } from '../../dist/cluster/jobs/meshContent.js';
import { checkPairReport, type PairReportValues, pairTasks } from '../../dist/cluster/jobs/pairTasks.js';
import { Run, type RunOptions } from '../../dist/cluster/jobs/run.js';
import { makeSubmitted, type Submitted } from '../../dist/cluster/jobs/submitted.js';
import type { Link } from '../../dist/cluster/link.js';
import type { TinyJob, TinyResult } from './tinyJob.js';

export type TinyRunOptions = Partial<Omit<RunOptions, 'link'>> & { link: Link };

export interface TinyRun extends Submitted<TinyResult> {
  /** The run, for tests that examine its ledger. */
  run: Run<TinyResult>;
  /**
   * Resolves as soon as the given fraction (0..1) of all tasks is done. At that moment, the remaining tasks
   * are still open, even on a fast machine.
   */
  reached(share: number): Promise<void>;
}

export function submitTiny({ meshes, pairs }: TinyJob, options: TinyRunOptions): TinyRun {
  const facts = meshes.map(writeMesh);
  const id = crypto.getRandomValues(new Uint32Array(1))[0];
  const marks: { count: number; resolve: () => void }[] = [];
  let answered = 0;
  const run = new Run<TinyResult>(
    async pool => {
      const [first, second] = await Promise.all(facts.map(({ bytes }) => pool.share(bytes)));
      const hashes = Uint32Array.of(...first!, ...second!);
      const none = Uint32Array.of(0);
      const one = Uint32Array.of(1);
      const reports = await pool.run(
        pairTasks,
        pairs.length,
        i => ({
          want: 0,
          clearance: -1,
          hashes,
          a: none,
          b: one,
          placeA: none,
          placeB: one,
          places: rowsOf(pairs[i].transformB!),
        }),
        report => {
          checkPairReport(report, 1, 'pairs', false, () => [facts[0].triangleCount, facts[1].triangleCount]);
          answered++;
          for (const { count, resolve } of marks) if (answered >= count) resolve();
        },
      );
      return joined(reports);
    },
    { cluster: 'chaos', id, patience: 20_000, ...options },
  );
  return Object.assign(makeSubmitted(run), {
    run,
    reached: (share: number) =>
      new Promise<void>(resolve => {
        marks.push({ count: share * pairs.length, resolve });
      }),
  });
}

// Returns the first three rows, of four numbers each, of a 4x4 matrix that is stored by columns.
const rowsOf = (transform: Float64Array): Float64Array =>
  Float64Array.from({ length: 12 }, (_, i) => transform[4 * (i % 4) + Math.floor(i / 4)]);

function joined(reports: PairReportValues[]): TinyResult {
  const pairsAt = new Uint32Array(reports.length + 1);
  reports.forEach(({ a }, i) => {
    pairsAt[i + 1] = pairsAt[i] + a.length;
  });
  const all = { pairsAt, a: new Uint32Array(pairsAt.at(-1)!), b: new Uint32Array(pairsAt.at(-1)!) };
  reports.forEach((report, i) => {
    all.a.set(report.a, pairsAt[i]);
    all.b.set(report.b, pairsAt[i]);
  });
  return all;
}
