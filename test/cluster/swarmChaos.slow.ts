// Runs two swarms with seeded faults, and compares all steps byte for byte with a run in one process. In each
// swarm, a node stops for a while. One swarm waits for the node; the other continues without it.
import { test } from '../support/test.js';
import { checkSwarms } from './swarmChaos.js';

test('2 swarms with faults give the results of one process in all steps', () => checkSwarms(1, 2));

test.run();
