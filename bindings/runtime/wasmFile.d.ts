// Declares dist/wasm/<name>.wasm.js, which the build generates: the bytes of <name>.wasm, compressed, in
// base64.
declare module '*.wasm.js' {
  export const wasmGzipBase64: string;
  export const nameLength: number;
}
