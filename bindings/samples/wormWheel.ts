// A number of points and layers -> the wheel that a worm would cut, and the rule by which the two turn.

import { extrude, type Outline } from './gear.js';
import type { MeshData } from './types.js';

// Module 1: the axial pitch is pi, and one turn of the single thread moves the wheel by one tooth.
export const threadPitch = Math.PI;
export const wheelToothCount = 40;
export const wormRadius = 4;
const wheelRadius = wheelToothCount / 2;
const wheelWidth = 5;
const flankSlope = Math.tan((20 * Math.PI) / 180);
const clearance = 0.25;
export const axisDistance = wheelRadius + wormRadius;

/**
 * Height of the thread over the pitch cylinder at a distance from the ridge along the axis: a rack's straight
 * flanks.
 */
export function threadHeight(along: number, thickening: number, addendum: number): number {
  const offset = Math.abs(along - threadPitch * Math.round(along / threadPitch));
  const height = (threadPitch / 4 + thickening / 2 - offset) / flankSlope;
  return Math.min(addendum, Math.max(-1 - clearance, height));
}

/**
 * The worm's ridge leaves angle 0 about x at x = 0; where it passes the wheel's top, a gap of the wheel must
 * stand.
 */
export function wheelAngleAt(wormAngle: number): number {
  const ridge = (threadPitch * (Math.PI - wormAngle)) / (2 * Math.PI);
  return Math.PI / 2 + (threadPitch / 2 - ridge) / wheelRadius;
}

// The cutter is the worm without extra thickness, and longer by the clearance.
function isCut(x: number, y: number, z: number, wormAngle: number): boolean {
  const down = y - axisDistance;
  const around = Math.atan2(z, down) - wormAngle;
  const height = threadHeight(x - (threadPitch * around) / (2 * Math.PI), 0, 1 + clearance);
  return Math.hypot(down, z) <= wormRadius + height;
}

// What is left of a ray from the wheel's axis after the cutter has passed it on three turns before and after:
// along a ray the cut, once begun, does not end within a tooth's height.
function radiusLeft(angle: number, z: number): number {
  const rootRadius = wheelRadius - 1 - 2 * clearance;
  let radius = Math.min(wheelRadius + 2, axisDistance - Math.sqrt((wormRadius - 1) ** 2 - z * z));
  for (let step = -144; step <= 144; step++) {
    const wormAngle = (2 * Math.PI * step) / 48;
    const world = angle + wheelAngleAt(wormAngle);
    const [cos, sin] = [Math.cos(world), Math.sin(world)];
    if (!isCut(radius * cos, radius * sin, z, wormAngle)) continue;
    let least = rootRadius;
    for (let halving = 0; halving < 16; halving++) {
      const half = (least + radius) / 2;
      if (isCut(half * cos, half * sin, z, wormAngle)) radius = half;
      else least = half;
    }
  }
  return radius;
}

/**
 * About the z axis, tooth 0 at angle 0, the rim hollow around the worm: 80 * pointsPerTooth * (layerCount +
 * 3) triangles. Teeth lean like the thread where the two meet.
 */
export function wormWheel(pointsPerTooth: number, layerCount: number): MeshData {
  const pointCount = wheelToothCount * pointsPerTooth;
  const angles = Float64Array.from({ length: pointCount }, (_, point) => (2 * Math.PI * point) / pointCount);
  const twist = threadPitch / (2 * Math.PI * wormRadius * wheelRadius);
  const outlines = Array.from({ length: layerCount + 1 }, (_, layer): Outline => {
    const z = wheelWidth * (layer / layerCount - 0.5);
    // All teeth are alike: one is cut, about angle 0.
    const tooth = Array.from({ length: pointsPerTooth }, (_, point) => {
      const turned = point > pointsPerTooth / 2 ? point - pointsPerTooth : point;
      return radiusLeft((2 * Math.PI * turned) / pointCount + twist * z, z);
    });
    return { angles, radii: angles.map((_, point) => tooth[point % pointsPerTooth]) };
  });
  return extrude(outlines, { smoothRadius: wheelRadius / 2, width: wheelWidth, twist });
}
