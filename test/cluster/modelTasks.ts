// Defines tasks without geometry, which are fast enough for thousands of test runs. The result of a task
// depends only on the task's number and on the bytes that the run shares with its nodes.
import type { TaskKind } from '../../dist/cluster/jobs/jobKind.js';
import { taskKinds } from '../../dist/cluster/jobs/taskKinds.js';
import { messageKind } from '../../dist/cluster/message.js';

const ModelTask = messageKind('ModelTask', 9990, { number: 'u32' }, { hashes: 'u32' });
const ModelReport = messageKind('ModelReport', 9991, { number: 'u32', value: 'u32' }, { data: 'u8' });
export type ModelTaskValues = Parameters<typeof ModelTask.encode>[1];
export type ModelReportValues = Parameters<typeof ModelReport.encode>[1];

/** Every LARGE_EVERY-th task has a result of LARGE bytes, which do not fit in one packet. */
const LARGE_EVERY = 50;
const LARGE = 5000;

export function modelAnswer(number: number, content: Uint8Array): ModelReportValues {
  const value = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(content[number % content.length], 0x85ebca6b);
  return {
    number,
    value: value >>> 0,
    data: new Uint8Array(number % LARGE_EVERY === 0 ? LARGE : 3).fill(value),
  };
}

export const modelTasks: TaskKind<ModelTaskValues, ModelReportValues> = {
  name: 'model',
  code: 9999,
  task: ModelTask,
  report: ModelReport,
  needs: ({ hashes }) => hashes,
  run: ({ number, hashes }, { bytes }) => modelAnswer(number, bytes(hashes)),
};

/** Registers this kind of task, so that nodes in this thread can run it. */
export function registerModelTasks(): void {
  (taskKinds as Map<number, unknown>).set(modelTasks.code, modelTasks);
}
