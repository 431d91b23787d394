// Made by the build: the worker's script, without imports, for pages where its file is not to be found.
export const workerSource: string;
