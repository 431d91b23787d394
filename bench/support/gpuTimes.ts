// Measures the time of GPU kernels by the clock of the GPU, and counts dispatches and transferred bytes.

import { Commands } from '../../dist/gpu/device/commands.js';
import type { Gpu, GpuCounters } from '../../dist/gpu/device/gpu.js';
import { usage } from '../../dist/gpu/device/gpuUsage.js';
import { type Summary, sum, summarize } from './statistics.js';

/** Milliseconds of all kernels together, and of each kernel. */
export interface KernelTimes extends Summary {
  each: ReadonlyMap<string, Summary>;
}

/**
 * Calls `run` once per iteration, and measures the kernels that it starts. During the measurement, each kernel
 * runs in its own compute pass, so the total time is a little longer than without measuring.
 * @returns undefined if the device cannot measure time
 */
export async function kernelTimes(
  gpu: Gpu,
  iterations: number,
  run: () => Promise<unknown>,
): Promise<KernelTimes | undefined> {
  if (!gpu.device.features.has('timestamp-query')) return undefined;
  const samples = new Map<string, number[]>();
  const totals: number[] = [];
  for (let iteration = 0; iteration < iterations; iteration++) {
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
 * A dispatch of a kernel. values: the values of its uniform. invocations: the requested number, rounded up to
 * whole workgroups. A software adapter runs fewer invocations, each of which processes more items in a loop.
 * snapshots: contents of some of the kernel's buffers after the dispatch.
 */
export interface KernelCall {
  kernel: string;
  values: Readonly<Record<string, number>>;
  invocations: number;
  snapshots: Readonly<Record<string, Uint32Array>>;
}

/**
 * Dispatches that were submitted together. reads: the contents of the buffers that were read back after them,
 * by the label of the buffer.
 */
export interface Batch {
  calls: KernelCall[];
  reads: Map<string, Uint32Array[]>;
}

/**
 * `dispatches`: how often each kernel ran. `up`: bytes uploaded to each buffer. `down`: bytes read back from
 * each buffer. `counters`: the counters of the GPU. Long arrays are uploaded by submits of their own, so there
 * may be more submits than batches.
 */
export interface Stages {
  dispatches: Map<string, number>;
  up: Map<string, number>;
  down: Map<string, number>;
  batches: readonly Batch[];
  counters: GpuCounters;
  workgroupSize: number;
}

/**
 * Buffers that are copied after a dispatch, by kernel and name of the binding, with the max number of bytes to
 * copy. They hold lengths that no query reads back.
 */
const SNAPSHOTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  countPairs: { counts: Infinity, keys: Infinity, entries: Infinity },
  rankPairs: { counts: Infinity },
  refitNodes: { shape: 1024 },
};
const MAX_GROUPS = 65_535;

/** Runs `run` and counts its work on the GPU. Resets the counters of the GPU. */
export async function countStages(gpu: Gpu, run: () => Promise<unknown>): Promise<Stages> {
  const [dispatches, up, down] = [new Map(), new Map(), new Map()] as Map<string, number>[];
  const batches: Batch[] = [];
  const recorded = new Map<Commands, { calls: KernelCall[]; labels: string[] }>();
  const copies: { call: KernelCall; name: string; buffer: GPUBuffer }[] = [];
  const { prototype } = Commands;
  const { runGroups, upload, read, submit, run: runInvocations } = prototype;
  let wantedGroups: number | undefined;
  const add = (counts: Map<string, number>, name: string, more: number): void => {
    counts.set(name, (counts.get(name) ?? 0) + more);
  };
  const recordedOf = (commands: Commands) => {
    const known = recorded.get(commands) ?? { calls: [], labels: [] };
    recorded.set(commands, known);
    return known;
  };
  // `Commands.run` calls runGroups. On a software adapter, the number of workgroups that it passes is smaller
  // than on other adapters, so `wantedGroups` holds the number for other adapters.
  prototype.run = function (name, uniform, buffers, invocations) {
    wantedGroups = Math.ceil(Math.max(1, invocations) / gpu.workgroupSize);
    runInvocations.call(this, name, uniform, buffers, invocations);
  };
  prototype.runGroups = function (name, uniform, buffers, groups) {
    const ownGroups = Math.min(MAX_GROUPS, wantedGroups ?? groups);
    wantedGroups = undefined;
    add(dispatches, name, 1);
    runGroups.call(this, name, uniform, buffers, groups);
    const call: KernelCall = {
      kernel: name,
      values: uniform?.values ?? {},
      invocations: ownGroups * (name === 'writePassSize' ? 1 : gpu.workgroupSize),
      snapshots: {},
    };
    recordedOf(this).calls.push(call);
    for (const [binding, maxBytes] of Object.entries(SNAPSHOTS[name] ?? {})) {
      const from = buffers[binding];
      const size = Math.min(from.size, maxBytes);
      const buffer = gpu.device.createBuffer({ size, usage: usage.copyFrom | usage.copyTo });
      this.copy(from, 0, buffer, 0, size);
      copies.push({ call, name: binding, buffer });
    }
  };
  prototype.upload = function (buffer, at, data) {
    add(up, buffer.label, data.byteLength);
    upload.call(this, buffer, at, data);
  };
  prototype.read = function (buffer, at, bytes) {
    add(down, buffer.label, bytes);
    recordedOf(this).labels.push(buffer.label);
    return read.call(this, buffer, at, bytes);
  };
  prototype.submit = async function () {
    const { calls, labels } = recordedOf(this);
    const batch: Batch = { calls, reads: new Map() };
    batches.push(batch);
    const answers = await submit.call(this);
    // The caller may change the arrays later, so they are copied.
    labels.forEach((label, i) =>
      batch.reads.set(label, [...(batch.reads.get(label) ?? []), answers[i].slice()]),
    );
    return answers;
  };
  Object.assign(gpu.counters, { submits: 0, dispatches: 0, uploadedBytes: 0, readBytes: 0 });
  try {
    await run();
  } finally {
    Object.assign(prototype, { runGroups, upload, read, submit, run: runInvocations });
  }
  const counters = { ...gpu.counters };
  for (const { call, name, buffer } of copies) {
    const commands = new Commands(gpu);
    commands.read(buffer, 0, buffer.size);
    const [words] = await commands.submit();
    Object.assign(call.snapshots, { [name]: words });
    buffer.destroy();
  }
  return { dispatches, up, down, batches, counters, workgroupSize: gpu.workgroupSize };
}

/**
 * Returns whether times on this GPU are worth recording. Times of a software adapter say nothing about a GPU.
 */
export const isTimed = ({ device }: Gpu): boolean => !device.adapterInfo.isFallbackAdapter;

export const stagesText = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
