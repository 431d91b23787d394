// Errors of a GPU. They are caught inside the package, and the CPU then computes the answer.

/** The device was lost, so the CPU has to compute the answer. */
export class GpuLost extends Error {}
/**
 * The device works, but cannot run this query: for example, a buffer is too large, or floats are not precise
 * enough.
 */
export class GpuUnfit extends Error {}
/** The time limit for testing and timing the GPU has been reached. */
export class BudgetSpent extends Error {}
/**
 * The device did not have enough memory to create a buffer, or to run the commands of a query. Buffers of the
 * device may be invalid until `Gpu.releaseBuffers` has been called.
 */
export class GpuOutOfMemory extends GpuUnfit {}
