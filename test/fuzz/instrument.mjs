// Bundles a script, and adds coverage counters (of the tool Istanbul) to the code of chosen modules of dist.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInstrumenter } from 'istanbul-lib-instrument';
import { pathOf } from '../../bindings/build/paths.mjs';
import { bundleWorker } from '../support/bundleWorker.mjs';

/**
 * Bundles `entry` and returns the path of the bundle, which the caller must remove. covers: a pattern for the
 * files that get counters. It is matched with their paths relative to dist, with slashes as separators.
 */
export const bundleWithCounters = (entry, covers) =>
  bundleWorker(entry, [
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
  ]);
