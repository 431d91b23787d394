// Errors of a GPU that make the CPU answer instead; no user sees them.

/** The device was lost; its work has to be computed elsewhere. */
export class GpuLost extends Error {}
/** The device works, but the query does not fit it. */
export class GpuUnfit extends Error {}
