// Parses the command line of `npm test` and selects the test files and the tests to run.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { pathOf, root } from '../../bindings/build/paths.mjs';

export const usage = `npm test -- [NAME ...] [options]
  NAME             a suite (a folder of test/), a file, or a part of a file's name: runs all its tests, including slow ones
  -g, --grep TEXT  only tests whose names contain TEXT
  --slow           the tests that npm test leaves out (npm run test:all)
  --proof          the long searches: *.proof.ts, and tests marked with .proof (npm run proof)
  --limit SECONDS  ends a test that takes longer, in seconds of an idle machine (default 300; 7200 with --proof)
  --no-build       uses dist without building
  --times          lists the slowest tests at the end`;

/** Parses the command line. @returns options with defaults. @throws if a word is unknown */
export function readWords(words) {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      grep: { type: 'string', short: 'g' },
      slow: { type: 'boolean' },
      proof: { type: 'boolean' },
      limit: { type: 'string' },
      'no-build': { type: 'boolean' },
      times: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const limit = Number(values.limit ?? (values.proof ? 7200 : 300));
  if (!(limit > 0)) throw new Error(`--limit is ${values.limit}, but must be a number of seconds above 0`);
  const isNarrow = positionals.length > 0 || values.grep !== undefined;
  return {
    ...values,
    names: positionals,
    limit,
    tier: values.proof ? 'proof' : values.slow ? 'slow' : isNarrow ? 'all' : 'quick',
  };
}

const ENDINGS = {
  quick: ['.test.ts'],
  slow: ['.test.ts', '.slow.ts'],
  all: ['.test.ts', '.slow.ts'],
  proof: ['.test.ts', '.slow.ts', '.proof.ts'],
};
const isOf = (file, endings) => endings.some(ending => file.endsWith(ending));
const listFiles = folder =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath ?? entry.path, entry.name));

// Returns the tier of tests to run in a file. The unmarked tests of a *.slow.ts file are slow, and those of a
// *.proof.ts file are proofs.
function tierIn(file, tier) {
  if (file.endsWith('.proof.ts')) return 'any';
  return tier === 'slow' && file.endsWith('.slow.ts') ? 'all' : tier;
}

/**
 * Returns whether the text of a test file may contain tests of a tier. Only slow tests and proofs are marked in
 * the text, so the result is true for every other tier.
 */
const contains = (text, tier) => !['slow', 'proof'].includes(tier) || new RegExp(`\\.${tier}\\b`).test(text);

/** Finds the files to run. @returns [{ file, suite, selection }]. @throws if a name matches no file */
export function selectFiles({ names, tier, grep }, from = process.env.INIT_CWD ?? process.cwd()) {
  const candidates = listFiles(pathOf('test')).filter(file => isOf(file, ENDINGS[tier]));
  const chosen =
    names.length === 0
      ? candidates
      : names.flatMap(name => {
          const found = filesNamed(name, candidates, from);
          if (found.length === 0) throw new Error(`no test file is named ${name}\n${listSuites(candidates)}`);
          return found;
        });
  return [...new Set(chosen)]
    .map(file => ({ file, text: readFileSync(file, 'utf8') }))
    .filter(({ file, text }) => contains(text, tierIn(file, tier)))
    .map(({ file }) => ({ file, suite: suiteOf(file), selection: { tier: tierIn(file, tier), grep } }));
}

// Finds the files that a NAME of the command line means. These are the files of the suite with this name;
// else the file at this path, even outside of test/; else the test files in the folder at this path; else the
// test files whose paths below test/ contain the name.
function filesNamed(name, candidates, from) {
  const inSuite = candidates.filter(file => suiteOf(file) === name);
  if (inSuite.length > 0) return inSuite;
  const place = [path.resolve(from, name), path.resolve(root, name)].find(existsSync);
  if (place && statSync(place).isFile()) return [place];
  const inFolder = place ? candidates.filter(file => file.startsWith(place + path.sep)) : [];
  return inFolder.length > 0
    ? inFolder
    : candidates.filter(file => path.relative(pathOf('test'), file).includes(name));
}

/**
 * Returns the suite of a file: the name of the folder of test/ that contains the file. If the file is outside
 * of test/, returns the name of the file's own folder.
 */
export function suiteOf(file) {
  const [first, ...rest] = path.relative(pathOf('test'), file).split(path.sep);
  return rest.length > 0 && first !== '..' ? first : path.basename(path.dirname(file));
}

const listSuites = candidates => `suites: ${[...new Set(candidates.map(suiteOf))].sort().join(', ')}`;
