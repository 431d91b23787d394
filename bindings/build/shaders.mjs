// Generates dist/gpu/device/shaders.js from gpu/**/*.wgsl and the record tables. The file has the WGSL text
// of each kernel, the WGSL files that kernels include ("includes"), and the structs and constants that kernels
// and includes use.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const withoutComments = text =>
  text
    .replace(/\/\/.*$/gm, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .replace(/ ?([{}();,=<>+\-*/&|:]) ?/g, '$1')
    .replace(/([{};,])\n|\n(})/g, '$1$2')
    .trim();
const filesBelow = folder =>
  readdirSync(folder, { recursive: true })
    .filter(name => name.endsWith('.wgsl'))
    .sort()
    .map(name => ({ name: path.parse(name).name, text: readFileSync(path.join(folder, name), 'utf8') }));

// Throws unless the bindings of a kernel are numbered in the order of their declarations, because the engine
// identifies a binding by its position.
function checkBindings({ name, text }) {
  [...text.matchAll(/@binding\((\d+)\)/g)].forEach(([, index], place) => {
    if (Number(index) !== place)
      throw new Error(`${name}.wgsl: binding ${index} is at position ${place}: number bindings in order`);
  });
}

const hasWord = (text, word) => new RegExp(`\\b${word}\\b`).test(text);

/** Names that WGSL itself defines. */
const BUILT_IN = new Set(
  'all any array atomic ceil clamp cross default distance dot exp2 floor fract function length max min mix pow private ptr read select sign sqrt step storage trunc uniform workgroup write'.split(
    ' ',
  ),
);
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const declaredNames = text =>
  [...text.matchAll(/\b(?:let|var|fn|const) (\w+)|\b(\w+):/g)].map(([, named, typed]) => named ?? typed);

/**
 * Returns a map from the identifiers declared in these texts to short names; the most frequent identifiers
 * get the shortest names. The texts have no comments. The names of kernels and buffers are kept, since
 * TypeScript code uses them.
 */
export function shortNames(texts, kernelNames) {
  const all = texts.join('\n');
  const words = all.match(/\b[A-Za-z]\w*/g);
  const counts = new Map();
  const known = new Set([
    ...BUILT_IN,
    ...kernelNames,
    ...[...all.matchAll(/var<storage,\w+>(\w+)/g)].map(([, name]) => name),
  ]);
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const names = [...new Set(declaredNames(all))]
    .filter(name => /^[a-z]\w\w/.test(name) && !known.has(name))
    .sort((a, b) => counts.get(b) - counts.get(a) || (a < b ? -1 : 1));
  const short = [
    ...LETTERS,
    ...[...LETTERS].flatMap(first => [...LETTERS.toLowerCase()].map(second => first + second)),
  ].filter(name => !counts.has(name));
  return new Map(names.map((name, i) => [name, short[i] ?? name]));
}

/** Returns the text with each identifier that `names` contains replaced by its short name. */
export const shortened = (text, names) => text.replace(/(?<!@)\b[a-z]\w*/g, word => names.get(word) ?? word);

/**
 * Reads every shader in the folder, removes comments, and chooses short names for the identifiers in all
 * files.
 */
export function readShaders(folder, records) {
  const files = filesBelow(folder).map(({ name, text }) => ({ name, text, plain: withoutComments(text) }));
  // Kernels have an entry point; the other files are included by kernels.
  const kernels = files.filter(({ plain }) => plain.includes('@compute'));
  const includes = files.filter(file => !kernels.includes(file));
  return {
    includes,
    kernels,
    names: shortNames(
      [...includes, ...kernels].map(({ plain }) => plain).concat(Object.values(records)),
      kernels.map(({ name }) => name),
    ),
  };
}

/**
 * Returns the text of the generated module. records: the WGSL struct of each record, by name. constants: the
 * WGSL of each constant, by name. Records and constants that no shader uses are left out.
 */
export function shaderModule(folder, records, constants) {
  const { includes, kernels, names } = readShaders(folder, records);
  const short = text => shortened(text, names);
  const includesOf = ({ name, text }) =>
    (/^\/\/ uses: (.*)$/m.exec(text)?.[1].split(/,\s*/) ?? []).map(wanted => {
      const include = includes.find(({ name: known }) => known === wanted);
      if (!include) throw new Error(`${name}.wgsl uses ${wanted}, but no folder of gpu has a ${wanted}.wgsl`);
      return include;
    });
  // Returns all files that a file uses, directly or indirectly. Each is listed once, after the files that it
  // uses.
  const gather = (file, found = []) => {
    for (const include of includesOf(file)) {
      if (found.includes(include)) continue;
      gather(include, found);
      found.push(include);
    }
    return found;
  };
  const table = Object.fromEntries(
    kernels.map(kernel => {
      if (!hasWord(kernel.text, `fn ${kernel.name}`))
        throw new Error(`${kernel.name}.wgsl has no entry point ${kernel.name}`);
      checkBindings(kernel);
      return [kernel.name, { uses: gather(kernel).map(({ name }) => name), text: short(kernel.plain) }];
    }),
  );
  const texts = [...includes, ...kernels].map(({ plain }) => plain);
  const all = {
    shared: Object.fromEntries(
      Object.entries({ ...constants, ...records })
        .filter(([name]) => texts.some(text => hasWord(text, name)))
        .map(([name, text]) => [name, short(text)]),
    ),
    includes: Object.fromEntries(includes.map(({ name, plain }) => [name, short(plain)])),
    kernels: table,
  };
  return `// WGSL of every kernel.\nexport const shaders = ${JSON.stringify(all)};\n`;
}
