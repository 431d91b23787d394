// One job while everything goes wrong -> its answer, and what befell it.
import type { ChaosField } from './chaosField.js';
import { chaosPlan } from './chaosPlan.js';
import { within } from './within.js';

/** As the job server gives them. */
export interface Running<Answer> { readonly progress: { done: number; total: number }; wait(): Promise<Answer>; cancel(): void }

export interface ChaosRow { seed: number; messages: number; dropped: number; doubled: number; cuts: number; kills: number; seconds: number }

const LOOK = 10, LONGEST = 60_000;

/** The deeds of the seed's plan happen as the job goes on; those that it outruns happen at its end. */
export async function runThroughChaos<Answer>(field: ChaosField, seed: number, submit: () => Running<Answer>): Promise<{ answer: Answer; row: ChaosRow }> {
  const { faults, events } = chaosPlan(seed, field.nodes.length), { proxy, deeds } = field, killsBefore = deeds.kills, pending: Promise<void>[] = [];
  proxy.begin(seed, faults);
  const began = performance.now(), job = submit();
  const timer = setInterval(() => {
    const { done, total } = job.progress;
    while (events.length > 0 && done >= events[0]!.when * total) pending.push(field.does(events.shift()!));
  }, LOOK);
  try {
    const answer = await within(LONGEST, `the answer of run ${seed}`, job.wait()), seconds = (performance.now() - began) / 1000;
    const { messages, dropped, doubled, cuts } = proxy.counts;
    if (events.length > 0) throw new Error(`run ${seed} outran ${events.length} of its deeds`);
    return { answer, row: { seed, messages, dropped, doubled, cuts, kills: deeds.kills - killsBefore, seconds } };
  } finally {
    clearInterval(timer);
    job.cancel();
    await within(LONGEST, 'all well again', Promise.all(pending));
    await field.mend();
  }
}
