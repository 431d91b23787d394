// Bundles a script with the modules that it imports from dist, and adds coverage counters (of the tool
// Istanbul) to the code of chosen modules.
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { createInstrumenter } from 'istanbul-lib-instrument';
import { cacheFolder, pathOf, root } from '../../bindings/build/paths.mjs';

/**
 * Bundles `entry` and returns the path of the bundle, which the caller must remove. covers: a pattern for the
 * files that get counters. It is matched with their paths relative to dist, with slashes as separators.
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
            // An instrumenter is not meant for several files at the same time, so each file gets its own.
            const instrumenter = createInstrumenter({ esModules: true, compact: false });
            return { contents: instrumenter.instrumentSync(readFileSync(file, 'utf8'), name) };
          });
        },
      },
    ],
  });
  return outfile;
}
