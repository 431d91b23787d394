// What finding box pairs costs on a device, measured -> how many of several devices pay.
import { Commands } from '../webgpu/commands.js';
import type { Gpu } from '../webgpu/gpu.js';
import { type Cuts, cutSpace, type SampledAxis } from './boxParts.js';
import type { GpuBoxPairs } from './gpuBoxPairs.js';

/** Milliseconds of a call, of an uploaded byte, of a box and of a pair. */
export interface DeviceCost { fixed: number; byte: number; box: number; pair: number }

/** What is to be done, as far as a sample tells. */
export interface Work { boxes: number; pairs: number }

/** A choice: its predicted milliseconds, and those of every number of devices from 1 on. */
export interface Choice { devices: number; cuts: Cuts; predicted: number[] }

const BOX_BYTES = 24;
const UPLOADED = 2 ** 20;
/** Boxes of a calibration: few, many, and as many of which each overlaps this many. */
const FEW = 16, MANY = 2048, CROWD = 16;
/** Milliseconds of dealing a box to parts, and of merging a pair: on the CPU. */
const DEAL_BOX = 2e-5, MERGE_PAIR = 5e-6;

/** Some tiny questions, each twice: the first also compiles and makes room. @throws GpuLost */
export async function measureDevice(gpu: Gpu, pairs: GpuBoxPairs): Promise<DeviceCost> {
  const timeOf = async (boxes: Float32Array): Promise<number> => {
    let best = Infinity;
    for (let i = 0; i < 3; i++) best = Math.min(best, (await pairs.find(boxes)).stats.milliseconds);
    return best;
  };
  const byte = await uploadTime(gpu) / UPLOADED;
  const fixed = await timeOf(rowOfBoxes(FEW, 0)), many = await timeOf(rowOfBoxes(MANY, 0)), crowded = await timeOf(rowOfBoxes(MANY, CROWD));
  return { fixed, byte, box: Math.max(0, (many - fixed) / MANY - BOX_BYTES * byte), pair: Math.max(0, (crowded - many) / (MANY * CROWD)) };
}

async function uploadTime(gpu: Gpu): Promise<number> {
  const buffer = gpu.createBuffer('calibration', Math.min(UPLOADED, gpu.limits.bindingBytes)), data = new Uint32Array(buffer.size / 4);
  let best = Infinity;
  for (let i = 0; i < 3; i++) {
    const startedAt = performance.now(), commands = new Commands(gpu);
    commands.upload(buffer, 0, data);
    commands.read(buffer, 0, 4);
    await commands.submit();
    best = Math.min(best, performance.now() - startedAt);
  }
  buffer.destroy();
  return best * UPLOADED / (4 * data.length);
}

/** Boxes one behind the other, each of which overlaps so many later ones. */
function rowOfBoxes(count: number, overlapped: number): Float32Array {
  const boxes = new Float32Array(6 * count);
  for (let i = 0; i < count; i++) boxes.set([i, 0, 0, i + overlapped + 0.5, 1, 1], 6 * i);
  return boxes;
}

/** The number of devices that is predicted to be quickest; the slowest one of them is waited for. */
export function chooseDevices(costs: readonly DeviceCost[], axes: readonly SampledAxis[], work: Work): Choice {
  const choices = costs.map((_, i) => {
    const devices = i + 1, cuts = cutSpace(axes, devices);
    return { devices, cuts, milliseconds: predict(costs.slice(0, devices), cuts, work) };
  });
  const best = choices.reduce((least, choice) => (choice.milliseconds < least.milliseconds ? choice : least));
  return { devices: best.devices, cuts: best.cuts, predicted: choices.map(({ milliseconds }) => milliseconds) };
}

function predict(costs: readonly DeviceCost[], { copied }: Cuts, { boxes, pairs }: Work): number {
  const devices = costs.length, boxesEach = boxes * (1 + copied) / devices, pairsEach = pairs / devices;
  const slowest = Math.max(...costs.map(({ fixed, byte, box, pair }) => fixed + boxesEach * (box + BOX_BYTES * byte) + pairsEach * pair));
  return slowest + (devices > 1 ? DEAL_BOX * boxes + MERGE_PAIR * pairs : 0);
}
