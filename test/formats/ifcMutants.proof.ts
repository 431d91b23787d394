// Reads many mutants of a small IFC file, and fewer mutants of the IFC file of a house. A mutant is a copy of a
// file with one change, which a seed selects. Tests that no mutant loses an element without a message, and that
// none keeps the reader busy forever.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { dataPath, dataTest } from '../support/data.js';
import { test } from '../support/test.js';
import { mutantOf, readMutant } from './ifcMutants.js';
import { beam, ifc } from './smallIfc.js';

async function checkMutants(text: string, seeds: number): Promise<void> {
  const whole = await readMutant(text);
  assert.not.ok(whole.isReported);
  for (let seed = 0; seed < seeds; seed++) {
    const { change, text: mutant } = mutantOf(text, seed);
    const found = await readMutant(mutant);
    assert.ok(
      found.isReported || found.parts === whole.parts,
      `seed ${seed}: ${change}: ${found.parts} of ${whole.parts} elements`,
    );
  }
}

test('2,000 mutants of three elements lose no element without a message', () =>
  checkMutants(
    ifc([
      beam('Low', [0, 0, 0], [3, 0.5, 0.25]),
      beam('Across', [0, 0, 0.125], [0.5, 3, 0.25]),
      beam('Post', [5, 0, 0], [0.25, 0.25, 3], 'IFCCOLUMN'),
    ]),
    2000,
  ));

dataTest('200 mutants of a house lose no element without a message', () =>
  checkMutants(gunzipSync(readFileSync(dataPath('bim/duplex.ifc.gz'))).toString('latin1'), 200),
);

test.run();
