// Tests that formatCount writes numbers as toLocaleString does.
import * as assert from 'uvu/assert';
import { formatCount } from '../../dist/formats/formatCount.js';
import { createRandom } from '../../dist/samples/index.js';
import { test } from '../support/test.js';

test('numbers are written as toLocaleString writes them', () => {
  const random = createRandom(1);
  const values = [0, 0.5, 999, 999.9996, 1000, 1234.5678, 1e6, 2 ** 32, 2 ** 53 - 1];
  for (let i = 0; i < 1000; i++) values.push(Math.round(random.between(0, 1) * 10 ** (i % 15)) / 1000);
  for (const value of values.flatMap(one => [one, -one, Math.round(one)]))
    assert.is(
      formatCount(value === 0 ? 0 : value),
      (value === 0 ? 0 : value).toLocaleString('en-US'),
      `${value}`,
    );
});

test.run();
