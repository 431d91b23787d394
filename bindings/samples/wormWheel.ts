// Generates the wheel that a worm would cut, and relates the angles of the two.

import { extrude, type Outline } from './gear.js';
import { atan2, cos, hypot, sin, tan } from './portableMath.js';
import type { MeshData } from './types.js';

// Module 1: the axial pitch is pi, and one revolution of the single thread moves the wheel by one tooth.
export const threadPitch = Math.PI;
export const wheelToothCount = 40;
export const wormRadius = 4;
const wheelRadius = wheelToothCount / 2;
const wheelWidth = 5;
const flankSlope = tan((20 * Math.PI) / 180);
const clearance = 0.25;
export const axisDistance = wheelRadius + wormRadius;

/**
 * Returns the height of the thread above the pitch cylinder at a distance from the ridge along the axis; the
 * flanks are straight, as on a rack.
 */
export function threadHeight(along: number, thickening: number, addendum: number): number {
  const offset = Math.abs(along - threadPitch * Math.round(along / threadPitch));
  const height = (threadPitch / 4 + thickening / 2 - offset) / flankSlope;
  return Math.min(addendum, Math.max(-1 - clearance, height));
}

/**
 * Returns the wheel's angle for a worm angle. The worm's ridge starts at angle 0 about x at x = 0; where it
 * passes the top of the wheel, the wheel must have a gap.
 */
export function wheelAngleAt(wormAngle: number): number {
  const ridge = (threadPitch * (Math.PI - wormAngle)) / (2 * Math.PI);
  return Math.PI / 2 + (threadPitch / 2 - ridge) / wheelRadius;
}

// Returns whether the cutter contains a point at a worm angle. The cutter is the worm without extra
// thickness, but its thread is higher by the clearance.
function isInsideCutter(x: number, y: number, z: number, wormAngle: number): boolean {
  const down = y - axisDistance;
  const around = atan2(z, down) - wormAngle;
  const height = threadHeight(x - (threadPitch * around) / (2 * Math.PI), 0, 1 + clearance);
  return hypot(down, z) <= wormRadius + height;
}

// Returns the radius at which a ray from the wheel's axis leaves the wheel after the cut. The cutter makes
// six revolutions: three before the wheel's angle 0 faces it, and three after. Once a ray enters the cut, it
// does not leave it within the height of a tooth.
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
 * Returns a wheel about the z axis with tooth 0 at angle 0 and a rim that is concave, so that it fits around
 * the worm. It has 80 * pointsPerTooth * (layerCount + 3) triangles. Where wheel and worm meet, the teeth are
 * inclined like the thread.
 */
export function wormWheel(pointsPerTooth: number, layerCount: number): MeshData {
  const pointCount = wheelToothCount * pointsPerTooth;
  const angles = Float64Array.from({ length: pointCount }, (_, point) => (2 * Math.PI * point) / pointCount);
  const twist = threadPitch / (2 * Math.PI * wormRadius * wheelRadius);
  const outlines = Array.from({ length: layerCount + 1 }, (_, layer): Outline => {
    const z = wheelWidth * (layer / layerCount - 0.5);
    // All teeth are alike, so only the one at angle 0 is cut.
    const tooth = Array.from({ length: pointsPerTooth }, (_, point) => {
      const signedPoint = point > pointsPerTooth / 2 ? point - pointsPerTooth : point;
      return radiusAfterCut((2 * Math.PI * signedPoint) / pointCount + twist * z, z);
    });
    return { angles, radii: angles.map((_, point) => tooth[point % pointsPerTooth]) };
  });
  return extrude(outlines, { smoothRadius: wheelRadius / 2, width: wheelWidth, twist });
}
