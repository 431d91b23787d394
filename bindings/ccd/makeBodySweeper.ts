// Creates a BodySweeper, which finds the contacts of a scene's moving bodies (continuous collision
// detection).

import type { EngineHost } from '../core/module.js';
import { printAs } from '../core/printing.js';
import { rejectDoubles } from '../mesh/doubles.js';
import { maxPlacedCoordinate } from '../mesh/maxPlacedCoordinate.js';
import { RetryingScratch } from '../runtime/retry.js';
import type { Bodies } from '../scene/bodies.js';
import { BodySweep } from './bodySweep.js';
import type { BodySweeper, SweptBodies } from './bodySweeper.js';
import { BodySweepRun } from './bodySweepRun.js';
import { MeshTables } from './meshTables.js';
import { checkSweepOptions, readSweepOptions } from './sweepOptions.js';

const printedBodies = printAs({} as SweptBodies, 'SweptBodies', [
  'count',
  'a',
  'b',
  'toi',
  'bound',
  'kind',
  'featureA',
  'featureB',
  'triangleA',
  'triangleB',
  'stats',
]);

export function makeBodySweeper(host: EngineHost): BodySweeper {
  const tables = new MeshTables(host.context);
  const scratch = new RetryingScratch(() => ({ system: new BodySweep(host.context, tables) }));
  return {
    dispose() {
      scratch.dispose();
      tables.dispose();
    },
    begin(bodies, from, options, choose) {
      checkSweepOptions(options);
      for (const { mesh } of bodies.slots) if (mesh) rejectDoubles('continuous collision detection', mesh);
      const settings = readSweepOptions(options, options.minSeparation ? extentOf(bodies, from) : 0);
      const { motion = 'linear' } = options;
      const ids = (slots: Uint32Array): Uint32Array => slots.map(slot => bodies.slots[slot].id);
      return new BodySweepRun<SweptBodies>(
        scratch,
        { bodies, from, settings, motion },
        {
          filterPairs: choose,
          makeResult: ({ contacts, slotA, slotB }) =>
            ({ __proto__: printedBodies, ...contacts, a: ids(slotA), b: ids(slotB) }) as SweptBodies,
        },
      );
    },
  };
}

// Returns the largest |coordinate| of all bodies, at their placements at the start and at the end.
function extentOf(bodies: Bodies, from: Float64Array): number {
  let maxCoordinate = 0;
  for (const value of bodies.copyBoxes())
    if (Math.abs(value) > maxCoordinate) maxCoordinate = Math.abs(value);
  bodies.slots.forEach(({ mesh }, slot) => {
    if (mesh)
      maxCoordinate = Math.max(
        maxCoordinate,
        maxPlacedCoordinate(mesh, from.subarray(12 * slot, 12 * slot + 12)),
      );
  });
  return maxCoordinate;
}
