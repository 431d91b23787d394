// Identifies the code that a bench measures, so that rows of older code can be found.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, transformSync } from 'esbuild';

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
 * report.js is excluded, because it only writes rows, and so is the module `proximity` (contacts, distances
 * and poses) if the bench does not use it. Comments, formatting and names of local variables do not change the
 * hash.
 */
export function codeHash(file) {
  const { outputFiles } = bundle(file, usesProximity(file) ? [] : [PROXIMITY]);
  const hash = createHash('sha256');
  for (const { contents } of outputFiles) hash.update(contents);
  return hash.digest('hex').slice(0, 10);
}

/** Path by which the list of modules imports the module `proximity`. */
const PROXIMITY = '*/proximity/proximity.js';
/** Calls and options, in minified code, for which an engine runs the module `proximity`. */
const PROXIMITY_USES = /\.(distance|penetration|contains|classify|queryPoses)\(|\bclearance:|"segments"/;
/**
 * The folders of the engine and of the cluster. Their code is not searched, because it names these options in
 * checks and errors, and uses the module only if its caller requests it.
 */
const ENGINE_FOLDERS =
  /^dist\/(bvh|broadphase|ccd|certificate|cluster|contact|core|engine|gpu|hybrid|mesh|narrowphase|poses|proximity|records|runtime|scene|wasm)\//;

/**
 * Returns whether a bench, or a file outside of the engine that it imports, contains a call or an option for
 * which an engine runs the module `proximity`. Comments do not count.
 */
export function usesProximity(file) {
  const inputs = Object.keys(bundle(file, [PROXIMITY]).metafile.inputs);
  return inputs
    .filter(path => /\.[jt]s$/.test(path) && !ENGINE_FOLDERS.test(path))
    .some(path => PROXIMITY_USES.test(codeOf(path)));
}

// Returns the code of a file without its comments.
function codeOf(path) {
  const text = readFileSync(join(root, path), 'utf8');
  return transformSync(text, { loader: path.endsWith('.ts') ? 'ts' : 'js', minify: true }).code;
}

const bundle = (file, excluded) =>
  buildSync({
    entryPoints: [file],
    absWorkingDir: root,
    outdir: 'out',
    bundle: true,
    splitting: false,
    write: false,
    metafile: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    external: ['*/support/report.js', ...excluded],
    logLevel: 'error',
    loader: { '.wasm': 'binary', '.node': 'empty' },
  });
