// Declares the file that the build generates with the worker's script, without imports, for pages where the
// script's own file cannot be loaded.
export const workerSource: string;
