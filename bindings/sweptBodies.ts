// Bodies of a scene that move -> contacts on the way, pair of bodies by pair.
import type { BodySweeper } from './bodySweeper.js';
import type { EngineHost } from './feature.js';
import { Renewable } from './renewable.js';
import { checkSweepOptions, readSweepOptions } from './sweepOptions.js';
import { reachOf } from './placedReach.js';
import { readContacts } from './sweptContacts.js';
import type { Bodies } from './systems/bodies.js';
import { BodySweep, PAIR_WORD } from './systems/bodySweep.js';
import { MeshTables } from './systems/meshTables.js';

export function makeBodySweeper(host: EngineHost): BodySweeper {
  const tables = new MeshTables(host.backend), own = new Renewable(() => ({ system: new BodySweep(host.backend, tables) }));
  return {
    dispose() {
      own.dispose();
      tables.dispose();
    },
    sweep(bodies, from, options, choose) {
      checkSweepOptions(options);
      const how = readSweepOptions(options, options.minSeparation ? extentOf(bodies, from) : 0), { motion = 'linear' } = options;
      return host.trapped(() => own.run(({ system }) => {
        system.clock.start();
        const startedAt = system.clock.last, { memory, at, pairs } = system.run(bodies, from, how, motion, choose), { u32 } = host.backend.arena;
        const { contacts, order } = readContacts(memory, at, () => system.summarise(startedAt));
        const ids = (listAt: number): Uint32Array => Uint32Array.from(order, (address) => bodies.slots[u32[listAt / 4 + memory.u32[address / 4 + PAIR_WORD]!]!]!.id);
        return { ...contacts, a: ids(pairs.aAt), b: ids(pairs.bAt) };
      }));
    },
  };
}

// Greatest |coordinate| of a body, where it was and where it is.
function extentOf(bodies: Bodies, from: Float64Array): number {
  let greatest = 0;
  for (const value of bodies.copyBoxes()) if (Math.abs(value) > greatest) greatest = Math.abs(value);
  bodies.slots.forEach(({ mesh }, slot) => { if (mesh) greatest = Math.max(greatest, reachOf(mesh, from.subarray(12 * slot, 12 * slot + 12))); });
  return greatest;
}
