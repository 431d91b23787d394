// Checks the types, format and lint rules of the sources (npm run check). With --write, formats the files and
// applies safe lint fixes.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { argv, execPath, exit } from 'node:process';
import { pathOf, root } from './paths.mjs';

const biome = [pathOf('node_modules/@biomejs/biome/bin/biome')];
const isWriting = argv.includes('--write');
const run = (args, input) => spawnSync(execPath, args, { cwd: root, encoding: 'utf8', input });

// AssemblyScript allows decorators on functions, and TypeScript does not, so Biome cannot parse kernel files
// that contain @inline. Biome formats a copy in which each decorator is a comment, and the decorators are
// then restored on lines of their own. Biome does not lint these files.
const DECORATOR = /^\/\/ @ts-ignore: decorator\n@inline\n/gm;
const MARK = '// @inline\n';

/**
 * Checks the format of a kernel file; with --write, formats the file.
 * @returns whether the file is formatted now
 */
function formatKernels(file) {
  const text = readFileSync(pathOf(file), 'utf8');
  const { status, stdout, stderr } = run(
    [...biome, 'format', `--stdin-file-path=${file}`],
    text.replace(DECORATOR, MARK).replace(/^@inline\n/gm, MARK),
  );
  if (status !== 0) console.error(stderr);
  const formatted = stdout.replaceAll(MARK, '// @ts-ignore: decorator\n@inline\n');
  if (status === 0 && formatted !== text && isWriting) writeFileSync(pathOf(file), formatted);
  const isFine = status === 0 && (isWriting || formatted === text);
  if (!isFine) console.error(`${file} is not formatted: run npm run check -- --write`);
  return isFine;
}

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  // git also lists files that were deleted but not staged.
  .filter(file => existsSync(pathOf(file)));
const decorated = files.filter(
  file =>
    file.startsWith('assembly/') &&
    file.endsWith('.ts') &&
    /^@inline$/m.test(readFileSync(pathOf(file), 'utf8')),
);
const rest = ['bindings', 'gpu', 'test', 'bench', 'docs', 'package.json', 'asconfig.json', '.biome.json'];
const kernels = files.filter(
  file => file.startsWith('assembly/') && file !== 'assembly/records.ts' && !decorated.includes(file),
);

let failureCount = 0;
for (const project of ['bindings', 'test', 'docs/demo']) {
  const types = run([pathOf('node_modules/typescript-7/bin/tsc'), '-p', project, '--noEmit']);
  if (types.status === 0) continue;
  failureCount++;
  console.error(types.stdout);
}
const lint = run([
  ...biome,
  'check',
  '--error-on-warnings',
  ...(isWriting ? ['--write'] : []),
  ...rest,
  ...kernels,
]);
if (lint.status !== 0) {
  failureCount++;
  console.error(lint.stdout + lint.stderr);
}
failureCount += decorated.filter(file => !formatKernels(file)).length;
if (failureCount > 0) exit(1);
console.log(
  `Types, format and lint are correct: ${files.length} files, ${decorated.length} with decorators.`,
);
