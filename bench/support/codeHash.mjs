// Identifies the code that a bench measures, so that rows of older code can be found.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Returns the short hash of the last commit, followed by + if files outside of bench/results have changed
 * since that commit.
 */
export function commitText() {
  const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
  try {
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '-uno', '--', '.', ':!bench/results') === '' ? '' : '+'}`;
  } catch {
    // The folder is not a git checkout.
    return '';
  }
}

/**
 * Returns a hash of a bench file and of all files of the package that it imports, including kernels.
 * report.js is excluded, because it only writes rows. Comments, formatting and names of local variables do
 * not change the hash.
 */
export function codeHash(file) {
  const { outputFiles } = buildSync({
    entryPoints: [file],
    absWorkingDir: root,
    outdir: 'out',
    bundle: true,
    splitting: false,
    write: false,
    minify: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    external: ['*/support/report.js'],
    logLevel: 'error',
    loader: { '.wasm': 'binary', '.node': 'empty' },
  });
  const hash = createHash('sha256');
  for (const { contents } of outputFiles) hash.update(contents);
  return hash.digest('hex').slice(0, 10);
}
