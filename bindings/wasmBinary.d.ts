// Written into dist by the build: the module's bytes, compressed, in base64.
export const wasmGzipBase64: string;
