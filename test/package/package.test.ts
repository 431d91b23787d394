// Tests what npm would publish: the expected files, entries that resolve, imports without side effects, and
// sizes within limits.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import * as assert from 'uvu/assert';
import { moduleNames } from '../../dist/engine/modules.js';
import type { ModuleName } from '../../dist/engine/moduleTable.js';
import { test } from '../support/test.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(root + file, 'utf8');
const manifest = JSON.parse(read('package.json'));

function runNode(script: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

let packed: string[] | undefined;
function packedFiles(): string[] {
  if (packed) return packed;
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  packed = JSON.parse(output)[0].files.map(({ path }: { path: string }) => path);
  return packed!;
}

test('only dist, README.md, LICENSE, package.json, the linked docs and the examples are published', () => {
  const allowed =
    /^(README\.md|LICENSE|package\.json|dist\/[\w/-]+\.(js|wasm|wasm\.js)|dist\/(licenses\.txt|sbom\.cdx\.json)|dist\/types\/[\w-]+\.d\.ts|docs\/llms\.txt|docs\/publish\.yml|docs\/schemas\/[\w-]+\.schema\.json|docs\/(guides\/|modules\/)?[\w-]+\.md|docs\/examples\/README\.md|docs\/examples\/[\w-]+\/[\w-]+(\.config)?\.(md|json|js|ts|html)|docs\/pictures\/[\w-]+\.(svg|webp))$/;
  assert.equal(
    packedFiles().filter(file => !allowed.test(file)),
    [],
  );
  for (const file of [
    'README.md',
    'LICENSE',
    'package.json',
    'dist/index.js',
    'dist/types/index.d.ts',
    'dist/runtime/worker.js',
    'dist/pfront.js',
    'dist/pfront-three.js',
    'dist/pfront-worker.js',
    'dist/bin/pfront.js',
    'dist/wasm/pfront.wasm',
    'dist/wasm/scenes.wasm',
    'docs/schemas/clash.schema.json',
    'docs/publish.yml',
  ]) {
    assert.ok(packedFiles().includes(file), file);
  }
});

test('every file that the README links to is published', () => {
  const links = [...readFileSync(`${root}README.md`, 'utf8').matchAll(/\]\(([^)#:]+)\)/g)].map(
    ([, link]) => link,
  );
  assert.ok(links.length > 10);
  assert.equal(
    links.filter(link => !packedFiles().includes(link)),
    [],
  );
});

test('no build output without a source is published', () => {
  const gone = packedFiles().filter(
    file =>
      /^dist\/.*\.js$/.test(file) &&
      !/^dist\/(wasm\/\w+\.wasm|gpu\/device\/shaders|runtime\/workerSource|pfront(-\w+)?|report\/viewer|bin\/[\w-]+)\.js$/.test(
        file,
      ) &&
      !existsSync(root + file.replace(/^dist/, 'bindings').replace(/\.js$/, '.ts')),
  );
  assert.equal(gone, []);
});

test('every entry of exports resolves to a published file', () => {
  const targets = (entry: unknown): string[] =>
    typeof entry === 'string' ? [entry] : Object.values(entry as object).flatMap(targets);
  for (const target of [
    ...Object.values(manifest.exports).flatMap(targets),
    ...Object.values<string>(manifest.bin).map(file => `./${file}`),
  ]) {
    if (target.includes('*')) continue;
    assert.ok(packedFiles().includes(target.slice(2)), target);
  }
  assert.equal(Object.keys(manifest.exports['.']), ['types', 'default']);
  const names = [
    'pfront',
    'pfront/samples',
    'pfront/three',
    'pfront/cluster',
    'pfront/debug',
    'pfront/verify',
    'pfront/papers',
    'pfront/worker',
    'pfront/wasm/pfront.wasm',
    'pfront/wasm/scenes.wasm',
    'pfront/package.json',
  ];
  const found = JSON.parse(
    runNode(`console.log(JSON.stringify(${JSON.stringify(names)}.map(name => import.meta.resolve(name))))`),
  );
  for (const url of found) assert.ok(existsSync(fileURLToPath(url)), url);
});

test('pfront exports createEngine, collide and the error classes', () => {
  const names = JSON.parse(
    runNode("console.log(JSON.stringify(Object.keys(await import('pfront')).sort()))"),
  );
  for (const name of [
    'createEngine',
    'collide',
    'CollisionError',
    'InvalidMesh',
    'InvalidTransform',
    'Stale',
    'Unsupported',
    'WorkerLoad',
    'Capacity',
    'Disposed',
  ])
    assert.ok(names.includes(name), name);
});

test('importing starts no worker, reads no global of a page, and leaves nothing running', () => {
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
    await import('pfront/samples');
    await import('pfront/cluster');
    await import('pfront/papers');
    console.log(JSON.stringify({ touched, workerCount, resources: active().length - before }));
  `);
  assert.equal(JSON.parse(output), { touched: [], workerCount: 0, resources: 0 });
});

test('the core has no top-level await', async () => {
  // If the core had one, this build would fail, because its target does not support top-level await.
  await build({
    entryPoints: [`${root}dist/index.js`],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2020',
    external: ['node:*'],
    logLevel: 'silent',
  });
});

test('an engine that is not disposed does not keep the process alive', () => {
  const output = runNode(
    "const { createEngine } = await import('pfront'); const engine = await createEngine({ threads: 3 }); console.log(engine.info.threads);",
  );
  assert.is(output.trim(), '3');
});

test('the file of the pfront command is executable and prints the version', () => {
  const file = root + manifest.bin.pfront;
  assert.match(readFileSync(file, 'utf8'), /^#!\/usr\/bin\/env node\n/);
  if (process.platform !== 'win32') assert.ok(statSync(file).mode & 0o100);
  assert.is(
    execFileSync(process.execPath, [file, '--version'], { encoding: 'utf8' }).trim(),
    manifest.version,
  );
});

const kibibytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;

const options = {
  bundle: true,
  minify: true,
  write: false,
  format: 'esm',
  target: 'es2022',
  logLevel: 'silent',
  absWorkingDir: root,
} as const;
const compressedBytes = (contents: Uint8Array): number => gzipSync(contents, { level: 9 }).length;

async function bundledBytes(entry: string, ...external: string[]): Promise<number> {
  const { outputFiles } = await build({
    ...options,
    entryPoints: [entry],
    external: ['node:*', ...external],
  });
  return compressedBytes(outputFiles[0].contents);
}

/**
 * Bundles the package with code splitting. Returns a function that computes the total compressed size, in
 * bytes, of a module and of all chunks that it imports. Chunks that a module of `except` also needs do not
 * count.
 */
async function piecesOf(entry: string): Promise<(module: string, ...except: string[]) => number> {
  const {
    outputFiles,
    metafile: { outputs },
  } = await build({
    ...options,
    entryPoints: [entry],
    external: ['node:*'],
    splitting: true,
    outdir: 'out',
    metafile: true,
  });
  const bytes = new Map(
    outputFiles.map(({ path, contents }) => [path.slice(root.length), compressedBytes(contents)]),
  );
  const needs = (file: string): string[] => [
    file,
    ...outputs[file].imports
      .filter(({ kind, external }) => kind === 'import-statement' && !external)
      .flatMap(({ path }) => needs(path)),
  ];
  const needed = (module: string): Set<string> =>
    new Set(needs(Object.keys(outputs).find(file => outputs[file].entryPoint === module)!));
  return (module, ...except) => {
    const known = new Set(except.flatMap(file => [...needed(file)]));
    return [...needed(module)].reduce((sum, file) => sum + (known.has(file) ? 0 : bytes.get(file)!), 0);
  };
}

const fileOfModule: Record<ModuleName, string> = {
  scenes: 'dist/scene/scenes.js',
  stored: 'dist/mesh/stored.js',
  continuous: 'dist/ccd/continuous.js',
  deforming: 'dist/narrowphase/deforming.js',
  gpu: 'dist/gpu/gpu.js',
  spheres: 'dist/hybrid/spheres.js',
  proximity: 'dist/proximity/proximity.js',
  points: 'dist/points/points.js',
  rays: 'dist/rays/rays.js',
  manifolds: 'dist/manifolds/manifolds.js',
  casts: 'dist/casts/casts.js',
};

test('compressed chunks: the core with its kernels is within 51 KiB, and each module is within its own limit', async () => {
  const budgets: Record<ModuleName, number> = {
    scenes: 51,
    stored: 3,
    continuous: 50,
    deforming: 15,
    gpu: 7,
    spheres: 15,
    proximity: 87,
    points: 15,
    rays: 14,
    manifolds: 8,
    casts: 16,
  };
  const bytesOf = await piecesOf('dist/index.js');
  const core = bytesOf('dist/index.js');
  console.log(`\ncore ${kibibytes(core)}, compressed`);
  assert.ok(core <= 51 * 1024, `${core} bytes`);
  for (const name of moduleNames) {
    const bytes = bytesOf(fileOfModule[name], 'dist/index.js');
    console.log(`module ${name} ${kibibytes(bytes)}, compressed`);
    assert.ok(bytes <= budgets[name] * 1024, `${name}: ${kibibytes(bytes)}`);
  }
});

test('code for GPU queries adds at most 44 KiB, compressed, to the engine; code for sweeps adds at most 8 KiB more', async () => {
  const bytesOf = await piecesOf('dist/index.js');
  const modules = moduleNames.map(name => fileOfModule[name]);
  const bytes = bytesOf('dist/gpu/makeGpuSupport.js', 'dist/index.js', ...modules);
  console.log(`\ncode for GPU queries ${kibibytes(bytes)}, compressed (${bytes} bytes)`);
  assert.ok(bytes > 10 * 1024 && bytes <= 44 * 1024, kibibytes(bytes));
  const sweeps = bytesOf(
    'dist/gpu/ccd/gpuSweeps.js',
    'dist/gpu/makeGpuSupport.js',
    'dist/index.js',
    ...modules,
  );
  console.log(`code for sweeps on the GPU ${kibibytes(sweeps)}, compressed`);
  assert.ok(sweeps > 1024 && sweeps <= 8 * 1024, kibibytes(sweeps));
});

test('the bundle in one file is at most 343 KiB, compressed', async () => {
  const [whole, worker] = [await bundledBytes('dist/index.js'), await bundledBytes('dist/runtime/worker.js')];
  console.log(`\nall in one file ${kibibytes(whole)}, worker ${kibibytes(worker)}, compressed`);
  assert.ok(whole <= 343 * 1024, kibibytes(whole));
});

test('errors of methods whose modules are left out name the module', () => {
  const output = runNode(`
    const { createEngine } = await import('pfront');
    const without = await createEngine({ threads: 1, modules: [] }), whole = await createEngine({ threads: 1 });
    const { types: { isProxy } } = await import('node:util'), methods = Object.keys(without).filter(name => isProxy(without[name]));
    const errors = methods.map(method => { try { without[method](); return 'nothing'; } catch ({ code, message, fix }) { return [code, message, fix]; } });
    console.log(JSON.stringify({ methods, errors }));
  `);
  const { methods, errors } = JSON.parse(output);
  assert.equal([...methods].sort(), [
    'async',
    'boxPairs',
    'castCapsule',
    'castMesh',
    'castRays',
    'castSphere',
    'classify',
    'closeGaps',
    'closestPoints',
    'contactTimes',
    'contacts',
    'contains',
    'containsPoints',
    'createBroadPhase',
    'createScene',
    'distance',
    'edgesOf',
    'loadMesh',
    'overlapBox',
    'overlapCapsule',
    'overlapSphere',
    'penetration',
    'placeChain',
    'queryEdges',
    'queryPoses',
    'selfQuery',
    'sweep',
    'sweepFeatures',
    'sweepVertices',
  ]);
  for (const [i, [code, message, fix]] of errors.entries()) {
    assert.is(code, 'Unsupported');
    assert.match(
      message,
      `engine.${methods[i]} needs module '${methods[i] === 'async' ? 'gpu' : methods[i] === 'loadMesh' ? 'stored' : methods[i] === 'selfQuery' ? 'deforming' : /sweep|contactTimes|edgesOf/.test(methods[i]) ? 'continuous' : /Rays/.test(methods[i]) ? 'rays' : /Points/.test(methods[i]) ? 'points' : methods[i] === 'contacts' ? 'manifolds' : /^(cast|overlap)/.test(methods[i]) ? 'casts' : /classify|closeGaps|contains|distance|penetration|Poses|Edges|placeChain/.test(methods[i]) ? 'proximity' : 'scenes'}'`,
    );
    assert.match(fix, 'modules');
  }
});

test('the entry for three.js is at most 8 KiB, compressed, and contains no code of three.js', async () => {
  const bytes = await bundledBytes('dist/three/index.js', 'three');
  console.log(`\nthree ${kibibytes(bytes)}, compressed`);
  assert.ok(bytes <= 8 * 1024, kibibytes(bytes));
  assert.is(manifest.peerDependenciesMeta.three.optional, true);
});

test('the files for pages without a bundler import only each other and three.js', async () => {
  const importsOf = async (file: string): Promise<string[]> => {
    const { metafile } = await build({ ...options, entryPoints: [file], external: ['*'], metafile: true });
    return metafile.inputs[file].imports
      .filter(({ kind }) => kind === 'import-statement')
      .map(({ path }) => path);
  };
  assert.equal(await importsOf('dist/pfront.js'), []);
  assert.equal(await importsOf('dist/pfront-worker.js'), []);
  assert.equal([...new Set(await importsOf('dist/pfront-three.js'))].sort(), ['./pfront.js', 'three']);
  const bytes = compressedBytes(readFileSync(`${root}dist/pfront-three.js`));
  assert.ok(bytes <= 8 * 1024, kibibytes(bytes));
});

test('the viewer, which every report contains, is at most 724 KiB', () => {
  const { length } = readFileSync(`${root}dist/report/viewer.js`);
  console.log(`\nviewer of reports ${kibibytes(length)}, not compressed`);
  assert.ok(length > 100 * 1024 && length <= 724 * 1024, kibibytes(length));
});

/**
 * Bundles the package and another entry with code splitting. Returns the files of the core, and the compressed
 * size, in bytes, of what the entry loads in addition to the core.
 */
async function bundleBesideCore(entry: string): Promise<{ core: string[]; added: number }> {
  const {
    outputFiles,
    metafile: { outputs },
  } = await build({
    ...options,
    entryPoints: ['dist/index.js', entry],
    external: ['node:*', '@nats-io/*'],
    splitting: true,
    outdir: 'out',
    metafile: true,
  });
  const needs = (file: string): string[] => [
    file,
    ...outputs[file].imports
      .filter(({ external }) => !external)
      .flatMap(({ path, kind }) => (kind === 'import-statement' ? needs(path) : [])),
  ];
  const needed = (name: string): Set<string> =>
    new Set(needs(Object.keys(outputs).find(file => outputs[file].entryPoint === name)!));
  const [core, own] = [needed('dist/index.js'), needed(entry)];
  return {
    core: [...core].flatMap(file => Object.keys(outputs[file].inputs)),
    added: outputFiles
      .filter(({ path }) => own.has(path.slice(root.length)) && !core.has(path.slice(root.length)))
      .reduce((sum, { contents }) => sum + compressedBytes(contents), 0),
  };
}

for (const [name, folder, limit] of [
  ['clusters', 'cluster', 102],
  ['papers', 'papers', 20],
] as const)
  test(`the entry for ${name} adds at most ${limit} KiB, compressed, to the core, which contains none of its code`, async () => {
    const { core, added } = await bundleBesideCore(`dist/${folder}/index.js`);
    assert.equal(
      core.filter(file => file.startsWith(`dist/${folder}/`)),
      [],
    );
    console.log(`\n${folder} ${kibibytes(added)}, compressed`);
    assert.ok(added > 0 && added <= limit * 1024, kibibytes(added));
  });

test("without NATS's client, the entry for clusters loads, and its error names the packages to install", () => {
  const folder = mkdtempSync(`${tmpdir()}/pfront-alone-`);
  try {
    cpSync(`${root}dist`, `${folder}/dist`, { recursive: true });
    cpSync(`${root}package.json`, `${folder}/package.json`);
    const output = execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `
      const { connectNats, makeHub } = await import(${JSON.stringify(`${folder}/dist/cluster/index.js`)});
      makeHub()();
      await connectNats().catch(({ code, fix }) => console.log(code, fix));
    `,
      ],
      { cwd: folder, encoding: 'utf8' },
    );
    assert.is(output.trim(), 'Cluster run npm install @nats-io/nats-core @nats-io/transport-node');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  for (const name of ['@nats-io/nats-core', '@nats-io/transport-node']) {
    assert.is(manifest.peerDependenciesMeta[name].optional, true);
  }
});

test('the package names no registry and runs no install scripts', () => {
  assert.not.match(read('package-lock.json'), /"resolved": "https?:/);
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
    assert.is(manifest.scripts[script], undefined);
  assert.is(manifest.type, 'module');
  assert.is(manifest.sideEffects, false);
});

test.run();
