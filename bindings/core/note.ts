// Defines notes, which say what an engine could not use or start, and how to fix that.

/** Says that something is unavailable or has failed. Results are not affected. */
export interface Note {
  /**
   * Stable code: 'not-isolated', 'single-memory', 'inlined-kernels', 'inlined-worker', 'no-worker',
   * 'fewer-threads', 'lost-thread', 'replaced-thread', 'no-gpu', 'gpu-lost', 'gpu-failed' or 'storage-failed'.
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
   * For each kind of query, the minimum size of a query that runs on the GPU; Infinity if the CPU is always
   * faster. The minimum size is measured when the first query of the kind runs. Undefined if queries of any
   * size run on the GPU.
   */
  crossovers: Readonly<{ [Kind in string]?: number }> | undefined;
}
