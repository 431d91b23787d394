// Tests the README and the documents in docs: every snippet runs and prints what its comments say, every
// command and every linked file exists, and every name is in the sources.

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { MAIN } from '../support/commandLine.js';
import { test } from '../support/test.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md') && !name.includes('node_modules'))
    .map(name => `docs/${name.replaceAll('\\', '/')}`),
];
const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

// A project in which the package, the packages of @types and the dependencies of the guides are installed.
const project = mkdtempSync(join(tmpdir(), 'readme-'));
test.after(() => rmSync(project, { recursive: true }));
mkdirSync(join(project, 'node_modules'));
symlinkSync(root, join(project, 'node_modules/pfront'), 'dir');
for (const name of ['@types', 'three', 'three-mesh-bvh', '@babylonjs', '@dimforge', 'webgpu', 'wgpu-matrix'])
  symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name), 'dir');
writeFileSync(join(project, 'package.json'), '{ "type": "module" }');

interface Block {
  language: string;
  /** The line of the document, counted from 1, at which the text begins. */
  line: number;
  text: string;
  /** The nearest line above the fence that is not empty. */
  above: string;
}

const readText = (document: string): string => readFileSync(join(root, document), 'utf8');

function readBlocks(document: string): Block[] {
  const lines = readText(document).split('\n');
  const blocks: Block[] = [];
  for (let i = 0; i < lines.length; i++) {
    const fence = /^```(\w*)$/.exec(lines[i]);
    if (!fence) continue;
    const end = lines.indexOf('```', i + 1);
    assert.ok(end > i, `${document}:${i + 1}: a fence is not closed`);
    const above = lines.slice(0, i).findLast(line => line !== '') ?? '';
    blocks.push({ language: fence[1], line: i + 2, text: lines.slice(i + 1, end).join('\n'), above });
    i = end;
  }
  return blocks;
}

interface Program {
  name: string;
  file: string;
  text: string;
}

// Reads the programs of a document. A snippet that begins with an import starts a program, and the snippets
// after it continue the program. Each line of a program has the same line number as in the document.
function readPrograms(document: string): Program[] {
  const programs: Program[] = [];
  for (const { language, line, text } of readBlocks(document)) {
    if (language !== 'ts' && language !== 'js') continue;
    if (text.startsWith('import ')) {
      programs.push({
        name: `${document}:${line}`,
        file: join(project, `${document.replace(/\W/g, '-')}-${line}.${language}`),
        text: '',
      });
    }
    const program = programs.at(-1);
    assert.ok(program, `${document}:${line}: the first snippet imports nothing`);
    program.text += '\n'.repeat(line - program.text.split('\n').length) + text;
  }
  return programs;
}

const programs = documents.flatMap(readPrograms);
for (const { file, text } of programs) writeFileSync(file, text);

const expectedLines = (text: string): string[] =>
  [...text.matchAll(/\/\/ -> (.*)$/gm)].map(([, line]) => line!.trim());

for (const { name, file, text } of programs) {
  // Newcomers try these snippets first, so `npm test` runs them. The other snippets are slow tests.
  (/^README|first-query|tour|coming-from|agents/.test(name) ? test : test.slow)(
    `snippets from ${name} run and print what their comments say`,
    () => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['--import', import.meta.resolve('tsx'), file],
        { cwd: project, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
      );
      assert.is(status, 0, stderr);
      // Babylon.js prints a greeting when it loads.
      assert.equal(
        stdout
          .trimEnd()
          .split('\n')
          .map(line => line.trim())
          .filter(line => !line.startsWith('BJS - ')),
        expectedLines(text),
      );
    },
  );
}

test.slow('snippets have correct types', () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/typescript/bin/tsc'),
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2023,esnext.disposable,dom',
      '--types',
      'node',
      ...programs.map(({ file }) => file).filter(file => file.endsWith('.ts')),
    ],
    { cwd: project, encoding: 'utf8' },
  );
  assert.is(status, 0, stdout);
});

const helpOf = new Map<string, string>();
function help(command: string): string {
  if (!helpOf.has(command)) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...command.split(' '), '--help'], {
      encoding: 'utf8',
    });
    assert.is(status, 0, `pfront ${command} --help: ${stderr}`);
    helpOf.set(command, stdout);
  }
  return helpOf.get(command)!;
}

// Returns the npm scripts that a document can name: those of the package.json beside it if there is one, as
// in examples, and otherwise those of pfront.
function scriptsFor(document: string): Record<string, string> {
  const file = join(root, document, '../package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).scripts : packageJson.scripts;
}

function checkCommand(document: string, words: string[]): void {
  const line = words.join(' ');
  if (words[0] === 'npx') {
    assert.ok(Object.hasOwn(packageJson.bin, words[1]), `${line}: package.json has no program ${words[1]}`);
    const command = words[2] === 'cluster' ? `cluster ${words[3]}` : words[2];
    for (const option of words.filter(word => word.startsWith('--')))
      assert.ok(help(command).includes(option), `${line}: the command has no option ${option}`);
    help(command);
    return;
  }
  assert.is(words[0], 'npm', line);
  if (words[1] === 'pack') return;
  if (words[1] === 'install') {
    const tarball = `./${packageJson.name}-${packageJson.version}.tgz`;
    assert.ok(
      words.slice(2).every(word => word === tarball || !word.startsWith('./')),
      line,
    );
    return;
  }
  const script = words[1] === 'run' ? words[2] : words[1];
  const scripts = scriptsFor(document);
  assert.ok(Object.hasOwn(scripts, script), `${line}: package.json has no script ${script}`);
  const folder = scripts === packageJson.scripts ? root : join(root, document, '..');
  for (const file of scripts[script].match(/\S+\.m?[jt]s\b/g) ?? [])
    assert.ok(existsSync(join(folder, file)), `${line}: ${file} is missing`);
}

for (const document of documents) {
  for (const { line, text } of readBlocks(document).filter(({ language }) => language === 'sh')) {
    test(`commands of ${document}:${line} exist`, () =>
      text.split('\n').forEach(command => checkCommand(document, command.split(' '))));
  }
}

test('the sample outputs are what the commands print', () => {
  for (const args of [['sample'], ['clash', 'machine.glb', '--certify', 'machine.json']])
    spawnSync(process.execPath, [MAIN, ...args], { cwd: project });
  const shown = documents.flatMap(readBlocks).filter(({ above }) => above.startsWith('<!-- output: '));
  assert.ok(shown.length > 0);
  // Replaces times and thread counts, which depend on the machine.
  const steady = (text: string): string =>
    text
      .trimEnd()
      .replace(/\d+ ms on \d+ threads?/, 'N ms on N threads')
      .replace(/^time in ms: .*$/m, 'time in ms: N');
  for (const { above, text } of shown) {
    const [, ...args] = above.replace(/^<!-- output: | -->$/g, '').split(' ');
    const { stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
      cwd: project,
      encoding: 'utf8',
    });
    assert.is(steady(stdout), steady(text), stderr);
  }
});

function sourcesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    if (entry.name === 'node_modules' || entry.name === 'package') return [];
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory()
      ? sourcesUnder(path)
      : /\.(ts|mjs|js|json|wgsl)$/.test(entry.name)
        ? [path]
        : [];
  });
}

const prose = (document: string): string => readText(document).replace(/^```[^]*?^```$/gm, '');
const codeSpans = (document: string): string[] =>
  [...prose(document).matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!);

test('names in the documents are in the sources', () => {
  const files = ['assembly', 'bindings', 'gpu', 'test', 'bench', 'docs/examples'].flatMap(sourcesUnder);
  const words = new Set(
    [...files, 'package.json', 'asconfig.json'].flatMap(file => readText(file).match(/[A-Za-z_]\w*/g) ?? []),
  );
  // The guide "Coming from" also has names of other libraries, and the changelog has names that no longer
  // exist.
  const own = documents.filter(document => !/coming-from|CHANGELOG/.test(document));
  const unknown = own.flatMap(document =>
    codeSpans(document).flatMap(span => {
      // Spans such as `folder/file.ts` and `folder/*` are paths of the repository. `docs/api` is an output of
      // `npm run docs`, which may not exist.
      if (span === 'docs/api') return [];
      if (/^(assembly|bindings|test|bench|docs|gpu)\/[\w./-]*$/.test(span))
        return existsSync(join(root, span)) ? [] : [`${document}: ${span}`];
      return (span.match(/[A-Za-z_]\w*/g) ?? [])
        .filter(word => word.length > 2 && !words.has(word))
        .map(word => `${document}: ${word} in \`${span}\``);
    }),
  );
  assert.equal(unknown, []);
});

test('links lead to existing files', () => {
  const links = [...documents, 'docs/llms.txt'].flatMap(document =>
    [...prose(document).matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, target]) => ({
      document,
      target: target!,
    })),
  );
  const broken = links.filter(
    ({ document, target }) => !/^https?:/.test(target) && !existsSync(join(root, document, '..', target)),
  );
  assert.equal(broken, []);
});

test.run();
