// Installs JavaScript runtimes (Node, Deno and Bun) from npm. Runs scripts and `pfront clash` in them, without
// a browser.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Answers, hashOf } from '../support/answers.js';
import { folderOf, isInstalled } from '../support/npmPackages.js';

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
  /** Whether the queries run on the program's GPU, with the driver lavapipe. */
  hasGpu?: boolean;
  /** Whether only `npm run determinism` runs the program, because other programs are similar. */
  isOnlyRecorded?: boolean;
}

/** The file that describes lavapipe, the Vulkan driver of Mesa that computes on the CPU. */
export const LAVAPIPE = '/usr/share/vulkan/icd.d/lvp_icd.x86_64.json';

/** The environment of this process, with lavapipe as the only Vulkan driver. */
export const lavapipeEnvironment = { ...process.env, VK_DRIVER_FILES: LAVAPIPE };

const system = process.platform === 'win32' ? 'win' : process.platform;

const node = (major: number, processor: string = process.arch): Program => ({
  name: `Node ${major}`,
  spec: `node-${system}-${processor}@${major}`,
  file: `node_modules/node-${system}-${processor}/bin/node${system === 'win' ? '.exe' : ''}`,
  args: [],
});

const deno: Program = {
  name: 'Deno',
  spec: 'deno@2',
  file: 'node_modules/.bin/deno',
  args: ['run', '--no-prompt', '--cached-only', '--allow-all'],
};

export const programs: readonly Program[] = [
  ...[20, 22, 24].map(major => ({ ...node(major), isOnlyRecorded: true })),
  node(26),
  deno,
  { name: 'Bun', spec: 'bun@1', file: 'node_modules/.bin/bun', args: [] },
  {
    ...node(22, 'arm64'),
    name: 'Node 22 on arm64 (emulated)',
    emulator: '/usr/bin/qemu-aarch64-static',
  },
  { ...deno, name: 'GPU: wgpu in Deno, lavapipe', hasGpu: true, isOnlyRecorded: true },
];

/** The program that runs this process. It needs no installation. */
export const thisProcess: Program = {
  name: 'Node, this process',
  spec: '',
  file: process.execPath,
  args: [],
};

function run({ emulator, hasGpu, ...program }: Program, words: readonly string[], cwd?: string) {
  const file = path.resolve(folderOf(program.spec), program.file);
  const [first, ...rest] = [...(emulator ? [emulator] : []), file, ...words];
  const env = hasGpu ? lavapipeEnvironment : process.env;
  return spawnSync(first!, rest, { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 26 });
}

/**
 * Installs a program unless it is installed. @returns its version; undefined if npm has no package for this
 * system, if the registry is unreachable, or if the emulator or the driver of the GPU is missing
 */
export function versionOf(program: Program): string | undefined {
  const needed = [program.emulator, program.hasGpu ? LAVAPIPE : undefined];
  if (needed.some(file => file !== undefined && !existsSync(file))) return undefined;
  if (!isInstalled(program.spec, program.file)) return undefined;
  const { status, stdout } = run(program, ['--version']);
  return status === 0 ? /\d+\.\d+\.\d+/.exec(stdout)?.[0] : undefined;
}

/**
 * Runs a script in a folder. @returns the output of the script @throws an Error that contains the output, if
 * the script fails
 */
function outputOf(program: Program, folder: string, words: readonly string[]): string {
  const { status, stdout, stderr, error } = run(program, [...program.args, ...words], folder);
  if (status !== 0) throw new Error(`${program.name}: ${error?.message ?? `${stdout}${stderr}`}`);
  return stdout;
}

/** Runs a script in a folder, and returns the answers that the script prints as JSON. @throws as above */
export function answersBy(program: Program, folder: string, script: string, options: object): Answers {
  return JSON.parse(outputOf(program, folder, [script, JSON.stringify(options)])) as Answers;
}

/**
 * Runs `pfront clash --json` on files in a folder. @returns the number of threads that it used, and the hash
 * of everything else that it printed, except the time @throws as above
 */
export function clashBy(program: Program, folder: string, files: readonly string[], threads: number) {
  const words = ['--json', '--units', 'm', '--up', 'z', '--clearance', '50mm', '--tolerance', '1mm'];
  const text = outputOf(program, folder, [
    'node_modules/pfront/dist/bin/pfront.js',
    'clash',
    ...files,
    ...words,
    // Raises the limits for IFC files, so that the reader does not exceed its time limit in a slow emulator.
    ...['--ifc-limits', '100', '--threads', String(threads)],
  ]);
  const varying = /"threads":(\d+),"ms":[\d.]+,"stages":\[[^\]]*\],/;
  // On a busy machine, a worker that gets no core in time is replaced, and a note reports this.
  const replaced = /\{[^{}]*were replaced[^{}]*\},?/;
  return {
    threads: Number(varying.exec(text)?.[1]),
    hash: hashOf(new TextEncoder().encode(text.replace(varying, '').replace(replaced, ''))),
  };
}
