// Finds the pairs of overlapping boxes on several devices. Space is divided into regions, and each device
// searches some of them (Avril, Gouranton and Arnaldi, section 5.2). The result is the same, byte for byte,
// as on one device.

import { checkBoxes, nonFiniteError, refuseInverted } from '../broadphase/boxSet.js';
import { mergePairs } from '../broadphase/incremental/mergePairs.js';
import { partition } from '../core/partition.js';
import { GpuEntry } from '../records/gpuBoxLayout.js';
import type { EngineContext } from '../runtime/engineContext.js';
import {
  type GpuBoxCapacities,
  GpuBoxPairs,
  type GpuBoxPairsOptions,
  type GpuBoxPairsResult,
} from './broadphase/gpuBoxPairs.js';
import {
  distributeBoxes,
  type RegionBoxes,
  type SampledAxis,
  type SpaceSplit,
  sampleAxes,
  splitSpace,
} from './broadphase/spaceRegions.js';
import type { Gpu } from './device/gpu.js';
import {
  type Choice,
  type Costs,
  chooseDeviceCount,
  type DeviceCost,
  measureDevice,
  measureHost,
} from './device/gpuCost.js';

export interface MultiGpuOptions extends GpuBoxPairsOptions {
  /** Number of devices. Default 'auto': the number that is predicted to be fastest. */
  devices?: 'auto' | number;
}

/**
 * devices: number of devices used. predicted[i]: predicted milliseconds on i + 1 devices. axis: the axis along
 * which space is divided into regions. boxes, pairs: numbers of boxes and pairs of each region. copies: number
 * of boxes in more than one region, counted once per additional region.
 */
export interface MultiGpuStats {
  devices: number;
  predicted: number[];
  axis: number;
  boxes: number[];
  pairs: number[];
  copies: number;
  milliseconds: number;
}

export interface MultiGpuResult {
  count: number;
  a: Uint32Array;
  b: Uint32Array;
  stats: MultiGpuStats;
}

/**
 * A region of space: its boxes of the first set, its boxes of the second set if there is one, and the
 * coordinate at which the region begins.
 */
interface RegionInput {
  first: RegionBoxes;
  second: RegionBoxes | undefined;
  start: number;
}

// Refuses non-finite boxes. A box with NaN might belong to no region, so that no device would refuse it.
function checkFinite(name: string, boxes: Float32Array): void {
  const nonFinite = boxes.findIndex(value => !Number.isFinite(value));
  if (nonFinite >= 0) throw nonFiniteError(name, nonFinite, boxes[nonFinite]);
}

export class MultiGpuBoxPairs {
  readonly #gpus: readonly Gpu[];
  readonly #finders: readonly GpuBoxPairs[];
  #costs: Costs | undefined;

  /** costs: if missing, they are measured at the first query. */
  constructor(gpus: readonly Gpu[], context: EngineContext, costs?: Costs, capacities?: GpuBoxCapacities) {
    this.#gpus = gpus;
    this.#finders = gpus.map(gpu => new GpuBoxPairs(gpu, context, capacities));
    this.#costs = costs;
  }

  /** Finds the pairs like GpuBoxPairs.find. @throws InvalidBoxes, Unsupported, Capacity; GpuLost; GpuUnfit */
  async find(boxes: Float32Array, options: MultiGpuOptions = {}): Promise<MultiGpuResult> {
    const startedAt = performance.now();
    const { against } = options;
    checkBoxes('boxes', boxes);
    checkFinite('boxes', boxes);
    if (against) checkBoxes('against', against);
    if (against) checkFinite('against', against);
    if (options.inverted)
      for (const [name, list] of Object.entries({ boxes, against })) if (list) refuseInverted(name, list);
    const axes = sampleAxes(against ? [boxes, against] : [boxes]);
    const count = (boxes.length + (against?.length ?? 0)) / 6;
    const choice = await this.#choose(axes, count, options.devices ?? 'auto');
    const split = splitSpace(axes, this.#regionsFor(choice, axes, count));
    const inputs = this.#distribute(boxes, against, split);
    const found = await this.#findAll(inputs, split.axis, choice.devices, options);
    const total = found.reduce((sum, { count: pairs }) => sum + pairs, 0);
    const regionSizes = inputs.map(({ first, second }) => first.ids.length + (second?.ids.length ?? 0));
    return {
      count: total,
      ...mergePairs(found.map((region, i) => withBoxIds(region, inputs[i]))),
      stats: {
        devices: choice.devices,
        predicted: choice.predicted,
        axis: split.axis,
        boxes: regionSizes,
        pairs: found.map(({ count: pairs }) => pairs),
        copies: regionSizes.reduce((sum, size) => sum + size, 0) - count,
        milliseconds: performance.now() - startedAt,
      },
    };
  }

  /**
   * Returns the costs of the devices. Measures them at the first call, unless they were passed to the
   * constructor. @throws GpuLost
   */
  async measure(): Promise<Costs> {
    if (this.#costs) return this.#costs;
    const devices: DeviceCost[] = [];
    // Measures one device after the other, because devices may share hardware.
    for (const [i, gpu] of this.#gpus.entries()) devices.push(await measureDevice(gpu, this.#finders[i]));
    return (this.#costs = { devices, host: measureHost() });
  }

  dispose(): void {
    for (const finder of this.#finders) finder.dispose();
  }

  async #choose(axes: readonly SampledAxis[], count: number, devices: 'auto' | number): Promise<Choice> {
    const costs = await this.measure();
    const choice = chooseDeviceCount(costs.devices, costs.host, axes, {
      boxes: count,
      pairs: estimatePairs(axes, count),
    });
    return devices === 'auto'
      ? choice
      : { ...choice, devices: Math.max(1, Math.min(devices, this.#gpus.length)) };
  }

  // Returns the number of regions: the number of devices, doubled until each region is expected to fit in the
  // buffers of a device.
  #regionsFor({ devices }: Choice, axes: readonly SampledAxis[], count: number): number {
    const minBytes = Math.min(...this.#gpus.map(({ limits }) => limits.bindingBytes));
    let regions = devices;
    while (
      regions < MAX_REGIONS &&
      (GpuEntry.size * count * (1 + splitSpace(axes, regions).copiedFraction)) / regions > minBytes * MAX_FILL
    )
      regions *= 2;
    return regions;
  }

  #distribute(boxes: Float32Array, against: Float32Array | undefined, split: SpaceSplit): RegionInput[] {
    const first = distributeBoxes(boxes, split);
    const second = against && distributeBoxes(against, split);
    return first.map((region, i) => ({
      first: region,
      second: second?.[i],
      start: i === 0 ? -Infinity : split.starts[i - 1],
    }));
  }

  // Distributes the regions to devices so that all devices get similar numbers of boxes. A device searches its
  // regions one after the other. Returns or throws only after all devices have ended, even if one fails,
  // because the next call uses the buffers of all devices.
  async #findAll(
    inputs: readonly RegionInput[],
    axis: number,
    devices: number,
    { countOnly }: MultiGpuOptions,
  ): Promise<GpuBoxPairsResult[]> {
    const inputsOf = partition(
      inputs.map(({ first, second }) => first.ids.length + (second?.ids.length ?? 0)),
      devices,
    );
    const found: GpuBoxPairsResult[] = [];
    const outcomes = await Promise.allSettled(
      this.#finders.map(async (finder, device) => {
        for (const i of inputsOf[device] ?? []) {
          const { first, second, start } = inputs[i];
          found[i] = await finder.find(
            first.boxes,
            { ...(second && { against: second.boxes }), ...(countOnly && { countOnly }) },
            { axis, start },
          );
        }
      }),
    );
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    return found;
  }
}

/**
 * MAX_REGIONS: max number of regions. MAX_FILL: max fraction of a device's max buffer size that a region is
 * predicted to need.
 */
const MAX_REGIONS = 4096;
const MAX_FILL = 0.5;

// Estimates the number of pairs of overlapping boxes: multiplies the number of all pairs by the fraction of
// pairs that overlap along each axis, as if the axes were independent.
function estimatePairs(axes: readonly SampledAxis[], count: number): number {
  return axes.reduce(
    (pairs, { overlaps, lows }) =>
      pairs * Math.min(1, overlaps / Math.max(1, (lows.length * (lows.length - 1)) / 2)),
    (count * (count - 1)) / 2,
  );
}

// Converts box numbers within a region to numbers among all boxes. The conversion keeps the order of boxes, so
// sorted pairs stay sorted.
function withBoxIds(
  { a, b }: GpuBoxPairsResult,
  { first, second }: RegionInput,
): { a: Uint32Array; b: Uint32Array } {
  const idsB = (second ?? first).ids;
  return { a: a.map(i => first.ids[i]), b: b.map(i => idsB[i]) };
}
