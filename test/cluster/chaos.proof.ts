// Runs a job of 10,000 tasks 46 times, with seeds other than those of chaos.slow.ts. Meanwhile, messages are
// lost, duplicated and delayed, connections are cut, the network is partitioned, nodes are killed and
// suspended, and the broker is killed. Tests that no task is lost or counted twice.
import { test } from '../support/test.js';
import { checkRuns } from './chaosRuns.js';

test('46 runs with faults lose no task and count none twice', () => checkRuns(5, 46));

test.run();
