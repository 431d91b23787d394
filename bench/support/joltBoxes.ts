// Finds overlapping pairs of boxes with Jolt. Each box is a static body, whose position is set directly.
// Jolt's broad phase does not report pairs, so it is queried once per box.

import initJolt from 'jolt-physics/wasm-compat';
import { type BoxWorld, half, middle, overlap } from './boxWorld.js';

export const JOLT = 'jolt-physics';
const jolt = await initJolt();

// Bodies are static and no physics step runs, so the measured time does not include the computation of
// contacts. Jolt cannot test two triangle meshes at all, so it is a rival for boxes only.
export function joltWorld(start: Float32Array): BoxWorld {
  const boxes = start.slice();
  const boxCount = boxes.length / 6;
  const world = createWorld(boxCount);
  const system = world.GetPhysicsSystem();
  const bodies = system.GetBodyInterface();
  const place = new jolt.RVec3(0, 0, 0);
  const moveTo = (from: Float32Array, at: number): void =>
    place.Set(middle(from, at, 0), middle(from, at, 1), middle(from, at, 2));
  const ids = Array.from({ length: boxCount }, (_, i) => {
    moveTo(boxes, 6 * i);
    return addBody(
      bodies,
      [0, 1, 2].map(axis => half(boxes, 6 * i, axis)) as [number, number, number],
      place,
    );
  });
  const boxOf = new Map(ids.map((id, i) => [id.GetIndexAndSequenceNumber(), i]));
  system.OptimizeBroadPhase();
  const query = system.GetBroadPhaseQuery();
  const layers = new jolt.BroadPhaseLayerFilter();
  const objects = new jolt.ObjectLayerFilter();
  const low = new jolt.Vec3(0, 0, 0);
  const high = new jolt.Vec3(0, 0, 0);
  const area = new jolt.AABox(low, high);
  const collector = new jolt.CollideShapeBodyCollectorJS();
  let queriedBox = 0;
  let count = 0;
  collector.Reset = () => {};
  // Jolt's tree enlarges the boxes of moved bodies, so each hit is checked with the exact boxes.
  collector.AddHit = (hit: number) => {
    const other = boxOf.get(jolt.wrapPointer(hit, jolt.BodyID).GetIndexAndSequenceNumber())!;
    if (other > queriedBox && overlap(boxes, queriedBox, other)) count++;
  };
  return {
    step(moved, movedBoxes) {
      moved.forEach((id, k) => {
        boxes.set(movedBoxes.subarray(6 * k, 6 * k + 6), 6 * id);
        moveTo(movedBoxes, 6 * k);
        bodies.SetPosition(ids[id], place, jolt.EActivation_DontActivate);
      });
      count = 0;
      for (queriedBox = 0; queriedBox < boxCount; queriedBox++) {
        const at = 6 * queriedBox;
        area.mMin.Set(boxes[at], boxes[at + 1], boxes[at + 2]);
        area.mMax.Set(boxes[at + 3], boxes[at + 4], boxes[at + 5]);
        query.CollideAABox(area, collector, layers, objects);
      }
      return count;
    },
    dispose() {
      jolt.destroy(world);
      for (const part of [place, layers, objects, low, high, area, collector]) jolt.destroy(part);
    },
  };
}

function createWorld(boxCount: number) {
  const settings = new jolt.JoltSettings();
  settings.mMaxBodies = boxCount + 1;
  settings.mMaxBodyPairs = 1024;
  settings.mMaxContactConstraints = 1024;
  const pairs = new jolt.ObjectLayerPairFilterTable(1);
  const layers = new jolt.BroadPhaseLayerInterfaceTable(1, 1);
  pairs.EnableCollision(0, 0);
  layers.MapObjectToBroadPhaseLayer(0, new jolt.BroadPhaseLayer(0));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 1, pairs, 1);
  const world = new jolt.JoltInterface(settings);
  jolt.destroy(settings);
  return world;
}

type Bodies = ReturnType<ReturnType<ReturnType<typeof createWorld>['GetPhysicsSystem']>['GetBodyInterface']>;

function addBody(
  bodies: Bodies,
  [x, y, z]: [number, number, number],
  place: InstanceType<typeof jolt.RVec3>,
) {
  const halves = new jolt.Vec3(x, y, z);
  const upright = new jolt.Quat(0, 0, 0, 1);
  const settings = new jolt.BodyCreationSettings(
    new jolt.BoxShape(halves, 0),
    place,
    upright,
    jolt.EMotionType_Static,
    0,
  );
  const id = bodies.CreateBody(settings).GetID();
  bodies.AddBody(id, jolt.EActivation_DontActivate);
  for (const part of [settings, halves, upright]) jolt.destroy(part);
  return id;
}
