// Plans from a seed which faults happen during a run of tasks. A fault begins when a certain fraction of the
// tasks is done, not at a certain time, because machines differ in speed.
import { createRandom, type Random } from '../../dist/samples/index.js';
import type { Faults } from './faultPlan.js';

export type Fault =
  | { fault: 'kill node' | 'hang node' | 'partition node' | 'cut node'; node: number; milliseconds: number }
  | { fault: 'kill broker' | 'cut coordinator'; milliseconds: number };

/**
 * A planned fault. when: the fraction of the tasks, 0..1, that are done when the fault begins; in
 * swarmChaos.ts, the step after which it begins. milliseconds: how long the fault lasts.
 */
export type Event = Fault & { when: number };

export interface ChaosPlan {
  faults: Faults;
  events: Event[];
}

/**
 * Plans each kind of fault once, in random order, at random fractions of the run. nodes: the number of nodes.
 */
export function chaosPlan(seed: number, nodes: number): ChaosPlan {
  const random = createRandom(seed);
  const node = (): number => random.below(nodes);
  const milliseconds = (minimum: number, maximum: number): number =>
    Math.round(random.between(minimum, maximum));
  const planned: Fault[] = shuffled(random, [
    { fault: 'kill node', node: node(), milliseconds: milliseconds(0, 300) },
    { fault: 'hang node', node: node(), milliseconds: milliseconds(200, 1500) },
    { fault: 'partition node', node: node(), milliseconds: milliseconds(200, 1500) },
    { fault: 'cut node', node: node(), milliseconds: milliseconds(0, 500) },
    { fault: 'kill broker', milliseconds: milliseconds(0, 300) },
    { fault: 'cut coordinator', milliseconds: milliseconds(0, 300) },
  ]);
  const events = planned.map(
    (fault, i): Event => ({ ...fault, when: (i + random.between(0, 1)) / (planned.length + 2.5) }),
  );
  return { faults: { drop: 0.2, double: 0.2, late: 0.2, delay: [0, 200], cut: 0.0002 }, events };
}

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const rest = [...items];
  return items.map(() => rest.splice(random.below(rest.length), 1)[0]);
}
