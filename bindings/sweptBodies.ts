// Bodies of a scene that move -> contacts on the way, pair of bodies by pair.
import type { BodySweeper } from './bodySweeper.js';
import { Unsupported } from './errors.js';
import type { EngineHost } from './feature.js';
import { retry } from './steps.js';
import { checkSweepOptions, marginOf, DEFAULT_TOLERANCE } from './sweepOptions.js';
import { readContacts } from './sweptContacts.js';
import type { Bodies } from './systems/bodies.js';
import { BodySweep, PAIR_WORD } from './systems/bodySweep.js';
import { BoxPairFinder } from './systems/boxPairs.js';
import { MeshTables } from './systems/meshTables.js';

export function makeBodySweeper(host: EngineHost): BodySweeper {
  const tables = new MeshTables(host.backend);
  const make = (): { finder: BoxPairFinder; system: BodySweep } => {
    const finder = new BoxPairFinder(host.backend);
    return { finder, system: new BodySweep(host.backend, tables, (boxesAt, count) => finder.findAt(boxesAt, count, { order: 'sorted' }).list) };
  };
  let own = make();
  const dispose = (): void => { own.finder.dispose(); own.system.dispose(); };
  return {
    dispose,
    sweep(bodies, from, options, choose) {
      checkSweepOptions(options);
      const { want = 'first', minSeparation: separation = 0, tolerance = DEFAULT_TOLERANCE, exact = false } = options;
      if (exact) throw new Unsupported('exact is asked for of a scene', 'sweep the two meshes with engine.sweep, or leave exact out');
      const margin = marginOf(separation, reachOf(bodies));
      return host.trapped(() => retry(() => {
        try {
          const { system } = own, { arena } = host.backend;
          system.clock.start();
          const startedAt = system.clock.last, pairs = system.run(bodies, from, { separation, margin, tolerance, isFirst: want === 'first', isExact: false }, choose);
          const { contacts, order } = readContacts(arena, system.lists.contacts, () => system.summarise(startedAt));
          const ids = (listAt: number): Uint32Array => Uint32Array.from(order, (address) => bodies.slots[arena.u32[listAt / 4 + arena.u32[address / 4 + PAIR_WORD]!]!]!.id);
          return { ...contacts, a: ids(pairs.aAt), b: ids(pairs.bAt) };
        } catch (error) {
          dispose();
          own = make();
          throw error;
        }
      }));
    },
  };
}

// Greatest |coordinate| of a body's box.
function reachOf(bodies: Bodies): number {
  let greatest = 0;
  for (const value of bodies.copyBoxes()) if (Math.abs(value) > greatest) greatest = Math.abs(value);
  return greatest;
}
