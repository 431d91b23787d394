// Written into dist by the build: the module's bytes.
export const wasmBase64: string;
