// The resolution of the 3D view.

/** Returns the number of pixels that are drawn for a CSS pixel. More than 2 would not be visible. */
export const pixelRatio = (): number => Math.min(devicePixelRatio, 2);
