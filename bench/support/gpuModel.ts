// Models the time of a query on a named GPU: from its numbers of dispatches and round trips, and from the
// bytes that its kernels use and that it transfers.

/**
 * Costs of a GPU. memory: bytes per second that kernels read from and write to memory. transfer: bytes per
 * second between the host and the GPU. dispatch, roundTrip: milliseconds of a dispatch, and of a submit with
 * the wait for its end.
 */
export interface GpuCosts {
  who: string;
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
 * Costs fitted to 19 end-to-end times and 17 times of kernels, measured on an NVIDIA H100 with Dawn and Vulkan, by
 * the method of the bench `gpuModel`, but without the small term for the bytes of kernels. The transfer
 * rate includes the host's copies to and from mapped buffers, so it is far below the 63 GB/s of PCI Express
 * 5.0 x16.
 */
const FITTED = { transfer: 7.9e9, dispatch: 0.0146, roundTrip: 0.396 } as const;

/** memory: 3.35 TB/s, from the data sheet of the H100 SXM (HBM3). */
export const H100: GpuCosts = { who: 'H100 (model)', memory: 3.35e12, ...FITTED };
/**
 * memory: 100 GB/s, a laptop's memory. The other costs are assumed to equal those of the H100; they were not
 * measured on a laptop.
 */
export const LAPTOP: GpuCosts = { who: 'laptop GPU (model)', memory: 100e9, ...FITTED };
export const MODELED_GPUS = [H100, LAPTOP] as const;

export const KERNELS_FORMULA =
  'modeled: dispatches * time of a dispatch + bytes read and written by kernels / memory bandwidth' as const;
export const FORMULA =
  `${KERNELS_FORMULA} + round trips * time of a round trip + bytes up and down / transfer rate` as const;

/** Returns the modeled milliseconds of the kernels. */
export const modelKernels = (
  { dispatches, kernelBytes }: Pick<GpuLoad, 'dispatches' | 'kernelBytes'>,
  { dispatch, memory }: GpuCosts,
): number => dispatches * dispatch + (1e3 * kernelBytes) / memory;

/** Returns the modeled milliseconds end to end, without the work of the CPU. */
export const modelQuery = (load: GpuLoad, gpu: GpuCosts): number =>
  modelKernels(load, gpu) + load.roundTrips * gpu.roundTrip + (1e3 * load.transferredBytes) / gpu.transfer;

/** Returns the costs as text. */
export const costsText = ({ memory, transfer, dispatch, roundTrip }: GpuCosts): string =>
  `dispatch ${1e3 * dispatch} us, round trip ${1e3 * roundTrip} us, memory ${memory / 1e9} GB/s, transfers ${transfer / 1e9} GB/s`;
