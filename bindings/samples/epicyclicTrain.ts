// Nothing -> an epicyclic gear train: 17 gears in three stages, 149,000 triangles, every gear turning at its
// right ratio.

import { extrude, type GearShape, gearOutline, type Outline } from './gear.js';
import { join, rotation } from './transforms.js';
import type { MeshData, Scene } from './types.js';

interface Stage {
  sunTeeth: number;
  planetTeeth: number;
  planetCount: number;
}

// Ring teeth are sun + 2 planet. Planets stand evenly, since planetCount divides sun + ring teeth.
// All teeth together are 596; 25 points a tooth and 2 layers make 2 * 25 * (2 + 3) = 250 triangles a tooth.
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
  // A ring's gaps are teeth of an outer gear that reach further out and less far in, and are thinner.
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

// Where two gears meet, a tooth of one stands in a gap of the other: that fixes each planet's angle by the
// sun's, and the ring stands still (Willis): carrier = sun * sunTeeth / (sunTeeth + ringTeeth).
function stageTransforms(stage: Stage, sunAngle: number, height: number): Float64Array[] {
  const { sunTeeth, planetTeeth, planetCount } = stage;
  const ringTeeth = sunTeeth + 2 * planetTeeth;
  const turned = (angle: number, x = 0, y = 0) => rotation([0, 0, 1], angle, [x, y, height]);
  const carrier = carrierAngle(stage, sunAngle);
  const distance = (sunTeeth + planetTeeth) / 2;
  const planets = Array.from({ length: planetCount }, (_, planet) => {
    const place = carrier + (2 * Math.PI * planet) / planetCount;
    const angle = place + Math.PI - (Math.PI - sunTeeth * (place - sunAngle)) / planetTeeth;
    return turned(angle, distance * Math.cos(place), distance * Math.sin(place));
  });
  // Gaps of the ring are centred at its angle 0, so a planet tooth stands there.
  const ringAngle = (Math.PI * (planetTeeth + 1)) / ringTeeth;
  return [turned(sunAngle), ...planets, turned(ringAngle)];
}

const carrierAngle = ({ sunTeeth, planetTeeth }: Stage, sunAngle: number): number =>
  (sunAngle * sunTeeth) / (2 * (sunTeeth + planetTeeth));

/**
 * Three stages (Zhang & Kim, Fig. 6b): a sun, four or three planets and a ring each; the planet carrier of a
 * stage drives the next stage's sun. Teeth in contact overlap by about 0.03 modules. No vertex moves more
 * than 1 % of its gear's width in a frame.
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
    return join(transforms);
  };
  return { parts, meshes: stages.flatMap(stageMeshes), frame };
}
