// Runs one job while faults of all kinds are injected. Returns the result and counts of the faults.

import { within } from '../support/within.js';
import type { ChaosField } from './chaosField.js';
import { chaosPlan } from './chaosPlan.js';

export interface Running<Answer> {
  /** Resolves when this fraction of the job, 0..1, is done. */
  reached(share: number): Promise<void>;
  wait(): Promise<Answer>;
  cancel(): void;
}

export interface ChaosRow {
  seed: number;
  messages: number;
  dropped: number;
  doubled: number;
  cuts: number;
  kills: number;
  seconds: number;
}

const LONGEST = 60_000;

/**
 * Runs a job while the faults that are planned from `seed` happen. @throws if the job ends before all planned
 * faults have begun
 */
export async function runThroughChaos<Answer>(
  field: ChaosField,
  seed: number,
  submit: () => Running<Answer>,
): Promise<{ answer: Answer; row: ChaosRow }> {
  const { faults, events } = chaosPlan(seed, field.nodes.length);
  const { proxy, faultCounts } = field;
  const killsBefore = faultCounts.kills;
  const pending: Promise<void>[] = [];
  proxy.begin(seed, faults);
  const began = performance.now();
  const job = submit();
  for (const event of events)
    void job.reached(event.when).then(() => {
      pending.push(field.inject(event));
    });
  try {
    const answer = await within(LONGEST, `the answer of run ${seed}`, job.wait());
    const seconds = (performance.now() - began) / 1000;
    const { messages, dropped, doubled, cuts } = proxy.counts;
    if (pending.length < events.length)
      throw new Error(`run ${seed} ended after only ${pending.length} of ${events.length} planned faults`);
    return {
      answer,
      row: { seed, messages, dropped, doubled, cuts, kills: faultCounts.kills - killsBefore, seconds },
    };
  } finally {
    job.cancel();
    await within(LONGEST, 'the end of all faults', Promise.all(pending));
    await field.mend();
  }
}
