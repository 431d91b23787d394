// Generates the wheel of a worm gear, by cutting it with a cutter in the shape of the worm. Also computes the
// angle of the wheel from the angle of the worm.

import { extrude, type Outline } from './gear.js';
import { atan2, cos, hypot, sin, tan } from './portableMath.js';
import type { MeshData } from './types.js';

// The module of the gear (the pitch divided by pi) is 1, so the axial pitch is pi. The worm has a single
// thread, so one revolution of the worm moves the wheel by one tooth.
export const threadPitch = Math.PI;
export const wheelToothCount = 40;
export const wormRadius = 4;
const wheelRadius = wheelToothCount / 2;
const wheelWidth = 5;
const flankSlope = tan((20 * Math.PI) / 180);
const clearance = 0.25;
export const axisDistance = wheelRadius + wormRadius;

/**
 * Returns the height of the worm's thread above the pitch cylinder, at the axial distance `along` from the
 * ridge. The flanks of the thread are straight, like the flanks of a rack.
 */
export function threadHeight(along: number, thickening: number, addendum: number): number {
  const offset = Math.abs(along - threadPitch * Math.round(along / threadPitch));
  const height = (threadPitch / 4 + thickening / 2 - offset) / flankSlope;
  return Math.min(addendum, Math.max(-1 - clearance, height));
}

/**
 * Returns the angle of the wheel for an angle of the worm, such that the wheel has a gap where the ridge of the
 * thread passes it. At worm angle 0 and x = 0, the ridge is at angle 0 about the worm's axis.
 */
export function wheelAngleAt(wormAngle: number): number {
  const ridge = (threadPitch * (Math.PI - wormAngle)) / (2 * Math.PI);
  return Math.PI / 2 + (threadPitch / 2 - ridge) / wheelRadius;
}

// Returns whether the cutter, rotated by a worm angle, contains a point. The cutter has the shape of the worm,
// but its thread has no extra thickness and is higher by the clearance.
function isInsideCutter(x: number, y: number, z: number, wormAngle: number): boolean {
  const down = y - axisDistance;
  const around = atan2(z, down) - wormAngle;
  const height = threadHeight(x - (threadPitch * around) / (2 * Math.PI), 0, 1 + clearance);
  return hypot(down, z) <= wormRadius + height;
}

// Returns the radius at which a ray from the wheel's axis leaves the cut wheel. While the wheel rotates, the
// cutter makes six revolutions: its angle goes from -3 to 3 revolutions. For each angle of the cutter, a
// bisection finds where the ray enters the cutter. This works because, within the height of a tooth, a ray that
// has entered the cutter does not leave it.
function radiusAfterCut(angle: number, z: number): number {
  const rootRadius = wheelRadius - 1 - 2 * clearance;
  let radius = Math.min(
    wheelRadius + 2,
    axisDistance - Math.sqrt((wormRadius - 1) * (wormRadius - 1) - z * z),
  );
  for (let step = -144; step <= 144; step++) {
    const wormAngle = (2 * Math.PI * step) / 48;
    const world = angle + wheelAngleAt(wormAngle);
    const [across, along] = [cos(world), sin(world)];
    if (!isInsideCutter(radius * across, radius * along, z, wormAngle)) continue;
    let min = rootRadius;
    for (let halving = 0; halving < 16; halving++) {
      const half = (min + radius) / 2;
      if (isInsideCutter(half * across, half * along, z, wormAngle)) radius = half;
      else min = half;
    }
  }
  return radius;
}

/**
 * Returns a wheel about the z axis with tooth 0 at angle 0. Its rim is concave, so that it fits around the
 * worm. Where the wheel touches the worm, its teeth are inclined like the thread. The wheel has 80 *
 * pointsPerTooth * (layerCount + 3) triangles.
 */
export function wormWheel(pointsPerTooth: number, layerCount: number): MeshData {
  const pointCount = wheelToothCount * pointsPerTooth;
  const angles = Float64Array.from({ length: pointCount }, (_, point) => (2 * Math.PI * point) / pointCount);
  const twist = threadPitch / (2 * Math.PI * wormRadius * wheelRadius);
  const outlines = Array.from({ length: layerCount + 1 }, (_, layer): Outline => {
    const z = wheelWidth * (layer / layerCount - 0.5);
    // All teeth are alike, so only the tooth at angle 0 is computed.
    const tooth = Array.from({ length: pointsPerTooth }, (_, point) => {
      const signedPoint = point > pointsPerTooth / 2 ? point - pointsPerTooth : point;
      return radiusAfterCut((2 * Math.PI * signedPoint) / pointCount + twist * z, z);
    });
    return { angles, radii: angles.map((_, point) => tooth[point % pointsPerTooth]) };
  });
  return extrude(outlines, { smoothRadius: wheelRadius / 2, width: wheelWidth, twist });
}
