// Tests that each reader now handles the recorded inputs for which it was once wrong.
import * as assert from 'uvu/assert';
import { test } from '../support/test.js';
import { foundInputs } from './found.js';
import { targetNamed } from './targets/index.js';

test('each recorded input for which a reader was once wrong now passes its checks', async () => {
  assert.ok(foundInputs.length > 0);
  const wrong: string[] = [];
  for (const { target, what, base64 } of foundInputs) {
    try {
      await targetNamed(target).check(new Uint8Array(Buffer.from(base64, 'base64')));
    } catch (error) {
      wrong.push(`${target}, ${what}: ${String(error)}`);
    }
  }
  assert.equal(wrong, []);
});

test.run();
