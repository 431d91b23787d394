// Runs swarms through two seeds of faults, one that waits for a stopped node and one that does not: the steps
// of one process, byte for byte.
import { test } from '../support/test.js';
import { checkSwarms } from './swarmChaos.js';

test('2 swarms of 300 bodies and 12 steps equal one process', () => checkSwarms(1, 2));

test.run();
