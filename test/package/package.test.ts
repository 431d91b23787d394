// What npm would publish -> the files that belong there, entries that resolve, imports without effects, sizes in budget.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(root + file, 'utf8');
const manifest = JSON.parse(read('package.json'));

function runNode(script: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: root, encoding: 'utf8', timeout: 30_000, stdio: ['ignore', 'pipe', 'pipe'] });
}

let packed: string[] | undefined;
function packedFiles(): string[] {
  if (packed) return packed;
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  packed = JSON.parse(output)[0].files.map(({ path }: { path: string }) => path);
  return packed!;
}

test('published: dist, README.md, LICENSE and package.json, nothing else', () => {
  const allowed = /^(README\.md|LICENSE|package\.json|dist\/[\w/]+\.(js|d\.ts|wasm|wasm\.js))$/;
  assert.equal(packedFiles().filter(file => !allowed.test(file)), []);
  for (const file of ['README.md', 'LICENSE', 'package.json', 'dist/index.js', 'dist/index.d.ts', 'dist/worker.js', 'dist/cli/main.js', 'dist/wasm/pfront.wasm', 'dist/wasm/scenes.wasm']) {
    assert.ok(packedFiles().includes(file), file);
  }
});

test('published: no build outputs without a source', () => {
  const gone = packedFiles().filter(file => /^dist\/.*\.js$/.test(file) && !/^dist\/(wasm\/\w+\.wasm|workerSource|pfront|cli\/report)\.js$/.test(file) && !existsSync(root + file.replace(/^dist/, 'bindings').replace(/\.js$/, '.ts')));
  assert.equal(gone, []);
});

test('every entry of exports leads to a published file', () => {
  const targets = (entry: unknown): string[] => (typeof entry === 'string' ? [entry] : Object.values(entry as object).flatMap(targets));
  for (const target of [...Object.values(manifest.exports).flatMap(targets), ...Object.values<string>(manifest.bin).map(file => `./${file}`)]) {
    if (target.includes('*')) continue;
    assert.ok(packedFiles().includes(target.slice(2)), target);
  }
  assert.equal(Object.keys(manifest.exports['.']), ['types', 'default']);
  const names = ['pfront', 'pfront/scenes', 'pfront/three', 'pfront/worker', 'pfront/wasm/pfront.wasm', 'pfront/wasm/scenes.wasm', 'pfront/package.json'];
  const found = JSON.parse(runNode(`console.log(JSON.stringify(${JSON.stringify(names)}.map(name => import.meta.resolve(name))))`));
  for (const url of found) assert.ok(existsSync(fileURLToPath(url)), url);
});

test('what users import is there', () => {
  const names = JSON.parse(runNode("console.log(JSON.stringify(Object.keys(await import('pfront')).sort()))"));
  for (const name of ['createEngine', 'collide', 'CollisionError', 'InvalidMesh', 'InvalidTransform', 'Stale', 'Unsupported', 'WorkerLoad', 'Capacity', 'Disposed']) assert.ok(names.includes(name), name);
});

test('importing starts no worker, reads no window and waits for nothing', () => {
  const output = runNode(`
    const touched = [];
    for (const name of ['window', 'document', 'Worker', 'self', 'location']) Object.defineProperty(globalThis, name, { get() { touched.push(name); return undefined; } });
    const { default: threads } = await import('node:worker_threads');
    const { Worker } = threads;
    let workerCount = 0;
    threads.Worker = class extends Worker { constructor(...args) { workerCount++; super(...args); } };
    (await import('node:module')).syncBuiltinESMExports();
    const active = () => process.getActiveResourcesInfo().filter(name => /Worker|Port|Timeout|Immediate|Socket|Process/.test(name));
    const before = active().length;
    await import('pfront');
    await import('pfront/scenes');
    console.log(JSON.stringify({ touched, workerCount, resources: active().length - before }));
  `);
  assert.equal(JSON.parse(output), { touched: [], workerCount: 0, resources: 0 });
});

test('the core has no top-level await', async () => {
  // A bundle for targets without it fails to build.
  await build({ entryPoints: [`${root}dist/index.js`], bundle: true, write: false, format: 'esm', target: 'es2020', external: ['node:*'], logLevel: 'silent' });
});

test('an idle engine does not keep the process alive, nor does a forgotten one', () => {
  const output = runNode("const { createEngine } = await import('pfront'); const engine = await createEngine({ threads: 3 }); console.log(engine.info.threads);");
  assert.is(output.trim(), '3');
});

test('the command runs by its own name', () => {
  const file = root + manifest.bin.pfront;
  assert.match(readFileSync(file, 'utf8'), /^#!\/usr\/bin\/env node\n/);
  if (process.platform !== 'win32') assert.ok(statSync(file).mode & 0o100);
  assert.is(execFileSync(process.execPath, [file, '--version'], { encoding: 'utf8' }).trim(), manifest.version);
});

const kibibytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;

async function bundledBytes(entry: string, ...external: string[]): Promise<number> {
  const { outputFiles } = await build({ entryPoints: [root + entry], bundle: true, minify: true, write: false, format: 'esm', target: 'es2022', external: ['node:*', ...external], logLevel: 'silent' });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
}

test('the core with its kernels is within 88 KiB, compressed', async () => {
  const [core, worker] = [await bundledBytes('dist/index.js'), await bundledBytes('dist/worker.js')];
  const wasm = gzipSync(readFileSync(`${root}dist/wasm/pfront.wasm`), { level: 9 }).length;
  console.log(`\ncore with inlined kernels ${kibibytes(core)}, worker ${kibibytes(worker)}, kernels alone ${kibibytes(wasm)}, compressed`);
  assert.ok(core <= 88 * 1024, kibibytes(core));
});

test('the entry for three.js is within 6 KiB, compressed, and holds nothing of three.js', async () => {
  const bytes = await bundledBytes('dist/three/index.js', 'three');
  console.log(`\nthree ${kibibytes(bytes)}, compressed`);
  assert.ok(bytes <= 6 * 1024, kibibytes(bytes));
  assert.is(manifest.dependencies.three, undefined);
  assert.is(manifest.peerDependenciesMeta.three.optional, true);
});

test('the package names no registry and runs no install scripts', () => {
  assert.not.match(read('package-lock.json'), /"resolved": "https?:/);
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) assert.is(manifest.scripts[script], undefined);
  assert.is(manifest.type, 'module');
  assert.is(manifest.sideEffects, false);
});

test.run();
