// Generates the outlines of gears with involute flanks, and makes closed solids by extruding the area between
// an outline and a circle.

import { acos, cos, sin, tan } from './portableMath.js';
import type { MeshData } from './types.js';

/** The parameters of a gear outline. */
export interface GearShape {
  toothCount: number;
  /** Size of the teeth: the pitch radius is module * toothCount / 2. */
  module: number;
  /** How far teeth reach beyond the pitch circle, in modules. */
  addendum: number;
  /** How far gaps reach below the pitch circle, in modules. */
  dedendum: number;
  /** Length in modules that is added to the tooth thickness. If it is positive, meshing teeth overlap. */
  thickening: number;
  /** Points of the outline per tooth, at least 6; most of them are on the flanks. */
  pointsPerTooth: number;
}

/** The points of an outline in polar coordinates, by ascending angle. Tooth 0 is centered at angle 0. */
export interface Outline {
  angles: Float64Array;
  radii: Float64Array;
}

const pressureAngle = (20 * Math.PI) / 180;

const involute = (angle: number): number => tan(angle) - angle;

// Returns half the angle that a tooth covers at a radius. The involute exists only outside the base circle.
// Inside it, the tooth widens slightly toward the center, so that the angles of the outline's points ascend
// strictly.
function halfToothAngle(shape: GearShape, radius: number): number {
  const pitchRadius = (shape.module * shape.toothCount) / 2;
  const baseRadius = pitchRadius * cos(pressureAngle);
  const atPitch = (Math.PI / 2 + shape.thickening) / shape.toothCount + involute(pressureAngle);
  if (radius < baseRadius) return atPitch + (0.3 * (baseRadius - radius)) / baseRadius;
  return atPitch - involute(acos(baseRadius / radius));
}

/**
 * Returns the outline of an external gear, or of the hole of an internal gear. It has pointsPerTooth *
 * toothCount points.
 */
export function gearOutline(shape: GearShape): Outline {
  const { toothCount, module, pointsPerTooth } = shape;
  const pitchRadius = (module * toothCount) / 2;
  const rootRadius = pitchRadius - module * shape.dedendum;
  const tipRadius = pitchRadius + module * shape.addendum;
  const flankCount = Math.floor(0.4 * pointsPerTooth);
  const tipCount = Math.floor((pointsPerTooth - 2 * flankCount) / 2);
  const rootCount = pointsPerTooth - 2 * flankCount - tipCount;
  const flankRadii = Array.from(
    { length: flankCount },
    (_, step) => rootRadius + ((tipRadius - rootRadius) * step) / (flankCount - 1),
  );
  const tooth: [angle: number, radius: number][] = flankRadii.map(radius => [
    -halfToothAngle(shape, radius),
    radius,
  ]);
  const tipAngle = halfToothAngle(shape, tipRadius);
  for (let step = 1; step <= tipCount; step++)
    tooth.push([tipAngle * ((2 * step) / (tipCount + 1) - 1), tipRadius]);
  for (const radius of flankRadii.reverse()) tooth.push([halfToothAngle(shape, radius), radius]);
  const rootAngle = halfToothAngle(shape, rootRadius);
  const gapAngle = (2 * Math.PI) / toothCount - 2 * rootAngle;
  for (let step = 1; step <= rootCount; step++)
    tooth.push([rootAngle + (gapAngle * step) / (rootCount + 1), rootRadius]);
  const angles = new Float64Array(toothCount * pointsPerTooth);
  const radii = new Float64Array(toothCount * pointsPerTooth);
  angles.forEach((_, point) => {
    const [angle, radius] = tooth[point % pointsPerTooth];
    angles[point] = angle + (2 * Math.PI * Math.floor(point / pointsPerTooth)) / toothCount;
    radii[point] = radius;
  });
  return { angles, radii };
}

/** The parameters of a solid between an outline and a circle. */
export interface Extrusion {
  /** Radius of the circle: a bore inside the outline, or a rim outside the outline. */
  smoothRadius: number;
  width: number;
  /** Radians by which the outline rotates per unit of width, for helical teeth. */
  twist: number;
}

/**
 * Returns a closed solid about the z axis, from z = -width/2 to z = width/2. Its toothed side passes through
 * the outlines, which are given from bottom to top. There must be at least two outlines, and all must have
 * the same number of points. The solid has 2 * points * (outlines + 2) triangles.
 */
export function extrude(outlines: Outline[], { smoothRadius, width, twist }: Extrusion): MeshData {
  const pointCount = outlines[0].angles.length;
  const top = outlines.length - 1;
  // There is a row of vertices for each outline, from bottom to top. The last two rows are the top and bottom
  // circles of the smooth side, which close the solid.
  const rows = [...outlines.keys(), top, 0].map((layer, row) => ({
    outline: outlines[layer],
    height: width * (layer / top - 0.5),
    isSmooth: row > top,
  }));
  const positions = new Float32Array(pointCount * rows.length * 3);
  const indices = new Uint32Array(pointCount * rows.length * 6);
  const facesOutward = smoothRadius < outlines[0].radii[0];
  rows.forEach(({ outline, height, isSmooth }, row) => {
    const here = row * pointCount;
    const next = ((row + 1) % rows.length) * pointCount;
    for (let point = 0; point < pointCount; point++) {
      const angle = outline.angles[point] + twist * height;
      const radius = isSmooth ? smoothRadius : outline.radii[point];
      const beside = (point + 1) % pointCount;
      const quad = [here + point, here + beside, next + beside, next + point] as const;
      const [a, b, c, d] = facesOutward ? quad : [quad[3], quad[2], quad[1], quad[0]];
      positions.set([radius * cos(angle), radius * sin(angle), height], quad[0] * 3);
      indices.set([a, b, c, a, c, d], quad[0] * 6);
    }
  });
  return { positions, indices };
}
