// Runs swarms with five seeds of faults, in addition to the two seeds of swarmChaos.slow.ts. Compares all
// steps byte for byte with a run in one process.
import { test } from '../support/test.js';
import { checkSwarms } from './swarmChaos.js';

test('5 swarms with faults give the results of one process in all steps', () => checkSwarms(3, 5));

test.run();
