// Lists all kinds of tasks that nodes can run.

import { octreeTasks } from '../octree/octreeTasks.js';
import { sessionTasks } from '../octree/sessionTasks.js';
import { boxTasks } from './boxTasks.js';
import type { TaskKind } from './jobKind.js';
import { pairTasks } from './pairTasks.js';

const all = [pairTasks, boxTasks, octreeTasks, sessionTasks] as const;
export const taskKinds: ReadonlyMap<number, TaskKind<unknown, unknown>> = new Map(
  all.map(kind => [kind.code, kind as unknown as TaskKind<unknown, unknown>]),
);
