// Compiles bindings/**/*.ts to dist. Copies the output of tsc, and bundles the worker and the report viewer
// into one file each, and the command line into a few files. For pages without a bundler, also bundles the
// whole package into one file, and `pfront/three` into another.
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build as bundle } from 'esbuild';
import { licensesOf, listBundledPackages, packagesIn } from './bundledPackages.mjs';
import { bundleCommandLine } from './commandLine.mjs';
import { cacheFolder, pathOf, root } from './paths.mjs';
import { filesBelow } from './stamps.mjs';

/** The output folder of tsc. tsc also saves its state there, so that it compiles only what has changed. */
const staging = path.join(cacheFolder, 'tsc');
/** The folder of the report viewer. The viewer is published as one script, dist/report/viewer.js. */
const viewer = 'report/viewer/';

function runTypeScript() {
  const args = [
    '-p',
    'bindings',
    '--outDir',
    staging,
    '--incremental',
    '--tsBuildInfoFile',
    path.join(staging, 'state.tsbuildinfo'),
  ];
  const { status } = spawnSync(process.execPath, [pathOf('node_modules/typescript/bin/tsc'), ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status || 1);
}

// Returns the names of the files that tsc writes to `staging` for the present sources. The folder may also
// have outputs of deleted sources.
const compiledNames = () =>
  filesBelow([pathOf('bindings')])
    .map(file => path.relative(pathOf('bindings'), file).replaceAll(path.sep, '/'))
    .filter(name => name.endsWith('.ts') && !name.endsWith('.d.ts') && !name.startsWith(viewer))
    .flatMap(name => ['.js', '.d.ts'].map(ending => name.replace(/\.ts$/, ending)));

function copy(name) {
  const to = pathOf('dist', name);
  mkdirSync(path.dirname(to), { recursive: true });
  writeFileSync(to, readFileSync(path.join(staging, name)));
  return to;
}

// Bundles a file with the packages that it imports, since a page without a bundler loads dist directly.
// Returns the names of the bundled packages, and the names that the file exports.
async function bundleFile(from, to, options) {
  const { metafile } = await bundle({
    entryPoints: [from],
    outfile: to,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
    allowOverwrite: true,
    absWorkingDir: root,
    metafile: true,
    ...options,
  });
  const [{ exports }] = Object.values(metafile.outputs);
  return { packages: packagesIn(metafile), exports };
}

// Bundles the AssemblyScript loader into the file that imports it. Returns the names of the bundled packages.
async function inlineLoader() {
  const file = pathOf('dist/runtime/instantiate.js');
  // The loader's helpers are private, so their names can be shortened.
  const { packages } = await bundleFile(file, file, { mangleProps: /^__/ });
  return packages;
}

async function inlineWorker() {
  const {
    outputFiles: [{ text }],
  } = await bundle({
    entryPoints: [pathOf('dist/runtime/worker.js')],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
  });
  await bundleFile(pathOf('dist/runtime/worker.js'), pathOf('dist/runtime/worker.js'));
  writeFileSync(
    pathOf('dist/runtime/workerSource.js'),
    `// The worker's script, inlined for pages that cannot load its file.\nexport const workerSource = ${JSON.stringify(text)};\n`,
  );
  return pathOf('dist/runtime/workerSource.js');
}

// Code at the start of a bundle for Node, which defines require(). The bundle is an ES module, in which
// require() is undefined, but it contains CommonJS packages that load built-in modules with require().
const withRequire =
  "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);";

function appendLicenses(file, packages) {
  appendFileSync(file, `/*!\n${licensesOf(packages)}\n*/\n`);
}

// Does what `bundleFile` does, and appends the licenses of the bundled packages to the file. Returns the
// names of these packages.
async function bundleWithLicenses(from, to, options) {
  const { packages } = await bundleFile(from, to, { legalComments: 'none', ...options });
  appendLicenses(to, packages);
  return packages;
}

/** The package in one file, for pages without a bundler, and its worker script. */
const packageBundle = 'dist/pfront.js';
const workerBundle = 'dist/pfront-worker.js';

// Writes the package as one file instead of some hundreds, and the worker script beside it, so that both
// can be copied to any folder. `packages` names the npm packages whose code and licenses both files contain.
// Returns the names that the package exports.
async function bundlePackage(packages) {
  const { exports } = await bundleFile(pathOf('dist/index.js'), pathOf(packageBundle));
  const text = readFileSync(pathOf(packageBundle), 'utf8');
  const workerUrlPattern = /(new URL\("\.\/)(worker\.js",import\.meta\.url\))/g;
  if (!workerUrlPattern.test(text))
    throw new Error(`${packageBundle} does not refer to the worker script: adapt bundlePackage`);
  writeFileSync(pathOf(packageBundle), text.replace(workerUrlPattern, '$1pfront-$2'));
  writeFileSync(pathOf(workerBundle), readFileSync(pathOf('dist/runtime/worker.js')));
  for (const file of [packageBundle, workerBundle]) appendLicenses(pathOf(file), packages);
  return exports;
}

// Writes `pfront/three` as one file, dist/pfront-three.js, for pages without a bundler. The file imports
// three.js by name. If dist/pfront.js exports an error class, the file imports the class from dist/pfront.js,
// so that an error has the same class in both files.
async function bundleThree(exportNames) {
  const file = pathOf('dist/pfront-three.js');
  const errors = JSON.stringify(pathOf('dist/core/errors.js'));
  const packageFile = './pfront.js';
  const shared = {
    name: 'shared',
    setup(build) {
      build.onResolve({ filter: /\/errors\.js$/ }, ({ namespace, path: name }) =>
        namespace === 'shared' ? undefined : { path: name, namespace: 'shared' },
      );
      build.onLoad({ filter: /./, namespace: 'shared' }, () => ({
        contents: `export * from ${errors};\nexport { ${exportNames.join(', ')} } from '${packageFile}';`,
        resolveDir: root,
      }));
    },
  };
  await bundleFile(pathOf('dist/three/index.js'), file, {
    external: ['three', packageFile],
    plugins: [shared],
  });
  return file;
}

/** Compiles all scripts. The kernels and shaders must be in dist. Returns the files written to dist. */
export async function compileScripts() {
  runTypeScript();
  const written = compiledNames().map(copy);
  const inlined = await inlineLoader();
  written.push(await inlineWorker());
  // The library has no dependencies. So the report viewer and three parts of the command line (the progress
  // bar, the BCF writer and the reader of 3MF files) contain the packages that they need. Every report contains
  // the viewer, and so it also contains the licenses of the viewer's packages.
  const [viewerBundle, progress] = [pathOf('dist/report/viewer.js'), pathOf('dist/cli/progress.js')];
  const archive = pathOf('dist/report/bcf/archive.js');
  const threeMf = pathOf('dist/formats/threeMfPackages.js');
  const packages = [
    ...inlined,
    ...(await bundleWithLicenses(path.join(staging, viewer, 'main.js'), viewerBundle, { format: 'iife' })),
    ...(await bundleWithLicenses(progress, progress, { platform: 'node', banner: { js: withRequire } })),
    ...(await bundleWithLicenses(archive, archive, { platform: 'node' })),
    ...(await bundleWithLicenses(threeMf, threeMf, { platform: 'node', banner: { js: withRequire } })),
  ];
  written.push(
    viewerBundle,
    progress,
    archive,
    threeMf,
    ...listBundledPackages([...new Set(packages)].sort()),
  );
  const exportNames = await bundlePackage(inlined);
  written.push(pathOf(packageBundle), pathOf(workerBundle), await bundleThree(exportNames));
  written.push(...(await bundleCommandLine()));
  return written;
}
