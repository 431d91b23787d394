// Thirty more runs of ten thousand tasks while messages are lost, doubled and late, lines cut and parted,
// nodes and brokers killed and stopped: nothing is lost, nothing counts twice.
import { test } from '../support/test.js';
import { checkRuns } from './chaosRuns.js';

test('30 runs', () => checkRuns(21, 30));

test.run();
