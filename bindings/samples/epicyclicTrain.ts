// Generates an epicyclic (planetary) gear train: 17 gears in three stages, with 149,000 triangles. The gears
// rotate with the correct gear ratios.

import { extrude, type GearShape, gearOutline, type Outline } from './gear.js';
import { cos, sin } from './portableMath.js';
import { concatTransforms, rotation } from './transforms.js';
import type { MeshData, Scene } from './types.js';

interface Stage {
  sunTeeth: number;
  planetTeeth: number;
  planetCount: number;
}

// A ring has sunTeeth + 2 * planetTeeth teeth. Planets are equally spaced, so planetCount must divide the
// total number of teeth of sun and ring. The 17 gears have 596 teeth in total. Each tooth has 250 triangles:
// an outline has 25 points per tooth, and extruding it in 2 layers gives 2 * 25 * (2 + 3) triangles.
const stages: Stage[] = [
  { sunTeeth: 30, planetTeeth: 24, planetCount: 4 },
  { sunTeeth: 28, planetTeeth: 26, planetCount: 4 },
  { sunTeeth: 40, planetTeeth: 20, planetCount: 3 },
];
const pointsPerTooth = 25;
const layerCount = 2;
const width = 6;
const stageDistance = 9;
const radiansPerFrame = (2 * Math.PI) / 512;

function stageMeshes({ sunTeeth, planetTeeth }: Stage): MeshData[] {
  const shape: GearShape = {
    toothCount: 0,
    module: 1,
    addendum: 1,
    dedendum: 1.25,
    thickening: 0.03,
    pointsPerTooth,
  };
  const solid = (outline: Outline, smoothRadius: number): MeshData =>
    extrude(Array(layerCount + 1).fill(outline), { smoothRadius, width, twist: 0 });
  const outer = (toothCount: number) => solid(gearOutline({ ...shape, toothCount }), toothCount / 4);
  // The hole of a ring has the shape of an external gear. Compared with the other gears, this shape has a
  // larger addendum, a smaller dedendum and thinner teeth.
  const ringTeeth = sunTeeth + 2 * planetTeeth;
  const gaps = gearOutline({
    ...shape,
    toothCount: ringTeeth,
    addendum: 1.25,
    dedendum: 1,
    thickening: -0.03,
  });
  return [outer(sunTeeth), outer(planetTeeth), solid(gaps, ringTeeth / 2 + 4)];
}

// Returns the transforms of a stage: sun, planets, ring. Where two gears mesh, a tooth of one gear is in a
// gap of the other gear, so the angle of the sun determines the angle of each planet. The ring does not
// rotate, so the Willis equation gives the angle of the planet carrier: sunAngle * sunTeeth / (sunTeeth +
// ringTeeth).
function stageTransforms(stage: Stage, sunAngle: number, height: number): Float64Array[] {
  const { sunTeeth, planetTeeth, planetCount } = stage;
  const ringTeeth = sunTeeth + 2 * planetTeeth;
  const rotated = (angle: number, x = 0, y = 0) => rotation([0, 0, 1], angle, [x, y, height]);
  const carrier = carrierAngle(stage, sunAngle);
  const distance = (sunTeeth + planetTeeth) / 2;
  const planets = Array.from({ length: planetCount }, (_, planet) => {
    const place = carrier + (2 * Math.PI * planet) / planetCount;
    const angle = place + Math.PI - (Math.PI - sunTeeth * (place - sunAngle)) / planetTeeth;
    return rotated(angle, distance * cos(place), distance * sin(place));
  });
  // The center of a gap is at angle 0 of the ring. The ring is rotated so that a planet tooth is in this gap.
  const ringAngle = (Math.PI * (planetTeeth + 1)) / ringTeeth;
  return [rotated(sunAngle), ...planets, rotated(ringAngle)];
}

const carrierAngle = ({ sunTeeth, planetTeeth }: Stage, sunAngle: number): number =>
  (sunAngle * sunTeeth) / (2 * (sunTeeth + planetTeeth));

/**
 * Generates an epicyclic gear train of three stages. Each stage has a sun, three or four planets and a ring.
 * The planet carrier of a stage drives the sun of the next stage. Meshing teeth overlap by about 0.03
 * modules. From one frame to the next, no vertex moves by more than 1 % of its gear's diameter. Never throws.
 * Source: Zhang and Kim 2014, Fig. 6b.
 */
export function epicyclicTrain(): Scene {
  const parts = stages.flatMap((stage, number) => {
    const name = `stage ${number + 1}`;
    const planets = Array.from({ length: stage.planetCount }, (_, planet) => ({
      name: `${name} planet ${planet + 1}`,
      mesh: number * 3 + 1,
    }));
    return [
      { name: `${name} sun`, mesh: number * 3 },
      ...planets,
      { name: `${name} ring`, mesh: number * 3 + 2 },
    ];
  });
  const frame = (t: number): Float64Array => {
    let sunAngle = radiansPerFrame * t;
    const transforms: Float64Array[] = [];
    stages.forEach((stage, number) => {
      transforms.push(...stageTransforms(stage, sunAngle, number * stageDistance));
      sunAngle = carrierAngle(stage, sunAngle);
    });
    return concatTransforms(transforms);
  };
  return { parts, meshes: stages.flatMap(stageMeshes), frame };
}
