// Bundles a TypeScript script with the modules that it imports, so that a worker thread can run it without a
// TypeScript loader.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { cacheFolder, root } from '../../bindings/build/paths.mjs';

/**
 * Bundles `entry` and returns the path of the bundle, which the caller must remove. plugins: plugins of
 * esbuild.
 */
export async function bundleWorker(entry, plugins = []) {
  const folder = path.join(cacheFolder, 'workers');
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
    plugins,
  });
  return outfile;
}
