// gpu/*.wgsl and the tables of records -> dist/webgpu/shaders.js: each kernel's text and the parts that it needs; records and constants.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const withoutComments = text => text.replace(/\/\/.*$/gm, '').replace(/[ \t]+/g, ' ').replace(/\s*\n\s*/g, '\n').replace(/ ?([{}();,=<>+\-*/&|:]) ?/g, '$1').replace(/([{};,])\n|\n(})/g, '$1$2').trim();
const filesOf = folder => readdirSync(folder).filter(name => name.endsWith('.wgsl')).map(name => ({ name: path.parse(name).name, text: readFileSync(path.join(folder, name), 'utf8') }));

// Bindings are known by their order.
function checkBindings({ name, text }) {
  [...text.matchAll(/@binding\((\d+)\)/g)].forEach(([, index], place) => { if (Number(index) !== place) throw new Error(`gpu/${name}.wgsl: binding ${index} stands in place ${place}`); });
}

const hasWord = (text, word) => new RegExp(`\\b${word}\\b`).test(text);

/** records: name -> WGSL struct; constants: name -> WGSL: each kernel is given those that it names. @returns the text of the module. */
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
  const table = Object.fromEntries(kernels.map(kernel => {
    if (!hasWord(kernel.text, `fn ${kernel.name}`)) throw new Error(`gpu/${kernel.name}.wgsl has no entry point ${kernel.name}`);
    checkBindings(kernel);
    return [kernel.name, { parts: gather(kernel).map(({ name }) => name), text: withoutComments(kernel.text) }];
  }));
  const texts = [...parts, ...kernels].map(({ text }) => withoutComments(text));
  const all = {
    shared: Object.fromEntries(Object.entries({ ...constants, ...records }).filter(([name]) => texts.some(text => hasWord(text, name)))),
    parts: Object.fromEntries(parts.map(({ name, text }) => [name, withoutComments(text)])), kernels: table,
  };
  return `// WGSL of every kernel.\nexport const shaders = ${JSON.stringify(all)};\n`;
}
