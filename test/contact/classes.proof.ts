// Tests engine.classify: the class of two solids (for example 'touch' or 'hard') must be the class that the
// oracle computes in fractions. Tests all intersecting pairs of parts of an assembly and of a building, and
// many pairs of random solids.

import * as assert from 'uvu/assert';
import { dataTest } from '../support/data.js';
import { withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { readDuplex, readEngine } from '../support/truth.js';
import { classesOfParts } from './partClasses.js';
import { checkRandomSolids } from './randomSolids.js';

for (const [name, read] of [
  ['assembly', readEngine],
  ['building', readDuplex],
] as const) {
  dataTest(`all pairs of the ${name} have the oracle's class`, () =>
    withEngine({ threads: 2 }, engine => {
      const { counts, wrong, compared } = classesOfParts(engine, read());
      console.log(
        `\ncounted: ${name}, ${compared} pairs compared with the oracle: ${[...counts]
          .sort()
          .map(([kind, count]) => `${kind} ${count}`)
          .join(', ')}`,
      );
      assert.equal(wrong, []);
    }),
  );
}

test('20,000 pairs of random solids have the class that the oracle computes', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const counts = checkRandomSolids(engine, 50_000, 20_000);
    console.log(
      `\ncounted: classes of random solids: ${[...counts]
        .sort()
        .map(([kind, count]) => `${kind} ${count}`)
        .join(', ')}`,
    );
  }));

test.run();
