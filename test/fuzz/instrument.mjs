// Bundles a script with the readers that it imports from dist, and adds counters of Istanbul to their code.
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { createInstrumenter } from 'istanbul-lib-instrument';
import { cacheFolder, pathOf, root } from '../../bindings/build/paths.mjs';

/**
 * Bundles `entry`; returns the path of the bundle, which the caller removes. covers: a pattern of the paths below dist, with slashes, of
 * the files that get counters.
 */
export async function bundleWithCounters(entry, covers) {
  const folder = path.join(cacheFolder, 'fuzz');
  mkdirSync(folder, { recursive: true });
  const outfile = path.join(folder, `${path.basename(entry, '.ts')}-${process.pid}.mjs`);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    absWorkingDir: root,
    plugins: [
      {
        name: 'counters',
        setup(bundler) {
          bundler.onLoad({ filter: /\.js$/ }, ({ path: file }) => {
            const name = path.relative(pathOf('dist'), file).replaceAll(path.sep, '/');
            if (!covers.test(name)) return undefined;
            // One instrumenter per file: it is not made for files that are read at the same time.
            const instrumenter = createInstrumenter({ esModules: true, compact: false });
            return { contents: instrumenter.instrumentSync(readFileSync(file, 'utf8'), name) };
          });
        },
      },
    ],
  });
  return outfile;
}
