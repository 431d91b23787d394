// Runs tasks on nodes that may return false results. To find false results, the process that submitted the job
// checks a sample of all results itself, or every task is given to two nodes. A node that has returned a false
// result is excluded from the run.
import { bytesOf } from '../bytes.js';
import { ClusterError } from '../errors.js';
import type { NodePool, TaskKind } from './jobKind.js';

/** A false result: the task, and what is wrong, such as `boxes 3 and 7 do not overlap`. */
export interface FalseResult {
  task: number;
  what: string;
}

/**
 * A run fails when this many nodes have returned false results in one call of `runUntrusted`. An excluded node
 * can join again under another id, so a run without this limit might never end.
 */
const MAX_EXCLUDED = 16;

/**
 * Runs tasks as `pool.run` does, and checks their results if the nodes are not trusted. check: throws if a
 * result cannot belong to its task. prove: checks the values of some results, and returns the false ones.
 */
export async function runUntrusted<Task, Report extends object>(
  pool: NodePool,
  kind: TaskKind<Task, Report>,
  count: number,
  make: (i: number) => Task,
  check: (report: Report, i: number) => void,
  prove: (reports: readonly Report[], tasks: readonly number[]) => Promise<FalseResult[]>,
): Promise<Report[]> {
  const nodes: number[] = new Array(count);
  const reports: Report[] = new Array(count);
  const run = async (
    tasks: readonly number[],
    into: Report[],
    by: number[],
    avoid?: number[],
  ): Promise<void> => {
    const found = await pool.run(
      kind,
      tasks.length,
      i => make(tasks[i]),
      (report, i, node) => {
        check(report, tasks[i]);
        by[tasks[i]] = node;
      },
      undefined,
      avoid && (i => avoid[tasks[i]]),
    );
    tasks.forEach((task, i) => {
      into[task] = found[i];
    });
  };
  const excluded = new Set<number>();
  const exclude = (node: number, what: string): void => {
    if (excluded.has(node)) return;
    excluded.add(node);
    pool.exclude(node, what);
    if (excluded.size >= MAX_EXCLUDED)
      throw new ClusterError(
        `${excluded.size} nodes returned false results; the last one: ${what}`,
        'give new credentials to the nodes that you trust, and shut down all other nodes',
      );
  };
  let open = Array.from(reports.keys());
  if (pool.isTwofold) await pool.gather(2);
  await run(open, reports, nodes);
  if (!pool.recompute) return reports;
  if (pool.isTwofold) {
    const otherNodes: number[] = new Array(count);
    const decided = new Set<number>();
    const isOpen = (task: number): boolean =>
      !decided.has(task) && (excluded.has(nodes[task]) || excluded.has(otherNodes[task]));
    while (open.length > 0) {
      const others: Report[] = new Array(count);
      await run(open, others, otherNodes, nodes);
      for (const task of open) {
        if (areEqual(reports[task], others[task])) continue;
        const right = await pool.recompute(kind, make(task));
        const what = `the result of task ${task} of kind '${kind.name}' differs from the recomputed one`;
        if (!areEqual(reports[task], right)) exclude(nodes[task], what);
        if (!areEqual(others[task], right)) exclude(otherNodes[task], what);
        reports[task] = right;
        decided.add(task);
      }
      // A result counts only if two nodes agree on it and neither of them has returned a false result.
      open = Array.from(reports.keys()).filter(isOpen);
      if (open.length === 0) {
        for (const { task, what } of await prove(reports, Array.from(reports.keys())))
          for (const node of [nodes[task], otherNodes[task]]) exclude(node, what);
        open = Array.from(reports.keys()).filter(isOpen);
      }
      if (open.length > 0) await run(open, reports, nodes);
    }
    return reports;
  }
  for (;;) {
    const wrong = await prove(reports, open);
    if (wrong.length === 0) return reports;
    for (const { task, what } of wrong) exclude(nodes[task], what);
    open = Array.from(reports.keys()).filter(task => excluded.has(nodes[task]));
    await run(open, reports, nodes);
  }
}

/**
 * Returns whether two results have equal arrays and numbers. Ignores the fields in META, which belong to the
 * heading of the message that carried the result.
 */
export function areEqual<Report extends object>(a: Report, b: Report): boolean {
  return Object.entries(b).every(([name, value]) => {
    if (META.has(name)) return true;
    const other: unknown = (a as Record<string, unknown>)[name];
    return ArrayBuffer.isView(value) && ArrayBuffer.isView(other)
      ? haveEqualBytes(bytesOf(other), bytesOf(value))
      : Object.is(other, value);
  });
}

/**
 * The fields of the message heading: the run, the task and the sender. They may differ between equal results.
 */
const META = new Set(['run', 'step', 'from']);

export function haveEqualBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
