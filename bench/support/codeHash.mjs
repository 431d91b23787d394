// Identifies the code that a bench measures, so that rows that were recorded with older code can be found.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, transformSync } from 'esbuild';
import ts from 'typescript';

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
 * The modules of the package. file: the file that the list of modules imports. uses: matches minified code that
 * contains a call or an option that needs the module. folders: where the module's code is. needs: the modules
 * whose kernels the module needs.
 */
const MODULES = {
  scenes: {
    file: 'scene/scenes.js',
    uses: /\.(boxPairs|createBroadPhase|createScene)\(/,
    folders: ['broadphase', 'scene'],
  },
  stored: { file: 'mesh/stored.js', uses: /\.(loadMesh|serialize)\(/ },
  continuous: {
    file: 'ccd/continuous.js',
    uses: /\.(sweepVertices|sweep|sweepFeatures|contactTimes|edgesOf)\(/,
    folders: ['ccd'],
    needs: ['scenes'],
  },
  deforming: { file: 'narrowphase/deforming.js', uses: /\.(selfQuery|update)\(|\bdeformable:/ },
  spheres: { file: 'hybrid/spheres.js', uses: /"s-aabb"/, folders: ['hybrid'] },
  proximity: {
    file: 'proximity/proximity.js',
    uses: /\.(distance|penetration|contains|classify|queryPoses|queryEdges|placeChain)\(|\b(certificate|clearance):|"segments"|"bitset"/,
    folders: ['certificate', 'contact', 'poses', 'proximity'],
  },
  points: {
    file: 'points/points.js',
    uses: /\.(closestPoints|containsPoints)\(/,
    folders: ['contact', 'points'],
  },
  rays: { file: 'rays/rays.js', uses: /\.castRays\(/, folders: ['rays'] },
  manifolds: {
    file: 'manifolds/manifolds.js',
    uses: /\.contacts\(|\bnarrow: ?"contacts"/,
    folders: ['manifolds'],
  },
  casts: {
    file: 'casts/casts.js',
    uses: /\.(castSphere|castCapsule|castMesh|overlapSphere|overlapCapsule|overlapBox)\(/,
    folders: ['casts'],
  },
  gpu: { file: 'gpu/gpu.js', uses: /\.async\b|"webgpu"/, folders: ['gpu'] },
};
/**
 * The folders of the engine and of the cluster. Their code is not searched for the calls and options of
 * modules, because checks and error messages in this code name these options.
 */
const ENGINE_FOLDERS =
  /^dist\/(bvh|broadphase|casts|ccd|certificate|cluster|contact|core|engine|gpu|hybrid|manifolds|mesh|narrowphase|points|poses|proximity|rays|records|runtime|scene|wasm)\//;

/**
 * Files that list all modules and kernels. They are not hashed, so that a new module does not make the rows of
 * all benches stale.
 */
const LISTS = ['moduleTable.js', 'kernels.js'];

/**
 * Returns a hash of a bench file and of all files of the package that it imports, including kernels. Modules
 * of the engine are included only if the bench uses them. report.js is excluded, because it only writes rows.
 * Comments, formatting, names of local variables and messages of the package do not change the hash.
 */
export function codeHash(file) {
  const hash = createHash('sha256');
  for (const { text } of hashedBundle(file).outputFiles) hash.update(withoutMessages(text));
  return hash.digest('hex').slice(0, 10);
}

/** The comment that esbuild writes before the code of each file. */
const FILE_COMMENT = /^\/\/ (\S+)$/gm;

/**
 * Returns the code of a bundle without comments, in which each message of the package is replaced by an empty
 * string. A string literal counts as a message if it is in a file of dist, contains a space, and contains no
 * character that only shaders have.
 */
export function withoutMessages(text) {
  const files = [...text.matchAll(FILE_COMMENT)].map(({ 1: file, index }) => ({ file, index }));
  const isOfPackage = at => /^dist\//.test(files.findLast(({ index }) => index <= at)?.file ?? '');
  const parts = [];
  let end = 0;
  const visit = node => {
    if (
      ts.isStringLiteral(node) &&
      / /.test(node.text) &&
      !/[{;\n]/.test(node.text) &&
      isOfPackage(node.pos)
    ) {
      parts.push(text.slice(end, node.getStart(source)), '""');
      end = node.end;
    }
    ts.forEachChild(node, visit);
  };
  const source = ts.createSourceFile('bundle.js', text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  visit(source);
  // Without this step, esbuild keeps comments between the members of a class.
  return transformSync([...parts, text.slice(end)].join(''), {
    minifyWhitespace: true,
    legalComments: 'none',
  }).code;
}

/** Returns the paths of the files that codeHash hashes, relative to the root of the repository. */
export const hashedFiles = file => Object.keys(hashedBundle(file).metafile.inputs);

function hashedBundle(file) {
  const used = usedModules(file);
  return bundle(
    [file, ...used.map(name => `dist/${MODULES[name].file}`)],
    Object.keys(MODULES).filter(name => !used.includes(name)),
  );
}

/**
 * Returns the names of the modules of the engine that a bench uses. A bench uses a module if one of these is
 * true:
 * - The code of the bench, or of an imported file that does not belong to the engine, contains a call or an
 *   option of the module. Comments do not count.
 * - The bench imports a file of the module, directly or through files other than the list of modules.
 * - Another used module needs the kernels of the module.
 */
export function usedModules(file) {
  const names = Object.keys(MODULES);
  const paths = Object.keys(bundle([file], names).metafile.inputs).filter(path => /\.[jt]s$/.test(path));
  const code = paths.filter(path => !ENGINE_FOLDERS.test(path)).map(codeOf);
  const used = names.filter(name => {
    const { uses, folders = [] } = MODULES[name];
    return (
      code.some(text => uses.test(text)) ||
      paths.some(path => folders.some(folder => path.startsWith(`dist/${folder}/`)))
    );
  });
  const needed = used.flatMap(name => MODULES[name].needs ?? []);
  return names.filter(name => used.includes(name) || needed.includes(name));
}

// Returns the code of a file without its comments.
function codeOf(path) {
  const text = readFileSync(join(root, path), 'utf8');
  return transformSync(text, { loader: path.endsWith('.ts') ? 'ts' : 'js', minify: true }).code;
}

// Bundles files without some modules, and without the lists of all modules and kernels.
const bundle = (files, excluded) =>
  buildSync({
    entryPoints: files,
    absWorkingDir: root,
    outdir: 'out',
    bundle: true,
    splitting: false,
    write: false,
    metafile: true,
    minifySyntax: true,
    minifyIdentifiers: true,
    legalComments: 'none',
    // Messages with values become calls of `concat`, so all messages are string literals.
    supported: { 'template-literal': false },
    platform: 'node',
    format: 'esm',
    packages: 'external',
    external: ['support/report.js', ...LISTS, ...excluded.map(name => MODULES[name].file)].map(
      path => `*/${path}`,
    ),
    logLevel: 'error',
    loader: { '.wasm': 'binary', '.node': 'empty' },
  });
