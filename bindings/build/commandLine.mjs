// Bundles the command line into a few files in dist/bin, because Node takes longer to load several hundred
// small files than most commands take to run.

import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build as bundle } from 'esbuild';
import { pathOf, root } from './paths.mjs';

const folder = pathOf('dist/bin');

/**
 * Maps the name of each bundle to its script: the script of the program, and the scripts of the threads and
 * processes that the program starts.
 */
const entries = {
  pfront: 'dist/cli/main.js',
  fileWorker: 'dist/formats/fileWorker.js',
  ifcWorker: 'dist/formats/ifcWorker.js',
  cadWorker: 'dist/formats/cadWorker.js',
  measureWorker: 'dist/cli/clash/measureWorker.js',
  nodeMain: 'dist/cluster/nodeMain.js',
  threadMain: 'dist/cluster/jobs/threadMain.js',
};
/** Large files of data, which the bundles import from dist. */
const EXTERNAL = /\.wasm\.js$|\/(workerSource|shaders)\.js$/;
const bundleNames = new Map(Object.entries(entries).map(([name, file]) => [pathOf(file), `${name}.js`]));

// Returns the path of a file of dist, relative to the folder of the bundles. If the file is the script of a
// bundle, returns the path of the bundle instead.
function relativeName(file) {
  const name = bundleNames.get(file) ?? path.relative(folder, file).replaceAll(path.sep, '/');
  return name.startsWith('.') ? name : `./${name}`;
}

// A script of dist refers to another file by a path relative to the script's own folder, as in
// new URL('./x.js', import.meta.url). All bundles are in one folder, so this plugin replaces each of these
// paths with a path relative to the folder of the bundles.
const relativeToBundles = {
  name: 'relativeToBundles',
  setup(build) {
    build.onResolve({ filter: EXTERNAL }, ({ path: name, resolveDir }) => ({
      path: relativeName(path.resolve(resolveDir, name)),
      external: true,
    }));
    build.onLoad({ filter: /\.js$/ }, ({ path: file }) => {
      if (!file.startsWith(pathOf('dist'))) return undefined;
      const contents = readFileSync(file, 'utf8').replace(
        /new URL\(["'](\.[^"']*)["'], ?import\.meta\.url\)/g,
        (_, name) => `new URL('${relativeName(path.resolve(path.dirname(file), name))}', import.meta.url)`,
      );
      return { contents, resolveDir: path.dirname(file) };
    });
  },
};

/**
 * Writes the bundles. All scripts that the bundles contain or import must be in dist. Returns the written
 * files.
 */
export async function bundleCommandLine() {
  const { metafile } = await bundle({
    entryPoints: Object.entries(entries).map(([out, file]) => ({ in: pathOf(file), out })),
    outdir: folder,
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'es2022',
    // Identifiers are not shortened, so that stack traces stay readable.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'eof',
    logLevel: 'warning',
    absWorkingDir: root,
    metafile: true,
    plugins: [relativeToBundles],
  });
  chmodSync(path.join(folder, 'pfront.js'), 0o755);
  return Object.keys(metafile.outputs).map(file => pathOf(file));
}
