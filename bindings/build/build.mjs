// Sources -> dist: layout for AssemblyScript, wasm files, their inlined bytes, WGSL, TypeScript, the script of report pages.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync, chmodSync, existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { gzipAsync } from '@gfx/zopfli';
import { build as bundle } from 'esbuild';
import { foldOffsets } from './foldOffsets.mjs';
import { shaderModule } from './shaders.mjs';

// The compressor would print its own source for any error of ours.
for (const event of ['uncaughtException', 'unhandledRejection']) process.removeAllListeners(event);

const root = fileURLToPath(new URL('../..', import.meta.url));
const at = (...parts) => path.join(root, ...parts);
const run = (program, ...args) => execFileSync(process.execPath, [at('node_modules', program), ...args], { cwd: root, stdio: 'inherit' });

function writeIfChanged(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  writeFileSync(file, text);
}

async function emitLayout() {
  const { outputFiles } = await bundle({ entryPoints: [at('bindings/emit.ts')], bundle: true, format: 'esm', write: false });
  const { assemblyLayout, shaderLayout } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  writeIfChanged(at('assembly/layout.ts'), assemblyLayout());
  const { records, constants } = shaderLayout();
  writeFileSync(at('dist/webgpu/shaders.js'), shaderModule(at('gpu'), records, constants));
}

// assembly/entries/NAME.ts -> dist/wasm/NAME.wasm, and the same inlined.
async function compile(name) {
  const wasm = `dist/wasm/${name}.wasm`;
  run('assemblyscript/bin/asc.js', `assembly/entries/${name}.ts`, '--outFile', wasm);
  writeFileSync(at(wasm), foldOffsets(readFileSync(at(wasm))));
  const base64 = Buffer.from(await gzipAsync(readFileSync(at(wasm)), { numiterations: name === 'pfront' ? 100 : 15 })).toString('base64');
  const nameLength = WebAssembly.Module.exports(new WebAssembly.Module(readFileSync(at(wasm)))).reduce((sum, { name }) => sum + name.length, 0);
  writeFileSync(at(`${wasm}.js`), `// Kernels, inlined so that no path, MIME type or fetch can fail.\nexport const wasmGzipBase64 = '${base64}';\nexport const nameLength = ${nameLength};\n`);
}

// What needs another package is made whole: a page without a bundler loads dist as it is.
const whole = (file, options) => bundle({ entryPoints: [at(file)], bundle: true, minify: true, format: 'esm', target: 'es2022', logLevel: 'warning', ...options });

async function inlineWorker() {
  // What the loader's helpers are called matters to nobody.
  await whole('dist/instantiate.js', { mangleProps: /^__/, outfile: at('dist/instantiate.js'), allowOverwrite: true });
  const { outputFiles: [{ text }] } = await whole('dist/worker.js', { format: 'iife', write: false });
  await whole('dist/worker.js', { outfile: at('dist/worker.js'), allowOverwrite: true });
  writeFileSync(at('dist/workerSource.js'), `// The worker's script, inlined for pages where its file is not to be found.\nexport const workerSource = ${JSON.stringify(text)};\n`);
}

// The script of report pages with all that it needs; its pieces are of no use by themselves.
async function bundleViewer() {
  await whole('dist/cli/report/viewer/main.js', { format: 'iife', legalComments: 'eof', outfile: at('dist/cli/report.js') });
  rmSync(at('dist/cli/report/viewer'), { recursive: true, force: true });
}

for (const folder of ['dist/wasm', 'dist/webgpu']) mkdirSync(at(folder), { recursive: true });
await emitLayout();
if (process.argv.includes('--layout')) process.exit(0);
for (const file of readdirSync(at('assembly/entries'))) await compile(path.parse(file).name);
run('typescript/bin/tsc', '-p', 'bindings');
await inlineWorker();
await bundleViewer();
// For pages without a bundler: one file instead of a hundred.
await whole('dist/index.js', { outfile: at('dist/pfront.js') });
rmSync(at('dist/build'), { recursive: true, force: true });
if (existsSync(at('dist/cli/main.js'))) chmodSync(at('dist/cli/main.js'), 0o755);
