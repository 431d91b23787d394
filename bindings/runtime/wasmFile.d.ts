// dist/wasm/<name>.wasm.js, made by the build: the bytes of <name>.wasm, compressed, in base64.
declare module '*.wasm.js' {
  export const wasmGzipBase64: string;
  export const nameLength: number;
}
