// Measures the time of GPU kernels by the clock of the GPU, and counts dispatches and transferred bytes.

import { Commands } from '../../dist/gpu/device/commands.js';
import type { Gpu } from '../../dist/gpu/device/gpu.js';
import { type Summary, sum, summarize } from './statistics.js';

/** Milliseconds of all kernels together, and of each kernel. */
export interface KernelTimes extends Summary {
  each: ReadonlyMap<string, Summary>;
}

/**
 * Calls `run` once per round, and measures the kernels that it starts. During the measurement, each kernel
 * runs in its own compute pass, so the total time is a little longer than without measuring.
 * @returns undefined if the device cannot measure time
 */
export async function kernelTimes(
  gpu: Gpu,
  rounds: number,
  run: () => Promise<unknown>,
): Promise<KernelTimes | undefined> {
  if (!gpu.device.features.has('timestamp-query')) return undefined;
  const samples = new Map<string, number[]>();
  const totals: number[] = [];
  for (let round = 0; round < rounds; round++) {
    gpu.times = new Map();
    await run();
    for (const [name, nanoseconds] of gpu.times)
      samples.set(name, [...(samples.get(name) ?? []), nanoseconds / 1e6]);
    totals.push(sum([...gpu.times.values()]) / 1e6);
  }
  gpu.times = undefined;
  return {
    ...summarize(totals),
    each: new Map([...samples].map(([name, times]) => [name, summarize(times)])),
  };
}

/**
 * `dispatches`: how often each kernel ran. `up`: bytes uploaded to each buffer. `down`: bytes read back from
 * each buffer.
 */
export interface Stages {
  dispatches: Map<string, number>;
  up: Map<string, number>;
  down: Map<string, number>;
}

export async function countStages(run: () => Promise<unknown>): Promise<Stages> {
  const stages: Stages = { dispatches: new Map(), up: new Map(), down: new Map() };
  const { prototype } = Commands;
  const { runGroups, upload, read } = prototype;
  const add = (counts: Map<string, number>, name: string, more: number): void => {
    counts.set(name, (counts.get(name) ?? 0) + more);
  };
  // `Commands.run` calls runGroups, so it need not be replaced.
  prototype.runGroups = function (name, ...rest) {
    add(stages.dispatches, name, 1);
    runGroups.call(this, name, ...rest);
  };
  prototype.upload = function (buffer, at, data) {
    add(stages.up, buffer.label, data.byteLength);
    upload.call(this, buffer, at, data);
  };
  prototype.read = function (buffer, at, bytes) {
    add(stages.down, buffer.label, bytes);
    return read.call(this, buffer, at, bytes);
  };
  try {
    await run();
  } finally {
    Object.assign(prototype, { runGroups, upload, read });
  }
  return stages;
}

export const stagesText = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
