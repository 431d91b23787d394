// Models the time of a query on a named GPU from four counters of the query: dispatches, round trips, bytes
// that kernels read and write, and bytes that are transferred between the host and the GPU. Fits the costs of
// a GPU to measured times.

import { fitLeastSquares } from './statistics.js';

/**
 * Costs of a GPU. memory: bytes per second that kernels read from and write to memory. transfer: bytes per
 * second between the host and the GPU. dispatch: milliseconds of a dispatch. roundTrip: milliseconds of a
 * submit, including the wait for its end.
 */
export interface GpuCosts {
  memory: number;
  transfer: number;
  dispatch: number;
  roundTrip: number;
}

/** The work of a query: the quantities that the model multiplies by the costs of a GPU. */
export interface GpuLoad {
  dispatches: number;
  roundTrips: number;
  kernelBytes: number;
  transferredBytes: number;
}

/**
 * The work of a query, and the milliseconds that were measured, if any. kernels: all kernels together. whole:
 * end to end, less the work of the CPU.
 */
export interface TimedLoad {
  load: GpuLoad;
  kernels: number | undefined;
  whole: number | undefined;
}

/** Fitted costs. Each error is the root mean square of the relative errors of the fitted times. */
export interface FittedCosts extends GpuCosts {
  kernels: { count: number; error: number };
  wholes: { count: number; error: number };
}

/** The modeled GPUs. memory: bytes per second. */
export const H100 = {
  variant: 'H100 (model)',
  memory: 3.35e12,
  source: 'data sheet of the H100 SXM (HBM3)',
} as const;
export const LAPTOP = { variant: 'laptop GPU (model)', memory: 100e9, source: 'assumed' } as const;

export const KERNELS_FORMULA =
  'modeled: dispatches * time of a dispatch + bytes read and written by kernels / memory bandwidth' as const;
export const FORMULA =
  `${KERNELS_FORMULA} + round trips * time of a round trip + bytes transferred / transfer rate` as const;

/** Returns the modeled milliseconds of the kernels. */
export const modelKernels = (
  { dispatches, kernelBytes }: Pick<GpuLoad, 'dispatches' | 'kernelBytes'>,
  { dispatch, memory }: Pick<GpuCosts, 'dispatch' | 'memory'>,
): number => dispatches * dispatch + (1e3 * kernelBytes) / memory;

/** Returns the modeled milliseconds end to end, without the work of the CPU. */
export const modelQuery = (load: GpuLoad, gpu: GpuCosts): number =>
  modelKernels(load, gpu) + load.roundTrips * gpu.roundTrip + (1e3 * load.transferredBytes) / gpu.transfer;

/**
 * Fits the costs of a GPU with the given memory bandwidth. The time of a dispatch is fitted to the times of
 * kernels, less the modeled time of their bytes. The time of a round trip and the transfer rate are fitted
 * together to the end-to-end times, less the modeled time of the kernels. Both fits are least squares of
 * relative errors.
 */
export function fitCosts(timed: readonly TimedLoad[], memory: number): FittedCosts {
  const ofKernels = timed.flatMap(({ load, kernels }) => (kernels === undefined ? [] : [{ load, kernels }]));
  const inKernels = fitLeastSquares(
    [ofKernels.map(({ load }) => load.dispatches)],
    ofKernels.map(({ load, kernels }) => kernels - modelKernels(load, { dispatch: 0, memory })),
  );
  const [dispatch] = inKernels.weights;
  const ofWholes = timed.flatMap(({ load, whole }) => (whole === undefined ? [] : [{ load, whole }]));
  const outside = fitLeastSquares(
    [ofWholes.map(({ load }) => load.roundTrips), ofWholes.map(({ load }) => load.transferredBytes)],
    ofWholes.map(({ load, whole }) => whole - modelKernels(load, { dispatch, memory })),
  );
  const [roundTrip, millisecondsPerByte] = outside.weights;
  return {
    memory,
    dispatch,
    roundTrip,
    transfer: 1e3 / millisecondsPerByte,
    kernels: { count: ofKernels.length, error: inKernels.error },
    wholes: { count: ofWholes.length, error: outside.error },
  };
}
