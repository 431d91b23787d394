// The resolution of the 3D view.

/** Returns the number of drawn pixels per CSS pixel: at most 2, because more makes no visible difference. */
export const pixelRatio = (): number => Math.min(devicePixelRatio, 2);
