// Tests the structure of the sources: imports go in one direction, and files are short enough to read in one
// sitting.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { test } from '../support/test.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * For each folder of bindings, the other folders from which its files may import values. '.' stands for the
 * files that are not in a folder, such as `index.ts`. Imports of types, and imports on demand with import(),
 * are not restricted.
 */
const mayImport: Record<string, string[]> = JSON.parse(
  readFileSync(path.join(root, 'bindings/mayImport.json'), 'utf8'),
);

// For some packages and modules, the only files that may import them. Both are patterns.
const soleImporters: [imported: RegExp, files: RegExp][] = [
  [/^@assemblyscript\/loader$/, /^runtime\/instantiate$/],
  [/^three$/, /^(three|report\/viewer)\//],
  [/^@nats-io\//, /^cluster\/natsLink$/],
  [
    /^node:worker_threads$/,
    /^(runtime\/(transport|nodeWorkers)|cluster\/.*|cli\/clash\/measure(Pairs|Worker)|formats\/(watchedReader|readerTask|postOutput|readFiles|(ifc|cad|file)Worker)|papers\/body(Threads|Worker|Messages))$/,
  ],
  [/^node:os$/, /^(cli|formats)\/.*$/],
  [
    /^node:/,
    /^(runtime\/(transport|nodeWorkers)|(cli|formats|report|cluster)\/.*|papers\/body(Threads|Worker|Messages))$/,
  ],
  [
    /^[^.]/,
    /^(runtime\/(instantiate|transport|nodeWorkers)|(cli|formats|report|three|cluster)\/.*|papers\/body(Threads|Worker|Messages))$/,
  ],
  [
    /\.wasm\.js$/,
    /^(engine\/createEngine|ccd\/continuous|hybrid\/spheres|narrowphase\/deforming|papers\/laboratory|points\/points|proximity\/proximity|rays\/rays|manifolds\/manifolds|casts\/casts|scene\/scenes)$/,
  ],
  [/^\.\/workerSource\.js$/, /^runtime\/webWorkers$/],
  // Code that reproduces papers is loaded only on demand.
  [/(^|\/)papers\//, /^(papers\/.*|cli\/bench|cli\/bench\/rows)$/],
];

function listFiles(folder: string): string[] {
  return (
    readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })
      .filter(entry => entry.isFile() && /\.(ts|mjs)$/.test(entry.name))
      .map(entry =>
        path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)).replaceAll(path.sep, '/'),
      )
      // Examples install packages in their own folders.
      .filter(file => !file.includes('node_modules/'))
  );
}

const text = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const withoutComments = (source: string): string =>
  source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

/** Returns every module that a file imports or re-exports, including imports of types and import(). */
function importsOf(file: string): string[] {
  return [
    ...withoutComments(text(file)).matchAll(/(?:(?<!['"])\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"]+)\1/g),
  ].map(([, , name]) => name!);
}

const modules = listFiles('bindings')
  .filter(file => file.endsWith('.ts') && !file.startsWith('bindings/build/'))
  .map(file => file.slice('bindings/'.length).replace(/(\.d)?\.ts$/, ''));
const fileOf = (module: string): string =>
  /^(runtime\/(wasmFile|workerSource)|gpu\/device\/shaders|formats\/(occt-import-js|draco3d))$/.test(module)
    ? `bindings/${module}.d.ts`
    : `bindings/${module}.ts`;
// Excludes the files of kernels (*.wasm.js), because they are outputs of the build.
const isRelative = (name: string): boolean => name.startsWith('.') && !name.endsWith('.wasm.js');
const resolved = (module: string, name: string): string =>
  path.posix.join(path.posix.dirname(module), name).replace(/\.js$/, '');

const folderOf = (module: string): string => (module.includes('/') ? module.split('/')[0] : '.');

/** Returns the modules from which a file imports values when it is loaded; excludes types and import(). */
function valuesOf(file: string): string[] {
  const clauses = [
    ...withoutComments(text(file)).matchAll(
      /^\s*(?:import|export)\s+(type\s+)?([^'"]*?)\s*from\s*'([^']+)'/gm,
    ),
  ];
  const areTypes = (names: string): boolean =>
    /^\{/.test(names) &&
    names
      .replace(/[{}]/g, '')
      .split(',')
      .filter(name => name.trim())
      .every(name => /^\s*type\s/.test(name));
  return clauses.filter(([, type, names]) => !type && !areTypes(names!)).map(([, , , name]) => name!);
}

test('every imported file exists', () => {
  const wrong = modules.flatMap(module =>
    importsOf(fileOf(module))
      .filter(name => isRelative(name) && !modules.includes(resolved(module, name)))
      .map(name => `${module} imports ${name}`),
  );
  assert.equal(wrong, []);
});

test('folders import only from the folders that are listed for them', () => {
  const used = new Map(Object.keys(mayImport).map(folder => [folder, new Set<string>()]));
  const wrong: string[] = [];
  for (const module of modules) {
    const folder = folderOf(module);
    for (const target of valuesOf(fileOf(module))
      .filter(isRelative)
      .map(name => resolved(module, name))) {
      const from = folderOf(target);
      if (from === folder) continue;
      used.get(folder)?.add(from);
      if (!mayImport[folder]?.includes(from))
        wrong.push(`${module} imports ${target}: ${folder} may import ${mayImport[folder]}`);
    }
  }
  assert.equal(wrong, []);
  assert.equal(
    Object.entries(mayImport)
      .map(([folder, folders]) => [folder, folders.filter(name => !used.get(folder)!.has(name))] as const)
      .filter(([, unused]) => unused.length > 0),
    [],
    'folders in mayImport.json from which no file imports',
  );
});

// ECMAScript leaves the rounding of these functions to the JavaScript engine.
const ENGINE_ROUNDED = /\bMath\.(a?(sin|cos|tan)h?|atan2|exp|expm1|log|log10|log1p|pow|cbrt|hypot)\b/;
/**
 * Modules that may use these functions, because their last bits do not affect the module's results, or
 * because the results are only pictures and text.
 */
const mayRound =
  /^(runtime\/warmUp|broadphase\/warmUpBoxes|gpu\/narrowphase\/gpuFrontMaker|report\/viewer\/.*|papers\/(convexShape|closestSimplex))$/;

test('no result depends on functions that JavaScript engines round differently', () => {
  const using = modules.filter(module => ENGINE_ROUNDED.test(withoutComments(text(fileOf(module)))));
  assert.equal(
    using.filter(module => !mayRound.test(module)),
    [],
  );
  assert.ok(using.length >= 6, 'fewer than 6 modules use these functions: remove exceptions from mayRound');
});

test('imports between folders have no cycles', () => {
  const walk = (folder: string, way: string[]): void => {
    if (way.includes(folder)) throw new Error(`folders import each other: ${[...way, folder].join(', ')}`);
    for (const next of mayImport[folder]) walk(next, [...way, folder]);
  };
  for (const folder of Object.keys(mayImport)) walk(folder, []);
});

test('imports between files have no cycles', () => {
  const done = new Set<string>();
  const walk = (module: string, way: string[]): void => {
    if (way.includes(module))
      throw new Error(`files import each other: ${[...way.slice(way.indexOf(module)), module].join(', ')}`);
    if (done.has(module)) return;
    for (const name of importsOf(fileOf(module)).filter(isRelative))
      walk(resolved(module, name), [...way, module]);
    done.add(module);
  };
  for (const module of modules) walk(module, []);
  assert.is(done.size, modules.length);
});

test('packages and modules of Node are imported only by the listed files', () => {
  const wrong = modules.flatMap(module =>
    importsOf(fileOf(module))
      .filter(name => soleImporters.some(([imported, files]) => imported.test(name) && !files.test(module)))
      .map(name => `${module} imports ${name}`),
  );
  assert.equal(wrong, []);
});

test('files of assembly import only from assembly', () => {
  const wrong = listFiles('assembly').flatMap(file =>
    importsOf(file)
      .filter(name => !isRelative(name) || !resolved(file, name).startsWith('assembly/'))
      .map(name => `${file} imports ${name}`),
  );
  assert.equal(wrong, []);
});

test('no source is longer than 600 lines, and no test is longer than 550', () => {
  const files = ['assembly', 'bindings', 'test', 'bench', 'docs/demo', 'docs/examples']
    .flatMap(listFiles)
    .filter(file => file !== 'assembly/records.ts');
  assert.ok(files.length > 50);
  const long = files
    .map(file => [file, text(file).split('\n').length - 1, file.startsWith('test/') ? 550 : 600] as const)
    .filter(([, lines, maximum]) => lines > maximum)
    .map(
      ([file, lines, maximum]) =>
        `${file} has ${lines} lines, more than ${maximum}: move a part to another file`,
    );
  assert.equal(long, []);
});

// verify.ts must be shorter than other sources, because users must be able to read it before they trust it.
test('the file that checks certificates has at most 300 lines', () => {
  const lines = text('bindings/verify/verify.ts').split('\n').length - 1;
  assert.ok(lines <= 300, `${lines} lines`);
});

test('the first line of every source is a comment', () => {
  const files = ['assembly', 'bindings', 'test', 'bench', 'docs/demo', 'docs/examples'].flatMap(listFiles);
  assert.equal(
    files.filter(file => !file.endsWith('.d.ts') && !/^(#!.*\n)?\/\/ \S/.test(text(file))),
    [],
  );
});

// If a worker thread is terminated while it evaluates a module with a top-level await, V8 ends the process.
test('no module that may run in a worker thread has a top-level await', () => {
  const files = [...listFiles('bindings'), ...listFiles('test/support')].filter(
    file => !file.startsWith('bindings/build/'),
  );
  assert.equal(
    files.filter(file => /^(?!.*\basync\b)(\S.*\s)?await\s/m.test(withoutComments(text(file)))),
    [],
  );
});

test('no test file imports test or suite from uvu', () => {
  const files = listFiles('test').filter(file => file !== 'test/support/test.ts');
  assert.equal(
    files.filter(file => /^import \{ (test|suite)\b.* from 'uvu';/m.test(text(file))),
    [],
  );
});

test.run();
