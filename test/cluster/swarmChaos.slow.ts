// Runs two swarms with seeded faults, and compares all steps byte for byte with a run in one process. In each
// swarm, a node stops for a while. One swarm waits for the node; the other continues without it.
import { test } from '../support/test.js';
import { checkSwarms } from './swarmChaos.js';

test('2 swarms of 300 bodies and 12 steps equal one process', () => checkSwarms(1, 2));

test.run();
