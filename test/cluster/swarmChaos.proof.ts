// Runs swarms with five more seeds of faults, and compares all steps with those of one process, byte for
// byte.
import { test } from '../support/test.js';
import { checkSwarms } from './swarmChaos.js';

test('5 swarms of 300 bodies and 12 steps equal one process', () => checkSwarms(3, 5));

test.run();
