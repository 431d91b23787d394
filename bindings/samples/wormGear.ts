// Generates a worm gear: a worm (a screw) that drives a worm wheel and touches several of its teeth.

import { InvalidMesh } from '../core/errors.js';
import { growTo } from './grow.js';
import { cos, sin } from './portableMath.js';
import { concatTransforms, rotation } from './transforms.js';
import type { MeshData, Scene } from './types.js';
import {
  axisDistance,
  threadHeight,
  threadPitch,
  wheelAngleAt,
  wheelToothCount,
  wormRadius,
  wormWheel,
} from './wormWheel.js';

const threadTurns = 8;
const thickening = 0.06;
const radiansPerFrame = (2 * Math.PI) / 128;

// Returns a worm about the x axis. At x = 0, the ridge of its thread is at angle 0. The worm has
// 2 * segmentCount * (stationCount + 1) triangles.
function worm(segmentCount: number, stationCount: number): MeshData {
  const length = threadTurns * threadPitch;
  const positions: number[] = [-length / 2, 0, 0, length / 2, 0, 0];
  const indices: number[] = [];
  const at = (station: number, segment: number) => 2 + station * segmentCount + (segment % segmentCount);
  for (let station = 0; station <= stationCount; station++) {
    const x = length * (station / stationCount - 0.5);
    for (let segment = 0; segment < segmentCount; segment++) {
      const angle = (2 * Math.PI * segment) / segmentCount;
      const radius = wormRadius + threadHeight(x - (threadPitch * angle) / (2 * Math.PI), thickening, 1);
      positions.push(x, radius * cos(angle), radius * sin(angle));
      if (station === stationCount) continue;
      const [a, b] = [at(station, segment), at(station, segment + 1)];
      const [c, d] = [at(station + 1, segment), at(station + 1, segment + 1)];
      indices.push(a, b, d, a, d, c);
    }
  }
  for (let segment = 0; segment < segmentCount; segment++) {
    indices.push(0, at(0, segment + 1), at(0, segment));
    indices.push(1, at(stationCount, segment), at(stationCount, segment + 1));
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/**
 * Generates a worm gear with exactly `triangles` triangles, half of them on the worm and half on the wheel.
 * The module of the gears (the pitch divided by pi) is 1. The thread of the worm is 0.06 thicker than the
 * gaps of the wheel. The wheel rotates about the z axis. The worm, which is offset from the wheel along y,
 * rotates about an axis parallel to x. From one frame to the next, no vertex moves by more than 1 % of the
 * size of its part. Source: Zhang and Kim 2014, Fig. 6a.
 * @param triangles A multiple of 4, at least 4000.
 * @throws InvalidMesh for any other number
 */
export function wormGear({ triangles = 64_000 }: { triangles?: number } = {}): Scene {
  if (!Number.isInteger(triangles / 4) || triangles < 4000) {
    throw new InvalidMesh(
      `a worm gear cannot have ${triangles} triangles: the number must be a multiple of 4, at least 4000`,
      'pass a multiple of 4, at least 4000',
    );
  }
  const half = triangles / 2;
  const detail = Math.sqrt(half / 32_000);
  const segmentCount = Math.round(64 * detail);
  const pointsPerTooth = Math.max(6, Math.floor(25 * detail));
  const meshes = [
    growTo(worm(segmentCount, Math.floor(half / (2 * segmentCount)) - 1), half),
    growTo(wormWheel(pointsPerTooth, Math.floor(half / (2 * wheelToothCount * pointsPerTooth)) - 3), half),
  ];
  const frame = (t: number): Float64Array => {
    const wormAngle = radiansPerFrame * t;
    const worm = rotation([1, 0, 0], wormAngle, [0, axisDistance, 0]);
    return concatTransforms([worm, rotation([0, 0, 1], wheelAngleAt(wormAngle))]);
  };
  return {
    parts: [
      { name: 'worm', mesh: 0 },
      { name: 'wheel', mesh: 1 },
    ],
    meshes,
    frame,
  };
}
