// What a GPU cannot do -> errors that lead to the CPU; no user sees them.

/** The device is gone: whatever was asked has to be computed elsewhere. */
export class GpuLost extends Error {}
/** The device works, but what was asked does not fit into it. */
export class GpuUnfit extends Error {}
