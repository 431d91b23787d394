// Checks ten million computed values of the shaders against their error bounds, without a GPU. The checks are
// divided into blocks with separate seeds. To run some of the blocks again, select tests by name with -g.

import * as assert from 'uvu/assert';
import { checkSite, sites } from '../support/precisionSites.js';
import { test } from '../support/test.js';

const CHECKS = 10_000_000;
const BLOCKS = 12;

for (const [i, site] of sites.entries()) {
  for (let block = 1; block <= BLOCKS; block++) {
    test(`no computed value exceeds its error bound: ${site.name}, block ${block}`, () => {
      const wanted = Math.ceil(CHECKS / sites.length / BLOCKS);
      const { count } = checkSite(site, 1000 * block + i, wanted);
      assert.ok(count >= wanted);
    });
  }
}

test.run();
