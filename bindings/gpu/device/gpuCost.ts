// Measures the cost of finding box pairs on each device, predicts the time on 1, 2, ... devices, and chooses
// how many devices to use.

import { mergePairs } from '../../broadphase/incremental/mergePairs.js';
import type { GpuBoxPairs, GpuBoxPairsStats } from '../broadphase/gpuBoxPairs.js';
import {
  distributeBoxes,
  type SampledAxis,
  type SpaceSplit,
  splitSpace,
} from '../broadphase/spaceRegions.js';
import { Commands } from './commands.js';
import type { Gpu } from './gpu.js';

/**
 * Milliseconds that a search takes on a device. fixed: per call. host: the part of `fixed` in which the thread
 * that submits the commands is busy. byte: per uploaded byte. box: per box. pair: per pair.
 */
export interface DeviceCost {
  fixed: number;
  host: number;
  byte: number;
  box: number;
  pair: number;
}

/**
 * Additional milliseconds on the host if several devices are used. box: to assign one box to regions. pair: to
 * merge one pair; the time to renumber it is not measured.
 */
export interface HostCost {
  box: number;
  pair: number;
}

export interface Costs {
  devices: readonly DeviceCost[];
  host: HostCost;
}

/** The estimated size of a search. */
export interface SearchSize {
  boxes: number;
  pairs: number;
}

/**
 * The chosen number of devices, and the split of space among them. predicted[i]: predicted milliseconds on
 * i + 1 devices.
 */
export interface Choice {
  devices: number;
  split: SpaceSplit;
  predicted: number[];
}

const BOX_BYTES = 24;
const UPLOADED_BYTES = 2 ** 20;
/**
 * Boxes of the three calibration searches: FEW boxes that do not overlap, MANY boxes that do not overlap, and
 * MANY boxes that each overlap OVERLAPPED later boxes.
 */
const FEW = 16;
const MANY = 2048;
const OVERLAPPED = 16;

/**
 * Measures a device with an upload and three small searches. Each of the four runs three times, and its fastest
 * run counts. The first run is slower, because it also compiles kernels and allocates buffers. @throws GpuLost
 */
export async function measureDevice(gpu: Gpu, pairs: GpuBoxPairs): Promise<DeviceCost> {
  const measureSearch = async (boxes: Float32Array): Promise<GpuBoxPairsStats> => {
    let best = (await pairs.find(boxes)).stats;
    for (let i = 0; i < 2; i++) {
      const { stats } = await pairs.find(boxes);
      if (stats.milliseconds < best.milliseconds) best = stats;
    }
    return best;
  };
  const byte = (await measureUpload(gpu)) / UPLOADED_BYTES;
  const { milliseconds: fixed, hostMilliseconds: host } = await measureSearch(rowOfBoxes(FEW, 0));
  const { milliseconds: manyMilliseconds } = await measureSearch(rowOfBoxes(MANY, 0));
  const { milliseconds: crowdedMilliseconds } = await measureSearch(rowOfBoxes(MANY, OVERLAPPED));
  return {
    fixed,
    host,
    byte,
    box: Math.max(0, (manyMilliseconds - fixed) / MANY - BOX_BYTES * byte),
    pair: Math.max(0, (crowdedMilliseconds - manyMilliseconds) / (MANY * OVERLAPPED)),
  };
}

async function measureUpload(gpu: Gpu): Promise<number> {
  const buffer = gpu.createBuffer('calibration', Math.min(UPLOADED_BYTES, gpu.limits.bindingBytes));
  const data = new Uint32Array(buffer.size / 4);
  let best = Infinity;
  for (let i = 0; i < 3; i++) {
    const startedAt = performance.now();
    const commands = new Commands(gpu);
    commands.upload(buffer, 0, data);
    commands.read(buffer, 0, 4);
    await commands.submit();
    best = Math.min(best, performance.now() - startedAt);
  }
  buffer.destroy();
  return (best * UPLOADED_BYTES) / (4 * data.length);
}

/** Measures, with a small input, how long the host takes to assign boxes to regions and to merge pairs. */
export function measureHost(): HostCost {
  const boxes = rowOfBoxes(MANY, 0);
  const numbers = Uint32Array.from({ length: MANY }, (_, i) => i);
  const cuts = { axis: 0, starts: [MANY / 2], copiedFraction: 0 };
  const timeOf = (run: () => unknown): number => {
    let best = Infinity;
    for (let i = 0; i < 5; i++) {
      const startedAt = performance.now();
      run();
      best = Math.min(best, performance.now() - startedAt);
    }
    return best;
  };
  const lists = [0, 1].map(odd => ({ a: numbers, b: numbers.map(i => 2 * i + odd) }));
  return {
    box: timeOf(() => distributeBoxes(boxes, cuts)) / MANY,
    pair: timeOf(() => mergePairs(lists)) / (2 * MANY),
  };
}

/** Returns boxes in a row, each of which overlaps `overlapped` later ones. */
function rowOfBoxes(count: number, overlapped: number): Float32Array {
  const boxes = new Float32Array(6 * count);
  for (let i = 0; i < count; i++) boxes.set([i, 0, 0, i + overlapped + 0.5, 1, 1], 6 * i);
  return boxes;
}

/** Chooses the number of devices with the smallest predicted time. */
export function chooseDeviceCount(
  costs: readonly DeviceCost[],
  host: HostCost,
  axes: readonly SampledAxis[],
  work: SearchSize,
): Choice {
  const choices = costs.map((_, i) => {
    const devices = i + 1;
    const cuts = splitSpace(axes, devices);
    return { devices, cuts, milliseconds: predict(costs.slice(0, devices), host, cuts, work) };
  });
  const best = choices.reduce((fastest, choice) =>
    choice.milliseconds < fastest.milliseconds ? choice : fastest,
  );
  return {
    devices: best.devices,
    split: best.cuts,
    predicted: choices.map(({ milliseconds }) => milliseconds),
  };
}

function predict(
  costs: readonly DeviceCost[],
  host: HostCost,
  { copiedFraction }: SpaceSplit,
  { boxes, pairs }: SearchSize,
): number {
  const devices = costs.length;
  const boxesEach = (boxes * (1 + copiedFraction)) / devices;
  const pairsEach = pairs / devices;
  // One thread submits to all devices, then waits for the slowest.
  const submitting = costs.reduce((sum, { host: hostTime }) => sum + hostTime, 0);
  const slowest = Math.max(
    ...costs.map(
      ({ fixed, host: hostTime, byte, box, pair }) =>
        fixed - hostTime + boxesEach * (box + BOX_BYTES * byte) + pairsEach * pair,
    ),
  );
  return submitting + slowest + (devices > 1 ? host.box * boxes + host.pair * pairs : 0);
}
