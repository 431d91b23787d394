// Runs random calls on one engine for almost two hours, and compares a sample of the results with an oracle
// that tests every pair. To continue an earlier run, set the environment variable PFRONT_SOAK to the value
// that the run printed at its end. PFRONT_SOAK_MINUTES sets another duration.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as assert from 'uvu/assert';
import { withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { growthOf, type SoakState, soak, summaryOf } from './soak.js';

setFlagsFromString('--expose-gc');
globalThis.gc = runInNewContext('gc');

/** The time limit of a test is two hours on an idle machine, so the default is slightly less. */
const minutes = Number(process.env.PFRONT_SOAK_MINUTES ?? 115);
const [seed = '1', block = '0', chain = ''] = (process.env.PFRONT_SOAK ?? '').split(',').filter(Boolean);
const from: SoakState = { seed: Number(seed), block: Number(block), chain };
const REPORT_BLOCKS = 500;
/**
 * The engine keeps the working memory of its largest calls, and rare calls need much more than others. After this
 * many blocks, with 200,000 calls, few calls need more than all before.
 */
const WARM_BLOCKS = 4000;

test(`results stay correct and memory does not grow for ${minutes} minutes: seed ${seed}, from block ${block}`, () =>
  withEngine({ threads: 2 }, async engine => {
    const endsAt = performance.now() + 60_000 * minutes;
    const isOver = ({ seed, block, chain }: SoakState): boolean => {
      if (block % REPORT_BLOCKS === 0) console.log(`counted: seed ${seed}, block ${block}: ${chain}`);
      return performance.now() > endsAt;
    };
    const result = await soak(engine, from, isOver, WARM_BLOCKS);
    console.log(`counted: ${summaryOf(result)}`);
    assert.equal(growthOf(result), []);
  }));

test.run();
