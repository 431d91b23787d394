// Chooses mutants of the TypeScript sources: deliberate errors that the tests should detect. The instrumenter
// of Stryker, a tool for mutation testing, adds all mutants to the sources at once, each behind a switch, so
// that no mutant has to be compiled on its own.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { transform } from 'esbuild';
import { pathOf, root } from '../../bindings/build/paths.mjs';
import { filesBelow } from '../../bindings/build/stamps.mjs';
import { createRandom } from '../../dist/samples/index.js';
import { shuffle, takeRoundRobin } from './choose.js';
import { type Mutant, QUERY_FOLDERS } from './mutant.js';

/** The folders of `bindings` that take part in queries on the CPU. */
const FOLDERS = [...QUERY_FOLDERS, 'core', 'engine', 'runtime'];
/** Files that run only in web pages, and files that the build bundles before they are published. */
const LEFT_OUT = /^runtime\/(webWorkers|worker|instantiate)\.ts$/;
/** Kinds of mutants that are excluded, because they mostly change only the texts of messages. */
const EXCLUDED = ['StringLiteral', 'ObjectLiteral', 'ArrayDeclaration', 'Regex'];
const MAX_TEXT = 60;

const silent = (): void => {};
const logger = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
};

/** Shortens code to one line. */
function oneLine(code: string): string {
  const line = code.replace(/\s+/g, ' ').trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
}

interface Position {
  line: number;
  column: number;
}

/** Returns the part of a text between two positions, whose lines count from 0. */
function textBetween(text: string, start: Position, end: Position): string {
  const lines = text.split('\n').slice(start.line, end.line + 1);
  lines[lines.length - 1] = lines[lines.length - 1].slice(0, end.column);
  return lines.join('\n').slice(start.column);
}

/** Returns the path in dist of a source file. */
const compiledName = (file: string): string =>
  path.relative(pathOf('bindings'), file).replaceAll(path.sep, '/').replace(/\.ts$/, '.js');

/**
 * Chooses `count` mutants: one in each source file, in random order, then another one in each file, and so
 * on. With the same seed, a larger count returns the same mutants first. scripts: the texts of all files of
 * dist that contain mutants, by their paths in dist.
 */
export async function chooseScriptMutants(
  seed: number,
  count: number,
): Promise<{ mutants: Mutant[]; scripts: ReadonlyMap<string, string> }> {
  const sources = FOLDERS.flatMap(folder => filesBelow([pathOf('bindings', folder)])).filter(
    file =>
      file.endsWith('.ts') &&
      !file.endsWith('.d.ts') &&
      !LEFT_OUT.test(path.relative(pathOf('bindings'), file).replaceAll(path.sep, '/')),
  );
  const texts = new Map(sources.map(file => [file, readFileSync(file, 'utf8')]));
  const instrumented = await new Instrumenter(logger).instrument(
    [...texts].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: EXCLUDED, ignorers: [] },
  );
  const scripts = new Map(
    await Promise.all(
      instrumented.files.map(async ({ name, content }): Promise<[string, string]> => {
        const options = { useDefineForClassFields: false };
        const { code } = await transform(content, {
          loader: 'ts',
          target: 'es2022',
          tsconfigRaw: { compilerOptions: options },
        });
        return [compiledName(name), code];
      }),
    ),
  );
  const random = createRandom(seed);
  const groups = sources.map(file => instrumented.mutants.filter(({ fileName }) => fileName === file));
  for (const group of shuffle(groups, random)) shuffle(group, random);
  const chosen = takeRoundRobin(
    groups.map(group => group[Symbol.iterator]()),
    count,
    // Stryker gives a status to mutants that it would not run itself.
    ({ status }) => status === undefined,
  );
  const mutants = chosen.map(({ id, fileName, location: { start, end }, replacement }): Mutant => {
    const file = compiledName(fileName);
    const source = path.relative(root, fileName).replaceAll(path.sep, '/');
    return {
      where: source,
      change: `${oneLine(textBetween(texts.get(fileName)!, start, end))} to ${oneLine(replacement)}`,
      place: () => `${source}:${start.line + 1}`,
      isRunBy: () => true,
      suites: [file.slice(0, file.indexOf('/'))],
      sceneMutant: references => ({
        scenes: references.filter(scene => scene.scripts.includes(id)).map(({ name }) => name),
        script: id,
      }),
      changedFiles: () => ({
        files: { [file]: scripts.get(file)! },
        env: { __STRYKER_ACTIVE_MUTANT__: id },
      }),
    };
  });
  return { mutants, scripts };
}
