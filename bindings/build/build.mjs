// Sources -> dist: layout for AssemblyScript, wasm files, their inlined bytes, WGSL, TypeScript, the script of report pages.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync, chmodSync, existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { gzipAsync } from '@gfx/zopfli';
import { build as bundle } from 'esbuild';
import { foldOffsets } from './foldOffsets.mjs';
import { removeOthers } from './removeOthers.mjs';
import { shaderModule } from './shaders.mjs';

// The compressor would print its own source for any error of ours.
for (const event of ['uncaughtException', 'unhandledRejection']) process.removeAllListeners(event);

const root = fileURLToPath(new URL('../..', import.meta.url));
const at = (...parts) => path.join(root, ...parts);
const run = (program, ...args) => execFileSync(process.execPath, [at('node_modules', program), ...args], { cwd: root, stdio: 'inherit' });

// All that this build has written below dist.
const written = new Set();
function write(file, bytes) {
  writeFileSync(at(file), bytes);
  written.add(at(file));
}

function writeIfChanged(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  writeFileSync(file, text);
}

async function emitLayout() {
  const { outputFiles } = await bundle({ entryPoints: [at('bindings/emit.ts')], bundle: true, format: 'esm', write: false });
  const { assemblyLayout, shaderLayout } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  writeIfChanged(at('assembly/layout.ts'), assemblyLayout());
  const { records, constants } = shaderLayout();
  write('dist/webgpu/shaders.js', shaderModule(at('gpu'), records, constants));
}

// assembly/entries/NAME.ts -> dist/wasm/NAME.wasm, and the same inlined.
async function compile(name) {
  const wasm = `dist/wasm/${name}.wasm`;
  run('assemblyscript/bin/asc.js', `assembly/entries/${name}.ts`, '--outFile', wasm);
  write(wasm, foldOffsets(readFileSync(at(wasm))));
  const base64 = Buffer.from(await gzipAsync(readFileSync(at(wasm)), { numiterations: name === 'pfront' ? 100 : 15 })).toString('base64');
  const nameLength = WebAssembly.Module.exports(new WebAssembly.Module(readFileSync(at(wasm)))).reduce((sum, { name }) => sum + name.length, 0);
  write(`${wasm}.js`, `// Kernels, inlined so that no path, MIME type or fetch can fail.\nexport const wasmGzipBase64 = '${base64}';\nexport const nameLength = ${nameLength};\n`);
}

// What needs another package is made whole: a page without a bundler loads dist as it is.
function whole(file, options) {
  if (options.outfile) written.add(options.outfile);
  return bundle({ entryPoints: [at(file)], bundle: true, minify: true, format: 'esm', target: 'es2022', logLevel: 'warning', ...options });
}

function compileTypeScript() {
  const { status, stdout } = spawnSync(process.execPath, [at('node_modules/typescript/bin/tsc'), '-p', 'bindings', '--listEmittedFiles'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'inherit'] });
  for (const line of stdout.split(/\r?\n/)) {
    if (line.startsWith('TSFILE: ')) written.add(at(path.relative(root, line.slice('TSFILE: '.length))));
    else if (line !== '') console.log(line);
  }
  if (status !== 0) process.exit(status ?? 1);
}

async function inlineWorker() {
  // What the loader's helpers are called matters to nobody.
  await whole('dist/instantiate.js', { mangleProps: /^__/, outfile: at('dist/instantiate.js'), allowOverwrite: true });
  const { outputFiles: [{ text }] } = await whole('dist/worker.js', { format: 'iife', write: false });
  await whole('dist/worker.js', { outfile: at('dist/worker.js'), allowOverwrite: true });
  write('dist/workerSource.js', `// The worker's script, inlined for pages where its file is not to be found.\nexport const workerSource = ${JSON.stringify(text)};\n`);
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
compileTypeScript();
await inlineWorker();
await bundleViewer();
// For pages without a bundler: one file instead of a hundred.
await whole('dist/index.js', { outfile: at('dist/pfront.js') });
// Of sources that are gone.
removeOthers(at('dist'), written);
if (existsSync(at('dist/cli/main.js'))) chmodSync(at('dist/cli/main.js'), 0o755);
