// Compiles each assembly/entries/NAME.ts, in a child process, to dist/wasm/NAME.wasm and to NAME.wasm.js, a
// script that contains the same bytes compressed.
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathOf, root } from './paths.mjs';
import { digest, isCurrent, writeStamp } from './stamps.mjs';

const self = fileURLToPath(import.meta.url);
const outputsOf = name => [pathOf(`dist/wasm/${name}.wasm`), pathOf(`dist/wasm/${name}.wasm.js`)];

// Returns a source file and every file that it imports, directly or indirectly.
function sourcesOf(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/\bfrom\s+'(\.[^']+)'/g))
    sourcesOf(path.resolve(path.dirname(file), `${name}.ts`), found);
  return found;
}

const hashOf = name =>
  digest(
    [...sourcesOf(pathOf(`assembly/entries/${name}.ts`))].sort(),
    ...[
      pathOf('asconfig.json'),
      self,
      pathOf('bindings/build/foldOffsets.mjs'),
      pathOf('node_modules/assemblyscript/package.json'),
    ].map(file => readFileSync(file, 'utf8')),
  );

const compileInChild = name =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [self, name], { cwd: root }, (error, stdout, stderr) => {
      if (error) reject(new Error(`assembly/entries/${name}.ts did not compile:\n${stdout}${stderr}`));
      else resolve(process.stderr.write(stderr));
    });
  });

/**
 * Compiles the entries whose sources have changed, with one child process per core. Returns the output files
 * of all entries.
 */
export async function compileKernels() {
  mkdirSync(pathOf('dist/wasm'), { recursive: true });
  const names = readdirSync(pathOf('assembly/entries')).map(file => path.parse(file).name);
  const changed = names
    .map(name => ({ name, hash: hashOf(name) }))
    .filter(({ name, hash }) => !isCurrent(`kernels ${name}`, hash));
  const waiting = [...changed];
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await compileInChild(next.name);
    }),
  );
  for (const { name, hash } of changed) writeStamp(`kernels ${name}`, hash, outputsOf(name));
  return names.flatMap(outputsOf);
}

async function compile(name) {
  const { foldOffsets } = await import('./foldOffsets.mjs');
  const { gzipAsync } = await import('@gfx/zopfli');
  // The compressor adds listeners that would print its own source after any error in this script.
  for (const event of ['uncaughtException', 'unhandledRejection']) process.removeAllListeners(event);
  const [wasm, inlined] = outputsOf(name);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [pathOf('node_modules/assemblyscript/bin/asc.js'), `assembly/entries/${name}.ts`, '--outFile', wasm],
    { cwd: root, encoding: 'utf8' },
  );
  // asc repeats its optimization until a pass no longer makes the wasm file smaller. If the last pass made the
  // file larger, asc prints a line about it. This is no error, so the line is removed.
  process.stderr.write((stdout + stderr).replaceAll('Last converge was suboptimal.\n', ''));
  if (status !== 0) process.exit(status || 1);
  const bytes = foldOffsets(readFileSync(wasm));
  writeFileSync(wasm, bytes);
  const base64 = Buffer.from(
    await gzipAsync(bytes, { numiterations: name === 'pfront' ? 100 : 15 }),
  ).toString('base64');
  const nameLength = WebAssembly.Module.exports(new WebAssembly.Module(bytes)).reduce(
    (sum, { name }) => sum + name.length,
    0,
  );
  writeFileSync(
    inlined,
    `// Kernels, inlined so that no path, MIME type or fetch can fail.\nexport const wasmGzipBase64 = '${base64}';\nexport const nameLength = ${nameLength};\n`,
  );
}

if (process.argv[1] === self) await compile(process.argv[2]);
