// Swarms through five more seeds of trouble: the steps that one process takes, byte for byte.
import { test } from '../support/test.js';
import { checkSwarms } from './swarmChaos.js';

test('5 swarms of 300 bodies and 12 steps', () => checkSwarms(3, 5));

test.run();
