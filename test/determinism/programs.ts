// Installs JavaScript runtimes (Node, Deno and Bun) from npm, and runs scripts in them without a browser.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathOf } from '../../bindings/build/paths.mjs';
import type { Answers } from '../support/answers.js';

export interface Program {
  name: string;
  /** The npm package that contains the program, with its version. */
  spec: string;
  /** The path of the program, relative to the folder in which the npm package is installed. */
  file: string;
  /** Arguments that precede the path of the script. */
  args: readonly string[];
  /**
   * The emulator that runs the program, if the program is built for another processor than this machine's.
   */
  emulator?: string;
}

const cacheFolder = pathOf('node_modules/.cache/pfront/programs');
const system = process.platform === 'win32' ? 'win' : process.platform;

const node = (major: number, processor: string = process.arch): Program => ({
  name: `Node ${major}`,
  spec: `node-${system}-${processor}@${major}`,
  file: `node_modules/node-${system}-${processor}/bin/node${system === 'win' ? '.exe' : ''}`,
  args: [],
});

export const programs: readonly Program[] = [
  ...[20, 22, 24, 26].map(major => node(major)),
  {
    name: 'Deno',
    spec: 'deno@2',
    file: 'node_modules/.bin/deno',
    args: ['run', '--no-prompt', '--cached-only'],
  },
  { name: 'Bun', spec: 'bun@1', file: 'node_modules/.bin/bun', args: [] },
  {
    ...node(22, 'arm64'),
    name: 'Node 22 on arm64 (emulated)',
    emulator: '/usr/bin/qemu-aarch64-static',
  },
];

const folderOf = ({ spec }: Program): string => path.join(cacheFolder, spec.replaceAll(/[/@]/g, '-'));

function run({ emulator, file, ...program }: Program, words: readonly string[], cwd?: string) {
  const inFolder = path.join(folderOf({ emulator, file, ...program }), file);
  const [first, ...rest] = [...(emulator ? [emulator] : []), inFolder, ...words];
  return spawnSync(first!, rest, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });
}

/**
 * Installs a program unless it is installed. @returns its version; undefined if npm has no package for this
 * system, if the registry is unreachable, or if the emulator is missing
 */
export function versionOf(program: Program): string | undefined {
  if (program.emulator && !existsSync(program.emulator)) return undefined;
  const folder = folderOf(program);
  if (!existsSync(path.join(folder, program.file))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), '{ "private": true }');
    try {
      const words = ['install', '--no-package-lock', '--no-audit', '--no-fund', '--force', program.spec];
      execFileSync('npm', words, { cwd: folder, stdio: 'ignore', shell: process.platform === 'win32' });
    } catch {
      return undefined;
    }
  }
  const { status, stdout } = run(program, ['--version']);
  return status === 0 ? /\d+\.\d+\.\d+/.exec(stdout)?.[0] : undefined;
}

/**
 * Runs a script in a folder, and returns the answers that the script prints as JSON. @throws an Error with
 * what the program printed, if the program fails
 */
export function answersBy(program: Program, folder: string, script: string, options: object): Answers {
  const { status, stdout, stderr, error } = run(
    program,
    [...program.args, script, JSON.stringify(options)],
    folder,
  );
  if (status !== 0) throw new Error(`${program.name}: ${error?.message ?? stderr}`);
  return JSON.parse(stdout) as Answers;
}
