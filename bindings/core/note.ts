// Notes: what an engine could not use or start, and how to fix it.

/** Something that was unavailable, which does not change any result. */
export interface Note {
  /**
   * Stable code: 'not-isolated', 'single-memory', 'inlined-kernels', 'inlined-worker', 'no-worker',
   * 'fewer-threads', 'lost-thread', 'no-gpu', 'gpu-lost' or 'gpu-failed'.
   */
  code: string;
  /** What happened. */
  message: string;
  /** How to fix it. */
  fix: string;
}

/** The GPU that asynchronous calls may use. */
export interface GpuInfo {
  /** The vendor, as far as WebGPU reports it. */
  vendor: string;
  /** The architecture, as far as WebGPU reports it. */
  architecture: string;
  /** The description, if WebGPU reports one. */
  description: string;
  /** Number of devices among which large queries are divided. */
  devices: number;
  /**
   * The size from which queries of a kind run on the GPU, measured at the first query of that kind; Infinity
   * if the CPU is always faster. Undefined if the GPU is used for any size.
   */
  crossovers: Readonly<{ [Kind in string]?: number }> | undefined;
}
