// Runs jobs of 10,000 tasks each, with faults that are planned from a seed. Some jobs run in parallel, on
// separate brokers and nodes. Checks that each result equals that of a single process.
import * as assert from 'uvu/assert';
import { type ChaosField, openField } from './chaosField.js';
import { type ChaosRow, runThroughChaos } from './chaosRun.js';
import { hashOfAnswer, singleProcessResult, type TinyJob, tinyJob } from './tinyJob.js';
import { submitTiny } from './tinyRun.js';

export const TASKS = 10_000;
const NODES = 3;
/**
 * Options of the ledger, which assigns tasks to nodes. Leases are short, so that the tasks of a silent node
 * are soon assigned again. Each node gets many tasks at a time, so that it does not wait for the network.
 */
export const IMPATIENT = { leaseMilliseconds: 1000, maxLeases: 1024 };

export interface JobRow extends ChaosRow {
  tasks: number;
  reissued: number;
  twice: number;
}

/**
 * Runs a job for each seed, on several separate clusters in parallel. @throws if any byte of a result differs
 * from the result of a single process
 */
async function chaosRuns(seeds: readonly number[], fieldsAtOnce: number): Promise<JobRow[]> {
  const job = tinyJob(TASKS);
  const right = hashOfAnswer(await singleProcessResult(job));
  const waiting = [...seeds];
  const rows: JobRow[] = [];
  await Promise.all(
    Array.from({ length: fieldsAtOnce }, async () => {
      const field = await openField(NODES);
      try {
        for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
          const row = await oneRun(field, seed, job, right);
          rows.push(row);
          console.log(text(row));
        }
      } finally {
        waiting.length = 0;
        await field.close();
      }
    }),
  );
  return rows;
}

async function oneRun(field: ChaosField, seed: number, job: TinyJob, right: string): Promise<JobRow> {
  const { link, cluster } = field;
  const submitted = submitTiny(job, { link, cluster, ...IMPATIENT });
  const { answer, row } = await runThroughChaos(field, seed, () => submitted);
  const { count, done, counters } = submitted.run.ledger;
  if (count !== TASKS || done !== TASKS)
    throw new Error(`seed ${seed}: ${done} of ${count} tasks in the ledger are done, not ${TASKS}`);
  if (hashOfAnswer(answer) !== right)
    throw new Error(`seed ${seed}: the result differs from that of one process`);
  return { ...row, tasks: done, reissued: counters.lostLeases, twice: counters.duplicates };
}

const text = ({ seed, tasks, messages, dropped, doubled, cuts, kills, reissued, seconds }: JobRow): string =>
  `seed ${seed}: ${tasks} tasks, ${messages} messages, ${dropped} dropped, ${doubled} duplicated, ${cuts} cuts, ${kills} kills, ${reissued} tasks reassigned, ${seconds.toFixed(1)} s`;

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);

/**
 * Runs a job for each of `count` seeds, from `first` on. Checks that each result is correct and that many
 * faults happened.
 */
export async function checkRuns(first: number, count: number): Promise<void> {
  const rows = await chaosRuns(
    Array.from({ length: count }, (_, i) => first + i),
    2,
  );
  console.log(
    `counted: ${rows.length} runs, ${sum(rows, row => row.tasks)} tasks, 0 lost, 0 counted twice; ${sum(rows, row => row.messages)} messages, ${sum(rows, row => row.dropped)} dropped, ${sum(rows, row => row.doubled)} duplicated, ${sum(rows, row => row.cuts)} cuts, ${sum(rows, row => row.kills)} kills, ${sum(rows, row => row.reissued)} tasks reassigned`,
  );
  assert.is(rows.length, count);
  assert.ok(rows.every(({ kills, dropped, doubled }) => kills >= 2 && dropped > 50 && doubled > 50));
  assert.ok(sum(rows, ({ cuts }) => cuts) > count && sum(rows, ({ reissued }) => reissued) > 100 * count);
}
