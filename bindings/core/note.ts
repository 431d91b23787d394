// Defines two parts of `engine.info`: the notes, which say what is unavailable to an engine or has failed; and
// the description of its GPU.

/** Says that something is unavailable or has failed. Results are not affected. */
export interface Note {
  /**
   * Stable code: 'not-isolated', 'single-memory', 'inlined-kernels', 'inlined-worker', 'no-worker',
   * 'fewer-threads', 'lost-thread', 'replaced-thread', 'no-gpu', 'gpu-lost', 'gpu-out-of-memory', 'gpu-failed'
   * or 'storage-failed'.
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
   * For each kind of query, the minimum size of a query that runs on the GPU, in triangles, boxes or pairs of
   * features; Infinity if the CPU is always faster, or if testing and timing the GPU took longer than the time
   * limit. A kind has no entry before the first query of this kind that is large enough for a GPU. The engine
   * then measures the minimum size for this kind, or reads it from `storage`. With backend 'webgpu',
   * `crossovers` is undefined, because queries of any size run on the GPU.
   */
  crossovers: Readonly<{ [Kind in string]?: number }> | undefined;
}
