// Finds pairs of boxes with rapier. Each box is a cuboid sensor without a body, and its position is set
// directly. After a step, rapier's events report which pairs began to intersect and which ceased.

import rapier from '@dimforge/rapier3d-simd-compat';
import { type BoxWorld, half, middle } from './boxWorld.js';

export const RAPIER = 'rapier3d-simd-compat';
await rapier.init();

// rapier's broad phase cannot be queried alone, so the measured time also includes rapier's test of
// two cuboids. rapier stores a box as a center and half extents in float32, so it may miss a pair that just
// touches.
export function rapierWorld(start: Float32Array): BoxWorld {
  const world = new rapier.World({ x: 0, y: 0, z: 0 });
  const events = new rapier.EventQueue(true);
  const types = rapier.ActiveCollisionTypes.ALL | rapier.ActiveCollisionTypes.FIXED_FIXED;
  const colliders = Array.from({ length: start.length / 6 }, (_, i) => {
    const shape = rapier.ColliderDesc.cuboid(
      half(start, 6 * i, 0),
      half(start, 6 * i, 1),
      half(start, 6 * i, 2),
    ).setTranslation(middle(start, 6 * i, 0), middle(start, 6 * i, 1), middle(start, 6 * i, 2));
    return world.createCollider(
      shape
        .setSensor(true)
        .setActiveCollisionTypes(types)
        .setActiveEvents(rapier.ActiveEvents.COLLISION_EVENTS),
    );
  });
  let count = 0;
  const step = (): number => {
    world.step(events);
    events.drainCollisionEvents((_first, _second, hasBegun) => {
      count += hasBegun ? 1 : -1;
    });
    return count;
  };
  step();
  return {
    step(ids, movedBoxes) {
      ids.forEach((id, k) =>
        colliders[id].setTranslation({
          x: middle(movedBoxes, 6 * k, 0),
          y: middle(movedBoxes, 6 * k, 1),
          z: middle(movedBoxes, 6 * k, 2),
        }),
      );
      return step();
    },
    dispose() {
      events.free();
      world.free();
    },
  };
}
