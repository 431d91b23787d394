// Declares workerSource.js, which the build generates: the text of the worker script, bundled so that it has
// no imports. Pages that cannot load the script's own file use this text.
export const workerSource: string;
