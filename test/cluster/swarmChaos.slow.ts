// Runs swarms with two seeds of faults, one in which the swarm waits for a stopped node and one in which it
// does not, and compares all steps with those of one process, byte for byte.
import { test } from '../support/test.js';
import { checkSwarms } from './swarmChaos.js';

test('2 swarms of 300 bodies and 12 steps equal one process', () => checkSwarms(1, 2));

test.run();
