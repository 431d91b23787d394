// Generates code from the tables in bindings/records, which define the memory layout of each record. Writes
// assembly/records.ts for the wasm kernels and dist/gpu/device/shaders.js for the GPU.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build as bundle } from 'esbuild';
import { pathOf } from './paths.mjs';
import { shaderModule } from './shaders.mjs';

function writeIfChanged(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  writeFileSync(file, text);
}

/** Writes the generated files. Returns the generated files that are in dist. */
export async function emitLayouts() {
  const { outputFiles } = await bundle({
    entryPoints: [pathOf('bindings/records/emit.ts')],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const { assemblyLayout, shaderLayout } = await import(
    `data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`
  );
  writeIfChanged(pathOf('assembly/records.ts'), assemblyLayout());
  const { records, constants } = shaderLayout();
  const shaders = pathOf('dist/gpu/device/shaders.js');
  mkdirSync(pathOf('dist/gpu/device'), { recursive: true });
  writeIfChanged(shaders, shaderModule(pathOf('gpu'), records, constants));
  return [shaders];
}
