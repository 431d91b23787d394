// The sources -> imports that point one way, files short enough to read at one sitting.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from '../support/test.js';
import * as assert from 'uvu/assert';

const root = fileURLToPath(new URL('../../', import.meta.url));

// From the ground up: a file imports from its own layer or those above it in this list. What is not named is of 'meshes'.
const layers: [layer: string, files: RegExp][] = [
  ['records', /^(record|\w*[lL]ayout|boxLimits|treeLimits|control|kernels|errors|exact|exactContact|polynomials|partition|stats|stageClock|turns)$/],
  ['machine', /^(memory|note|wasm|ownKernels|wasmFile|instantiate|worker|workerSource|transport|nodeWorkers|webWorkers|pool|emit|transform|results)$/],
  ['backend', /^(backend|blocks|steps|webgpu\/.*)$/],
  ['meshes', /^[^/]*$/],
  ['systems', /^(systems\/.*|joinLists|crossover|gpuRunner|options|sweepOptions|sweptContacts|decideNear|pairWriter|summary)$/],
  ['engine', /^(engine|engineOptions|createEngine|startWorkers|feature|featureOptions|features|features\/.*|questions\/.*|scene|detection|sceneOptions|sweptBodies|bodySweeper|askBodies|frame|broadPhase|repeat|warmUp|warmUpBoxes|asyncAnswers|asyncEngine|asked|gpuPart|gpuPoses|gpuBodies|share|gpuQueries|gpuSystems|sharedQueries|sharedPair|frontPart|syncVerbs|sweepQuestions|questionSizes|printCore)$/],
  ['index', /^index$/],
  ['three', /^three\//],
  ['cluster', /^cluster\//],
  ['cli', /^cli\//],
];
// A world of its own: scenes know errors and nothing else.
const scenesKnow = /^(scenes\/.*|errors)$/;

// Who alone may import a package or a module of Node.
const soleImporters: [imported: RegExp, files: RegExp][] = [
  [/^@assemblyscript\/loader$/, /^instantiate$/],
  [/^three$/, /^(three|cli\/report\/viewer)\//],
  [/^@nats-io\//, /^cluster\/natsLink$/],
  [/^node:worker_threads$/, /^(transport|nodeWorkers|cluster\/.*|cli\/files\/ifc(Worker)?)$/],
  [/^node:os$/, /^cli\/.*$/],
  [/^node:/, /^(transport|nodeWorkers|cli\/.*|cluster\/.*)$/],
  [/^[^.]/, /^(instantiate|transport|nodeWorkers|cli\/.*|three\/.*|cluster\/.*)$/],
  [/\.wasm\.js$/, /^(createEngine|features\/.*)$/],
  [/^\.\/workerSource\.js$/, /^webWorkers$/],
];

function listFiles(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && /\.(ts|mjs)$/.test(entry.name))
    .map(entry => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)).replaceAll(path.sep, '/'));
}

const text = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const withoutComments = (source: string): string => source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

/** Every module that a source names: imports of values and types, re-exports, import(). */
function importsOf(file: string): string[] {
  return [...withoutComments(text(file)).matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"]+)\1/g)].map(([,, name]) => name!);
}

const modules = listFiles('bindings').filter(file => file.endsWith('.ts') && !file.startsWith('bindings/build/')).map(file => file.slice('bindings/'.length).replace(/(\.d)?\.ts$/, ''));
const fileOf = (module: string): string => (/^(wasmFile|workerSource|webgpu\/shaders)$/.test(module) ? `bindings/${module}.d.ts` : `bindings/${module}.ts`);
// Files of kernels are made by the build.
const isRelative = (name: string): boolean => name.startsWith('.') && !name.endsWith('.wasm.js');
const resolved = (module: string, name: string): string => path.posix.join(path.posix.dirname(module), name).replace(/\.js$/, '');

const layerOf = (module: string): number => {
  const named = layers.findIndex(([layer, files]) => layer !== 'meshes' && files.test(module));
  return named >= 0 ? named : layers.findIndex(([layer]) => layer === 'meshes');
};

test('imports point one way', () => {
  const wrong: string[] = [];
  for (const module of modules) {
    for (const name of importsOf(fileOf(module)).filter(isRelative)) {
      const target = resolved(module, name);
      if (!modules.includes(target)) wrong.push(`${module} imports ${name}, which does not exist`);
      else if (module.startsWith('scenes/') || target.startsWith('scenes/')) {
        if (!/^(scenes|cli)\/|^cluster\/worlds$/.test(module)) wrong.push(`${module} imports ${target}: scenes are for tests, benches and samples`);
        if (module.startsWith('scenes/') && !scenesKnow.test(target)) wrong.push(`${module} imports ${target}: scenes know errors only`);
      } else if (layerOf(target) > layerOf(module)) wrong.push(`${module} (${layers[layerOf(module)]![0]}) imports ${target} (${layers[layerOf(target)]![0]})`);
    }
  }
  assert.equal(wrong, []);
});

test('no imports in circles', () => {
  const done = new Set<string>();
  const walk = (module: string, way: string[]): void => {
    if (way.includes(module)) throw new Error([...way.slice(way.indexOf(module)), module].join(' -> '));
    if (done.has(module)) return;
    for (const name of importsOf(fileOf(module)).filter(isRelative)) walk(resolved(module, name), [...way, module]);
    done.add(module);
  };
  for (const module of modules) walk(module, []);
  assert.is(done.size, modules.length);
});

test('packages and modules of Node have few importers', () => {
  const wrong = modules.flatMap(module => importsOf(fileOf(module))
    .filter(name => soleImporters.some(([imported, files]) => imported.test(name) && !files.test(module)))
    .map(name => `${module} imports ${name}`));
  assert.equal(wrong, []);
});

test('kernels import kernels', () => {
  const wrong = listFiles('assembly').flatMap(file => importsOf(file).filter(name => !isRelative(name) || !resolved(file, name).startsWith('assembly/')).map(name => `${file} imports ${name}`));
  assert.equal(wrong, []);
});

test('no file is longer than 300 lines', () => {
  const files = ['assembly', 'bindings', 'test', 'bench', 'docs/demo'].flatMap(listFiles).filter(file => file !== 'assembly/layout.ts');
  assert.ok(files.length > 50);
  const long = files.map(file => [file, text(file).split('\n').length - 1] as const).filter(([, lines]) => lines > 250);
  for (const [file, lines] of long) console.log(`\n${file} has ${lines} lines: a noun may be missing`);
  assert.equal(long.filter(([, lines]) => lines > 300).map(([file, lines]) => `${file}: ${lines}`), []);
});

test('every source says in its first line what it is', () => {
  const files = ['assembly', 'bindings', 'test', 'bench', 'docs/demo'].flatMap(listFiles);
  assert.equal(files.filter(file => !file.endsWith('.d.ts') && !/^(#!.*\n)?\/\/ \S/.test(text(file))), []);
});

test('tests are registered where the runner hears of them', () => {
  const files = listFiles('test').filter(file => file !== 'test/support/test.ts');
  assert.equal(files.filter(file => /^import \{ (test|suite)\b.* from 'uvu';/m.test(text(file))), []);
});

test.run();
