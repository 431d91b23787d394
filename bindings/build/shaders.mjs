// gpu/*.wgsl and the tables of records -> dist/webgpu/shaders.js: each kernel's text, what parts and records it needs, its bindings.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const withoutComments = text => text.replace(/\/\/.*$/gm, '').replace(/[ \t]+/g, ' ').replace(/\s*\n\s*/g, '\n').replace(/ ?([{}();,=<>+\-*/&|:]) ?/g, '$1').replace(/([{};,])\n|\n(})/g, '$1$2').trim();
const filesOf = folder => readdirSync(folder).filter(name => name.endsWith('.wgsl')).map(name => ({ name: path.parse(name).name, text: readFileSync(path.join(folder, name), 'utf8') }));

const BINDING = /@group\(0\) @binding\((\d+)\) var<(uniform|storage, read|storage, read_write)> (\w+)/g;
const kinds = { uniform: 'uniform', 'storage, read': 'read-only-storage', 'storage, read_write': 'storage' };

function bindingsOf({ name, text }) {
  const found = [...text.matchAll(BINDING)];
  found.forEach(([, index], place) => { if (Number(index) !== place) throw new Error(`gpu/${name}.wgsl: binding ${index} stands in place ${place}`); });
  return found.map(([,, kind, variable]) => ({ name: variable, type: kinds[kind] }));
}

const hasWord = (text, word) => new RegExp(`\\b${word}\\b`).test(text);

/** records: name -> WGSL struct; constants: name -> WGSL. @returns the text of the module. */
export function shaderModule(folder, records, constants) {
  const parts = filesOf(path.join(folder, 'parts')), kernels = filesOf(folder);
  const partsOf = ({ name, text }) => (/^\/\/ parts: (.*)$/m.exec(text)?.[1].split(/,\s*/) ?? []).map(wanted => {
    const part = parts.find(({ name: known }) => known === wanted);
    if (!part) throw new Error(`gpu/${name}.wgsl asks for gpu/parts/${wanted}.wgsl, which does not exist`);
    return part;
  });
  // Parts before those that ask for them, each once.
  const gather = (file, found = []) => {
    for (const part of partsOf(file)) if (!found.includes(part)) gather(part, found), found.push(part);
    return found;
  };
  // What a text declares itself is its own.
  const used = (texts, table) => Object.keys(table).filter(name => texts.some(text => hasWord(text, name)) && !texts.some(text => hasWord(text, `const ${name}`)));
  const table = Object.fromEntries(kernels.map(kernel => {
    if (!hasWord(kernel.text, `fn ${kernel.name}`)) throw new Error(`gpu/${kernel.name}.wgsl has no entry point ${kernel.name}`);
    const needed = gather(kernel), texts = [...needed, kernel].map(({ text }) => withoutComments(text));
    return [kernel.name, {
      records: used(texts, records), constants: used(texts, constants), parts: needed.map(({ name }) => name),
      bindings: bindingsOf(kernel), text: withoutComments(kernel.text),
    }];
  }));
  const neededBy = (kind, from) => Object.fromEntries(Object.entries(from).filter(([name]) => Object.values(table).some(kernel => kernel[kind].includes(name))));
  const all = {
    records: neededBy('records', records), constants: neededBy('constants', constants),
    parts: Object.fromEntries(parts.map(({ name, text }) => [name, withoutComments(text)])), kernels: table,
  };
  return `// WGSL of every kernel.\nexport const shaders = ${JSON.stringify(all)};\n`;
}
