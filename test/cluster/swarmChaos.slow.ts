// Swarms through two seeds of trouble, one whose halted node is waited for and one whose is not: the steps
// that one process takes, byte for byte.
import { test } from '../support/test.js';
import { checkSwarms } from './swarmChaos.js';

test('2 swarms of 300 bodies and 12 steps', () => checkSwarms(1, 2));

test.run();
