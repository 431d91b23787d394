// Errors of a GPU. They are caught inside the package, and the CPU then computes the answer.

/** The device was lost; its work has to be computed elsewhere. */
export class GpuLost extends Error {}
/** The device works, but the query does not fit it. */
export class GpuUnfit extends Error {}
