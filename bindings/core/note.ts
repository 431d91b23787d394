// What an engine could not have, and how to mend it.

/** Something that could not be had, which changes no answer. */
export interface Note {
  /**
   * Stable: 'not-isolated', 'single-memory', 'inlined-kernels', 'inlined-worker', 'no-worker',
   * 'fewer-threads', 'lost-thread', 'no-gpu', 'gpu-lost' or 'gpu-failed'.
   */
  code: string;
  /** What happened. */
  message: string;
  /** What mends it. */
  fix: string;
}

/** The GPU that asynchronous calls may go to. */
export interface GpuInfo {
  /** Who makes it, as far as WebGPU tells. */
  vendor: string;
  /** What kind it is. */
  architecture: string;
  /** Its name, where it is told. */
  description: string;
  /** Devices that large questions are dealt to. */
  devices: number;
  /**
   * From which size of a question on the GPU is asked, by kind, measured at the first question of a kind;
   * Infinity where the CPU is always quicker. Nothing where the GPU is asked whatever the size.
   */
  crossovers: Readonly<{ [Kind in string]?: number }> | undefined;
}
