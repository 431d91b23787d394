// Checks the steps of a swarm, whose members may return false results: this process repeats the simulation of
// the steps from one checkpoint to the next, and compares its results with those of the members.
import type { Engine } from '../../engine/engine.js';
import { bytesOf } from '../bytes.js';
import { ClusterError } from '../errors.js';
import { haveEqualBytes } from '../jobs/untrustedTasks.js';
import { yieldToEventLoop } from '../promises.js';
import { contactNames } from './messages.js';
import type { SwarmRow } from './rows.js';
import type { Settings } from './settings.js';
import { type ReferenceRow, stepSingleProcess } from './singleProcessReference.js';
import type { SwarmStates } from './world.js';

export class StepVerifier {
  private readonly settings: Pick<Settings, 'world' | 'verify'>;
  private engine: Engine | undefined;

  constructor(settings: Pick<Settings, 'world' | 'verify'>) {
    this.settings = settings;
  }

  /**
   * Checks steps with the probability `verify`. Whether to check is decided only after the steps, so that
   * members cannot foresee it. before: the last checkpoint. rows: the rows of the steps since then. states:
   * the states after the last of these steps. @throws CollisionError 'Cluster' if a result is false
   */
  async check(before: SwarmStates, rows: readonly SwarmRow[], states: Float64Array): Promise<void> {
    const { world, verify } = this.settings;
    if (crypto.getRandomValues(new Uint32Array(1))[0] >= verify * 2 ** 32) return;
    this.engine ??= await (await import('../../engine/createEngine.js')).createEngine({ threads: 1 });
    const steps = stepSingleProcess(this.engine, world, rows.length, before);
    try {
      for (const row of rows) {
        const what = differenceOf(row, steps.next().value as ReferenceRow);
        if (what !== undefined) throw falseResult(row, what);
        await yieldToEventLoop();
      }
      const right = steps.next().value as Float64Array;
      if (!haveEqualBytes(bytesOf(states), bytesOf(right))) throw falseResult(rows.at(-1)!, 'states');
    } finally {
      steps.return(states);
    }
  }

  dispose(): void {
    this.engine?.dispose();
  }
}

function differenceOf(row: SwarmRow, right: ReferenceRow): string | undefined {
  if (row.contacts !== right.contacts || row.contactDigest !== right.contactDigest) return 'contacts';
  if (row.stateDigest !== right.stateDigest) return 'states';
  const { collected } = row;
  return collected &&
    contactNames.some(name => !haveEqualBytes(bytesOf(collected[name]), bytesOf(right.collected[name])))
    ? 'contacts'
    : undefined;
}

const falseResult = ({ step, nodes }: SwarmRow, what: string): ClusterError =>
  new ClusterError(
    `the ${what} of step ${step} are false; the members were ${nodes.map(({ id, name }) => `node ${name} (${id.toString(16)})`).join(', ')}`,
    'end the nodes that you do not trust, give every process the same worlds, and run the swarm again',
  );
